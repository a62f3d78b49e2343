// SPDX-License-Identifier: MIT
// Random well-typed Murphi programs with small state spaces, for cross tests. Every construct of the language that
// decides about states occurs with some probability; run-time errors occur, but seldom enough that most programs are
// explored. States have few bits, but for odd seeds more than 64.
#pragma once

#include <cstdint>
#include <string>

namespace tideline::cross {

// The same seed gives the same text on every machine.
std::string random_murphi(std::uint64_t seed);

}  // namespace tideline::cross
