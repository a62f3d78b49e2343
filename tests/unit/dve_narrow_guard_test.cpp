// SPDX-License-Identifier: MIT
// Narrowing: what guards say of variables and of elements of arrays.
#include <gtest/gtest.h>

#include "dve/model_builder.h"
#include "front/dve/narrow.h"

namespace tideline {
namespace {

using dve::OnError;
using dve::Op;
using ir::Interval;
using test::DveModelBuilder;

constexpr dve::BaseType kByte = dve::BaseType::kByte;

Interval narrowed(DveModelBuilder& builder, dve::VariableId variable) {
  return dve::narrow(builder.model(), OnError::kFail).variables[variable];
}

struct GuardCase {
  const char* name;
  Interval expected;  // of x, in y = x, where x is 0..9 and z is 3..5
  dve::ExprId (*make)(DveModelBuilder&, dve::VariableId x, dve::VariableId z);
};

class DveGuard : public testing::TestWithParam<GuardCase> {};

// x is 0..9 because another process chooses it.
TEST_P(DveGuard, Refines) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte);
  const auto z = b.scalar(kByte, 3);
  const auto y = b.scalar(kByte, GetParam().expected.lo);
  const auto p = b.process(1);
  const auto q = b.process(1);
  b.rule(p, {.guard = b.compare(x, Op::kLess, 9), .effects = {b.increment(x)}});
  b.rule(p, {.guard = b.compare(z, Op::kLess, 5), .effects = {b.increment(z)}});
  const auto value = b.read(x);
  b.rule(q, {.guard = GetParam().make(b, x, z), .effects = {b.assign(y, value)}});
  EXPECT_EQ(narrowed(b, y), GetParam().expected);
}

const GuardCase kGuards[] = {
    {"Less", {0, 3}, [](auto& b, auto x, auto) { return b.compare(x, Op::kLess, 4); }},
    {"LessEqual", {0, 4}, [](auto& b, auto x, auto) { return b.compare(x, Op::kLessEqual, 4); }},
    {"Greater", {5, 9}, [](auto& b, auto x, auto) { return b.compare(x, Op::kGreater, 4); }},
    {"GreaterEqual", {4, 9}, [](auto& b, auto x, auto) { return b.compare(x, Op::kGreaterEqual, 4); }},
    {"Equal", {4, 4}, [](auto& b, auto x, auto) { return b.compare(x, Op::kEqual, 4); }},
    {"NotEqualInside", {0, 9}, [](auto& b, auto x, auto) { return b.compare(x, Op::kNotEqual, 4); }},
    {"NotEqualAtTheEnd", {0, 8}, [](auto& b, auto x, auto) { return b.compare(x, Op::kNotEqual, 9); }},
    {"Number", {1, 9}, [](auto& b, auto x, auto) { return b.read(x); }},
    {"NotNumber", {0, 0}, [](auto& b, auto x, auto) { return b.unary(Op::kNot, b.read(x)); }},
    {"Variable",
     {0, 4},
     [](auto& b, auto x, auto z) {
       const auto left = b.read(x);
       return b.binary(Op::kLess, left, b.read(z));
     }},
    {"VariableOnTheRight",
     {4, 9},
     [](auto& b, auto x, auto z) {
       const auto left = b.read(z);
       return b.binary(Op::kLess, left, b.read(x));
     }},
    {"And",
     {3, 6},
     [](auto& b, auto x, auto) {
       const auto left = b.compare(x, Op::kGreater, 2);
       return b.binary(Op::kAnd, left, b.compare(x, Op::kLess, 7));
     }},
    {"Or",
     {2, 6},
     [](auto& b, auto x, auto) {
       const auto left = b.compare(x, Op::kEqual, 2);
       return b.binary(Op::kOr, left, b.compare(x, Op::kEqual, 6));
     }},
    {"OrOfAnother",
     {0, 9},
     [](auto& b, auto x, auto z) {
       const auto left = b.compare(x, Op::kEqual, 2);
       return b.binary(Op::kOr, left, b.compare(z, Op::kEqual, 4));
     }},
    {"OrWithAnImpossibleSide",
     {2, 2},
     [](auto& b, auto x, auto z) {
       const auto left = b.compare(x, Op::kEqual, 2);
       return b.binary(Op::kOr, left, b.compare(z, Op::kEqual, 40));
     }},
    {"Imply",
     {0, 4},
     [](auto& b, auto x, auto z) {
       const auto left = b.compare(z, Op::kLess, 100);
       return b.binary(Op::kImply, left, b.compare(x, Op::kLess, 5));
     }},
    {"NotAnd",
     {7, 9},
     [](auto& b, auto x, auto) {
       const auto left = b.compare(x, Op::kLess, 7);
       return b.unary(Op::kNot, b.binary(Op::kAnd, left, b.number(1)));
     }},
    {"NotOr",
     {3, 6},
     [](auto& b, auto x, auto) {
       const auto left = b.compare(x, Op::kLess, 3);
       return b.unary(Op::kNot, b.binary(Op::kOr, left, b.compare(x, Op::kGreater, 6)));
     }},
    {"Sum",
     {0, 2},
     [](auto& b, auto x, auto z) {
       const auto left = b.read(x);
       const auto sum = b.binary(Op::kAdd, left, b.read(z));
       return b.binary(Op::kLess, sum, b.number(6));
     }},
    {"Difference",
     {6, 9},
     [](auto& b, auto x, auto z) {
       const auto left = b.read(x);
       const auto difference = b.binary(Op::kSubtract, left, b.read(z));
       return b.binary(Op::kGreaterEqual, difference, b.number(3));
     }},
    {"Minus",
     {4, 9},
     [](auto& b, auto x, auto) {
       const auto left = b.unary(Op::kMinus, b.read(x));
       return b.binary(Op::kLess, left, b.number(-3));
     }},
    {"ComparisonAsNumber",
     {4, 4},
     [](auto& b, auto x, auto) {
       const auto left = b.compare(x, Op::kEqual, 4);
       return b.binary(Op::kEqual, left, b.number(1));
     }},
    {"StateTest",
     {0, 4},
     [](auto& b, auto x, auto) {
       const auto left = b.in_state(0, 0);
       return b.binary(Op::kAnd, left, b.compare(x, Op::kLess, 5));
     }},
};

