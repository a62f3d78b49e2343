// SPDX-License-Identifier: MIT
#include "random_expressions.h"

#include <vector>

namespace tideline::test {

using dve::ExprId;
using dve::Op;
using dve::ProcessId;
using dve::VariableId;

namespace {

constexpr std::array kArithmetic = {Op::kAdd,      Op::kAdd,    Op::kSubtract,  Op::kSubtract,
                                    Op::kMultiply, Op::kDivide, Op::kModulo,    Op::kBitAnd,
                                    Op::kBitOr,    Op::kBitXor, Op::kShiftLeft, Op::kShiftRight};
constexpr std::array kWordOperators = {Op::kAdd, Op::kSubtract, Op::kMultiply};
constexpr std::array kLogical = {Op::kAnd, Op::kAnd, Op::kOr, Op::kOr, Op::kImply};
constexpr std::array kLargeNumbers = {255, 256, -1, 100, 32767, -32768, 32768, 2147483647, -2147483647, 12345};

}  // namespace

VariableId RandomExpressions::readable(bool is_array) {
  std::vector<VariableId> found;
  const std::vector<dve::Variable>& variables = builder_.model().variables;
  for (VariableId v = 0; v < variables.size(); ++v) {
    if (variables[v].is_array == is_array && (variables[v].owner == dve::kNothing || variables[v].owner == process_))
      found.push_back(v);
  }
  return random_.pick(found);
}

ExprId RandomExpressions::number() {
  if (random_.one_in(8))
    return builder_.number(random_.pick(kLargeNumbers));
  return builder_.number(small());
}

ExprId RandomExpressions::index(VariableId array) {
  if (random_.one_in(2))
    return builder_.read(readable(false));
  if (random_.one_in(4))
    return arithmetic(1);
  const std::uint64_t size = builder_.model().variables[array].initial.size() + (random_.one_in(10) ? 1 : 0);
  return builder_.number(static_cast<std::int64_t>(random_.below(size)));
}

ExprId RandomExpressions::location() {
  const ProcessId process = static_cast<ProcessId>(random_.below(builder_.model().processes.size()));
  const std::uint64_t states = builder_.model().processes[process].states.size();
  return builder_.in_state(process, static_cast<dve::StateId>(random_.below(states)));
}

ExprId RandomExpressions::leaf() {
  const std::uint64_t kind = random_.below(8);
  if (kind < 3)
    return number();
  if (kind < 6)
    return builder_.read(readable(false));
  return kind == 6 ? location() : element();
}

ExprId RandomExpressions::element() {
  const VariableId array = readable(true);
  const ExprId at = index(array);
  return builder_.element(array, at);
}

ExprId RandomExpressions::arithmetic(unsigned depth) {
  if (depth == 0 || random_.one_in(2))
    return leaf();
  if (random_.one_in(10))
    return condition(1);
  const ExprId left = arithmetic(depth - 1);
  if (random_.one_in(8))
    return builder_.unary(random_.one_in(2) ? Op::kMinus : Op::kComplement, left);
  const ExprId right = arithmetic(depth - 1);
  const Op op = random_.pick(kArithmetic);
  return builder_.binary(op, left, right);
}

ExprId RandomExpressions::overflow() {
  const ExprId left = builder_.read(readable(false));
  if (random_.one_in(4)) {
    const ExprId amount = builder_.number(28 + small());
    return builder_.binary(random_.one_in(2) ? Op::kShiftLeft : Op::kShiftRight, left, amount);
  }
  const ExprId right = builder_.number(random_.one_in(2) ? 2147483647 : -2147483647);
  return builder_.binary(random_.pick(kWordOperators), left, right);
}

ExprId RandomExpressions::comparison(unsigned depth) {
  const std::uint64_t kind = random_.below(12);
  const ExprId left = kind == 0 ? overflow() : kind < 4 ? element() : arithmetic(depth);
  const ExprId right = random_.one_in(2) ? number() : arithmetic(depth);
  return builder_.binary(random_.pick(kComparisons), left, right);
}

ExprId RandomExpressions::condition(unsigned depth) {
  if (depth == 0 || random_.one_in(3))
    return random_.one_in(8) ? leaf() : comparison(1);
  const ExprId left = condition(depth - 1);
  if (random_.one_in(5))
    return builder_.unary(Op::kNot, left);
  const ExprId right = condition(depth - 1);
  return builder_.binary(random_.pick(kLogical), left, right);
}

ExprId RandomExpressions::fragile_condition() {
  const VariableId scalar = readable(false);
  ExprId left = 0;
  if (random_.one_in(3)) {
    const ExprId dividend = number();
    const ExprId divisor = builder_.read(scalar);
    left = builder_.binary(random_.one_in(2) ? Op::kDivide : Op::kModulo, dividend, divisor);
  } else {
    const VariableId array = readable(true);
    left = builder_.element(array, builder_.read(scalar));
  }
  const ExprId right = number();
  return builder_.binary(random_.pick(kComparisons), left, right);
}

}  // namespace tideline::test
