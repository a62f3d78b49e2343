// SPDX-License-Identifier: MIT
// What DVE models mean: one small model per rule of the language, explored with the reference interpreter. The rules
// are those of DiVinE 2.4's interpreter; the expected figures are worked out by hand. An invariant on the command line
// that must hold, or must be violated, says what value came out.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "front/dve/dve.h"
#include "report/replay.h"
#include "search/bfs.h"

namespace tideline {
namespace {

class Fixed final : public EngineSource {
 public:
  explicit Fixed(const ir::Program& program) : engine_(program) {}
  Engine& current() override { return engine_; }
  Engine* poll() override { return nullptr; }

 private:
  InterpEngine engine_;
};

struct Expected {
  const char* what;
  const char* model;
  const char* verdict;                       // holds, or the reason of the violation
  std::uint64_t states = 0;                  // 0: not compared
  std::uint64_t edges = 0;                   // 0: not compared
  std::uint64_t deadlocks = 0;               // compared if states are
  std::vector<std::string> invariants = {};  // --invariant
  dve::OnError on_error = dve::OnError::kFail;
  bool error_is_state = false;
};

std::unique_ptr<ir::Program> load(const Expected& expected, Diagnostics& diagnostics) {
  dve::Options options;
  options.invariants = expected.invariants;
  options.on_error = expected.on_error;
  return dve::load("test.dve", expected.model, options, diagnostics);
}

void expect_meaning(const Expected& expected) {
  SCOPED_TRACE(std::string(expected.what) + "\n" + expected.model);
  Diagnostics diagnostics("test.dve", expected.model);
  const std::unique_ptr<ir::Program> program = load(expected, diagnostics);
  ASSERT_NE(program, nullptr) << diagnostics.render();
  Fixed engines(*program);
  SearchOptions search;
  search.memory_bytes = std::uint64_t{64} << 20;
  search.deadlock = DeadlockMode::kOff;
  search.error_is_state = expected.error_is_state;
  const SearchResult result = search_bfs(*program, engines, search, {});
  EXPECT_STREQ(expected.verdict, result.verdict == Verdict::kHolds ? "holds" : reason_name(result.reason));
  if (expected.states != 0) {
    EXPECT_EQ(result.figures.states, expected.states);
    EXPECT_EQ(result.figures.deadlocks, expected.deadlocks);
  }
  if (expected.edges != 0) {
    EXPECT_EQ(result.figures.edges, expected.edges);
  }
  if (result.verdict == Verdict::kViolated) {
    const auto shown = replay(*program, result.violations.front(), search.deadlock);
    EXPECT_TRUE(shown.is_ok()) << shown.status().message();
  }
}

// One process that does one step with these effects, with globals a, b (bytes), i (int) and t (array of 3).
std::string one_step(const std::string& effects) {
  return "byte a = 1, b = 2; int i = -1; byte t[3] = {7, 8, 9};\n"
         "process P { state p, q; init p; trans p -> q { effect " +
         effects + "; }; }\nsystem async;\n";
}

// After the step `condition` holds.
void expect_after(const std::string& effects, const std::string& condition) {
  const std::string model = one_step(effects);
  const std::string invariant = "P.q imply (" + condition + ")";
  Expected expected;
  expected.what = condition.c_str();
  expected.model = model.c_str();
  expected.verdict = "holds";
  expected.states = 2;
  expected.edges = 1;
  expected.deadlocks = 1;
  expected.invariants = {invariant};
  expect_meaning(expected);
}

void expect_failure(const std::string& effects) {
  const std::string model = one_step(effects);
  Expected expected;
  expected.what = "fails";
  expected.model = model.c_str();
  expected.verdict = "error";
  expect_meaning(expected);
}

TEST(DveSemantics, EffectsAreSequential) {
  expect_after("a = b, b = a", "a == 2 && b == 2");
  expect_after("a = 1 + 1, t[a] = a", "t[2] == 2 && t[1] == 8");
  expect_after("t[0] = 1, t[t[0]] = 5", "t[1] == 5");
}

TEST(DveSemantics, EffectsSeeTheNewLocation) {
  expect_after("a = P.q, b = P.p", "a == 1 && b == 0");
}

TEST(DveSemantics, NumbersAndTruth) {
  expect_after("a = (b == 2) + (b > 0) * 4", "a == 5");
  expect_after("a = not b, b = !0", "a == 0 && b == 1");
  expect_after("a = b && 2, b = 0 || 0", "a == 1 && b == 0");
  expect_after("a = (b imply 0) + (0 imply b) * 2", "a == 2");
  expect_after("i = -7 / 2, a = 7 / 2", "i == -3 && a == 3");
  expect_after("i = -7 % 4, a = 7 % 4", "i == -3 && a == 3");
  expect_after("i = ~5, a = 6 & 3, b = 6 | 3", "i == -6 && a == 2 && b == 7");
  expect_after("a = 6 ^ 3, b = 1 << 3, i = -8 >> 1", "a == 5 && b == 8 && i == -4");
}

TEST(DveSemantics, ArithmeticHas32Bits) {
  // 32767^2 * 4 = 4294705156 is -262140 in 32 bits.
  expect_after("i = 32767, i = (i * i * 4) / 100", "i == -2621");
  expect_after("i = 32767, a = (i * i * 4 < 0)", "a == 1");
}

TEST(DveSemantics, ShortCircuit) {
  expect_after("a = (b > 5) && (t[b + 7] == 0), b = (b == 2) || (1 / (a - a))", "a == 0 && b == 1");
}

TEST(DveSemantics, StoresOutsideTheTypeFail) {
  expect_failure("a = b - 3");
  expect_failure("a = 255 + a");
  expect_failure("i = 32767 + a");
  expect_failure("i = -32768 - a");
  expect_failure("t[b - 3] = 0");
  expect_failure("t[b + 1] = 0");
  expect_failure("a = t[b + 1]");
  expect_failure("a = b / (a - 1)");
  expect_failure("a = b % (a - 1)");
  expect_after("a = 255, i = -32768", "a == 255 && i == -32768");
}

TEST(DveSemantics, StoresWrapIfAsked) {
  const std::string model = one_step("a = b - 3, b = 255 + b, i = 32767 + 1");
  Expected expected;
  expected.what = "wrap";
  expected.model = model.c_str();
  expected.verdict = "holds";
  expected.states = 2;
  expected.deadlocks = 1;
  expected.invariants = {"P.q imply (a == 255 && b == 1 && i == -32768)"};
  expected.on_error = dve::OnError::kWrap;
  expect_meaning(expected);
}

TEST(DveSemantics, OneErrorState) {
  // x counts down from 2; below 0 is the error state: 3 states and one more, which is the only deadlock.
  constexpr const char* kModel =
      "byte x = 2; process P { state p; init p; trans p -> p { effect x = x - 1; }, p -> p { guard x == 0; effect x = "
      "x - 2; }; } system async;";
  Expected expected;
  expected.what = "error state";
  expected.model = kModel;
  expected.verdict = "error";
  expected.states = 4;
  expected.edges = 4;
  expected.deadlocks = 1;
  expected.error_is_state = true;
  expect_meaning(expected);
}

TEST(DveSemantics, AViolationEndsTheSearchAfterAnErrorState) {
  // The error is one step from the start and named; the assertion ends the search three steps from it.
  Expected expected;
  expected.what = "error state, then assertion";
  expected.model =
      "byte x; process P { state p; init p; assert p: x < 3; trans p -> p { guard x < 9; effect x = x + 1; }, p -> p { "
      "guard x == 0; effect x = x - 1; }; } system async;";
  expected.verdict = "error";
  expected.states = 5;
  expected.edges = 4;
  expected.deadlocks = 1;
  expected.error_is_state = true;
  expect_meaning(expected);
}

TEST(DveSemantics, AFailingGuardIsAnError) {
  expect_meaning({"index in a guard",
                  "byte t[2]; byte x = 5; process P { state p; init p; trans p -> p { guard t[x] == 0; }; } system "
                  "async;",
                  "error"});
  // With a partner in the wrong state nothing is evaluated.
  expect_meaning({"no partner",
                  "byte t[2]; byte x = 5; channel c;\n"
                  "process P { state p; init p; trans p -> p { guard t[x] == 0; sync c!; }; }\n"
                  "process Q { state q, r; init q; trans r -> q { sync c?; }; } system async;",
                  "holds", 1, 0, 1});
}

TEST(DveSemantics, HandshakesAreBetweenTwoProcesses) {
  expect_meaning({"not with itself",
                  "channel c; process P { state p, q; init p; trans p -> q { sync c!; }, p -> p { sync c?; }; } system "
                  "async;",
                  "holds", 1, 0, 1});
  // Two senders and two receivers: four pairs, all to the same state.
  expect_meaning({"all pairs",
                  "channel c;\nprocess P { state p, q; init p; trans p -> q { sync c!; }, p -> q { sync c!; }; }\n"
                  "process Q { state p, q; init p; trans p -> q { sync c?; }, p -> q { sync c?; }; }\nsystem async;",
                  "holds", 2, 4, 1});
}

TEST(DveSemantics, ReceiverFirst) {
  // The value is that of before, stored before the receiver's effects; those run before the sender's.
  expect_meaning({"order",
                  "byte g = 3, h; channel c;\n"
                  "process S { byte m; state p, q; init p; trans p -> q { sync c!g + 1; effect m = h, g = 9; }; }\n"
                  "process R { byte v; state p, q; init p; trans p -> q { sync c?v; effect h = v * 2; }; }\n"
                  "system async;",
                  "holds",
                  2,
                  1,
                  1,
                  {"R.q imply (R->v == 4 && h == 8 && S->m == 8 && g == 9)"}});
}

TEST(DveSemantics, ReceivingIntoAnElement) {
  expect_meaning({"index of before",
                  "byte t[3], k = 1; channel c;\n"
                  "process S { state p, q; init p; trans p -> q { sync c!7; }; }\n"
                  "process R { state p, q; init p; trans p -> q { sync c?t[k]; effect k = 2; }; }\nsystem async;",
                  "holds",
                  2,
                  1,
                  1,
                  {"R.q imply (t[1] == 7 && t[2] == 0)"}});
}

TEST(DveSemantics, ValuesOfAListAreStoredOneAfterTheOther) {
  expect_meaning({"second value",
                  "byte x, y; channel c;\nprocess S { state p, q; init p; trans p -> q { sync c!{5, x}; }; }\n"
                  "process R { state p, q; init p; trans p -> q { sync c?{x, y}; }; }\nsystem async;",
                  "holds",
                  2,
                  1,
                  1,
                  {"R.q imply (x == 5 && y == 5)"}});
}

// What is stored before a step fails is outside what any state holds.
TEST(DveSemantics, ReceivingOutsideAnArrayAfterOtherStores) {
  expect_meaning({"handshake",
                  "byte x, t[2]; channel c;\nprocess S { state p, q; init p; trans p -> q { sync c!{7, 1}; }; }\n"
                  "process R { state p, q; init p; trans p -> q { sync c?{x, t[2]}; }; }\nsystem async;",
                  "error"});
  expect_meaning({"buffer",
                  "byte x, t[2]; channel {byte} c[1];\nprocess S { state p, q; init p; trans p -> q { sync c!1; }; }\n"
                  "process R { state p, q; init p; trans p -> q { sync c?t[2]; effect x = 7; }; }\nsystem async;",
                  "error"});
}

TEST(DveSemantics, BothSidesWritingOneGlobalIsAnError) {
  expect_meaning({"conflict",
                  "byte g; channel c;\nprocess S { state p, q; init p; trans p -> q { sync c!; effect g = 1; }; }\n"
                  "process R { state p, q; init p; trans p -> q { sync c?; effect g = 1; }; }\nsystem async;",
                  "error"});
}

TEST(DveSemantics, TypedHandshakesConvert) {
  expect_meaning({"low bits",
                  "channel {byte, int} c[0];\n"
                  "process S { state p, q; init p; trans p -> q { sync c!{258, 40000}; }; }\n"
                  "process R { int v, w; state p, q; init p; trans p -> q { sync c?{v, w}; }; }\nsystem async;",
                  "holds",
                  2,
                  1,
                  1,
                  {"R.q imply (R->v == 2 && R->w == -25536)"}});
}

TEST(DveSemantics, NegativeValuesPassUntypedChannels) {
  expect_meaning({"negative",
                  "channel c;\nprocess S { state p, q; init p; trans p -> q { sync c!-1; }; }\n"
                  "process R { int v; state p, q; init p; trans p -> q { sync c?v; }; }\nsystem async;",
                  "holds",
                  2,
                  1,
                  1,
                  {"R.q imply R->v == -1"}});
}

TEST(DveSemantics, Buffers) {
  // 0..3 messages sent, 0..sent received; the buffer holds two.
  expect_meaning(
      {"fifo",
       "channel {byte} c[2];\n"
       "process S { byte n; state p; init p; trans p -> p { guard n < 3; sync c!n + 10; effect n = n + 1; }; "
       "}\n"
       "process R { byte m, v = 10; state p; init p; trans p -> p { sync c?v; effect m = m + 1; }; }\n"
       "system async;",
       "holds",
       9,
       10,
       1,
       {"R->m == 0 || R->v == R->m + 10"}});
}

TEST(DveSemantics, BufferedValuesAreThoseAfterTheEffects) {
  expect_meaning({"after effects",
                  "channel {byte} c[1]; byte x, y;\n"
                  "process S { state p, q; init p; trans p -> q { sync c!x; effect x = 5; }; }\n"
                  "process R { state p, q; init p; trans p -> q { sync c?y; effect y = 1; }; }\nsystem async;",
                  "holds",
                  3,
                  2,
                  1,
                  {"R.q imply y == 5"}});
}

TEST(DveSemantics, CommittedStatesGoFirst) {
  // After P's first step only P may move.
  expect_meaning({"alone",
                  "process P { state p, c, q; init p; commit c; trans p -> c {}, c -> q {}; }\n"
                  "process Q { state p, q; init p; trans p -> q {}; }\nsystem async;",
                  "holds",
                  6,
                  6,
                  1,
                  {"P.c imply (Q.p || Q.q)"}});
  // A committed process that cannot move blocks the others.
  expect_meaning({"blocked",
                  "process P { state c; init c; commit c; }\nprocess Q { state p, q; init p; trans p -> q {}; }\n"
                  "system async;",
                  "holds", 1, 0, 1});
  // A handshake needs both to be committed.
  expect_meaning({"half a handshake",
                  "channel x; process P { state c, d; init c; commit c; trans c -> d { sync x!; }; }\n"
                  "process Q { state p, q; init p; trans p -> q { sync x?; }; }\nsystem async;",
                  "holds", 1, 0, 1});
  expect_meaning({"both committed",
                  "channel x; process P { state c, d; init c; commit c; trans c -> d { sync x!; }; }\n"
                  "process Q { state p, q; init p; commit p; trans p -> q { sync x?; }; }\nsystem async;",
                  "holds", 2, 1, 1});
}

TEST(DveSemantics, Assertions) {
  constexpr const char* kModel =
      "byte x; process P { state p, q; init p; assert q: x < 2; trans p -> q { effect x = x + 1; }, q -> p {}; } "
      "system async;";
  expect_meaning({"violated", kModel, "invariant"});
}

TEST(DveSemantics, ConstantArrays) {
  std::string model = "const int t[40] = {";
  for (int i = 0; i < 40; ++i)
    model += std::to_string(i * i - 500) + (i < 39 ? "," : "};\n");
  model +=
      "byte i; int v = -500; process P { state p; init p; trans p -> p { guard i < 39; effect i = i + 1, v = t[i]; "
      "}; } system async;";
  Expected expected;
  expected.what = "constant array";
  expected.model = model.c_str();
  expected.verdict = "holds";
  expected.states = 40;
  expected.deadlocks = 1;
  expected.invariants = {"v == i * i - 500", "t[i] == v"};
  expect_meaning(expected);
  expected.invariants = {"t[i + 1] > -600"};
  expected.verdict = "error";
  expected.states = 0;
  expect_meaning(expected);
}

TEST(DveSemantics, VariablesThatNeverChange) {
  constexpr const char* kModel =
      "byte x = 4, n; byte t[2] = {6, 6}; process P { state p; init p; trans p -> p { guard n < x; effect n = n + 1, "
      "t[n % 2] = 6; }; } system async;";
  expect_meaning({"fixed", kModel, "holds", 5, 4, 1, {"t[1] == 6", "x == 4"}});
  Diagnostics diagnostics("test.dve", kModel);
  const std::unique_ptr<ir::Program> program = dve::load("test.dve", kModel, {}, diagnostics);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->fixed.size(), 1U);  // t; x is a constant
  EXPECT_EQ(program->state_bits, 3U);
}

TEST(DveSemantics, SynchronousSystems) {
  // Both move in every step and see the state before it: x and y swap.
  expect_meaning({"swap",
                  "byte x = 1, y = 2;\nprocess P { state p; init p; trans p -> p { effect x = y; }; }\n"
                  "process Q { state p; init p; trans p -> p { effect y = x; }; }\nsystem sync;",
                  "holds",
                  2,
                  2,
                  0,
                  {"x + y == 3"}});
  expect_meaning(
      {"all combinations",
       "byte x, y;\nprocess P { state p; init p; trans p -> p { guard x < 2; effect x = x + 1; }, p -> p {}; "
       "}\nprocess Q { state p; init p; trans p -> p { guard y < 2; effect y = y + 1; }, p -> p {}; }\n"
       "system sync;",
       "holds", 9, 25, 0});
  expect_meaning({"one is stuck",
                  "process P { state p, q; init p; trans p -> q {}; }\n"
                  "process Q { state p; init p; trans p -> p {}; }\nsystem sync;",
                  "holds", 2, 1, 1});
  expect_meaning({"conflict",
                  "byte x;\nprocess P { state p; init p; trans p -> p { effect x = 1; }; }\n"
                  "process Q { state p; init p; trans p -> p { effect x = 1; }; }\nsystem sync;",
                  "error"});
}

TEST(DveSemantics, StepsAreNamed) {
  constexpr const char* kModel =
      "channel c;\nprocess S { state p, q; init p;\n trans p -> q { sync c!42; }; }\n"
      "process R { byte v; state p, q; init p;\n trans p -> q { sync c?v; }; }\nsystem async;";
  Expected expected;
  expected.what = "names";
  expected.model = kModel;
  expected.invariants = {"R->v == 0"};
  Diagnostics diagnostics("test.dve", kModel);
  const std::unique_ptr<ir::Program> program = load(expected, diagnostics);
  ASSERT_NE(program, nullptr);
  Fixed engines(*program);
  SearchOptions search;
  search.memory_bytes = std::uint64_t{64} << 20;
  const SearchResult result = search_bfs(*program, engines, search, {});
  ASSERT_EQ(result.verdict, Verdict::kViolated);
  const auto shown = replay(*program, result.violations.front(), search.deadlock);
  ASSERT_TRUE(shown.is_ok());
  ASSERT_EQ(shown.value().steps.size(), 2U);
  EXPECT_EQ(shown.value().steps[1].rule, "S: p -> q (line 3), R: p -> q (line 5), c");
  EXPECT_EQ(shown.value().steps[1].output, "c!42");
}

}  // namespace
}  // namespace tideline
