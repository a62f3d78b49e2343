// SPDX-License-Identifier: MIT
#include "front/dve/expression.h"

#include <algorithm>
#include <utility>

namespace tideline::dve {
namespace {

using Kind = TokenKind;

struct BinaryOperator {
  Op op = Op::kNumber;
  std::uint8_t level = 0;  // 0: not an operator; higher levels bind tighter
};

// DiVinE's levels: && and || are alike, & | ^ are alike, and everything binds to the left.
BinaryOperator binary_operator(Kind kind) {
  switch (kind) {
    case Kind::kImply:
      return {Op::kImply, 1};
    case Kind::kOr:
      return {Op::kOr, 2};
    case Kind::kAnd:
      return {Op::kAnd, 2};
    case Kind::kBar:
      return {Op::kBitOr, 3};
    case Kind::kAmpersand:
      return {Op::kBitAnd, 3};
    case Kind::kCaret:
      return {Op::kBitXor, 3};
    case Kind::kEqual:
      return {Op::kEqual, 4};
    case Kind::kNotEqual:
      return {Op::kNotEqual, 4};
    case Kind::kLess:
      return {Op::kLess, 5};
    case Kind::kLessEqual:
      return {Op::kLessEqual, 5};
    case Kind::kGreater:
      return {Op::kGreater, 5};
    case Kind::kGreaterEqual:
      return {Op::kGreaterEqual, 5};
    case Kind::kShiftLeft:
      return {Op::kShiftLeft, 6};
    case Kind::kShiftRight:
      return {Op::kShiftRight, 6};
    case Kind::kPlus:
      return {Op::kAdd, 7};
    case Kind::kMinus:
      return {Op::kSubtract, 7};
    case Kind::kStar:
      return {Op::kMultiply, 8};
    case Kind::kSlash:
      return {Op::kDivide, 8};
    case Kind::kPercent:
      return {Op::kModulo, 8};
    default:
      return {};
  }
}

Op unary_operator(Kind kind) {
  switch (kind) {
    case Kind::kMinus:
      return Op::kMinus;
    case Kind::kTilde:
      return Op::kComplement;
    case Kind::kNot:
    case Kind::kExclamation:
      return Op::kNot;
    default:
      return Op::kNumber;
  }
}

bool makes_chains(Op op) {
  return op == Op::kAnd || op == Op::kOr;
}

Expr node(Op op, Location where, ExprId left, ExprId right = kNothing) {
  Expr expr;
  expr.op = op;
  expr.where = where;
  expr.left = left;
  expr.right = right;
  return expr;
}

}  // namespace

ExprId ExpressionParser::parse(const Place& place) {
  place_ = place;
  pending_.clear();
  operands_.clear();
  open_count_ = 0;
  Step step = Step::kOperand;
  while (step == Step::kOperand || step == Step::kOperator)
    step = step == Step::kOperand ? operand() : operation();
  return step == Step::kDone ? operands_.back().expr : kNothing;
}

ExpressionParser::Step ExpressionParser::operand() {
  const Location where = cursor_.where();
  switch (cursor_.kind()) {
    case Kind::kNumber: {
      const std::int64_t value = cursor_.token().number;
      cursor_.advance();
      return number(value, where);
    }
    case Kind::kTrue:
    case Kind::kFalse: {
      const bool value = cursor_.is(Kind::kTrue);
      cursor_.advance();
      return number(value ? 1 : 0, where);
    }
    case Kind::kName:
      return name();
    case Kind::kParenOpen:
      return open({PendingKind::kParenthesis, Op::kNumber, 0, where, kNothing});
    case Kind::kMinus:
    case Kind::kTilde:
    case Kind::kNot:
    case Kind::kExclamation:
      return open({PendingKind::kUnary, unary_operator(cursor_.kind()), 0, where, kNothing});
    default:
      cursor_.syntax_error("an expression");
      return Step::kFailed;
  }
}

ExpressionParser::Step ExpressionParser::operation() {
  const BinaryOperator found = binary_operator(cursor_.kind());
  if (found.level == 0)
    return end_of_bracket();
  if (!reduce(found.level, found.op))
    return Step::kFailed;
  pending_.push_back({PendingKind::kBinary, found.op, found.level, cursor_.where(), kNothing});
  cursor_.advance();
  return Step::kOperand;
}

ExpressionParser::Step ExpressionParser::end_of_bracket() {
  if (!reduce(0, Op::kNumber))
    return Step::kFailed;
  if (pending_.empty())
    return Step::kDone;
  const Pending bracket = pending_.back();
  const bool is_index = bracket.kind == PendingKind::kIndex;
  if (!cursor_.expect(is_index ? Kind::kBracketClose : Kind::kParenClose))
    return Step::kFailed;
  pending_.pop_back();
  --open_count_;
  return !is_index || finish_index(bracket) ? Step::kOperator : Step::kFailed;
}

ExpressionParser::Step ExpressionParser::open(const Pending& pending) {
  if (++open_count_ > kNestingMax) {
    too_deep(pending.where);
    return Step::kFailed;
  }
  pending_.push_back(pending);
  cursor_.advance();
  return Step::kOperand;
}

bool ExpressionParser::reduce(unsigned level, Op next) {
  while (!pending_.empty()) {
    const Pending& top = pending_.back();
    if (top.kind == PendingKind::kUnary) {
      if (!reduce_unary())
        return false;
      continue;
    }
    if (top.kind != PendingKind::kBinary || top.level < level || (makes_chains(top.op) && top.op == next))
      return true;
    if (!(makes_chains(top.op) ? reduce_chain() : reduce_binary()))
      return false;
  }
  return true;
}

bool ExpressionParser::reduce_unary() {
  const Pending top = pending_.back();
  pending_.pop_back();
  --open_count_;
  const Operand inner = operands_.back();
  operands_.pop_back();
  push(node(top.op, top.where, inner.expr), inner.depth + 1);
  return inner.depth < kNestingMax || too_deep(top.where);
}

bool ExpressionParser::reduce_binary() {
  const Pending top = pending_.back();
  pending_.pop_back();
  const Operand right = operands_.back();
  operands_.pop_back();
  return join(operands_.back(), right, top.op, top.where);
}

// Joins neighbours, again and again, until one is left: the height is that of a balanced tree, the order is kept.
bool ExpressionParser::reduce_chain() {
  const Op op = pending_.back().op;
  chain_.clear();
  while (!pending_.empty() && pending_.back().kind == PendingKind::kBinary && pending_.back().op == op) {
    chain_.push_back({operands_.back(), pending_.back().where});
    operands_.pop_back();
    pending_.pop_back();
  }
  chain_.push_back({operands_.back(), {}});
  std::reverse(chain_.begin(), chain_.end());
  while (chain_.size() > 1) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < chain_.size(); k += 2, ++count) {
      Link joined = chain_[k];
      if (k + 1 < chain_.size() && !join(joined.operand, chain_[k + 1].operand, op, chain_[k + 1].where))
        return false;
      chain_[count] = joined;
    }
    chain_.resize(count);
  }
  operands_.back() = chain_.front().operand;
  return true;
}

