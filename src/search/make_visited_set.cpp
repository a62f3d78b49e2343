// SPDX-License-Identifier: MIT
#include "search/make_visited_set.h"

#include "store/plain_set.h"

namespace tideline {

std::unique_ptr<VisitedSet> make_visited_set(const ir::Program& program, const SearchOptions& options,
                                             MemoryBudget& budget) {
  return std::make_unique<PlainSet>(program.state_bits, options.threads, budget);
}

}  // namespace tideline
