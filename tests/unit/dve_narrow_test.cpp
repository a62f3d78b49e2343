// SPDX-License-Identifier: MIT
// Narrowing: one model per rule. Guards are in dve_narrow_guard_test.cpp.
#include <gtest/gtest.h>

#include "dve/model_builder.h"
#include "front/dve/narrow.h"

namespace tideline {
namespace {

using dve::BaseType;
using dve::OnError;
using dve::Op;
using dve::SyncKind;
using ir::Interval;
using test::DveModelBuilder;

constexpr BaseType kByte = BaseType::kByte;
constexpr BaseType kInt = BaseType::kInt;

Interval narrowed(DveModelBuilder& builder, dve::VariableId variable, OnError on_error = OnError::kFail) {
  return dve::narrow(builder.model(), on_error).variables[variable];
}

// --- variables ---

TEST(DveNarrow, VariablesThatNobodyWritesKeepTheirInitialValues) {
  DveModelBuilder b;
  const auto scalar = b.scalar(kInt, -7);
  const auto array = b.array(kByte, {3, 0, 9});
  const auto constant = b.array(kByte, {4, 6}, true);
  b.process(1);
  EXPECT_EQ(narrowed(b, scalar), (Interval{-7, -7}));
  EXPECT_EQ(narrowed(b, array), (Interval{0, 9}));
  EXPECT_EQ(narrowed(b, constant), (Interval{4, 6}));
}

TEST(DveNarrow, ElementsOfAnArrayShareAnInterval) {
  DveModelBuilder b;
  const auto array = b.array(kByte, {2, 5});
  const auto p = b.process(1);
  const auto index = b.number(1);
  const auto value = b.number(7);
  b.rule(p, {.effects = {b.assign_element(array, index, value)}});
  EXPECT_EQ(narrowed(b, array), (Interval{2, 7}));
}

TEST(DveNarrow, ConstantArraysAreReadElementByElement) {
  DveModelBuilder b;
  const auto constant = b.array(kByte, {200, 3, 4, 201}, true);
  const auto i = b.scalar(kByte, 1);
  const auto x = b.scalar(kByte);
  const auto p = b.process(1);
  b.rule(p, {.guard = b.compare(i, Op::kLess, 2), .effects = {b.increment(i)}});
  const auto index = b.read(i);
  b.rule(p, {.effects = {b.assign(x, b.element(constant, index))}});
  EXPECT_EQ(narrowed(b, x), (Interval{0, 4}));
}

// --- stores ---

TEST(DveNarrow, AFailingStoreStaysWithinTheType) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte);
  const auto y = b.scalar(kInt);
  const auto p = b.process(1);
  b.rule(p, {.effects = {b.increment(x)}});
  b.rule(p, {.effects = {b.increment(y, -1)}});
  EXPECT_EQ(narrowed(b, x), (Interval{0, 255}));
  EXPECT_EQ(narrowed(b, y), (Interval{-32768, 0}));
}

TEST(DveNarrow, AWrappingStoreReachesTheWholeType) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte, 250);
  const auto y = b.scalar(kInt);
  const auto p = b.process(1);
  b.rule(p, {.effects = {b.increment(x)}});
  b.rule(p, {.effects = {b.increment(y, -1)}});
  EXPECT_EQ(narrowed(b, x, OnError::kWrap), (Interval{0, 255}));
  EXPECT_EQ(narrowed(b, y, OnError::kWrap), (Interval{-32768, 32767}));
  EXPECT_EQ(narrowed(b, x, OnError::kFail), (Interval{250, 255}));
}

TEST(DveNarrow, AStepThatCannotSucceedStoresUpToItsFailure) {
  DveModelBuilder b;
  const auto array = b.array(kByte, {0, 0});
  const auto x = b.scalar(kByte);
  const auto y = b.scalar(kByte);
  const auto p = b.process(1);
  const auto seven = b.number(7);
  const auto two = b.number(2);
  const auto zero = b.number(0);
  const auto large = b.number(300);
  b.rule(p, {.effects = {b.assign(x, seven), b.assign_element(array, two, seven)}});
  b.rule(p, {.effects = {b.assign(x, seven), b.assign(x, b.binary(Op::kDivide, seven, zero))}});
  b.rule(p, {.effects = {b.assign(x, seven), b.assign(x, b.binary(Op::kModulo, seven, zero))}});
  b.rule(p, {.effects = {b.assign(x, seven), b.assign(x, large)}});
  b.rule(p, {.effects = {b.assign(y, large), b.assign(y, seven)}});
  EXPECT_EQ(narrowed(b, x), (Interval{0, 7}));
  EXPECT_EQ(narrowed(b, y), (Interval{0, 0}));
  EXPECT_EQ(narrowed(b, array), (Interval{0, 0}));
}

TEST(DveNarrow, EffectsSeeEarlierOnesAndOnlyTheLastIsSeen) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte);
  const auto y = b.scalar(kByte);
  const auto p = b.process(1);
  const auto q = b.process(1);
  const auto five = b.number(5);
  const auto old = b.read(x);
  const auto one = b.number(1);
  b.rule(p, {.effects = {b.assign(x, five), b.assign(y, old), b.assign(x, one)}});
  b.rule(q, {.effects = {b.assign(x, one)}});
  EXPECT_EQ(narrowed(b, x), (Interval{0, 1}));
  EXPECT_EQ(narrowed(b, y), (Interval{0, 5}));
}

