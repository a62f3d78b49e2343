// SPDX-License-Identifier: MIT
// What is undefined in the initial states, found out by making them all.
#pragma once

#include <vector>

#include "ir/program.h"

namespace tideline {

// For every bit of the state: is it the first bit of a simple part that is undefined in some initial state? Empty if
// there are too many start commands to try.
std::vector<bool> undefined_at_start(const ir::Program& program);

}  // namespace tideline