INSTANTIATE_TEST_SUITE_P(Guards, DveGuard, testing::ValuesIn(kGuards),
                         [](const auto& guard) { return std::string(guard.param.name); });

TEST(DveNarrowGuard, AGuardThatCannotBeTrueStopsTheStep) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte, 3);
  const auto y = b.scalar(kByte);
  const auto p = b.process(2);
  b.rule(p, {.target = 1, .guard = b.compare(x, Op::kGreater, 3), .effects = {b.increment(y)}});
  b.rule(p, {.source = 1, .target = 1, .effects = {b.increment(x)}});
  EXPECT_EQ(narrowed(b, x), (Interval{3, 3}));
  EXPECT_EQ(narrowed(b, y), (Interval{0, 0}));
}

// guard a[i] < 3; effect a[i] = a[i] + 1
TEST(DveNarrowGuard, GuardsSpeakOfElements) {
  DveModelBuilder b;
  const auto array = b.array(kByte, {0, 0, 0});
  const auto i = b.scalar(kByte);
  const auto p = b.process(1);
  b.rule(p, {.guard = b.compare(i, Op::kLess, 2), .effects = {b.increment(i)}});
  const auto index = b.read(i);
  const auto element = b.element(array, index);
  const auto three = b.number(3);
  const auto one = b.number(1);
  const auto sum = b.binary(Op::kAdd, element, one);
  b.rule(p, {.guard = b.binary(Op::kLess, element, three), .effects = {b.assign_element(array, index, sum)}});
  EXPECT_EQ(narrowed(b, array), (Interval{0, 3}));
}

// guard a[i] == 0; effect i = i + 1, x = a[i]: what is known of a[i] is not known of the next element.
TEST(DveNarrowGuard, ElementsAreForgottenWithTheirIndex) {
  DveModelBuilder b;
  const auto array = b.array(kByte, {0, 9});
  const auto i = b.scalar(kByte);
  const auto x = b.scalar(kByte);
  const auto p = b.process(1);
  const auto element = b.element(array, b.read(i));
  const auto guard = b.unary(Op::kNot, element);
  b.rule(p, {.guard = guard, .effects = {b.increment(i), b.assign(x, element)}});
  EXPECT_EQ(narrowed(b, x), (Interval{0, 9}));
}

// guard a[0] == 0; effect a[i] = 9, x = a[0]: i may be 0.
TEST(DveNarrowGuard, ElementsAreForgottenWithTheirArray) {
  DveModelBuilder b;
  const auto array = b.array(kByte, {0, 0});
  const auto i = b.scalar(kByte);
  const auto x = b.scalar(kByte);
  const auto p = b.process(1);
  const auto zero = b.number(0);
  const auto nine = b.number(9);
  const auto element = b.element(array, zero);
  const auto store = b.assign_element(array, b.read(i), nine);
  b.rule(p, {.guard = b.unary(Op::kNot, element), .effects = {store, b.assign(x, element)}});
  EXPECT_EQ(narrowed(b, x), (Interval{0, 9}));
}

}  // namespace
}  // namespace tideline
