// SPDX-License-Identifier: MIT
// Interval arithmetic against all pairs of numbers: in small intervals, and in intervals at the ends of a word.
#include <gtest/gtest.h>

#include <vector>

#include "front/dve/interval.h"

namespace tideline {
namespace {

using dve::Interval;
using dve::Op;

std::int64_t in_word(std::int64_t number) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(number)));
}

bool fails(Op op, std::int64_t b) {
  return (op == Op::kDivide || op == Op::kModulo) && b == 0;
}

std::int64_t arithmetic(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::kAdd:
      return in_word(a + b);
    case Op::kSubtract:
      return in_word(a - b);
    case Op::kMultiply:
      return in_word(a * b);
    case Op::kDivide:
      return in_word(a / b);
    case Op::kModulo:
      return a % b;
    case Op::kBitAnd:
      return a & b;
    case Op::kBitOr:
      return a | b;
    case Op::kBitXor:
      return a ^ b;
    case Op::kShiftLeft:
      return in_word(a * (std::int64_t{1} << (b & 31)));
    default:
      return a >> (b & 31);
  }
}

std::int64_t calculate(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterEqual:
      return a >= b;
    case Op::kEqual:
      return a == b;
    case Op::kNotEqual:
      return a != b;
    default:
      return arithmetic(op, a, b);
  }
}

constexpr Op kFirst = Op::kAdd;
constexpr Op kLast = Op::kNotEqual;

// The hull of all results: what the best interval arithmetic would give.
Interval hull(Op op, const Interval& a, const Interval& b) {
  Interval all = dve::kEmpty;
  for (std::int64_t x = a.lo; x <= a.hi; ++x) {
    for (std::int64_t y = b.lo; y <= b.hi; ++y) {
      if (!fails(op, y))
        all = dve::join(all, {calculate(op, x, y), calculate(op, x, y)});
    }
  }
  return all;
}

std::vector<Interval> intervals_around(std::int64_t middle, std::int64_t radius) {
  std::vector<Interval> all;
  for (std::int64_t lo = middle - radius; lo <= middle + radius; ++lo) {
    for (std::int64_t hi = lo; hi <= middle + radius; ++hi) {
      if (dve::kAnyNumber.contains(Interval{lo, hi}))
        all.push_back({lo, hi});
    }
  }
  return all;
}

// Counts pairs for which the result is not the best.
std::uint64_t judge(const std::vector<Interval>& lefts, const std::vector<Interval>& rights, Op op) {
  std::uint64_t loose = 0;
  for (const Interval& a : lefts) {
    for (const Interval& b : rights) {
      const Interval best = hull(op, a, b);
      const Interval found = dve::apply(op, a, b);
      EXPECT_TRUE(dve::is_empty(best) || found.contains(best))
          << static_cast<int>(op) << ": " << a.lo << ".." << a.hi << ", " << b.lo << ".." << b.hi << " gives "
          << found.lo << ".." << found.hi;
      loose += found != best ? 1U : 0U;
    }
  }
  return loose;
}

class DveInterval : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] static Op op() { return static_cast<Op>(GetParam()); }
};

TEST_P(DveInterval, ContainsAllResultsOfSmallNumbers) {
  const std::vector<Interval> small = intervals_around(0, 6);
  const std::uint64_t loose = judge(small, small, op());
  const bool may_be_loose = (op() >= Op::kModulo && op() <= Op::kShiftRight);
  EXPECT_TRUE(may_be_loose || loose == 0) << loose;
}

TEST_P(DveInterval, ContainsAllResultsAtTheEndsOfAWord) {
  for (const std::int64_t left : {dve::kAnyNumber.lo, std::int64_t{65536}, std::int64_t{-65536}, dve::kAnyNumber.hi}) {
    for (const std::int64_t right : {dve::kAnyNumber.lo, std::int64_t{-1}, std::int64_t{31}, dve::kAnyNumber.hi})
      judge(intervals_around(left, 3), intervals_around(right, 3), op());
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, DveInterval, testing::Range(static_cast<int>(kFirst), static_cast<int>(kLast) + 1));

TEST(DveInterval, UnaryOperators) {
  for (const std::int64_t middle : {dve::kAnyNumber.lo, std::int64_t{0}, dve::kAnyNumber.hi}) {
    for (const Interval& a : intervals_around(middle, 4)) {
      for (std::int64_t x = a.lo; x <= a.hi; ++x) {
        EXPECT_TRUE(dve::apply(Op::kNot, a).contains(x == 0));
        EXPECT_TRUE(dve::apply(Op::kMinus, a).contains(in_word(-x)));
        EXPECT_TRUE(dve::apply(Op::kComplement, a).contains(~x));
      }
    }
  }
  EXPECT_EQ(dve::apply(Op::kMinus, {-3, 5}), (Interval{-5, 3}));
  EXPECT_EQ(dve::apply(Op::kComplement, {-3, 5}), (Interval{-6, 2}));
  EXPECT_EQ(dve::apply(Op::kNot, {1, 5}), (Interval{0, 0}));
  EXPECT_EQ(dve::apply(Op::kNot, {0, 0}), (Interval{1, 1}));
}

TEST(DveInterval, StoresAndConversions) {
  using dve::BaseType;
  using dve::OnError;
  EXPECT_EQ(dve::store(BaseType::kByte, OnError::kFail, {-5, 300}), (Interval{0, 255}));
  EXPECT_TRUE(dve::is_empty(dve::store(BaseType::kByte, OnError::kFail, {256, 300})));
  EXPECT_EQ(dve::store(BaseType::kByte, OnError::kWrap, {256, 300}), (Interval{0, 255}));
  EXPECT_EQ(dve::store(BaseType::kInt, OnError::kWrap, {256, 300}), (Interval{256, 300}));
  EXPECT_EQ(dve::truncate(BaseType::kInt, {0, 32768}), (Interval{-32768, 32767}));
}

}  // namespace
}  // namespace tideline
