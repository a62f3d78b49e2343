// SPDX-License-Identifier: MIT
// The native engine does what the interpreter does: one small program per concept, compared entry by entry. Each test
// also says what must have happened, so that two engines that both do nothing do not pass.
#include <gtest/gtest.h>

#include <limits>

#include "ir_fixture.h"
#include "native_support.h"

namespace tideline::test {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 55;

class NativeTest : public IrFixture {
 protected:
  Explored compare(std::size_t states_max = 2000) {
    const Explored seen = compare_engines(program_, cache_.path(), states_max);
    EXPECT_TRUE(seen.agreed);
    return seen;
  }

  ScratchDirectory cache_;
};

TEST_F(NativeTest, EmptyProgram) {
  EXPECT_EQ(compare().states, 0u);
}

TEST_F(NativeTest, NoVariables) {
  start();
  rule();
  const Explored seen = compare();
  EXPECT_EQ(seen.states, 1u);
  EXPECT_EQ(seen.edges, 1u);
}

TEST_F(NativeTest, ArithmeticOverAllSmallValues) {
  const std::size_t a = variable(range(-5, 5));
  const std::size_t b = variable(range(-5, 5));
  const std::size_t result = variable(range(-1000, 1000));
  start_with_all_values({a, b});
  for (const ExprOp which :
       {ExprOp::kAdd, ExprOp::kSubtract, ExprOp::kMultiply, ExprOp::kDivide, ExprOp::kModulo, ExprOp::kBitAnd,
        ExprOp::kBitOr, ExprOp::kBitXor, ExprOp::kShiftLeft, ExprOp::kShiftRight}) {
    Rule& r = rule();
    r.guard = make_is_undefined(var(result), {});
    assign(r.body, var(result), op(which, get(var(a)), get(var(b))));
  }
  for (const ExprOp which : {ExprOp::kNegate, ExprOp::kComplement}) {
    Rule& r = rule();
    assign(r.body, var(result), make_unary(which, get(var(a)), {}));
  }
  const Explored seen = compare();
  EXPECT_GT(seen.edges, 1000u);
  EXPECT_EQ(seen.failures, 2u * 11 + 2u * 5 * 11);  // division and modulo by zero, shifts by less than zero
}

TEST_F(NativeTest, ComparisonsAndLogicWithUndefinedOperands) {
  const Domain* small = domain({{-1, 2}});
  const Domain* other = domain({{0, 4}});
  const Domain* truth = domain({{0, 1}}, true, DomainKind::kBoolean);
  const std::size_t a = variable(simple(small));
  const std::size_t b = variable(simple(other));
  const std::size_t p = variable(simple(truth));
  const std::size_t q = variable(simple(truth));
  const std::size_t result = variable(range(0, 1));
  start_with_all_values({a, b, p, q});
  start_with_all_values({a});
  start_with_all_values({b, q});
  start_with_all_values({p});
  for (const ExprOp which :
       {ExprOp::kEqual, ExprOp::kNotEqual, ExprOp::kLess, ExprOp::kLessEqual, ExprOp::kGreater, ExprOp::kGreaterEqual})
    for (const bool checked : {false, true}) {
      Rule& r = rule();
      assign(r.body, var(result), op(which, get(var(a), checked), get(var(b), checked)));
      Rule& same = rule();
      assign(same.body, var(result), op(which, get(var(a), checked), get(var(a), false)));
      Rule& constant = rule();
      constant.guard = op(which, number(2), get(var(a), checked));
      assign(constant.body, var(result), number(1));
    }
  for (const ExprOp which : {ExprOp::kAnd, ExprOp::kOr, ExprOp::kImplies})
    for (const bool checked : {false, true}) {
      Rule& value = rule();
      assign(value.body, var(result), op(which, get(var(p), checked), get(var(q), checked)));
      Rule& guard = rule();
      guard.guard = op(which, get(var(p), checked), make_unary(ExprOp::kNot, get(var(q), checked), {}));
      assign(guard.body, var(result), number(0));
    }
  Rule& conditional = rule();
  conditional.guard = make_conditional(get(var(p)), get(var(q)), op(ExprOp::kLess, get(var(a)), number(1)), {});
  assign(conditional.body, var(result), make_conditional(get(var(q)), number(1), make_undefined(), {}));
  Rule& copied = rule();
  assign(copied.body, var(a), get(var(b), false));
  invariant(op(ExprOp::kOr, make_is_undefined(var(result), {}), op(ExprOp::kEqual, get(var(result)), number(1))));
  const Explored seen = compare();
  EXPECT_GT(seen.edges, 1000u);
  EXPECT_GT(seen.failures, 100u);
  EXPECT_GT(seen.violations, 0u);
}

TEST_F(NativeTest, OverflowOf64Bits) {
  const std::size_t big = variable(range(-kHuge, kHuge - 1));
  const std::size_t amount = variable(range(-1, 80));
  const std::size_t result = variable(range(0, 3));
  start_with_all_values({amount});
  for (const std::int64_t value : {-kHuge, kHuge - 1, std::int64_t{-1}, std::int64_t{1}}) {
    Rule& r = rule();
    r.guard = make_is_undefined(var(big), {});
    assign(r.body, var(big), number(value));
  }
  auto result_of = [&](ExprPtr value) {
    Rule& r = rule();
    r.guard = op(ExprOp::kNotEqual, get(var(big), false), make_undefined());
    assign(r.body, var(result), op(ExprOp::kBitAnd, std::move(value), number(3)));
  };
  auto times = [&](unsigned shift) { return op(ExprOp::kMultiply, get(var(big)), number(std::int64_t{1} << shift)); };
  for (const unsigned shift : {7u, 8u, 9u}) {
    result_of(times(shift));
    result_of(op(ExprOp::kSubtract, times(shift), number(1)));
    result_of(op(ExprOp::kAdd, times(shift), number(1)));
    result_of(make_unary(ExprOp::kNegate, times(shift), {}));
    result_of(make_unary(ExprOp::kComplement, times(shift), {}));
    result_of(op(ExprOp::kBitXor, times(shift), number(std::numeric_limits<std::int64_t>::max())));
    result_of(op(ExprOp::kDivide, times(shift), get(var(amount))));
  }
  result_of(op(ExprOp::kShiftLeft, get(var(big)), get(var(amount))));
  result_of(op(ExprOp::kShiftRight, get(var(big)), get(var(amount))));
  const Explored seen = compare();
  EXPECT_GT(seen.edges, 300u);
  EXPECT_GT(seen.failures, 300u);
}

TEST_F(NativeTest, AssignmentIsRangeChecked) {
  const std::size_t from = variable(range(-3, 12));
  const std::size_t to = variable(simple(domain({{8, 9}, {5, 6}, {1, 2}}, true, DomainKind::kUnion)));
  const std::size_t bare = variable(simple(domain({{0, 7}}, false)));
  const std::size_t single = variable(simple(domain({{4, 4}}, false)));
  start_with_all_values({from});
  Rule& union_rule = rule();
  assign(union_rule.body, var(to), get(var(from)));
  Rule& undefined_rule = rule();
  assign(undefined_rule.body, var(from), get(var(to), false));
  Rule& bare_rule = rule();
  assign(bare_rule.body, var(bare), get(var(from)));
  Rule& single_rule = rule();
  assign(single_rule.body, var(single), op(ExprOp::kAdd, get(var(bare)), number(1)));
  Rule& member = rule();
  member.guard = make_in_domain(get(var(from), false), program_.variables[to].type->domain, {});
  assign(member.body, var(from), make_undefined());
  Rule& local_rule = rule();
  const SlotIndex l = local(local_rule.frame, range(0, 5));
  assign(local_rule.body, slot(local_rule.frame, l), get(var(from), false));
  assign(local_rule.body, var(from), get(slot(local_rule.frame, l), false));
  const Explored seen = compare();
  EXPECT_GT(seen.edges, 50u);
  EXPECT_GT(seen.failures, 50u);
}

// Elements of 5 bits straddle words; holes in the index; a record around it moves everything.
TEST_F(NativeTest, ArraysAndRecordsOfOddWidths) {
  const Domain* index = domain({{2, 9}, {20, 21}}, true, DomainKind::kUnion);
  const Type* item = record({range(0, 2), range(-kHuge, kHuge - 1), range(-1, 20)});
  const std::size_t lead = variable(range(0, 4));
  const std::size_t items = variable(array(index, item));
  const std::size_t chosen = variable(range(0, 22));
  start_with_all_values({chosen});
  Rule& set = rule();
  const SlotIndex i = parameter(set, index);
  set.guard = make_is_undefined(field(var(items, get(slot(set.frame, i))), 2), {});
  assign(set.body, field(var(items, get(slot(set.frame, i))), 2), get(slot(set.frame, i)));
  assign(set.body, field(var(items, get(slot(set.frame, i))), 1),
         op(ExprOp::kMultiply, get(slot(set.frame, i)), number(-kHuge / 32)));
  Rule& shift = rule();
  copy(shift.body, var(items, get(var(chosen))), var(items, op(ExprOp::kAdd, get(var(chosen)), number(1))));
  Rule& swap = rule();
  const SlotIndex kept = local(swap.frame, item, LocalKind::kPacked);
  swap.guard = make_unary(ExprOp::kNot, make_same_bits(var(items, number(3)), var(items, get(var(chosen))), {}), {});
  copy(swap.body, slot(swap.frame, kept), var(items, get(var(chosen))));
  assign(swap.body, field(slot(swap.frame, kept), 0), number(1));
  copy(swap.body, var(items, number(3)), slot(swap.frame, kept));
  Rule& clear = rule();
  simple_stmt(clear.body, StmtKind::kClear, var(items, get(var(chosen))));
  Rule& clear_all = rule();
  clear_all.guard = op(ExprOp::kEqual, get(var(lead), false), make_undefined());
  simple_stmt(clear_all.body, StmtKind::kClear, var(items));
  simple_stmt(clear_all.body, StmtKind::kClear, var(lead));
  Rule& undefine = rule();
  simple_stmt(undefine.body, StmtKind::kUndefine, var(items, get(var(chosen))));
  Rule& undefine_all = rule();
  undefine_all.guard = op(ExprOp::kEqual, get(var(lead)), number(0));
  simple_stmt(undefine_all.body, StmtKind::kUndefine, var(items));
  const Explored seen = compare(600);
  EXPECT_EQ(seen.states, 600u);
  EXPECT_GT(seen.failures, 100u);
}

TEST_F(NativeTest, LoopsAndQuantifiers) {
  const Domain* holes = domain({{6, 7}, {1, 2}}, true, DomainKind::kUnion);
  const std::size_t from = variable(range(-2, 3));
  const std::size_t to = variable(range(-2, 3));
  const std::size_t by = variable(range(-2, 2));
  const std::size_t sum = variable(range(-5000, 5000));
  const std::size_t flags = variable(array(holes, simple(domain({{0, 1}}, true, DomainKind::kBoolean))));
  start_with_all_values({from, to, by});
  auto loop_of = [&](bool with_step) {
    LoopRange loop;
    loop.from = get(var(from));
    loop.to = get(var(to));
    if (with_step)
      loop.by = get(var(by));
    return loop;
  };
  for (const bool with_step : {false, true}) {
    Rule& r = rule();
    r.guard = make_is_undefined(var(sum), {});
    assign(r.body, var(sum), number(0));
    auto loop = stmt(StmtKind::kFor);
    loop->slot = local(r.frame, range(-10, 10));
    loop->loop = loop_of(with_step);
    assign(loop->body, var(sum),
           op(ExprOp::kAdd, op(ExprOp::kMultiply, get(var(sum)), number(3)), get(slot(r.frame, loop->slot))));
    r.body.push_back(std::move(loop));
    for (const ExprOp which : {ExprOp::kForall, ExprOp::kExists}) {
      Rule& q = rule();
      const SlotIndex v = local(q.frame, range(-10, 10));
      q.guard = make_quantifier(which, v, loop_of(with_step), op(ExprOp::kLess, get(slot(q.frame, v)), number(1)), {});
      assign(q.body, var(sum), number(with_step ? 1 : 2));
      Rule& as_value = rule();
      const SlotIndex w = local(as_value.frame, range(-10, 10));
      assign(as_value.body, var(sum),
             make_quantifier(which, w, loop_of(with_step), op(ExprOp::kEqual, get(slot(as_value.frame, w)), number(0)),
                             {}));
    }
  }
  Rule& fill = rule();
  auto loop = stmt(StmtKind::kFor);
  loop->slot = local(fill.frame, simple(holes));
  loop->loop.domain = holes;
  assign(loop->body, var(flags, get(slot(fill.frame, loop->slot))),
         op(ExprOp::kGreater, get(slot(fill.frame, loop->slot)), get(var(to))));
  fill.body.push_back(std::move(loop));
  Rule& all = rule();
  const SlotIndex v = local(all.frame, simple(holes));
  LoopRange over;
  over.domain = holes;
  all.guard = make_quantifier(ExprOp::kForall, v, std::move(over), get(var(flags, get(slot(all.frame, v)))), {});
  assign(all.body, var(sum), number(77));
  const Explored seen = compare(1500);
  EXPECT_GT(seen.edges, 1000u);
  EXPECT_GT(seen.failures, 100u);
}

TEST_F(NativeTest, WhileHasALimit) {
  program_.loop_limit = 5;
  const std::size_t x = variable(range(0, 20));
  const std::size_t limit = variable(range(0, 9));
  start_with_all_values({limit});
  Rule& r = rule();
  r.guard = make_is_undefined(var(x), {});
  assign(r.body, var(x), number(0));
  auto loop = stmt(StmtKind::kWhile);
  loop->value = op(ExprOp::kLess, get(var(x)), get(var(limit)));
  assign(loop->body, var(x), op(ExprOp::kAdd, get(var(x)), number(1)));
  r.body.push_back(std::move(loop));
  const Explored seen = compare();
  EXPECT_EQ(seen.edges, 6u);
  EXPECT_EQ(seen.failures, 4u);
}

TEST_F(NativeTest, AssertErrorAssumeCoverPutReturn) {
  const std::size_t x = variable(range(0, 9));
  for (unsigned i = 0; i < 3; ++i)
    program_.covers.push_back({"c", {}});
  start_with_all_values({x});
  Rule& asserts = rule();
  test_stmt(asserts.body, StmtKind::kAssert, op(ExprOp::kLess, get(var(x)), number(7)));
  assign(asserts.body, var(x), op(ExprOp::kAdd, get(var(x)), number(1)));
  Rule& errors = rule();
  auto branch = stmt(StmtKind::kIf);
  branch->value = op(ExprOp::kEqual, get(var(x)), number(3));
  branch->body.push_back(stmt(StmtKind::kError));
  auto otherwise = stmt(StmtKind::kIf);
  otherwise->value = op(ExprOp::kEqual, get(var(x)), number(4));
  test_stmt(otherwise->body, StmtKind::kAssume, number(0));
  test_stmt(otherwise->other, StmtKind::kCover, op(ExprOp::kEqual, get(var(x)), number(5)), 1);
  branch->other.push_back(std::move(otherwise));
  errors.body.push_back(std::move(branch));
  errors.body.push_back(stmt(StmtKind::kPut));
  auto leave = stmt(StmtKind::kIf);
  leave->value = op(ExprOp::kGreater, get(var(x)), number(6));
  leave->body.push_back(stmt(StmtKind::kReturn));
  errors.body.push_back(std::move(leave));
  simple_stmt(errors.body, StmtKind::kClear, var(x));
  Rule& covers = rule();
  test_stmt(covers.body, StmtKind::kCover, op(ExprOp::kGreater, get(var(x)), number(100)), 0);
  Property& cover = program_.properties.emplace_back();
  cover.kind = PropertyKind::kCover;
  cover.cover = 2;
  cover.condition = op(ExprOp::kEqual, get(var(x)), number(8));
  const Explored seen = compare();
  EXPECT_EQ(seen.states, 10u);
  EXPECT_EQ(seen.failures, 3u + 1u);  // asserts from 7, 8 and 9, and the error
  EXPECT_EQ(seen.edges, 7u + 8u + 10u);
}

TEST_F(NativeTest, AssumptionsPutStatesOutsideAndMayFail) {
  const std::size_t x = variable(range(0, 9));
  start_with_all_values({x});
  Rule& up = rule();
  assign(up.body, var(x), op(ExprOp::kModulo, op(ExprOp::kAdd, get(var(x)), number(1)), number(10)));
  Rule& gone = rule();
  simple_stmt(gone.body, StmtKind::kUndefine, var(x));
  Property& assumption = program_.properties.emplace_back();
  assumption.kind = PropertyKind::kAssumption;
  assumption.condition = op(ExprOp::kNotEqual, get(var(x)), number(4));
  const Explored seen = compare();
  EXPECT_EQ(seen.states, 9u);
  EXPECT_EQ(seen.edges, 9u);
  EXPECT_EQ(seen.outside, 2u);  // a start and the step from 3
  EXPECT_EQ(seen.failures, 9u);
}

TEST_F(NativeTest, MultisetsOfNarrowAndWideElements) {
  const Type* narrow = record({range(0, 2), range(0, 1)});
  const Type* wide = record({range(-kHuge, kHuge - 1), range(0, 2), range(-kHuge, kHuge - 1)});
  for (const Type* item : {narrow, wide}) {
    const std::size_t bag = variable(array(domain({{0, 1}}), add_multiset_type(program_, 3, item)));
    const std::size_t count = variable(range(0, 3));
    const std::size_t part = item == narrow ? 0u : 1u;
    Rule& put = rule();
    const SlotIndex where = parameter(put, domain({{0, 1}}));
    const SlotIndex what = parameter(put, domain({{0, 2}}));
    const SlotIndex made = local(put.frame, item, LocalKind::kPacked);
    assign(put.body, field(slot(put.frame, made), part), get(slot(put.frame, what)));
    if (item == wide)
      assign(put.body, field(slot(put.frame, made), 2), op(ExprOp::kSubtract, number(5), get(slot(put.frame, what))));
    add(put.body, var(bag, get(slot(put.frame, where))), slot(put.frame, made));
    Rule& take = rule();
    const SlotIndex from = parameter(take, domain({{0, 1}}));
    Binding choose;
    choose.kind = BindingKind::kChoose;
    choose.ref = var(bag, get(slot(take.frame, from)));
    choose.domain = choose.ref.type->domain;
    choose.slot = local(take.frame, simple(choose.domain));
    const SlotIndex chosen = choose.slot;
    take.bindings.push_back(std::move(choose));
    take.guard =
        op(ExprOp::kGreater,
           get(field(element(var(bag, get(slot(take.frame, from))), get(slot(take.frame, chosen))), part)), number(0));
    auto remove = stmt(StmtKind::kMultisetRemove);
    remove->ref = var(bag, get(slot(take.frame, from)));
    remove->value = get(slot(take.frame, chosen));
    take.body.push_back(std::move(remove));
    Rule& by_number = rule();
    auto first = stmt(StmtKind::kMultisetRemove);
    first->ref = var(bag, number(0));
    first->value = get(var(count));
    by_number.body.push_back(std::move(first));
    Rule& sweep = rule();
    auto where_stmt = stmt(StmtKind::kMultisetRemoveWhere);
    where_stmt->ref = var(bag, number(1));
    where_stmt->slot = local(sweep.frame, simple(domain({{0, 2}}, false)));
    where_stmt->value =
        op(ExprOp::kEqual, get(field(element(var(bag, number(1)), get(slot(sweep.frame, where_stmt->slot))), part)),
           number(1));
    sweep.body.push_back(std::move(where_stmt));
    Rule& counts = rule();
    const SlotIndex each = local(counts.frame, simple(domain({{0, 2}}, false)));
    assign(counts.body, var(count),
           make_multiset_count(
               var(bag, number(0)), each,
               op(ExprOp::kNotEqual, get(field(element(var(bag, number(0)), get(slot(counts.frame, each))), part)),
                  number(2)),
               {}));
  }
  start();
  const Explored seen = compare(400);
  EXPECT_EQ(seen.states, 400u);
  EXPECT_GT(seen.failures, 100u);  // full multisets, empty slots
}

TEST_F(NativeTest, FunctionsWithAllKindsOfParameters) {
  const Type* small = range(0, 6);
  const Type* pair = record({small, small});
  const std::size_t x = variable(small);
  const std::size_t pairs = variable(array(domain({{0, 2}}), pair));
  // int f(value, packed pair, alias pair): changes its copy and the alias, returns a sum.
  Function& f = program_.functions.emplace_back();
  const SlotIndex value = local(f.frame, small);
  const SlotIndex packed = local(f.frame, pair, LocalKind::kPacked);
  const SlotIndex alias = local(f.frame, pair, LocalKind::kAlias);
  f.param_count = 3;
  f.result = small->domain;
  f.writes_state = true;
  assign(f.body, field(slot(f.frame, packed), 0), op(ExprOp::kAdd, get(field(slot(f.frame, packed), 0)), number(1)));
  assign(f.body, field(slot(f.frame, alias), 1), get(slot(f.frame, value)));
  assign(f.body, slot(f.frame, value), number(0));
  auto result = stmt(StmtKind::kReturn);
  result->value = op(ExprOp::kAdd, get(field(slot(f.frame, packed), 0)), get(field(slot(f.frame, alias), 1)));
  f.body.push_back(std::move(result));
  // A packed simple parameter, which may be undefined; no result on one way.
  Function& g = program_.functions.emplace_back();
  const SlotIndex held = local(g.frame, small, LocalKind::kPacked);
  g.param_count = 1;
  g.result = small->domain;
  auto branch = stmt(StmtKind::kIf);
  branch->value = make_unary(ExprOp::kNot, make_is_undefined(slot(g.frame, held), {}), {});
  auto back = stmt(StmtKind::kReturn);
  back->value = get(slot(g.frame, held));
  branch->body.push_back(std::move(back));
  g.body.push_back(std::move(branch));

  Rule& begin = start();
  const SlotIndex first = parameter(begin, small->domain);
  assign(begin.body, var(x), get(slot(begin.frame, first)));
  auto fill = stmt(StmtKind::kFor);
  fill->loop.domain = program_.variables[pairs].type->domain;
  fill->slot = local(begin.frame, simple(fill->loop.domain));
  simple_stmt(fill->body, StmtKind::kClear, var(pairs, get(slot(begin.frame, fill->slot))));
  begin.body.push_back(std::move(fill));

  Rule& call = rule();
  const SlotIndex i = parameter(call, domain({{0, 2}}));
  std::vector<Argument> arguments(3);
  arguments[0].value = get(var(x), false);
  arguments[1].ref = std::make_unique<Ref>(var(pairs, get(slot(call.frame, i))));
  arguments[2].ref = std::make_unique<Ref>(var(pairs, op(ExprOp::kSubtract, number(2), get(slot(call.frame, i)))));
  // The call is the right operand, and it changes what the left one has read.
  assign(call.body, var(x),
         op(ExprOp::kSubtract,
            op(ExprOp::kAdd, get(field(var(pairs, number(1)), 1)), make_call(&f, std::move(arguments), false, {})),
            get(field(var(pairs, number(1)), 1))));
  Rule& undefine = rule();
  simple_stmt(undefine.body, StmtKind::kUndefine, var(x));
  Rule& pass = rule();
  std::vector<Argument> held_argument(1);
  held_argument[0].value = get(var(x), false);
  pass.guard = op(ExprOp::kGreaterEqual, make_call(&g, std::move(held_argument), false, {}), number(2));
  assign(pass.body, var(x), number(1));
  const Explored seen = compare(500);
  EXPECT_GT(seen.states, 50u);
  EXPECT_GT(seen.failures, 20u);
}

TEST_F(NativeTest, RecursionHasALimitAndKeepsItsLocals) {
  program_.recursion_limit = 6;
  const std::size_t x = variable(range(0, 9));
  const std::size_t total = variable(range(0, 99));
  Function& f = program_.functions.emplace_back();
  const SlotIndex n = local(f.frame, range(0, 9));
  const SlotIndex large = local(f.frame, array(domain({{0, 99}}), range(0, 99)), LocalKind::kPacked);
  f.param_count = 1;
  f.result = program_.variables[total].type->domain;
  f.is_recursive = true;
  auto branch = stmt(StmtKind::kIf);
  branch->value = op(ExprOp::kEqual, get(slot(f.frame, n)), number(0));
  auto zero = stmt(StmtKind::kReturn);
  zero->value = number(0);
  branch->body.push_back(std::move(zero));
  f.body.push_back(std::move(branch));
  assign(f.body, element(slot(f.frame, large), get(slot(f.frame, n))), get(slot(f.frame, n)));
  std::vector<Argument> arguments(1);
  arguments[0].value = op(ExprOp::kSubtract, get(slot(f.frame, n)), number(1));
  auto sum = stmt(StmtKind::kReturn);
  sum->value = op(ExprOp::kAdd, make_call(&f, std::move(arguments), false, {}),
                  get(element(slot(f.frame, large), get(slot(f.frame, n)))));
  f.body.push_back(std::move(sum));
  start_with_all_values({x});
  Rule& r = rule();
  r.guard = make_is_undefined(var(total), {});
  std::vector<Argument> first(1);
  first[0].value = get(var(x));
  assign(r.body, var(total), make_call(&f, std::move(first), false, {}));
  const Explored seen = compare();
  EXPECT_EQ(seen.edges, 6u);  // 0 to 5 need at most six nested calls
  EXPECT_EQ(seen.failures, 4u);
}

TEST_F(NativeTest, AliasesKeepTheirPlace) {
  const Type* small = range(0, 4);
  const std::size_t i = variable(small);
  const std::size_t items = variable(array(domain({{0, 4}}), small));
  start_with_all_values({i});
  Rule& r = rule();
  Binding outer;
  outer.kind = BindingKind::kAlias;
  outer.ref = var(items, get(var(i)));
  outer.slot = local(r.frame, small, LocalKind::kAlias);
  const SlotIndex bound = outer.slot;
  r.bindings.push_back(std::move(outer));
  r.guard = make_is_undefined(slot(r.frame, bound), {});
  assign(r.body, var(i), number(2));
  assign(r.body, slot(r.frame, bound), number(3));  // the element chosen before i changed
  auto bind = stmt(StmtKind::kBind);
  bind->slot = local(r.frame, small, LocalKind::kAlias);
  bind->ref = var(items, get(var(i)));
  const SlotIndex inner = bind->slot;
  r.body.push_back(std::move(bind));
  assign(r.body, var(i), number(1));
  assign(r.body, slot(r.frame, inner), number(4));
  // An alias that is bound twice is kept in variables.
  const SlotIndex twice = local(r.frame, small, LocalKind::kAlias);
  const SlotIndex packed = local(r.frame, small, LocalKind::kPacked);
  for (const bool to_state : {true, false}) {
    auto again = stmt(StmtKind::kBind);
    again->slot = twice;
    again->ref = to_state ? var(items, get(var(i))) : slot(r.frame, packed);
    r.body.push_back(std::move(again));
    assign(r.body, slot(r.frame, twice), number(1));
  }
  const Explored seen = compare();
  EXPECT_GT(seen.states, 6u);
}

// A conjunct of an outer loop must neither hide nor invent failures of inner ones, nor of bindings.
TEST_F(NativeTest, HoistedConjunctsKeepFailures) {
  const Domain* index = domain({{0, 2}});
  const Domain* truth = domain({{0, 1}}, true, DomainKind::kBoolean);
  const std::size_t flag = variable(simple(truth));
  const std::size_t lock = variable(simple(truth));
  const std::size_t items = variable(array(index, simple(truth)));
  for (std::int64_t value = -1; value < 2; ++value)
    for (std::int64_t locked = -1; locked < 2; ++locked)
      for (unsigned defined = 0; defined < 8; ++defined) {
        Rule& s = start();
        if (value >= 0)
          assign(s.body, var(flag), number(value));
        if (locked >= 0)
          assign(s.body, var(lock), number(locked));
        for (unsigned k = 0; k < 3; ++k)
          if ((defined >> k & 1) != 0)
            assign(s.body, var(items, number(k)), number(k == 1 ? 0 : 1));
      }
  auto condition = [&](const Frame& frame, SlotIndex i, SlotIndex j, unsigned which) {
    switch (which) {
      case 0:
        return get(var(flag));
      case 1:
        return get(var(items, get(slot(frame, i))));
      case 2:
        return get(var(items, get(slot(frame, j))));
      default:
        return op(ExprOp::kEqual, get(var(lock), false), number(1));
    }
  };
  const unsigned orders[][3] = {{0, 1, 2}, {2, 1, 0}, {2, 3, 1}, {3, 2, 0}, {1, 3, 2}, {3, 0, 2}, {2, 2, 3}};
  for (const auto& order : orders)
    for (const bool with_alias : {false, true}) {
      Rule& r = rule();
      const SlotIndex i = parameter(r, index);
      if (with_alias) {
        Binding binding;
        binding.kind = BindingKind::kAlias;
        // Fails for i = 2.
        binding.ref = var(items, op(ExprOp::kAdd, get(slot(r.frame, i)), number(1)));
        binding.slot = local(r.frame, simple(truth), LocalKind::kAlias);
        r.bindings.push_back(std::move(binding));
      }
      const SlotIndex j = parameter(r, index);
      r.guard = condition(r.frame, i, j, order[0]);
      for (unsigned k = 1; k < 3; ++k)
        r.guard = op(ExprOp::kAnd, std::move(r.guard), condition(r.frame, i, j, order[k]));
      assign(r.body, var(lock), number(0));
    }
  const Explored seen = compare();
  EXPECT_GE(seen.states, 72u);
  EXPECT_GT(seen.edges, 50u);
  EXPECT_GT(seen.failures, 1000u);
}

// A function that a guard calls may mark a cover point; a false conjunct of an outer loop must not hide that, and the
// call itself must not be made where the guard does not get so far.
TEST_F(NativeTest, HoistedConjunctsKeepCoverPoints) {
  const Domain* index = domain({{0, 2}});
  const std::size_t x = variable(range(0, 1));
  for (unsigned i = 0; i < 4; ++i) {
    program_.covers.push_back({"c", {}});
    Function& f = program_.functions.emplace_back();
    const SlotIndex n = local(f.frame, simple(index));
    f.param_count = 1;
    f.result = domain({{0, 1}}, true, DomainKind::kBoolean);
    test_stmt(f.body, StmtKind::kCover, op(ExprOp::kEqual, get(slot(f.frame, n)), number(2)), i);
    auto result = stmt(StmtKind::kReturn);
    result->value = number(1);
    f.body.push_back(std::move(result));
  }
  Rule& begin = start();
  assign(begin.body, var(x), number(0));
  for (unsigned i = 0; i < 4; ++i) {
    Rule& r = rule();
    const SlotIndex outer = parameter(r, index);
    const SlotIndex inner = parameter(r, index);
    std::vector<Argument> arguments(1);
    arguments[0].value = get(slot(r.frame, i < 2 ? inner : outer));
    ExprPtr covering = make_call(&program_.functions[i], std::move(arguments), false, {});
    ExprPtr never = op(ExprOp::kEqual, i < 2 ? get(var(x)) : get(slot(r.frame, inner)), number(i < 2 ? 1 : 4));
    r.guard = i % 2 == 0 ? op(ExprOp::kAnd, std::move(covering), std::move(never))
                         : op(ExprOp::kAnd, std::move(never), std::move(covering));
    r.priority = i;  // masked rules count, too
  }
  EXPECT_EQ(compare().states, 1u);
}

TEST_F(NativeTest, PrioritiesMaskBodiesButNotFailures) {
  const std::size_t x = variable(range(0, 5));
  start_with_all_values({x});
  start();
  auto at = [&](std::int64_t priority, ExprPtr guard, std::int64_t target) {
    Rule& r = rule();
    r.priority = priority;
    r.guard = std::move(guard);
    assign(r.body, var(x), number(target));
  };
  at(10, op(ExprOp::kLess, get(var(x), false), number(9)), 1);
  at(0, make_is_undefined(var(x), {}), 2);
  at(5, op(ExprOp::kEqual, get(var(x), false), number(3)), 4);
  at(7, op(ExprOp::kGreater, get(var(x)), number(2)), 0);
  const Explored seen = compare();
  EXPECT_EQ(seen.failures, 2u);
  EXPECT_EQ(seen.states, 7u);
}

// Large local objects live outside the C stack.
TEST_F(NativeTest, LargeLocals) {
  const Domain* index = domain({{0, 9999}});
  const std::size_t x = variable(range(0, 9999));
  Rule& s = start();
  assign(s.body, var(x), number(1));
  Rule& r = rule();
  const Type* large = array(index, range(0, 9999));
  const SlotIndex a = local(r.frame, large, LocalKind::kPacked);
  const SlotIndex b = local(r.frame, large, LocalKind::kPacked);
  assign(r.body, element(slot(r.frame, a), get(var(x))), op(ExprOp::kDivide, get(var(x)), number(2)));
  copy(r.body, slot(r.frame, b), slot(r.frame, a));
  auto loop = stmt(StmtKind::kFor);
  loop->loop.domain = index;
  loop->slot = local(r.frame, simple(index));
  auto found = stmt(StmtKind::kIf);
  found->value =
      make_unary(ExprOp::kNot, make_is_undefined(element(slot(r.frame, b), get(slot(r.frame, loop->slot))), {}), {});
  assign(found->body, var(x), op(ExprOp::kAdd, get(slot(r.frame, loop->slot)), number(7)));
  loop->body.push_back(std::move(found));
  r.body.push_back(std::move(loop));
  EXPECT_EQ(compare(20).states, 20u);
}

}  // namespace
}  // namespace tideline::test
