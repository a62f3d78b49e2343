// SPDX-License-Identifier: MIT
#include "front/dve/simplify.h"

#include <utility>

#include "front/dve/intern.h"

namespace tideline::dve {
namespace {

// 32-bit arithmetic that wraps, as DiVinE's.
std::int64_t wrapped(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

std::optional<std::int64_t> fold(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::kAdd:
      return wrapped(a + b);
    case Op::kSubtract:
      return wrapped(a - b);
    case Op::kMultiply:
      return wrapped(a * b);
    case Op::kDivide:
      return b == 0 ? std::nullopt : std::optional(wrapped(a / b));
    case Op::kModulo:
      return b == 0 ? std::nullopt : std::optional(a % b);
    case Op::kBitAnd:
      return a & b;
    case Op::kBitOr:
      return a | b;
    case Op::kBitXor:
      return a ^ b;
    case Op::kShiftLeft:
      return wrapped(a * (std::int64_t{1} << (b & 31)));
    case Op::kShiftRight:
      return a >> (b & 31);
    case Op::kLess:
      return a < b ? 1 : 0;
    case Op::kLessEqual:
      return a <= b ? 1 : 0;
    case Op::kGreater:
      return a > b ? 1 : 0;
    case Op::kGreaterEqual:
      return a >= b ? 1 : 0;
    case Op::kEqual:
      return a == b ? 1 : 0;
    case Op::kNotEqual:
      return a != b ? 1 : 0;
    case Op::kAnd:
      return a != 0 && b != 0 ? 1 : 0;
    case Op::kOr:
      return a != 0 || b != 0 ? 1 : 0;
    case Op::kImply:
      return a == 0 || b != 0 ? 1 : 0;
    case Op::kNot:
      return a == 0 ? 1 : 0;
    case Op::kMinus:
      return wrapped(-a);
    case Op::kComplement:
      return ~a;
    default:
      return std::nullopt;
  }
}

bool yields_truth(const Expr& expr) {
  switch (expr.op) {
    case Op::kNumber:
      return expr.value == 0 || expr.value == 1;
    case Op::kInState:
    case Op::kNot:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kImply:
      return true;
    default:
      return false;
  }
}

bool may_fail_itself(const Model& model, const Expr& expr, const std::vector<Expr>& exprs) {
  if (expr.op == Op::kElement) {
    const Expr& index = exprs[expr.left];
    const auto size = static_cast<std::int64_t>(model.variables[expr.variable].initial.size());
    return index.op != Op::kNumber || index.value < 0 || index.value >= size;
  }
  if (expr.op == Op::kDivide || expr.op == Op::kModulo)
    return exprs[expr.right].op != Op::kNumber || exprs[expr.right].value == 0;
  return false;
}

// Builds the new expressions, operands first.
class Simplifier {
 public:
  explicit Simplifier(Model& model) : model_(model) {}

  void run() {
    find_constants();
    renamed_.reserve(model_.exprs.size());
    for (const Expr& expr : model_.exprs)
      renamed_.push_back(simplified(expr));
    model_.exprs = std::move(exprs_);
    for (Process& process : model_.processes)
      rename(process);
    for (Invariant& invariant : model_.invariants)
      rename(invariant.condition);
    for (MeasureComponent& component : model_.progress)
      rename(component.value);
  }

 private:
  ExprId add(const Expr& expr) {
    const ExprId id = interner_.add(expr);
    if (id == fails_.size()) {
      bool fails = may_fail_itself(model_, expr, exprs_);
      for (const ExprId operand : {expr.left, expr.right})
        fails = fails || (operand != kNothing && fails_[operand]);
      fails_.push_back(fails);
    }
    return id;
  }

  void find_constants() {
    std::vector<bool> written(model_.variables.size(), false);
    for (const Process& process : model_.processes)
      for (const Transition& transition : process.transitions)
        for (const std::vector<Assignment>* stores : {&transition.received, &transition.effects})
          for (const Assignment& store : *stores)
            written[store.variable] = true;
    for (VariableId v = 0; v < model_.variables.size(); ++v)
      model_.variables[v].is_constant = !written[v];
  }

  ExprId number(std::int64_t value, Location where) {
    Expr expr;
    expr.where = where;
    expr.value = value;
    return add(expr);
  }

  ExprId unary(Op op, ExprId operand, Location where) {
    Expr expr;
    expr.op = op;
    expr.where = where;
    expr.left = operand;
    return add(expr);
  }

