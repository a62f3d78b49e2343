// SPDX-License-Identifier: MIT
// Shortest paths for visited sets that do not keep their layers: the search is run a second time, by one thread, with a
// set of the same kind (and the same seed) and a predecessor log, until the state comes out. The first set is given up
// for it. The run that holds pays nothing. A set on disk may expand a state twice, which the log cannot number; there
// the second search keeps the layers on disk in place of the log, and the path is found as in bfs_path.h.
//
// What can go wrong ends without a path, never with a wrong one: memory ends earlier than in the first run, because of
// the log; the user interrupts; or, with signatures, another state of the path had its signature taken this time
// (docs/design/compaction.md).
#pragma once

#include <optional>
#include <vector>

#include "search/bfs_worker.h"

namespace tideline::bfs {

// A shortest path from a start state to `state`, which the search has found. Null: there is none to be had, and
// shared.stop says why.
std::optional<std::vector<PathStep>> find_path_by_rerun(Shared& shared, const std::vector<Word>& state);

// For a set on disk, which does not keep its layers: searches once more, with all threads, and keeps layers 0 .. last
// on disk, so that find_path() can expand them again. False if the search was stopped; shared.stop says why.
bool rebuild_layers(Shared& shared, std::uint64_t last);

}  // namespace tideline::bfs
