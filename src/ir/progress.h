// SPDX-License-Identifier: MIT
// The key of a progress measure: one number per state, compared as an unsigned integer, so that the components count
// lexicographically. A measure may be any function of the state: it decides the order of a search, never its result.
//
// K1  a component's code is value - range.lo + 1, or range.hi - value + 1 if it is descending; 0 if its evaluation
//     fails or yields the undefined value. It takes progress_bits(component) bits.
// K2  the key is the codes one behind the other, the first component's in the highest bits; both engines compute the
//     same one.    K3  a program's measure has at most 64 bits (progress_bits(program)).
#pragma once

#include "ir/program.h"

namespace tideline::ir {

inline constexpr unsigned kProgressBitsMax = 64;

// 65: the range has 2^64 - 1 values or more, and no key can hold it.
unsigned progress_bits(const ProgressComponent& component);
unsigned progress_bits(const Program& program);

// K1, for a value that an evaluation gave: kUndefined for none.
std::uint64_t progress_code(const ProgressComponent& component, std::int64_t value);

}  // namespace tideline::ir