  // The operand's truth as 0 or 1.
  ExprId truth(ExprId id, Location where) {
    if (yields_truth(exprs_[id]))
      return id;
    Expr expr;
    expr.op = Op::kNotEqual;
    expr.where = where;
    expr.left = id;
    expr.right = number(0, where);
    return add(expr);
  }

  ExprId simplified(const Expr& old) {
    Expr expr = old;
    if (expr.left != kNothing)
      expr.left = renamed_[expr.left];
    if (expr.right != kNothing)
      expr.right = renamed_[expr.right];
    if (expr.op == Op::kVariable && model_.variables[expr.variable].is_constant)
      return number(model_.variables[expr.variable].initial.front(), expr.where);
    if (expr.op == Op::kElement && model_.variables[expr.variable].is_constant && is_number(expr.left) &&
        !may_fail_itself(model_, expr, exprs_))
      return number(model_.variables[expr.variable].initial[static_cast<std::size_t>(exprs_[expr.left].value)],
                    expr.where);
    const bool is_operator = expr.left != kNothing && expr.op != Op::kElement;
    if (is_operator && is_number(expr.left) && (expr.right == kNothing || is_number(expr.right))) {
      const std::int64_t right = expr.right == kNothing ? 0 : exprs_[expr.right].value;
      if (const auto value = fold(expr.op, exprs_[expr.left].value, right); value.has_value())
        return number(*value, expr.where);
    }
    if (expr.op == Op::kAnd || expr.op == Op::kOr)
      return junction(expr);
    if (expr.op == Op::kImply)
      return implication(expr);
    return add(expr);
  }

  // && with neutral number 1 (any but 0) and dominating number 0; || the other way round.
  ExprId junction(const Expr& expr) {
    const bool neutral = expr.op == Op::kAnd;
    if (is_number(expr.left))
      return is_true(expr.left) == neutral ? truth(expr.right, expr.where) : number(neutral ? 0 : 1, expr.where);
    if (is_number(expr.right)) {
      if (is_true(expr.right) == neutral)
        return truth(expr.left, expr.where);
      if (!fails_[expr.left])
        return number(neutral ? 0 : 1, expr.where);
    }
    return expr.left == expr.right ? truth(expr.left, expr.where) : add(expr);
  }

  ExprId implication(const Expr& expr) {
    if (is_number(expr.left))
      return is_true(expr.left) ? truth(expr.right, expr.where) : number(1, expr.where);
    if (is_number(expr.right)) {
      if (!is_true(expr.right))
        return unary(Op::kNot, expr.left, expr.where);
      if (!fails_[expr.left])
        return number(1, expr.where);
    }
    return add(expr);
  }

  [[nodiscard]] bool is_number(ExprId id) const { return exprs_[id].op == Op::kNumber; }
  [[nodiscard]] bool is_true(ExprId id) const { return exprs_[id].value != 0; }

  void rename(ExprId& id) {
    if (id != kNothing)
      id = renamed_[id];
  }

  void rename(std::vector<Assignment>& assignments) {
    for (Assignment& assignment : assignments) {
      rename(assignment.index);
      rename(assignment.value);
    }
  }

  void rename(Process& process) {
    for (Assertion& assertion : process.assertions)
      rename(assertion.condition);
    for (Transition& transition : process.transitions) {
      rename(transition.guard);
      for (ExprId& sent : transition.sent)
        rename(sent);
      rename(transition.received);
      rename(transition.effects);
    }
  }

  Model& model_;
  std::vector<Expr> exprs_;
  std::vector<bool> fails_;
  std::vector<ExprId> renamed_;  // by old number
  Interner interner_{exprs_};
};

}  // namespace

void simplify(Model& model) {
  Simplifier(model).run();
}

bool is_boolean(const Model& model, ExprId id) {
  return yields_truth(model.exprs[id]);
}

std::vector<bool> failing_expressions(const Model& model) {
  std::vector<bool> fails;
  fails.reserve(model.exprs.size());
  for (const Expr& expr : model.exprs) {
    bool result = may_fail_itself(model, expr, model.exprs);
    for (const ExprId operand : {expr.left, expr.right})
      result = result || (operand != kNothing && fails[operand]);
    fails.push_back(result);
  }
  return fails;
}

}  // namespace tideline::dve
