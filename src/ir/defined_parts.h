// SPDX-License-Identifier: MIT
// Definite assignment in start rules: which simple parts of the state have a defined value, in all elements of all
// arrays around them, whenever a start rule ends without failing.
#pragma once

#include <cstdint>
#include <set>

#include "ir/analysis.h"

namespace tideline::ir {

// Canonical bits (A2) of those parts, over all start rules of the program.
std::set<std::uint64_t> surely_assigned_parts(const Program& program, const Analysis& analysis);

}  // namespace tideline::ir
