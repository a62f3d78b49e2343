// SPDX-License-Identifier: MIT
// Interval arithmetic on the values of DVE expressions: every result contains every value that the operator can give on
// operands from the argument intervals. Arithmetic is 32-bit; a result that could leave 32 bits is any 32-bit number.
// An interval with lo > hi is empty: evaluation cannot succeed (division by zero).
#pragma once

#include "front/dve/model.h"
#include "ir/domain.h"

namespace tideline::dve {

using ir::Interval;

inline constexpr Interval kEmpty{1, 0};
inline constexpr Interval kTruth{0, 1};
inline constexpr Interval kAnyNumber{INT32_MIN, INT32_MAX};

inline bool is_empty(const Interval& a) {
  return a.lo > a.hi;
}

Interval join(const Interval& a, const Interval& b);
Interval meet(const Interval& a, const Interval& b);

// `a` if all of it fits into 32 bits, otherwise any 32-bit number.
Interval in_word(const Interval& a);

Interval apply(Op op, const Interval& a);
Interval apply(Op op, const Interval& a, const Interval& b);

// The low 8 bits without sign, or the low 16 bits with sign, of the values of `a`.
Interval truncate(BaseType type, const Interval& a);

// What a variable can hold after a store of the values of `a`.
Interval store(BaseType type, OnError on_error, const Interval& a);

}  // namespace tideline::dve
