// SPDX-License-Identifier: MIT
// The two definitions of deadlock.
#include "search/deadlock.h"

#include <algorithm>

namespace tideline {

bool is_deadlock(const Successors& successors, const Word* state, std::size_t words, DeadlockMode mode) {
  if (mode == DeadlockMode::kOff || successors.failures() > 0)
    return false;
  if (mode == DeadlockMode::kStuck)
    return successors.size() == 0;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    if (!std::equal(state, state + words, successors.state(i)))
      return false;
  }
  return true;
}

}  // namespace tideline
