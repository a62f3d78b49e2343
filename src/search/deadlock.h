// SPDX-License-Identifier: MIT
// The two definitions of deadlock, in one place for simulate and for replays (docs/user/manual.md).
#pragma once

#include <cstddef>

#include "model/next_state.h"
#include "search/search.h"

namespace tideline {

// True if `state` has no successor in the sense of `mode`; a command that fails counts as a successor.
bool is_deadlock(const Successors& successors, const Word* state, std::size_t words, DeadlockMode mode);

}  // namespace tideline
