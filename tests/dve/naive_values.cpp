// SPDX-License-Identifier: MIT
#include "naive_values.h"

namespace tideline::test {
namespace {

using dve::Op;

std::int64_t wrap_word(std::int64_t number) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(number)));
}

// No division by zero.
std::int64_t calculate(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::kAdd:
      return wrap_word(a + b);
    case Op::kSubtract:
      return wrap_word(a - b);
    case Op::kMultiply:
      return wrap_word(a * b);
    case Op::kDivide:
      return wrap_word(a / b);
    case Op::kModulo:
      return a % b;
    case Op::kBitAnd:
      return a & b;
    case Op::kBitOr:
      return a | b;
    case Op::kBitXor:
      return a ^ b;
    case Op::kShiftLeft:
      return wrap_word(a * (std::int64_t{1} << (b & 31)));
    case Op::kShiftRight:
      return a >> (b & 31);
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterEqual:
      return a >= b;
    case Op::kEqual:
      return a == b;
    default:
      return a != b;
  }
}

}  // namespace

std::int64_t low_bits(dve::BaseType type, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return type == dve::BaseType::kByte ? static_cast<std::int64_t>(bits & 0xff)
                                      : static_cast<std::int16_t>(static_cast<std::uint16_t>(bits));
}

DveValues::DveValues(const dve::Model& model, dve::OnError on_error) : model_(model), on_error_(on_error) {
  for (const dve::Process& process : model.processes)
    initial_.push_back(process.initial);
  for (const dve::Variable& variable : model.variables) {
    variables_.push_back(initial_.size());
    initial_.insert(initial_.end(), variable.initial.begin(), variable.initial.end());
  }
  for (const dve::Channel& channel : model.channels) {
    buffers_.push_back(initial_.size());
    if (channel.capacity > 0)
      initial_.resize(initial_.size() + 1 + channel.capacity * channel.types.size(), 0);
  }
}

std::vector<std::size_t> DveValues::places_of(dve::VariableId variable) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < model_.variables[variable].initial.size(); ++i)
    places.push_back(variables_[variable] + i);
  return places;
}

std::vector<std::size_t> DveValues::places_of(dve::ChannelId channel, std::size_t item) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < model_.channels[channel].capacity; ++i)
    places.push_back(buffers_[channel] + 1 + i * model_.channels[channel].types.size() + item);
  return places;
}

std::optional<std::int64_t> DveValues::value(const DveState& state, dve::ExprId id) const {
  const dve::Expr& expr = model_.exprs[id];
  if (expr.op == Op::kNumber)
    return expr.value;
  if (expr.op == Op::kInState)
    return state[expr.process] == expr.state ? 1 : 0;
  if (expr.op == Op::kVariable)
    return state[variables_[expr.variable]];
  if (expr.op == Op::kAnd || expr.op == Op::kOr || expr.op == Op::kImply)
    return logical(state, expr);
  const std::optional<std::int64_t> left = value(state, expr.left);
  if (!left)
    return std::nullopt;
  if (expr.op == Op::kElement) {
    const bool is_inside = *left >= 0 && *left < std::ssize(model_.variables[expr.variable].initial);
    return is_inside ? std::optional(state[variables_[expr.variable] + static_cast<std::size_t>(*left)]) : std::nullopt;
  }
  if (expr.op == Op::kNot)
    return *left == 0 ? 1 : 0;
  if (expr.op == Op::kMinus)
    return wrap_word(-*left);
  if (expr.op == Op::kComplement)
    return ~*left;
  const std::optional<std::int64_t> right = value(state, expr.right);
  if (!right || ((expr.op == Op::kDivide || expr.op == Op::kModulo) && *right == 0))
    return std::nullopt;
  return calculate(expr.op, *left, *right);
}

std::optional<std::int64_t> DveValues::logical(const DveState& state, const dve::Expr& expr) const {
  const std::optional<std::int64_t> left = value(state, expr.left);
  if (!left)
    return std::nullopt;
  if (expr.op == Op::kAnd && *left == 0)
    return 0;
  if ((expr.op == Op::kOr && *left != 0) || (expr.op == Op::kImply && *left == 0))
    return 1;
  const std::optional<std::int64_t> right = value(state, expr.right);
  if (!right)
    return std::nullopt;
  return *right != 0 ? 1 : 0;
}

std::optional<std::size_t> DveValues::element(const DveState& state, const dve::Assignment& target) const {
  if (target.index == dve::kNothing)
    return 0;
  const std::optional<std::int64_t> index = value(state, target.index);
  if (!index || *index < 0 || *index >= std::ssize(model_.variables[target.variable].initial))
    return std::nullopt;
  return static_cast<std::size_t>(*index);
}

bool DveValues::store(DveState& state, dve::VariableId variable, std::size_t element, std::int64_t number) const {
  const dve::BaseType type = model_.variables[variable].type;
  state[variables_[variable] + element] = low_bits(type, number);
  return on_error_ == dve::OnError::kWrap || dve::type_range(type).contains(number);
}

}  // namespace tideline::test
