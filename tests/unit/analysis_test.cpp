// SPDX-License-Identifier: MIT
// What ir/analysis.h claims, and what it must not claim. Its soundness at large is tested by the native engine, which
// leaves out the checks (native_random_test.cpp).
#include "ir/analysis.h"

#include <gtest/gtest.h>

#include "exec/interp/start_facts.h"
#include "ir_fixture.h"

namespace tideline::test {
namespace {

class AnalysisTest : public IrFixture {
 protected:
  AnalysisTest() : index_(domain({{0, 3}})), small_(simple(domain({{0, 4}}))) {
    x_ = variable(small_);
    array_ = variable(array(index_, record({small_, small_})));
    start();
    rule();
  }

  Rule& first_start() { return program_.starts.front(); }
  Rule& first_rule() { return program_.rules.front(); }

  // for i: index do array[i].f<k> := value end
  void fill(Rule& rule, Block& block, std::size_t k, const std::function<ExprPtr(SlotIndex)>& value) {
    auto loop = stmt(StmtKind::kFor);
    loop->loop.domain = index_;
    loop->slot = local(rule.frame, simple(index_));
    assign(loop->body, field(var(array_, get(slot(rule.frame, loop->slot), false)), k), value(loop->slot));
    block.push_back(std::move(loop));
  }
  void fill(Rule& rule, std::size_t k) {
    fill(rule, rule.body, k, [](SlotIndex) { return number(1); });
  }

  // Can array[0].f<k> be undefined, seen from the first rule?
  bool part_may_be_undefined(std::size_t k) {
    EXPECT_TRUE(number_commands(program_));
    const Analysis analysis(program_, undefined_at_start(program_));
    return analysis.holds_undefined(field(var(array_, number(0)), k), first_rule().frame);
  }
  bool x_may_be_undefined() {
    EXPECT_TRUE(number_commands(program_));
    const Analysis analysis(program_, undefined_at_start(program_));
    return analysis.holds_undefined(var(x_), first_rule().frame);
  }

