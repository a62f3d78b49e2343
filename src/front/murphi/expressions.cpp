// SPDX-License-Identifier: MIT
// Expressions with operators. Constant operands are folded by ir/build.h, and here where that leaves an operator alone.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "front/murphi/elaborator.h"

namespace tideline::murphi {
namespace {

Value truth(ir::ExprPtr expr, Location where) {
  Value value;
  value.sort = Sort::kBoolean;
  value.where = where;
  value.expr = std::move(expr);
  return value;
}

Value number(ir::ExprPtr expr, Location where) {
  Value value;
  value.sort = Sort::kInteger;
  value.where = where;
  value.expr = std::move(expr);
  return value;
}

const char* spelling(Op op) {
  switch (op) {
    case Op::kAnd:
      return "&&";
    case Op::kOr:
      return "||";
    case Op::kAmp:
      return "&";
    case Op::kPipe:
      return "|";
    case Op::kXor:
      return "^";
    case Op::kImplies:
      return "->";
    case Op::kEqual:
      return "=";
    case Op::kNotEqual:
      return "!=";
    case Op::kLess:
      return "<";
    case Op::kLessEqual:
      return "<=";
    case Op::kGreater:
      return ">";
    case Op::kGreaterEqual:
      return ">=";
    case Op::kShiftLeft:
      return "<<";
    case Op::kShiftRight:
      return ">>";
    case Op::kAdd:
    case Op::kPlus:
      return "+";
    case Op::kSubtract:
    case Op::kNegate:
      return "-";
    case Op::kMultiply:
      return "*";
    case Op::kDivide:
      return "/";
    case Op::kModulo:
      return "%";
    case Op::kNot:
      return "!";
    case Op::kComplement:
      return "~";
  }
  return "";
}

std::string operand_of(Op op) {
  return std::string("an operand of '") + spelling(op) + "'";
}

// The bit operators of two constants, which ir/build.h leaves to run time.
std::optional<std::int64_t> fold_bits(ir::ExprOp op, std::int64_t a, std::int64_t b) {
  const auto bits = static_cast<std::uint64_t>(a);
  switch (op) {
    case ir::ExprOp::kBitAnd:
      return a & b;
    case ir::ExprOp::kBitOr:
      return a | b;
    case ir::ExprOp::kBitXor:
      return a ^ b;
    case ir::ExprOp::kShiftRight:
      if (b < 0)
        return std::nullopt;
      return a >> std::min<std::int64_t>(b, 63);
    case ir::ExprOp::kShiftLeft: {
      if (b < 0)
        return std::nullopt;
      if (b >= 64)
        return 0;
      const auto shifted = static_cast<std::int64_t>(bits << b);
      return (shifted >> b) == a ? std::optional(shifted) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

Value Elaborator::computed(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNumber:
      return number(ir::make_constant(expr.number, expr.span.where), expr.span.where);
    case ExprKind::kUndefined: {
      Value value;
      value.sort = Sort::kUndefined;
      value.where = expr.span.where;
      value.expr = ir::make_undefined(value.where);
      return value;
    }
    case ExprKind::kCall:
      return call(expr, false);
    case ExprKind::kUnary:
      return unary(expr);
    case ExprKind::kBinary:
      return binary(expr);
    case ExprKind::kConditional:
      return conditional(expr);
    case ExprKind::kForall:
    case ExprKind::kExists:
      return quantified(expr);
    case ExprKind::kIsUndefined:
      return is_undefined(expr);
    case ExprKind::kIsMember:
      return is_member(expr);
    case ExprKind::kMultisetCount:
      return multiset_count(expr);
    default:
      return {};
  }
}

Value Elaborator::unary(const Expr& expr) {
  const Location where = expr.span.where;
  const std::string what = operand_of(expr.op);
  if (expr.op == Op::kNot)
    return truth(ir::make_unary(ir::ExprOp::kNot, boolean(*expr.args[0], what.c_str()), where), where);
  ir::ExprPtr operand = integer(*expr.args[0], what.c_str());
  if (expr.op == Op::kPlus)
    return number(std::move(operand), where);
  if (expr.op == Op::kComplement && operand->op == ir::ExprOp::kConstant)
    return number(ir::make_constant(~operand->constant, where), where);
  const auto op = expr.op == Op::kNegate ? ir::ExprOp::kNegate : ir::ExprOp::kComplement;
  return number(ir::make_unary(op, std::move(operand), where), where);
}

Value Elaborator::binary(const Expr& expr) {
  switch (expr.op) {
    case Op::kAnd:
    case Op::kAmp:
      return logical(expr, ir::ExprOp::kAnd);
    case Op::kOr:
    case Op::kPipe:
      return logical(expr, ir::ExprOp::kOr);
    case Op::kImplies: {
      const std::string what = operand_of(expr.op);
      ir::ExprPtr left = boolean(*expr.args[0], what.c_str());
      ir::ExprPtr right = boolean(*expr.args[1], what.c_str());
      return truth(ir::make_binary(ir::ExprOp::kImplies, std::move(left), std::move(right), expr.span.where),
                   expr.span.where);
    }
    case Op::kEqual:
      return equality(expr, ir::ExprOp::kEqual);
    case Op::kNotEqual:
      return equality(expr, ir::ExprOp::kNotEqual);
    case Op::kLess:
      return comparison(expr, ir::ExprOp::kLess);
    case Op::kLessEqual:
      return comparison(expr, ir::ExprOp::kLessEqual);
    case Op::kGreater:
      return comparison(expr, ir::ExprOp::kGreater);
    case Op::kGreaterEqual:
      return comparison(expr, ir::ExprOp::kGreaterEqual);
    case Op::kXor:
      return arithmetic(expr, ir::ExprOp::kBitXor);
    case Op::kShiftLeft:
      return arithmetic(expr, ir::ExprOp::kShiftLeft);
    case Op::kShiftRight:
      return arithmetic(expr, ir::ExprOp::kShiftRight);
    case Op::kAdd:
      return arithmetic(expr, ir::ExprOp::kAdd);
    case Op::kSubtract:
      return arithmetic(expr, ir::ExprOp::kSubtract);
    case Op::kMultiply:
      return arithmetic(expr, ir::ExprOp::kMultiply);
    case Op::kDivide:
      return arithmetic(expr, ir::ExprOp::kDivide);
    case Op::kModulo:
      return arithmetic(expr, ir::ExprOp::kModulo);
    default:
      return {};
  }
}

// `&` and `|` are logical or bitwise, by their first operand. Evaluation from left to right with short circuit does not
// depend on how a chain is bracketed, so a long one becomes a balanced tree.
Value Elaborator::logical(const Expr& expr, ir::ExprOp op) {
  const std::string what = operand_of(expr.op);
  Value first = value(*expr.args[0]);
  const bool is_bitwise = first.sort == Sort::kInteger && (expr.op == Op::kAmp || expr.op == Op::kPipe);
  if (!is_bitwise && first.sort != Sort::kBoolean) {
    if (!first.is_error())
      error(expr.args[0]->span.where, what + " must be a boolean, not " + describe(first));
    first.expr = ir::make_constant(0, expr.span.where);
  }
  std::vector<ir::ExprPtr> operands;
  operands.push_back(std::move(first.expr));
  for (std::size_t i = 1; i < expr.args.size(); ++i)
    operands.push_back(is_bitwise ? integer(*expr.args[i], what.c_str()) : boolean(*expr.args[i], what.c_str()));
  const std::size_t count = operands.size();
  if (!is_bitwise)
    return truth(join(std::move(operands), op, 0, count, expr.span.where), expr.span.where);
  const auto bit_op = op == ir::ExprOp::kAnd ? ir::ExprOp::kBitAnd : ir::ExprOp::kBitOr;
  return number(join(std::move(operands), bit_op, 0, count, expr.span.where), expr.span.where);
}

namespace {

ir::ExprPtr join_operands(std::vector<ir::ExprPtr>& operands, ir::ExprOp op, std::size_t first, std::size_t last,
                          Location where) {
  if (last - first == 1)
    return std::move(operands[first]);
  const std::size_t middle = first + (last - first) / 2;
  ir::ExprPtr left = join_operands(operands, op, first, middle, where);
  ir::ExprPtr right = join_operands(operands, op, middle, last, where);
  if (left->op == ir::ExprOp::kConstant && right->op == ir::ExprOp::kConstant) {
    if (const auto folded = fold_bits(op, left->constant, right->constant))
      return ir::make_constant(*folded, where);
  }
  return ir::make_binary(op, std::move(left), std::move(right), where);
}

}  // namespace

ir::ExprPtr Elaborator::join(std::vector<ir::ExprPtr> operands, ir::ExprOp op, std::size_t first, std::size_t last,
                             Location where) {
  return join_operands(operands, op, first, last, where);
}

Value Elaborator::arithmetic(const Expr& expr, ir::ExprOp op) {
  const std::string what = operand_of(expr.op);
  std::vector<ir::ExprPtr> operands;
  operands.push_back(integer(*expr.args[0], what.c_str()));
  operands.push_back(integer(*expr.args[1], what.c_str()));
  return number(join_operands(operands, op, 0, 2, expr.span.where), expr.span.where);
}

Value Elaborator::comparison(const Expr& expr, ir::ExprOp op) {
  const std::string what = operand_of(expr.op);
  ir::ExprPtr left = integer(*expr.args[0], what.c_str());
  ir::ExprPtr right = integer(*expr.args[1], what.c_str());
  return truth(ir::make_binary(op, std::move(left), std::move(right), expr.span.where), expr.span.where);
}

Value Elaborator::equality(const Expr& expr, ir::ExprOp op) {
  const Location where = expr.span.where;
  Value left = value(*expr.args[0]);
  Value right = value(*expr.args[1]);
  if (left.is_error() || right.is_error())
    return truth(ir::make_constant(0, where), where);
  if (left.sort == Sort::kUndefined || right.sort == Sort::kUndefined) {
    error(where, "nothing can be compared with UNDEFINED", "use isundefined(...)");
    return truth(ir::make_constant(0, where), where);
  }
  bool fits = left.sort == right.sort;
  if (fits && left.sort == Sort::kSymbol)
    fits = share_values(*left.domain, *right.domain);
  if (fits && left.sort == Sort::kSlot)
    fits = same_type(*left.multiset, *right.multiset);
  if (fits && left.sort == Sort::kAggregate)
    fits = same_type(*left.type, *right.type);
  if (!fits) {
    error(where, "cannot compare " + describe(left) + " with " + describe(right));
    return truth(ir::make_constant(0, where), where);
  }
  if (left.sort != Sort::kAggregate)
    return truth(ir::make_binary(op, std::move(left.expr), std::move(right.expr), where), where);
  if (left.type->contains_multiset()) {
    error(where, "multisets cannot be compared", "compare their counts with multisetcount");
    return truth(ir::make_constant(0, where), where);
  }
  ir::ExprPtr same = ir::make_same_bits(std::move(*left.ref), std::move(*right.ref), where);
  if (op == ir::ExprOp::kNotEqual)
    same = ir::make_unary(ir::ExprOp::kNot, std::move(same), where);
  return truth(std::move(same), where);
}

Value Elaborator::conditional(const Expr& expr) {
  const Location where = expr.span.where;
  ir::ExprPtr condition = boolean(*expr.args[0], "the condition of '?'");
  Value then = value(*expr.args[1]);
  Value otherwise = value(*expr.args[2]);
  if (then.is_error() || otherwise.is_error())
    return {};
  if (then.sort == Sort::kAggregate || otherwise.sort == Sort::kAggregate) {
    error(where, "the branches of '? :' must be simple values", "use an if statement");
    return {};
  }
  bool fits = then.sort == otherwise.sort;
  const ir::Domain* domain = then.domain;
  if (fits && then.sort == Sort::kSymbol) {
    fits = share_values(*then.domain, *otherwise.domain);
    if (otherwise.domain->parts.size() > then.domain->parts.size())
      domain = otherwise.domain;
  }
  if (!fits) {
    error(where, "the branches of '? :' must be of one type, not " + describe(then) + " and " + describe(otherwise));
    return {};
  }
  Value result;
  result.sort = then.sort;
  result.where = where;
  result.domain = domain;
  result.multiset = then.multiset;
  result.expr = ir::make_conditional(std::move(condition), std::move(then.expr), std::move(otherwise.expr), where);
  return result;
}

std::optional<Elaborator::Loop> Elaborator::loop(const Quantifier& quantifier) {
  Loop made;
  const ir::Type* type = nullptr;
  if (quantifier.type) {
    made.range.domain = simple_domain(*quantifier.type, "a quantified variable");
    if (made.range.domain != nullptr)
      type = defined_type(made.range.domain);
  } else {
    made.range.from = integer(*quantifier.from, "the first value");
    made.range.to = integer(*quantifier.to, "the last value");
    if (quantifier.by) {
      made.range.by = integer(*quantifier.by, "the step");
      if (made.range.by->op == ir::ExprOp::kConstant && made.range.by->constant == 0)
        error(quantifier.by->span.where, "the step must not be 0");
    }
    const ir::Interval& from = made.range.from->range;
    const ir::Interval& to = made.range.to->range;
    const ir::Interval all{std::min(from.lo, to.lo), std::max(from.hi, to.hi)};
    if (is_too_large(all))
      error(quantifier.name.where, "this loop may run over more than 2^56 values");
    else
      type = integer_type(all, false);
  }
  if (type == nullptr) {
    // Declared all the same, so that its uses raise no further errors.
    Symbol symbol;
    symbol.kind = SymbolKind::kConst;
    declare(quantifier.name, symbol);
    return std::nullopt;
  }
  made.slot = new_local(quantifier.name.text, type, ir::LocalKind::kValue);
  declare_local(quantifier.name, made.slot, false, "a loop variable");
  return made;
}

Value Elaborator::quantified(const Expr& expr) {
  const Location where = expr.span.where;
  const auto op = expr.kind == ExprKind::kForall ? ir::ExprOp::kForall : ir::ExprOp::kExists;
  scopes_.push();
  std::vector<Loop> loops;
  for (const Quantifier& quantifier : expr.quantifiers) {
    if (std::optional<Loop> made = loop(quantifier))
      loops.push_back(std::move(*made));
  }
  ir::ExprPtr body =
      boolean(*expr.args[0], expr.kind == ExprKind::kForall ? "the body of forall" : "the body of exists");
  scopes_.pop();
  for (std::size_t k = loops.size(); k-- > 0;)
    body = ir::make_quantifier(op, loops[k].slot, std::move(loops[k].range), std::move(body), where);
  return truth(std::move(body), where);
}

Value Elaborator::is_undefined(const Expr& expr) {
  const Location where = expr.span.where;
  Value operand = object(*expr.args[0]);
  if (operand.is_error())
    return truth(ir::make_constant(0, where), where);
  if (operand.sort == Sort::kAggregate) {
    error(expr.args[0]->span.where, "isundefined needs a simple variable, not " + describe(operand));
    return truth(ir::make_constant(0, where), where);
  }
  if (!operand.ref) {
    if (operand.expr && operand.expr->op == ir::ExprOp::kConstant)
      return truth(ir::make_constant(0, where), where);
    error(expr.args[0]->span.where, "isundefined needs a variable");
    return truth(ir::make_constant(0, where), where);
  }
  return truth(ir::make_is_undefined(std::move(*operand.ref), where), where);
}

Value Elaborator::is_member(const Expr& expr) {
  const Location where = expr.span.where;
  Value operand = value(*expr.args[0], ReadMode::kRaw);
  const ir::Domain* domain = simple_domain(*expr.type, "the type in ismember");
  if (operand.is_error() || domain == nullptr)
    return truth(ir::make_constant(0, where), where);
  if (operand.sort != sort_of(*simple_type(domain)) || operand.sort == Sort::kBoolean) {
    error(where, "ismember asks whether a value of a union is of a member type; this is " + describe(operand) +
                     " and " + describe(*simple_type(domain)));
    return truth(ir::make_constant(0, where), where);
  }
  return truth(ir::make_in_domain(std::move(operand.expr), domain, where), where);
}

ir::SlotIndex Elaborator::slot_variable(const Name& name, const ir::Type* multiset, const char* what) {
  const ir::SlotIndex slot = new_local(name.text, simple_type(multiset->domain), ir::LocalKind::kValue);
  Symbol symbol;
  symbol.kind = SymbolKind::kLocal;
  symbol.type = simple_type(multiset->domain);
  symbol.slot = slot;
  symbol.multiset = multiset;
  symbol.what = what;
  declare(name, symbol);
  return slot;
}

Value Elaborator::multiset_count(const Expr& expr) {
  const Location where = expr.span.where;
  Value multiset = multiset_object(*expr.args[0]);
  if (multiset.is_error())
    return number(ir::make_constant(0, where), where);
  scopes_.push();
  const ir::SlotIndex slot = slot_variable(expr.name, multiset.type, "a slot of a multiset");
  ir::ExprPtr condition = boolean(*expr.args[1], "the condition of multisetcount");
  scopes_.pop();
  return number(ir::make_multiset_count(std::move(*multiset.ref), slot, std::move(condition), where), where);
}

}  // namespace tideline::murphi
