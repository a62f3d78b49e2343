// SPDX-License-Identifier: MIT
#include "symmetry/access.h"

#include <algorithm>

#include "ir/walk.h"

namespace tideline::symmetry {
namespace {

bool same_ref(const ir::Ref& a, const ir::Ref& b) {
  return a.root == b.root && a.slot == b.slot && a.offset == b.offset && a.type == b.type &&
         std::equal(a.subscripts.begin(), a.subscripts.end(), b.subscripts.begin(), b.subscripts.end(),
                    [](const ir::Subscript& x, const ir::Subscript& y) {
                      return x.stride == y.stride && x.offset_before == y.offset_before &&
                             same_expr(*x.index, *y.index);
                    });
}

bool has_call(const ir::Expr& expr) {
  bool found = false;
  ir::for_each_expr(expr, [&found](const ir::Expr& part) { found = found || part.op == ir::ExprOp::kCall; });
  return found;
}

Effect sum(const ir::Interval& added) {
  if (added.lo >= 0)
    return Effect::kAddUp;
  return added.hi <= 0 ? Effect::kAddDown : Effect::kWrite;
}

bool are_exclusive(const Access& a, const Access& b, const LoopAccesses& loop) {
  for (const Guard& x : a.guards)
    for (const Guard& y : b.guards)
      if (x.variable == loop.variable && y.variable == loop.variable && same_term(x.value, y.value) &&
          is_invariant(x.value, loop))
        return true;
  return false;
}

bool commute(const Access& a, const Access& b, const LoopAccesses& loop) {
  if (a.effect != b.effect)
    return false;
  const bool is_same_part = a.place.root != PlaceRoot::kUnknown && b.place.root != PlaceRoot::kUnknown &&
                            a.place.steps.size() == b.place.steps.size();
  switch (a.effect) {
    case Effect::kUndefine:
    case Effect::kInsert:
      return true;
    case Effect::kAddUp:
    case Effect::kAddDown:
    case Effect::kOrIn:
    case Effect::kAndIn:
      return is_same_part;
    case Effect::kSet:
      return is_same_part && same_term(a.value, b.value) && is_invariant(a.value, loop);
    default:
      return false;
  }
}

}  // namespace

bool same_expr(const ir::Expr& a, const ir::Expr& b) {
  if (a.op != b.op || a.constant != b.constant || a.domain != b.domain || a.checked != b.checked)
    return false;
  if (a.op == ir::ExprOp::kCall || a.op == ir::ExprOp::kForall || a.op == ir::ExprOp::kExists ||
      a.op == ir::ExprOp::kMultisetCount)
    return false;
  return std::equal(a.refs.begin(), a.refs.end(), b.refs.begin(), b.refs.end(), same_ref) &&
         std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [](const ir::ExprPtr& x, const ir::ExprPtr& y) { return same_expr(*x, *y); });
}

bool same_term(const Term& a, const Term& b) {
  const bool is_constant = a.expr->op == ir::ExprOp::kConstant;
  return (is_constant || a.activation == b.activation) && same_expr(*a.expr, *b.expr);
}

Effect effect_of_assignment(const ir::Stmt& stmt) {
  const ir::Expr& value = *stmt.value;
  const bool is_binary = value.args.size() == 2;
  const bool is_left = is_binary && reads(*value.args[0], stmt.ref);
  const bool is_right = is_binary && reads(*value.args[1], stmt.ref);
  const bool is_plain = stmt.ref.type->domain->is_contiguous();
  switch (value.op) {
    case ir::ExprOp::kAdd:
      if (is_plain && is_left != is_right)
        return sum(value.args[is_left ? 1 : 0]->range);
      return Effect::kSet;
    case ir::ExprOp::kSubtract:
      if (is_plain && is_left && !is_right) {
        const Effect negated = sum(value.args[1]->range);
        return negated == Effect::kAddUp ? Effect::kAddDown : negated == Effect::kAddDown ? Effect::kAddUp : negated;
      }
      return Effect::kSet;
    // Not with the target on the right: whether it is read, and fails if undefined, depends on the left operand. Not
    // with calls on the right: whether they happen depends on the target.
    case ir::ExprOp::kOr:
      return is_left && !is_right && !has_call(*value.args[1]) ? Effect::kOrIn : Effect::kSet;
    case ir::ExprOp::kAnd:
      return is_left && !is_right && !has_call(*value.args[1]) ? Effect::kAndIn : Effect::kSet;
    default:
      return Effect::kSet;
  }
}

bool is_invariant(const Term& term, const LoopAccesses& loop) {
  if (term.is_opaque)
    return false;
  return std::none_of(loop.accesses.begin(), loop.accesses.end(), [&term](const Access& access) {
    return access.effect != Effect::kRead && std::any_of(term.reads.begin(), term.reads.end(), [&](const Place& place) {
             return may_overlap(place, access.place);
           });
  });
}

bool reads(const ir::Expr& expr, const ir::Ref& ref) {
  return expr.op == ir::ExprOp::kRead && same_ref(expr.refs[0], ref);
}

bool is_private(const Place& place, const LoopAccesses& loop) {
  return place.root == PlaceRoot::kLocal &&
         (place.local.activation >= loop.first_activation ||
          std::any_of(loop.privates.begin(), loop.privates.end(), [&place](const Place& part) {
            return part.steps.size() <= place.steps.size() && part.root == PlaceRoot::kLocal &&
                   may_overlap(part, place);
          }));
}

Conflict find_conflict(const LoopAccesses& loop) {
  for (const Access& write : loop.accesses) {
    if (write.effect == Effect::kRead || write.effect == Effect::kScope || is_private(write.place, loop))
      continue;
    for (const Access& other : loop.accesses) {
      if (other.effect == Effect::kScope || is_private(other.place, loop) ||
          !may_overlap(write.place, other.place, loop.variable))
        continue;
      if (!are_exclusive(write, other, loop) && !commute(write, other, loop))
        return {&write, &other};
    }
  }
  return {};
}

}  // namespace tideline::symmetry