TEST(DveNarrow, ArithmeticThatLeavesAWordCanBeAnything) {
  DveModelBuilder b;
  const auto x = b.scalar(kInt, 30000);
  const auto y = b.scalar(kInt);
  const auto p = b.process(1);
  const auto factor = b.read(x);
  const auto large = b.number(100000);
  const auto product = b.binary(Op::kMultiply, factor, large);
  b.rule(p, {.effects = {b.assign(y, b.binary(Op::kDivide, product, large))}});
  EXPECT_TRUE(narrowed(b, y).contains(Interval{-21474, 21474}));
}

// --- growing ---

TEST(DveNarrow, CountersStopAtTheirGuard) {
  for (const std::int64_t end : {5, 77, 200, 1234, 30000}) {
    DveModelBuilder b;
    const auto x = b.scalar(kInt);
    const auto p = b.process(1);
    b.rule(p, {.guard = b.compare(x, Op::kLess, end), .effects = {b.increment(x)}});
    b.rule(p, {});
    EXPECT_EQ(narrowed(b, x), (Interval{0, end}));
  }
}

// x = (x + 1) % 100: thresholds lie between, and many other numbers do.
TEST(DveNarrow, CountersComeBackFromTooWideThresholds) {
  DveModelBuilder b;
  const auto x = b.scalar(kInt);
  const auto y = b.scalar(kInt);
  const auto p = b.process(1);
  for (std::int64_t number = 0; number < 300; number += 2)
    b.number(number);
  const auto old = b.read(x);
  const auto sum = b.binary(Op::kAdd, old, b.number(1));
  b.rule(p, {.effects = {b.assign(x, b.binary(Op::kModulo, sum, b.number(100)))}});
  b.rule(p, {.guard = b.compare(y, Op::kLess, 223), .effects = {b.increment(y)}});
  EXPECT_EQ(narrowed(b, x), (Interval{0, 99}));
  EXPECT_EQ(narrowed(b, y), (Interval{0, 223}));
}

// --- places ---

// 0 -> 1: x = 5; 1 -> 2: y = x; the x = 200 of 2 -> 3 is never seen there.
TEST(DveNarrow, OwnVariablesAreKnownByState) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte);
  const auto y = b.scalar(kByte);
  const auto p = b.process(5);
  const auto five = b.number(5);
  const auto large = b.number(200);
  const auto old = b.read(x);
  b.rule(p, {.source = 0, .target = 1, .effects = {b.assign(x, five)}});
  b.rule(p, {.source = 1, .target = 2, .effects = {b.assign(y, old)}});
  b.rule(p, {.source = 2, .target = 3, .effects = {b.assign(x, large)}});
  b.rule(p, {.source = 4, .target = 4, .effects = {b.assign(y, large)}});
  EXPECT_EQ(narrowed(b, x), (Interval{0, 200}));
  EXPECT_EQ(narrowed(b, y), (Interval{0, 5}));
}

TEST(DveNarrow, VariablesOfSeveralWritersAreNot) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte);
  const auto y = b.scalar(kByte);
  const auto p = b.process(3);
  const auto q = b.process(1);
  const auto five = b.number(5);
  const auto large = b.number(200);
  const auto old = b.read(x);
  b.rule(p, {.source = 0, .target = 1, .effects = {b.assign(x, five)}});
  b.rule(p, {.source = 1, .target = 2, .effects = {b.assign(y, old)}});
  b.rule(q, {.effects = {b.assign(x, large)}});
  EXPECT_EQ(narrowed(b, y), (Interval{0, 200}));
}

// x is written by p and received by q: p does not know it by its state.
TEST(DveNarrow, ReceivingIsWriting) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte);
  const auto y = b.scalar(kByte);
  const auto channel = b.handshake();
  const auto p = b.process(3);
  const auto q = b.process(1);
  const auto r = b.process(1);
  const auto five = b.number(5);
  const auto old = b.read(x);
  b.rule(p, {.source = 0, .target = 1, .effects = {b.assign(x, five)}});
  b.rule(p, {.source = 1, .target = 2, .effects = {b.assign(y, old)}});
  b.rule(q, {.sync = SyncKind::kReceive, .channel = channel, .received = {b.into(x)}});
  b.rule(r, {.sync = SyncKind::kSend, .channel = channel, .sent = {b.number(200)}});
  EXPECT_EQ(narrowed(b, y), (Interval{0, 200}));
}

TEST(DveNarrow, OthersReadAllThatAVariableCanHold) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte);
  const auto y = b.scalar(kByte);
  const auto p = b.process(2);
  const auto q = b.process(1);
  const auto five = b.number(5);
  const auto old = b.read(x);
  b.rule(p, {.source = 0, .target = 1, .effects = {b.assign(x, five)}});
  b.rule(q, {.effects = {b.assign(y, old)}});
  EXPECT_EQ(narrowed(b, y), (Interval{0, 5}));
}

