// SPDX-License-Identifier: MIT
// The dispatch tree: its shape on small programs, and both engines, which walk it, against testing rule after rule on
// random programs made of processes. TIDELINE_SEED=n runs only that one, TIDELINE_SEEDS=n runs n.
#include "ir/dispatch.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "ir_fixture.h"
#include "native_support.h"
#include "random_processes.h"

namespace tideline::test {
namespace {

// "switch@0{1: r0 r2; 2: test(r1+1 r3)} r4": the number behind a rule is that of the conjuncts left.
std::string show(const Dispatch& dispatch) {
  std::string text;
  for (const DispatchNode& node : dispatch) {
    text += text.empty() ? "" : " ";
    switch (node.kind) {
      case DispatchNode::Kind::kRule:
        text += "r" + std::to_string(node.rule);
        text += node.conjuncts.empty() ? "" : "+" + std::to_string(node.conjuncts.size());
        break;
      case DispatchNode::Kind::kTest:
        text += "test(" + show(node.body) + ")";
        break;
      case DispatchNode::Kind::kSwitch:
        text += "switch@" + std::to_string(node.condition->refs[0].offset) + "{";
        for (const DispatchCase& each : node.cases)
          text += std::to_string(each.code) + ": " + show(each.body) + "; ";
        text.resize(text.size() - 2);
        text += "}";
        break;
    }
  }
  return text;
}

class DispatchTest : public IrFixture {
 protected:
  // Two counters of 3 bits without an undefined value, at bits 0 and 3, and two numbers.
  DispatchTest() {
    const Type* counter = simple(domain({{0, 7}}, false));
    p_ = variable(counter);
    q_ = variable(counter);
    x_ = variable(simple(domain({{0, 9}}, false)));
    y_ = variable(simple(domain({{0, 9}}, false)));
    Rule& initial = start();
    for (const std::size_t v : {p_, q_, x_, y_})
      assign(initial.body, var(v), number(0));
  }

  ExprPtr at(std::size_t v, std::int64_t value) { return op(ExprOp::kEqual, get(var(v)), number(value)); }
  ExprPtr less(std::size_t v, std::int64_t value) { return op(ExprOp::kLess, get(var(v)), number(value)); }
  ExprPtr failing() { return op(ExprOp::kLess, op(ExprOp::kModulo, number(7), get(var(x_))), number(3)); }

  // A rule with a guard of these conjuncts, nested to the left.
  template <typename... Conjuncts>
  Rule& when(ExprPtr first, Conjuncts... others) {
    Rule& made = rule();
    made.guard = std::move(first);
    ((made.guard = op(ExprOp::kAnd, std::move(made.guard), std::move(others))), ...);
    return made;
  }

  std::string tree() {
    EXPECT_TRUE(number_commands(program_));
    const Dispatch made = make_dispatch(program_, Analysis(program_, {}));
    EXPECT_EQ(rule_count(made), program_.rules.size());
    return show(made);
  }

