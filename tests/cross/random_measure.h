// SPDX-License-Identifier: MIT
// Random progress measures: a few values of the state, each rising or falling, most of them absurd.
#pragma once

#include <cstdint>

#include "ir/program.h"

namespace tideline::cross {

// Gives the program a measure of one to three components. Values of scalarsets are left out. None if it has no values.
void add_random_measure(ir::Program& program, std::uint64_t seed);

}  // namespace tideline::cross
