// SPDX-License-Identifier: MIT
// The path to a state that a sweep has expanded: the commands come from its spanning tree (store/spanning_tree.h), the
// states from running them again.
#pragma once

#include <optional>
#include <vector>

#include "search/bfs_worker.h"

namespace tideline::bfs {

// From a start state to the candidate's state. Null: the tree does not know, or shared.stop says why.
std::optional<std::vector<PathStep>> find_sweep_path(Shared& shared, const Candidate& candidate);

}  // namespace tideline::bfs