  std::size_t p_ = 0;
  std::size_t q_ = 0;
  std::size_t x_ = 0;
  std::size_t y_ = 0;
};

TEST_F(DispatchTest, NoRules) {
  EXPECT_EQ(tree(), "");
}

TEST_F(DispatchTest, AdjacentTestsOfOneVariableBecomeASwitch) {
  when(at(p_, 1), less(x_, 3));
  when(at(p_, 2));
  when(at(p_, 1));
  when(at(q_, 0));
  when(at(q_, 4), failing());
  rule();
  EXPECT_EQ(tree(), "switch@0{1: r0+1 r2; 2: r1} switch@3{0: r3; 4: r4+1} r5");
}

TEST_F(DispatchTest, EitherOrderOfTheOperands) {
  when(op(ExprOp::kEqual, number(3), get(var(p_))));
  when(at(p_, 5));
  EXPECT_EQ(tree(), "switch@0{3: r0; 5: r1}");
}

TEST_F(DispatchTest, OtherRulesEndARun) {
  when(at(p_, 1));
  rule();
  when(at(p_, 1));
  when(less(p_, 1));
  EXPECT_EQ(tree(), "r0+1 r1 r2+1 r3+1");
}

TEST_F(DispatchTest, HandshakesNest) {
  for (const std::int64_t sender : {0, 1})
    for (const std::int64_t receiver : {2, 3})
      when(at(p_, sender), at(q_, receiver), less(x_, 4));
  EXPECT_EQ(tree(), "switch@0{0: switch@3{2: r0+1; 3: r1+1}; 1: switch@3{2: r2+1; 3: r3+1}}");
}

TEST_F(DispatchTest, SharedConditionsBecomeATest) {
  when(at(p_, 1), less(x_, 3), at(q_, 1));
  when(at(p_, 1), less(x_, 3), at(q_, 2), failing());
  when(at(p_, 1), less(x_, 4));
  EXPECT_EQ(tree(), "switch@0{1: test(switch@3{1: r0; 2: r1+1}) r2+1}");
}

TEST_F(DispatchTest, ShapesOfConjunctionsDoNotMatter) {
  when(at(p_, 1), less(x_, 3), less(y_, 3));
  rule().guard = op(ExprOp::kAnd, at(p_, 1), op(ExprOp::kAnd, less(x_, 3), less(y_, 4)));
  EXPECT_EQ(tree(), "switch@0{1: test(r0+1 r1+1)}");
}

TEST_F(DispatchTest, WhatCanFailIsNotTaken) {
  when(failing(), at(p_, 1));
  when(failing(), at(p_, 1));
  when(at(p_, 2), failing(), at(q_, 1));
  when(at(p_, 2), failing(), at(q_, 1));
  EXPECT_EQ(tree(), "r0+2 r1+2 switch@0{2: r2+2 r3+2}");
}

TEST_F(DispatchTest, UndefinedVariables) {
  const std::size_t u = variable(range(0, 3));
  when(op(ExprOp::kEqual, get(var(u), false), number(0)));
  when(op(ExprOp::kEqual, get(var(u), false), number(3)));
  when(op(ExprOp::kEqual, get(var(u), true), number(3)));  // a checked read of what may be undefined
  when(op(ExprOp::kEqual, get(var(u), true), number(3)));
  EXPECT_EQ(tree(), "switch@14{1: r0; 4: r1} r2+1 r3+1");
}

TEST_F(DispatchTest, ConstantsOutsideTheDomain) {
  when(at(p_, 8));
  when(at(p_, -1));
  when(at(p_, 8));
  when(at(p_, 8));
  EXPECT_EQ(tree(), "r0+1 r1+1 test(r2 r3)");
}

TEST_F(DispatchTest, CallsAreNotTaken) {
  Function& function = program_.functions.emplace_back();
  function.result = domain({{0, 1}}, false);
  function.body.push_back(stmt(StmtKind::kReturn));
  function.body.back()->value = less(x_, 1);
  when(make_call(&function, {}, false, {}));
  when(make_call(&function, {}, false, {}));
  EXPECT_EQ(tree(), "r0+1 r1+1");
}

TEST_F(DispatchTest, RulesWithParametersAreLeaves) {
  for (int i = 0; i < 2; ++i) {
    Rule& r = when(at(p_, 1));
    parameter(r, domain({{0, 2}}));
  }
  EXPECT_EQ(tree(), "r0+1 r1+1");
}

TEST_F(DispatchTest, PrioritiesMakeAFlatList) {
  when(at(p_, 1));
  when(at(p_, 2));
  when(at(p_, 3)).priority = 1;
  EXPECT_EQ(tree(), "r0+1 r1+1 r2+1");
}

TEST_F(DispatchTest, OnePriorityThatIsNotZero) {
  when(at(p_, 1)).priority = 7;
  when(at(p_, 2)).priority = 7;
  EXPECT_EQ(tree(), "switch@0{1: r0; 2: r1}");
}

TEST_F(DispatchTest, CasesAreFoundByCode) {
  for (const std::int64_t value : {6, 1, 2, 4})
    when(at(p_, value));
  ASSERT_TRUE(number_commands(program_));
  const Dispatch made = make_dispatch(program_, Analysis(program_, {}));
  ASSERT_EQ(made.size(), 1u);
  const std::vector<std::pair<std::uint64_t, std::size_t>> expected = {{1, 1}, {2, 2}, {4, 3}, {6, 0}};
  for (const auto& [code, which] : expected) {
    ASSERT_NE(made[0].find(code), nullptr);
    EXPECT_EQ(made[0].find(code)->front().rule, which);
  }
  for (const std::uint64_t code : {0u, 3u, 5u, 7u})
    EXPECT_EQ(made[0].find(code), nullptr);
}

// --- random programs ---

std::uint64_t environment_number(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// The successors of a state by testing one command after the other; no binding may fail.
void expand_plainly(const Program& program, Interpreter& interp, const Word* state, Successors& out) {
  const CommandId count = program.rules.back().first_command + program.rules.back().command_count;
  tl_buffer* buffer = out.raw();
  std::vector<Word> successor(interp.words() + 1);
  for (CommandId command = 0; command < count; ++command) {
    const StepResult::Outcome outcome = interp.step(state, command, successor.data()).outcome;
    if (outcome == StepResult::Outcome::kDisabled || outcome == StepResult::Outcome::kDiscarded)
      continue;
    if (buffer->count == buffer->capacity)
      buffer->grow(buffer);
    const bool failed = outcome == StepResult::Outcome::kFailed;
    buffer->failures += failed ? 1 : 0;
    std::copy_n(successor.begin(), interp.words(), buffer->states + buffer->count * buffer->words);
    buffer->commands[buffer->count++] = command | (failed ? TL_FAILED : 0);
  }
}

ProcessShape random_shape(std::uint64_t seed) {
  ProcessShape shape;
  shape.processes = 1 + static_cast<unsigned>(seed % 4);
  shape.locations = 2 + static_cast<unsigned>(seed / 2 % 5);
  shape.transitions = 1 + static_cast<unsigned>(seed / 3 % 4);
  shape.odd_percent = seed % 5 == 0 ? 0 : 30;
  shape.has_undefined = seed % 3 != 0;
  return shape;
}

// Compares both engines with the plain expansion on the first states of a program.
Explored compare_with_plain(const Program& program, NextState& native, std::size_t states_max) {
  Explored seen;
  Interpreter interp(program);
  Successors expected(interp.words());
  Successors found(interp.words());
  interp.initial(expected);
  std::set<std::vector<Word>> known;
  std::vector<std::vector<Word>> queue;
  for (std::size_t at = 0; at == 0 || (at <= queue.size() && at <= states_max); ++at) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::vector<Word> state(expected.state(i), expected.state(i) + interp.words());
      state.push_back(~Word{0});
      if (expected.proper(i) && known.insert(state).second)
        queue.push_back(std::move(state));
    }
    seen.edges += at == 0 ? 0 : expected.size() - expected.failures();
    seen.failures += expected.failures();
    if (at == queue.size())
      break;
    const std::vector<Word> state = queue[at];
    expected.clear();
    expand_plainly(program, interp, state.data(), expected);
    for (NextState* engine : {static_cast<NextState*>(&interp), &native}) {
      found.clear();
      engine->expand(state.data(), found);
      if (const auto same = same_entries(expected, found, interp.words()); !same) {
        ADD_FAILURE() << (engine == &native ? "native" : "interp") << ", state " << at << ": " << same.message();
        return seen;
      }
    }
    ++seen.states;
  }
  seen.agreed = true;
  return seen;
}

TEST(DispatchRandom, EnginesAgreeWithRuleAfterRule) {
  const ScratchDirectory cache;
  const std::uint64_t only = environment_number("TIDELINE_SEED", 0);
  const std::uint64_t count = environment_number("TIDELINE_SEEDS", 30);
  Explored total;
  for (std::uint64_t seed = only != 0 ? only : 1; seed <= (only != 0 ? only : count); ++seed) {
    const std::unique_ptr<Program> program = random_processes(seed, random_shape(seed));
    const std::unique_ptr<Engine> engine = native_engine(*program, cache.path());
    ASSERT_NE(engine, nullptr) << "seed " << seed;
    const Explored seen = compare_with_plain(*program, *engine->make(), 60);
    ASSERT_TRUE(seen.agreed) << "seed " << seed;
    total.states += seen.states;
    total.edges += seen.edges;
    total.failures += seen.failures;
  }
  std::printf("%zu states, %zu edges, %zu failures\n", total.states, total.edges, total.failures);
  if (only == 0) {
    EXPECT_GT(total.edges, 20 * count);
    EXPECT_GT(total.failures, count);
  }
}

// So many that generated switches are cut into several functions and share what begins a successor.
TEST(DispatchRandom, ManyRules) {
  const ScratchDirectory cache;
  ProcessShape shape;
  shape.processes = 5;
  shape.locations = 12;
  shape.transitions = 5;
  shape.channels = 3;
  shape.odd_percent = 3;
  const std::unique_ptr<Program> program = random_processes(1, shape);
  EXPECT_GT(program->rules.size(), 500u);
  const std::unique_ptr<Engine> engine = native_engine(*program, cache.path());
  ASSERT_NE(engine, nullptr);
  const Explored seen = compare_with_plain(*program, *engine->make(), 200);
  EXPECT_TRUE(seen.agreed);
  EXPECT_GT(seen.edges, 400u);
}

}  // namespace
}  // namespace tideline::test