  const Domain* index_;
  const Type* small_;
  std::size_t x_ = 0;
  std::size_t array_ = 0;
};

TEST_F(AnalysisTest, NothingIsDefinedWithoutAssignments) {
  EXPECT_TRUE(x_may_be_undefined());
  EXPECT_TRUE(part_may_be_undefined(0));
}

TEST_F(AnalysisTest, AssignmentsInStartsAndLoopsAreSeen) {
  assign(first_start().body, var(x_), number(2));
  fill(first_start(), 0);
  EXPECT_FALSE(x_may_be_undefined());
  EXPECT_FALSE(part_may_be_undefined(0));
  EXPECT_TRUE(part_may_be_undefined(1));
}

TEST_F(AnalysisTest, EveryStartCounts) {
  assign(first_start().body, var(x_), number(2));
  Rule& other = start();
  auto branch = stmt(StmtKind::kIf);
  branch->value = op(ExprOp::kEqual, get(var(x_), false), number(1));
  assign(branch->body, var(x_), number(1));
  assign(branch->other, var(x_), number(0));
  other.body.push_back(std::move(branch));
  EXPECT_FALSE(x_may_be_undefined());
  start();
  EXPECT_TRUE(x_may_be_undefined());
}

TEST_F(AnalysisTest, ElementsByNumberAndClear) {
  for (std::int64_t i = 0; i < 3; ++i)
    assign(first_start().body, field(var(array_, number(i)), 0), number(1));
  EXPECT_TRUE(part_may_be_undefined(0));
  assign(first_start().body, field(var(array_, number(3)), 0), number(1));
  EXPECT_FALSE(part_may_be_undefined(0));
  simple_stmt(first_start().body, StmtKind::kUndefine, var(array_));
  EXPECT_TRUE(part_may_be_undefined(0));
  simple_stmt(first_start().body, StmtKind::kClear, var(array_));
  EXPECT_FALSE(part_may_be_undefined(0));
  EXPECT_FALSE(part_may_be_undefined(1));
}

TEST_F(AnalysisTest, ADiagonalIsNotEverything) {
  const std::size_t grid = variable(array(index_, array(index_, small_)));
  auto loop = stmt(StmtKind::kFor);
  loop->loop.domain = index_;
  loop->slot = local(first_start().frame, simple(index_));
  auto i = [&] { return get(slot(first_start().frame, loop->slot)); };
  assign(loop->body, element(var(grid, i()), i()), number(1));
  first_start().body.push_back(std::move(loop));
  EXPECT_TRUE(number_commands(program_));
  EXPECT_TRUE(Analysis(program_, undefined_at_start(program_))
                  .holds_undefined(element(var(grid, number(0)), number(0)), first_rule().frame));
}

TEST_F(AnalysisTest, WhatALaterTurnUndefines) {
  // for i do undefine array; array[i].f0 := 1 end
  auto loop = stmt(StmtKind::kFor);
  loop->loop.domain = index_;
  loop->slot = local(first_start().frame, simple(index_));
  simple_stmt(loop->body, StmtKind::kUndefine, var(array_));
  assign(loop->body, field(var(array_, get(slot(first_start().frame, loop->slot))), 0), number(1));
  first_start().body.push_back(std::move(loop));
  EXPECT_TRUE(part_may_be_undefined(0));
}

TEST_F(AnalysisTest, WhatTheSameTurnUndefines) {
  // for i do undefine array[i]; array[i].f0 := i end
  auto loop = stmt(StmtKind::kFor);
  loop->loop.domain = index_;
  loop->slot = local(first_start().frame, simple(index_));
  simple_stmt(loop->body, StmtKind::kUndefine, var(array_, get(slot(first_start().frame, loop->slot))));
  assign(loop->body, field(var(array_, get(slot(first_start().frame, loop->slot))), 0),
         get(slot(first_start().frame, loop->slot), false));
  first_start().body.push_back(std::move(loop));
  EXPECT_FALSE(part_may_be_undefined(0));
}

TEST_F(AnalysisTest, ReturnsEndTheStart) {
  const SlotIndex i = parameter(first_start(), index_);
  auto branch = stmt(StmtKind::kIf);
  branch->value = op(ExprOp::kEqual, get(slot(first_start().frame, i)), number(3));
  branch->body.push_back(stmt(StmtKind::kReturn));
  first_start().body.push_back(std::move(branch));
  assign(first_start().body, var(x_), number(2));
  EXPECT_TRUE(x_may_be_undefined());
}

// An assumption runs on what a start made before that is known to be an initial state.
TEST_F(AnalysisTest, AssumptionsSeeStartsThatTheyExclude) {
  const SlotIndex i = parameter(first_start(), index_);
  auto branch = stmt(StmtKind::kIf);
  branch->value = op(ExprOp::kLess, get(slot(first_start().frame, i)), number(3));
  assign(branch->body, var(x_), number(2));
  first_start().body.push_back(std::move(branch));
  Property& assumption = program_.properties.emplace_back();
  assumption.kind = PropertyKind::kAssumption;
  assumption.condition = op(ExprOp::kEqual, get(var(x_), false), number(2));
  EXPECT_FALSE(x_may_be_undefined());
  const Analysis analysis(program_, undefined_at_start(program_));
  EXPECT_TRUE(analysis.holds_undefined(var(x_), program_.properties.front().frame));
}

TEST_F(AnalysisTest, RulesMayUndefine) {
  assign(first_start().body, var(x_), number(2));
  fill(first_start(), 0);
  fill(first_start(), 1);
  // x := array[0].f1 (unchecked) keeps x defined only as long as f1 is.
  assign(first_rule().body, var(x_), get(field(var(array_, number(0)), 1), false));
  EXPECT_FALSE(x_may_be_undefined());
  Rule& other = rule();
  const SlotIndex i = parameter(other, index_);
  simple_stmt(other.body, StmtKind::kUndefine, field(var(array_, get(slot(other.frame, i))), 1));
  EXPECT_TRUE(part_may_be_undefined(1));
  EXPECT_TRUE(x_may_be_undefined());
  EXPECT_FALSE(part_may_be_undefined(0));
}

TEST_F(AnalysisTest, CopiesPartByPart) {
  fill(first_start(), 0);
  copy(first_rule().body, var(array_, number(1)), var(array_, number(2)));
  EXPECT_FALSE(part_may_be_undefined(0));
  const SlotIndex l = local(first_rule().frame, program_.variables[array_].type->element, LocalKind::kPacked);
  copy(first_rule().body, var(array_, number(1)), slot(first_rule().frame, l));
  EXPECT_TRUE(part_may_be_undefined(0));
}

TEST_F(AnalysisTest, ProceduresAndAliasParameters) {
  Function& set = program_.functions.emplace_back();
  const SlotIndex target = local(set.frame, small_, LocalKind::kAlias);
  const SlotIndex value = local(set.frame, small_);
  set.param_count = 2;
  set.writes_state = true;
  assign(set.body, slot(set.frame, target), get(slot(set.frame, value), false));
  auto call = [&](Block& block, ExprPtr argument) {
    std::vector<Argument> arguments(2);
    arguments[0].ref = std::make_unique<Ref>(var(x_));
    arguments[1].value = std::move(argument);
    auto made = stmt(StmtKind::kCall);
    made->value = make_call(&set, std::move(arguments), false, {});
    block.push_back(std::move(made));
  };
  call(first_start().body, number(1));
  call(first_rule().body, get(var(x_)));
  // The procedure also runs in the start, where x is not defined yet; still, what it stores is.
  EXPECT_FALSE(x_may_be_undefined());
  call(first_rule().body, make_undefined());
  EXPECT_TRUE(x_may_be_undefined());
}

TEST_F(AnalysisTest, WhatCanFail) {
  assign(first_start().body, var(x_), number(2));
  EXPECT_TRUE(number_commands(program_));
  const Analysis analysis(program_, undefined_at_start(program_));
  const Frame& frame = first_rule().frame;
  auto fails = [&](const ExprPtr& expr) { return analysis.may_fail(*expr, frame); };
  EXPECT_FALSE(fails(get(var(x_))));
  EXPECT_TRUE(fails(get(field(var(array_, number(0)), 0))));
  EXPECT_FALSE(fails(get(field(var(array_, number(0)), 0), false)));
  EXPECT_TRUE(fails(get(field(var(array_, get(var(x_))), 0), false)));  // 4 is no index
  EXPECT_FALSE(fails(op(ExprOp::kAdd, get(var(x_)), number(1))));
  EXPECT_TRUE(fails(op(ExprOp::kDivide, number(1), get(var(x_)))));
  EXPECT_FALSE(fails(op(ExprOp::kDivide, get(var(x_)), number(2))));
  EXPECT_TRUE(fails(op(ExprOp::kLess, get(field(var(array_, number(0)), 0), false), number(2))));
  EXPECT_FALSE(fails(op(ExprOp::kEqual, get(field(var(array_, number(0)), 0), false), number(2))));
}

TEST_F(AnalysisTest, WhichVariablesARuleChanges) {
  const SlotIndex i = parameter(first_rule(), index_);
  assign(first_rule().body, field(var(array_, get(slot(first_rule().frame, i))), 1), number(1));
  EXPECT_TRUE(number_commands(program_));
  const Analysis analysis(program_, undefined_at_start(program_));
  EXPECT_FALSE(analysis.may_change(first_rule(), program_.variables[x_]));
  EXPECT_TRUE(analysis.may_change(first_rule(), program_.variables[array_]));
}

}  // namespace
}  // namespace tideline::test
