// SPDX-License-Identifier: MIT
// Random programs in the intermediate form: every operator, statement and kind of binding, domains with holes, without
// an undefined value, of one value and of 2^56 values, nested arrays, records and multisets, functions with all kinds
// of parameters, recursion, progress measures. They mean nothing; they are well-formed (ir/*.h), they fail often, and
// every loop ends.
#pragma once

#include <cstdint>
#include <memory>

#include "ir/program.h"

namespace tideline::test {

// The same seed gives the same program.
std::unique_ptr<ir::Program> random_program(std::uint64_t seed);

}  // namespace tideline::test
