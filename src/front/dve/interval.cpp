// SPDX-License-Identifier: MIT
#include "front/dve/interval.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

namespace tideline::dve {
namespace {

constexpr std::int64_t kShiftMax = 31;

// The hull of f at the corners: f must be monotone in each argument on these intervals.
template <typename F>
Interval at_corners(const Interval& a, const Interval& b, F f) {
  const std::array<std::int64_t, 4> all = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)};
  return {*std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end())};
}

std::int64_t magnitude(const Interval& a) {
  return std::max(std::abs(a.lo), std::abs(a.hi));
}

// The least 2^k that is at least `n`.
std::int64_t power_from(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1))));
}

// Division is monotone in each operand where the divisor keeps its sign.
Interval quotients(const Interval& a, const Interval& b) {
  const auto divide = [](std::int64_t x, std::int64_t y) { return x / y; };
  const Interval below = meet(b, {b.lo, -1});
  const Interval above = meet(b, {1, b.hi});
  return join(is_empty(below) ? kEmpty : at_corners(a, below, divide),
              is_empty(above) ? kEmpty : at_corners(a, above, divide));
}

// The sign is the dividend's.
Interval remainders(const Interval& a, const Interval& b) {
  const std::int64_t most = magnitude(b) - 1;
  if (most < 0)
    return kEmpty;
  const std::int64_t least = b.contains(0) ? 1 : std::min(std::abs(b.lo), std::abs(b.hi));
  if (magnitude(a) < least)
    return a;
  const bool has_one_quotient = b.lo == b.hi && a.lo / b.lo == a.hi / b.lo && (a.lo < 0) == (a.hi < 0);
  if (has_one_quotient)
    return {a.lo % b.lo, a.hi % b.lo};
  return {a.lo < 0 ? std::max(-most, a.lo) : 0, a.hi > 0 ? std::min(most, a.hi) : 0};
}

Interval complements(const Interval& a) {
  return {-a.hi - 1, -a.lo - 1};
}

// x & y is at most each operand that is not negative, and negative only if both are.
Interval conjunctions(const Interval& a, const Interval& b) {
  if (a.lo >= 0 && b.lo >= 0)
    return {0, std::min(a.hi, b.hi)};
  if (a.lo >= 0 || b.lo >= 0)
    return {0, a.lo >= 0 ? a.hi : b.hi};
  const bool both_negative = a.hi < 0 && b.hi < 0;
  return {-power_from(std::max(-a.lo, -b.lo)), both_negative ? std::min(a.hi, b.hi) : std::max(a.hi, b.hi)};
}

Interval exclusive_ors(const Interval& a, const Interval& b) {
  if (a.lo == a.hi && b.lo == b.hi)
    return {a.lo ^ b.lo, a.lo ^ b.lo};
  const std::int64_t bound = power_from(std::max(magnitude(a), magnitude(b)) + 1);
  return {a.lo < 0 || b.lo < 0 ? -bound : 0, bound - 1};
}

Interval shifts(Op op, const Interval& a, const Interval& amount) {
  if (amount.lo < 0 || amount.hi > kShiftMax)
    return kAnyNumber;
  if (op == Op::kShiftLeft)
    return at_corners(a, amount, [](std::int64_t x, std::int64_t y) { return x * (std::int64_t{1} << y); });
  return at_corners(a, amount, [](std::int64_t x, std::int64_t y) { return x >> y; });
}

Interval truth(bool can_be_false, bool can_be_true) {
  return {can_be_false ? 0 : 1, can_be_true ? 1 : 0};
}

Interval comparison(Op op, const Interval& a, const Interval& b) {
  switch (op) {
    case Op::kLess:
      return truth(a.hi >= b.lo, a.lo < b.hi);
    case Op::kLessEqual:
      return truth(a.hi > b.lo, a.lo <= b.hi);
    case Op::kGreater:
      return comparison(Op::kLess, b, a);
    case Op::kGreaterEqual:
      return comparison(Op::kLessEqual, b, a);
    case Op::kEqual:
      return truth(a.lo != a.hi || a != b, !is_empty(meet(a, b)));
    default:
      return truth(!is_empty(meet(a, b)), a.lo != a.hi || a != b);  // kNotEqual
  }
}

}  // namespace

Interval join(const Interval& a, const Interval& b) {
  if (is_empty(a))
    return b;
  if (is_empty(b))
    return a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Interval meet(const Interval& a, const Interval& b) {
  const Interval both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return is_empty(both) ? kEmpty : both;
}

Interval in_word(const Interval& a) {
  return is_empty(a) || kAnyNumber.contains(a) ? a : kAnyNumber;
}

Interval apply(Op op, const Interval& a) {
  if (is_empty(a))
    return kEmpty;
  switch (op) {
    case Op::kNot:
      return truth(a.lo != 0 || a.hi != 0, a.contains(0));
    case Op::kMinus:
      return in_word({-a.hi, -a.lo});
    default:
      return complements(a);
  }
}

Interval apply(Op op, const Interval& a, const Interval& b) {
  if (is_empty(a) || is_empty(b))
    return kEmpty;
  switch (op) {
    case Op::kAdd:
      return in_word({a.lo + b.lo, a.hi + b.hi});
    case Op::kSubtract:
      return in_word({a.lo - b.hi, a.hi - b.lo});
    case Op::kMultiply:
      return in_word(at_corners(a, b, [](std::int64_t x, std::int64_t y) { return x * y; }));
    case Op::kDivide:
      return in_word(quotients(a, b));
    case Op::kModulo:
      return remainders(a, b);
    case Op::kBitAnd:
      return conjunctions(a, b);
    case Op::kBitOr:
      return complements(conjunctions(complements(a), complements(b)));
    case Op::kBitXor:
      return exclusive_ors(a, b);
    case Op::kShiftLeft:
    case Op::kShiftRight:
      return in_word(shifts(op, a, b));
    default:
      return comparison(op, a, b);
  }
}

Interval truncate(BaseType type, const Interval& a) {
  const Interval range = type_range(type);
  return is_empty(a) || range.contains(a) ? a : range;
}

Interval store(BaseType type, OnError on_error, const Interval& a) {
  return on_error == OnError::kWrap ? truncate(type, a) : meet(a, type_range(type));
}

}  // namespace tideline::dve
