// SPDX-License-Identifier: MIT
#include "front/dve/evaluate.h"

namespace tideline::dve {
namespace {

constexpr unsigned kRestrictDepthMax = 8;

bool is_truth_valued(Op op) {
  return op == Op::kNot || op == Op::kInState || op >= Op::kLess;
}

Op negated(Op comparison) {
  switch (comparison) {
    case Op::kLess:
      return Op::kGreaterEqual;
    case Op::kLessEqual:
      return Op::kGreater;
    case Op::kGreater:
      return Op::kLessEqual;
    case Op::kGreaterEqual:
      return Op::kLess;
    case Op::kEqual:
      return Op::kNotEqual;
    default:
      return Op::kEqual;
  }
}

// `a` without the number, if it is at an end of `a`.
Interval without(Interval a, std::int64_t number) {
  if (a.lo == number)
    ++a.lo;
  if (a.hi == number)
    --a.hi;
  return a;
}

bool is_one_number(const Interval& a) {
  return a.lo == a.hi;
}

}  // namespace

Evaluator::Evaluator(const Model& model, const Slots& slots, Environment& environment)
    : model_(model), slots_(slots), environment_(environment), is_refinable_(model.exprs.size(), false) {
  for (ExprId e = 0; e < model.exprs.size(); ++e) {
    const Expr& expr = model.exprs[e];
    is_refinable_[e] = expr.op == Op::kVariable || expr.op == Op::kElement ||
                       (expr.left != kNothing && is_refinable_[expr.left]) ||
                       (expr.right != kNothing && is_refinable_[expr.right]);
  }
}

Interval Evaluator::value(ExprId id) const {
  const Expr& expr = model_.exprs[id];
  switch (expr.op) {
    case Op::kNumber:
      return in_word({expr.value, expr.value});
    case Op::kVariable:
      return environment_[expr.variable];
    case Op::kElement:
      return element(id);
    case Op::kInState:
      return kTruth;
    case Op::kNot:
    case Op::kMinus:
    case Op::kComplement:
      return apply(expr.op, value(expr.left));
    case Op::kAnd:
    case Op::kOr:
    case Op::kImply:
      return logical(expr);
    default:
      return apply(expr.op, value(expr.left), value(expr.right));
  }
}

Interval Evaluator::element(ExprId id) const {
  const Expr& expr = model_.exprs[id];
  const Variable& array = model_.variables[expr.variable];
  const Interval index = meet(value(expr.left), {0, static_cast<std::int64_t>(array.initial.size()) - 1});
  if (is_empty(index))
    return kEmpty;
  if (array.is_constant) {
    Interval values = kEmpty;
    for (std::int64_t i = index.lo; i <= index.hi; ++i)
      values = join(values, {array.initial[static_cast<std::size_t>(i)], array.initial[static_cast<std::size_t>(i)]});
    return values;
  }
  const SlotId term = slots_.term(id);
  return term == kNothing ? environment_[expr.variable] : meet(environment_[expr.variable], environment_[term]);
}

// Short circuit: where the left side decides, the right one is not evaluated and cannot fail.
Interval Evaluator::logical(const Expr& expr) const {
  const Interval left = value(expr.left);
  if (is_empty(left))
    return kEmpty;
  const bool can_be_false = left.contains(0);
  const bool can_be_true = left != Interval{0, 0};
  const std::int64_t decided = expr.op == Op::kAnd ? 0 : 1;
  const bool may_decide = expr.op == Op::kOr ? can_be_true : can_be_false;
  const bool may_go_on = expr.op == Op::kOr ? can_be_false : can_be_true;
  Interval result = may_decide ? Interval{decided, decided} : kEmpty;
  if (may_go_on)
    result = join(result, apply(Op::kNotEqual, value(expr.right), {0, 0}));
  return result;
}

bool Evaluator::assume(ExprId id, bool is_true) {
  const Expr& expr = model_.exprs[id];
  if (!is_refinable_[id] && expr.op != Op::kNumber)
    return true;
  switch (expr.op) {
    case Op::kNot:
      return assume(expr.left, !is_true);
    case Op::kAnd:
      return is_true ? assume(expr.left, true) && assume(expr.right, true)
                     : assume_either(expr.left, false, expr.right, false);
    case Op::kOr:
      return is_true ? assume_either(expr.left, true, expr.right, true)
                     : assume(expr.left, false) && assume(expr.right, false);
    case Op::kImply:
      return is_true ? assume_either(expr.left, false, expr.right, true)
                     : assume(expr.left, true) && assume(expr.right, false);
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kNotEqual:
      return assume_comparison(is_true ? expr.op : negated(expr.op), expr.left, expr.right);
    default:
      return assume_number(id, is_true);
  }
}

bool Evaluator::assume_either(ExprId a, bool a_is_true, ExprId b, bool b_is_true) {
  const std::size_t mark = environment_.mark();
  const bool a_is_possible = assume(a, a_is_true);
  const Environment::Changes by_a = environment_.take(mark);
  const bool b_is_possible = assume(b, b_is_true);
  if (!a_is_possible)
    return b_is_possible;
  const Environment::Changes by_b = environment_.take(mark);
  if (b_is_possible)
    environment_.set_joined(by_a, by_b);
  else
    environment_.set_all(by_a);
  return true;
}

bool Evaluator::assume_comparison(Op op, ExprId left, ExprId right) {
  if (op == Op::kGreater || op == Op::kGreaterEqual)
    return assume_comparison(op == Op::kGreater ? Op::kLess : Op::kLessEqual, right, left);
  const Interval a = value(left);
  const Interval b = value(right);
  if (is_empty(a) || is_empty(b))
    return false;
  if (op == Op::kEqual)
    return restrict(left, b)&& restrict(right, a);
  if (op == Op::kNotEqual)
    return (!is_one_number(b) || restrict(left, without(a, b.lo))) &&
           (!is_one_number(a) || restrict(right, without(b, a.lo)));
  const std::int64_t gap = op == Op::kLess ? 1 : 0;
  return restrict(left, {kAnyNumber.lo, b.hi - gap})&& restrict(right, {a.lo + gap, kAnyNumber.hi});
}

bool Evaluator::assume_number(ExprId id, bool is_true) {
  const Interval number = value(id);
  return !is_empty(number)&& restrict(id, is_true ? without(number, 0) : Interval{0, 0});
}

bool Evaluator::restrict(ExprId id, const Interval& range) {
  if (is_empty(meet(value(id), range)))
    return false;
  if (!is_refinable_[id] || restrict_depth_ == kRestrictDepthMax)
    return true;
  ++restrict_depth_;
  const bool is_possible = restrict_below(id, range);
  --restrict_depth_;
  return is_possible;
}

bool Evaluator::restrict_below(ExprId id, const Interval& range) {
  const Expr& expr = model_.exprs[id];
  if (is_truth_valued(expr.op))
    return range.contains(kTruth) || assume(id, !range.contains(0));
  switch (expr.op) {
    case Op::kVariable:
      return restrict_slot(expr.variable, range);
    case Op::kElement:
      return slots_.term(id) == kNothing || restrict_slot(slots_.term(id), range);
    case Op::kMinus:
      return value(expr.left).lo == kAnyNumber.lo || restrict(expr.left, {-range.hi, -range.lo});
    default:
      break;
  }
  if (expr.op != Op::kAdd && expr.op != Op::kSubtract)
    return true;
  const Interval a = value(expr.left);
  const Interval b = value(expr.right);
  const bool adds = expr.op == Op::kAdd;
  const Interval sum = adds ? Interval{a.lo + b.lo, a.hi + b.hi} : Interval{a.lo - b.hi, a.hi - b.lo};
  if (!kAnyNumber.contains(sum))
    return true;  // it may have wrapped around
  if (adds)
    return restrict(expr.left, {range.lo - b.hi, range.hi - b.lo})&& restrict(expr.right,
                                                                              {range.lo - a.hi, range.hi - a.lo});
  return restrict(expr.left, {range.lo + b.lo, range.hi + b.hi})&& restrict(expr.right,
                                                                            {a.lo - range.hi, a.hi - range.lo});
}

bool Evaluator::restrict_slot(SlotId slot, const Interval& range) {
  const Interval value = meet(environment_[slot], range);
  if (is_empty(value))
    return false;
  environment_.set(slot, value);
  return true;
}

}  // namespace tideline::dve
