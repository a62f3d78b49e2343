// SPDX-License-Identifier: MIT
// The choice of the visited set for a search.
#pragma once

#include <memory>

#include "io/budget.h"
#include "search/search.h"
#include "store/visited_set.h"

namespace tideline {

// Null for kPartition and the sweeps, which make their own.
std::unique_ptr<VisitedSet> make_visited_set(const ir::Program& program, const SearchOptions& options,
                                             MemoryBudget& budget);

}  // namespace tideline