bool ExpressionParser::join(Operand& left, const Operand& right, Op op, Location where) {
  model_.exprs.push_back(node(op, where, left.expr, right.expr));
  left = {static_cast<ExprId>(model_.exprs.size() - 1), 1 + std::max(left.depth, right.depth)};
  return left.depth <= kNestingMax || too_deep(where);
}

// An element of a constant array whose index is a number is a number itself; the node of the index becomes it.
bool ExpressionParser::finish_index(const Pending& pending) {
  if (pending.variable == kNothing)
    return true;
  const Variable& array = model_.variables[pending.variable];
  const Operand index = operands_.back();
  Expr& inner = model_.exprs[index.expr];
  if (array.is_constant && inner.op == Op::kNumber && inner.value >= 0 &&
      static_cast<std::uint64_t>(inner.value) < array.initial.size()) {
    inner.value = array.initial[static_cast<std::size_t>(inner.value)];
    inner.where = pending.where;
    return true;
  }
  operands_.pop_back();
  Expr element = node(Op::kElement, pending.where, index.expr);
  element.variable = pending.variable;
  push(element, index.depth + 1);
  return index.depth < kNestingMax || too_deep(pending.where);
}

void ExpressionParser::push(const Expr& expr, unsigned depth) {
  operands_.push_back({static_cast<ExprId>(model_.exprs.size()), depth});
  model_.exprs.push_back(expr);
}

bool ExpressionParser::too_deep(Location where) {
  cursor_.error(where, "this is nested too deeply",
                "the limit is " + std::to_string(kNestingMax) + " levels; split it into several parts");
  return false;
}

}  // namespace tideline::dve