// --- channels ---

// Sender p: x < 3, sends x + 1, then x = x + 1. Receiver q: into y, then z = y.
TEST(DveNarrow, AHandshakePassesValues) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte);
  const auto y = b.scalar(kByte);
  const auto z = b.scalar(kByte);
  const auto channel = b.handshake();
  const auto p = b.process(1);
  const auto q = b.process(1);
  const auto sum = b.increment(x).value;
  const auto received = b.read(y);
  b.rule(p, {.guard = b.compare(x, Op::kLess, 3),
             .sync = SyncKind::kSend,
             .channel = channel,
             .sent = {sum},
             .effects = {b.increment(x)}});
  b.rule(q,
         {.sync = SyncKind::kReceive, .channel = channel, .received = {b.into(y)}, .effects = {b.assign(z, received)}});
  EXPECT_EQ(narrowed(b, x), (Interval{0, 3}));
  EXPECT_EQ(narrowed(b, y), (Interval{0, 3}));
  EXPECT_EQ(narrowed(b, z), (Interval{0, 3}));
}

TEST(DveNarrow, AProcessDoesNotMeetItself) {
  DveModelBuilder b;
  const auto y = b.scalar(kByte);
  const auto channel = b.handshake();
  const auto p = b.process(1);
  b.rule(p, {.sync = SyncKind::kSend, .channel = channel, .sent = {b.number(9)}});
  b.rule(p, {.sync = SyncKind::kReceive, .channel = channel, .received = {b.into(y)}});
  EXPECT_EQ(narrowed(b, y), (Interval{0, 0}));
}

TEST(DveNarrow, TypedHandshakesConvertAndUntypedOnesDoNot) {
  for (const bool is_typed : {false, true}) {
    DveModelBuilder b;
    const auto y = b.scalar(kInt, 5);
    const auto channel = is_typed ? b.handshake({kByte}) : b.handshake();
    const auto p = b.process(1);
    const auto q = b.process(1);
    b.rule(p, {.sync = SyncKind::kSend, .channel = channel, .sent = {b.number(-1)}});
    b.rule(q, {.sync = SyncKind::kReceive, .channel = channel, .received = {b.into(y)}});
    EXPECT_EQ(narrowed(b, y), (is_typed ? Interval{0, 255} : Interval{-1, 5}));
  }
}

// The receiver's effects come first: x = 1, then the sender's y = x.
TEST(DveNarrow, TheReceiverActsBeforeTheSender) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte, 5);
  const auto y = b.scalar(kByte, 2);
  const auto channel = b.handshake();
  const auto p = b.process(2);
  const auto q = b.process(2);
  const auto one = b.number(1);
  const auto old = b.read(x);
  b.rule(p, {.target = 1, .sync = SyncKind::kSend, .channel = channel, .effects = {b.assign(y, old)}});
  b.rule(q, {.target = 1, .sync = SyncKind::kReceive, .channel = channel, .effects = {b.assign(x, one)}});
  EXPECT_EQ(narrowed(b, y), (Interval{1, 2}));
}

// Sender: x = 3, then sends x. Receiver: i = 1, then stores into a[i] with the old i.
TEST(DveNarrow, BuffersAreFilledAfterEffects) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte, 1);
  const auto y = b.scalar(kInt, 2);
  const auto channel = b.buffer(2, {kInt, kByte});
  const auto p = b.process(2);
  const auto q = b.process(1);
  const auto three = b.number(3);
  const auto large = b.number(300);
  const auto value = b.read(x);
  b.rule(p, {.target = 1,
             .sync = SyncKind::kSend,
             .channel = channel,
             .sent = {value, large},
             .effects = {b.assign(x, three)}});
  const auto z = b.scalar(kByte, 7);
  b.rule(q, {.sync = SyncKind::kReceive, .channel = channel, .received = {b.into(y), b.into(z)}});
  const dve::Narrowing result = dve::narrow(b.model(), OnError::kFail);
  EXPECT_EQ(result.channels[channel][0], (Interval{0, 3}));
  EXPECT_EQ(result.channels[channel][1], (Interval{0, 255}));
  EXPECT_EQ(result.variables[y], (Interval{0, 3}));
  EXPECT_EQ(result.variables[z], (Interval{0, 255}));
}

// --- sync systems and the property process ---

TEST(DveNarrow, SynchronousSystemsAndPropertiesAreStepsToo) {
  DveModelBuilder b;
  const auto x = b.scalar(kByte);
  const auto y = b.scalar(kByte);
  const auto p = b.process(1);
  const auto q = b.process(1);
  const auto old = b.read(x);
  b.rule(p, {.guard = b.compare(x, Op::kLess, 3), .effects = {b.increment(x)}});
  b.rule(q, {.effects = {b.assign(y, old)}});
  b.model().is_synchronous = true;
  EXPECT_EQ(narrowed(b, y), (Interval{0, 3}));
  b.model().is_synchronous = false;
  b.model().property = q;
  EXPECT_EQ(narrowed(b, y), (Interval{0, 3}));
}

}  // namespace
}  // namespace tideline
