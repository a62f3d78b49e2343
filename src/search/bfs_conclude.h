// SPDX-License-Identifier: MIT
// The run of the workers, and what comes out of it: verdict, figures, violations. Shared by the searches that run
// workers over one visited set.
#pragma once

#include <optional>

#include "search/bfs_worker.h"

namespace tideline::bfs {

// Makes the workers and lets them run to the end.
void run(Shared& shared);
// The best violation that was found.
std::optional<Candidate> best_candidate(const Shared& shared);
// With a violation, the set must be breadth-first, or the path is not found.
SearchResult conclude(Shared& shared);

}  // namespace tideline::bfs
