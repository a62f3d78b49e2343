// SPDX-License-Identifier: MIT
// Shortest paths without predecessors: the layers are stored, so the predecessor of a state in layer k is found by
// expanding layer k - 1 again until the state comes out (layered duplicate detection's way of traces
// [lamborn.08.spin]). The run that holds pays nothing for it; a violated one pays at most one more expansion of every
// state.
#pragma once

#include <optional>
#include <vector>

#include "search/bfs_worker.h"

namespace tideline::bfs {

// A shortest path from a start state to `state`, which is in layer `depth`. The set must keep its layers. Null if the
// disk with the layers failed; shared.stop says so.
std::optional<std::vector<PathStep>> find_path(Shared& shared, std::vector<Word> state, std::uint64_t depth);

}  // namespace tideline::bfs
