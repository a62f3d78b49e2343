// SPDX-License-Identifier: MIT
// One loop over the nodes, since operands come first (X1 of model.h). An operand without value matters only if it is
// used: && and || may stop before it.
#include "front/dve/initial_value.h"

#include <vector>

#include "base/check.h"

namespace tideline::dve {
namespace {

using Value = std::optional<std::int64_t>;

Value truth(bool condition) {
  return condition ? 1 : 0;
}

Value shift(Op op, std::int64_t value, std::int64_t amount) {
  const std::int64_t distance = amount & 31;
  return op == Op::kShiftLeft ? value * (std::int64_t{1} << distance) : value >> distance;
}

Value arithmetic(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSubtract:
      return a - b;
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return b == 0 ? std::nullopt : Value(a / b);
    case Op::kModulo:
      return b == 0 ? std::nullopt : Value(a % b);
    case Op::kBitAnd:
      return a & b;
    case Op::kBitOr:
      return a | b;
    case Op::kBitXor:
      return a ^ b;
    case Op::kShiftLeft:
    case Op::kShiftRight:
      return shift(op, a, b);
    case Op::kLess:
      return truth(a < b);
    case Op::kLessEqual:
      return truth(a <= b);
    case Op::kGreater:
      return truth(a > b);
    case Op::kGreaterEqual:
      return truth(a >= b);
    case Op::kEqual:
      return truth(a == b);
    case Op::kNotEqual:
      return truth(a != b);
    default:
      CHECK(false && "not an operator of two numbers");
  }
  return std::nullopt;
}

// && || imply: `decided` is the value of the left operand, as a truth value, that makes the right one irrelevant.
Value connective(const Value& left, const Value& right, bool decided, bool result) {
  if (!left)
    return std::nullopt;
  if ((*left != 0) == decided)
    return truth(result);
  return right ? truth(*right != 0) : std::nullopt;
}

Value element(const Variable& array, const Value& index) {
  if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= array.initial.size())
    return std::nullopt;
  return array.initial[static_cast<std::size_t>(*index)];
}

// Arithmetic has 32 bits and wraps, as in transitions.
Value low_32_bits(const Value& value) {
  return value ? Value(static_cast<std::int32_t>(static_cast<std::uint32_t>(*value))) : std::nullopt;
}

Value evaluate(const Model& model, const Expr& expr, const Value& left, const Value& right) {
  switch (expr.op) {
    case Op::kNumber:
      return expr.value;
    case Op::kVariable:
      return model.variables[expr.variable].initial[0];
    case Op::kElement:
      return element(model.variables[expr.variable], left);
    case Op::kNot:
      return left ? truth(*left == 0) : std::nullopt;
    case Op::kMinus:
      return left ? Value(-*left) : std::nullopt;
    case Op::kComplement:
      return left ? Value(~*left) : std::nullopt;
    case Op::kAnd:
      return connective(left, right, false, false);
    case Op::kOr:
      return connective(left, right, true, true);
    case Op::kImply:
      return connective(left, right, false, true);
    default:
      return left && right ? arithmetic(expr.op, *left, *right) : std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> initial_value(const Model& model, ExprId first, ExprId root) {
  std::vector<Value> values;
  values.reserve(model.exprs.size() - first);
  const auto value_of = [&](ExprId operand) { return operand == kNothing ? std::nullopt : values[operand - first]; };
  for (std::size_t k = first; k < model.exprs.size(); ++k) {
    const Expr& expr = model.exprs[k];
    values.push_back(low_32_bits(evaluate(model, expr, value_of(expr.left), value_of(expr.right))));
  }
  return values[root - first];
}

}  // namespace tideline::dve
