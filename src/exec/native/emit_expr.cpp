// SPDX-License-Identifier: MIT
// Values: reads, arithmetic, comparisons.
#include "base/check.h"
#include "exec/native/emitter.h"

namespace tideline::native {

using ir::Expr;
using ir::ExprOp;

Value Emitter::plain(std::string text) {
  Value result;
  result.text = std::move(text);
  return result;
}

Value Emitter::named(Value value) {
  if (value.constant)
    return value;
  const std::string name = fmt::format("x{}", fresh());
  out_.line("const {} {} = {};", value.domain != nullptr ? "uint64_t" : "int64_t", name, value.text);
  value.text = name;
  return value;
}

Value Emitter::shortened(Value value) {
  return value.text.size() > kTextMax ? named(std::move(value)) : value;
}

Value Emitter::defined(Value value) {
  if (!value.may_be_undefined)
    return value;
  if (value.constant) {
    out_.line("{}", exits_.fail);
    return constant_value(0);
  }
  value = named(std::move(value));
  value.may_be_undefined = false;
  fail_if(value.domain != nullptr ? value.text + " == 0" : value.text + " == TL_UNDEFINED");
  return value;
}

std::string Emitter::as_integer(Value value) {
  if (value.domain != nullptr && value.may_be_undefined)
    value = named(std::move(value));  // decoding uses it twice
  return integer_text(value);
}

Value Emitter::needed(const Expr& expr) {
  return defined(value(expr));
}

Value Emitter::operand(const Expr& expr, std::size_t i, bool is_needed) {
  Value result = is_needed ? needed(*expr.args[i]) : value(*expr.args[i]);
  for (std::size_t later = i + 1; later < expr.args.size(); ++later)
    if (ir::Analysis::has_effects(*expr.args[later]))
      return named(std::move(result));
  return result;
}

Value Emitter::value(const Expr& expr) {
  switch (expr.op) {
    case ExprOp::kConstant:
      return constant_value(expr.constant);
    case ExprOp::kUndefinedValue:
      return constant_value(ir::kUndefined);
    case ExprOp::kRead:
      return shortened(read(expr));
    case ExprOp::kNot:
      return plain(truth_text(needed(*expr.args[0]), false));
    case ExprOp::kAnd:
    case ExprOp::kOr:
    case ExprOp::kImplies:
      return shortened(short_circuit(expr));
    case ExprOp::kConditional:
      return shortened(conditional(expr));
    case ExprOp::kEqual:
    case ExprOp::kNotEqual:
      return shortened(equality(expr));
    case ExprOp::kLess:
    case ExprOp::kLessEqual:
    case ExprOp::kGreater:
    case ExprOp::kGreaterEqual:
      return shortened(comparison(expr));
    case ExprOp::kForall:
    case ExprOp::kExists:
      return quantified(expr);
    case ExprOp::kIsUndefined: {
      const ir::Ref& ref = expr.refs[0];
      if (is_value_slot(ref))
        return plain(fmt::format("({} == TL_UNDEFINED)", slot_name(ref.slot)));
      const Address at = address(ref);
      if (!module_.analysis.holds_undefined(ref, frame_))
        return constant_value(0);
      return plain(fmt::format("({} == 0)", read_bits(at, ref.type->bits)));
    }
    case ExprOp::kInDomain:
      return plain(in_domain_text(named(value(*expr.args[0])), *expr.domain));
    case ExprOp::kMultisetCount:
      return multiset_count(expr);
    case ExprOp::kSameBits:
      return shortened(same_bits(expr));
    case ExprOp::kCall:
      return call(expr);
    default:
      return shortened(arithmetic(expr));
  }
}

Value Emitter::read(const Expr& expr) {
  const ir::Ref& ref = expr.refs[0];
  Value result;
  if (is_value_slot(ref)) {
    result.text = slot_name(ref.slot);
  } else {
    const Address at = address(ref);
    const ir::Domain& domain = *ref.type->domain;
    if (domain.bits() == 0)
      return constant_value(domain.hull().lo);
    result.text = read_bits(at, domain.bits());
    result.domain = &domain;
  }
  result.may_be_undefined = module_.analysis.holds_undefined(ref, frame_);
  if (expr.checked)
    result = defined(std::move(result));
  const ir::Interval hull = ref.type->domain->hull();
  if (hull.lo == hull.hi && !result.may_be_undefined)
    return constant_value(hull.lo);
  return result;
}

namespace {

const char* c_operator(ExprOp op) {
  switch (op) {
    case ExprOp::kAdd:
      return "+";
    case ExprOp::kSubtract:
      return "-";
    case ExprOp::kMultiply:
      return "*";
    case ExprOp::kDivide:
      return "/";
    case ExprOp::kModulo:
      return "%";
    case ExprOp::kBitAnd:
      return "&";
    case ExprOp::kBitOr:
      return "|";
    case ExprOp::kBitXor:
      return "^";
    case ExprOp::kLess:
      return "<";
    case ExprOp::kLessEqual:
      return "<=";
    case ExprOp::kGreater:
      return ">";
    case ExprOp::kGreaterEqual:
      return ">=";
    case ExprOp::kEqual:
      return "==";
    case ExprOp::kNotEqual:
      return "!=";
    default:
      CHECK(false && "no such operator in C");
      return "";
  }
}

const char* overflow_builtin(ExprOp op) {
  switch (op) {
    case ExprOp::kAdd:
      return "__builtin_add_overflow";
    case ExprOp::kMultiply:
      return "__builtin_mul_overflow";
    default:
      return "__builtin_sub_overflow";
  }
}

}  // namespace

Value Emitter::arithmetic(const Expr& expr) {
  const Value left = operand(expr, 0, true);
  const std::string a = integer_text(left);
  if (expr.op == ExprOp::kNegate || expr.op == ExprOp::kComplement) {
    if (expr.may_overflow)
      return checked_arithmetic(expr, a, "");
    return plain(fmt::format("({}{})", expr.op == ExprOp::kNegate ? "-" : "~", a));
  }
  Value right = operand(expr, 1, true);
  if (expr.op == ExprOp::kShiftLeft || expr.op == ExprOp::kShiftRight)
    return shift(expr, a, right);
  if (expr.op == ExprOp::kDivide || expr.op == ExprOp::kModulo) {
    if (expr.args[1]->range.contains(0)) {
      right = named(std::move(right));
      fail_if(integer_text(right) + " == 0");
    }
    if (right.constant == 0)
      return constant_value(0);  // not reached, but the C compiler would complain
  }
  const std::string b = integer_text(right);
  if (expr.may_overflow)
    return checked_arithmetic(expr, a, b);
  return plain(fmt::format("({} {} {})", a, c_operator(expr.op), b));
}

Value Emitter::checked_arithmetic(const Expr& expr, const std::string& a, const std::string& b) {
  const std::string name = fmt::format("x{}", fresh());
  switch (expr.op) {
    case ExprOp::kAdd:
    case ExprOp::kSubtract:
    case ExprOp::kMultiply:
    case ExprOp::kNegate:
      out_.line("int64_t {};", name);
      fail_if(fmt::format("{}({}, {}, &{}) || {} == TL_UNDEFINED", overflow_builtin(expr.op),
                          expr.op == ExprOp::kNegate ? "0LL" : a, expr.op == ExprOp::kNegate ? a : b, name, name));
      break;
    case ExprOp::kComplement:
      out_.line("const int64_t {} = ~{};", name, a);
      fail_if(name + " == TL_UNDEFINED");
      break;
    default:
      out_.line("const int64_t {} = {} {} {};", name, a, c_operator(expr.op), b);
      fail_if(name + " == TL_UNDEFINED");
      break;
  }
  return plain(name);
}

Value Emitter::shift(const Expr& expr, const std::string& a, const Value& amount) {
  const ir::Interval range = expr.args[1]->range;
  const std::string b = integer_text(amount);
  if (expr.op == ExprOp::kShiftLeft) {
    if (!expr.may_overflow && range.lo >= 0)
      return plain(fmt::format("((int64_t)((uint64_t){} << {}))", a, b));
    const std::string name = fmt::format("x{}", fresh());
    out_.line("int64_t {};", name);
    fail_if(fmt::format("tl_shift_left({}, {}, &{})", a, b, name));
    return plain(name);
  }
  if (range.lo >= 0 && range.hi <= 63)
    return plain(fmt::format("({} >> {})", a, b));
  const std::string name = fmt::format("x{}", fresh());
  out_.line("const int64_t {} = {};", name, b);
  if (range.lo < 0)
    fail_if(name + " < 0");
  return plain(fmt::format("({} >> ({} < 63 ? {} : 63))", a, name, name));
}

Value Emitter::comparison(const Expr& expr) {
  const Value left = operand(expr, 0, true);
  const Value right = operand(expr, 1, true);
  const bool same_codes =
      left.domain != nullptr && right.domain != nullptr && left.domain->same_encoding(*right.domain);
  if (same_codes && !left.constant && !right.constant)
    return plain(fmt::format("({} {} {})", left.text, c_operator(expr.op), right.text));
  return plain(fmt::format("({} {} {})", integer_text(left), c_operator(expr.op), integer_text(right)));
}

Value Emitter::equality(const Expr& expr) {
  Value left = operand(expr, 0, false);
  Value right = operand(expr, 1, false);
  const char* op = c_operator(expr.op);
  if (left.constant && right.constant)
    return constant_value((*left.constant == *right.constant) == (expr.op == ExprOp::kEqual) ? 1 : 0);
  if (left.constant)
    std::swap(left, right);
  if (left.domain != nullptr && right.constant) {
    const ir::Domain& domain = *left.domain;
    const bool possible = *right.constant == ir::kUndefined ? domain.has_undefined : domain.contains(*right.constant);
    if (!possible)
      return constant_value(expr.op == ExprOp::kEqual ? 0 : 1);
    return plain(fmt::format("({} {} {})", left.text, op, unsigned_literal(domain.encode(*right.constant))));
  }
  if (left.domain != nullptr && right.domain != nullptr && left.domain->same_encoding(*right.domain))
    return plain(fmt::format("({} {} {})", left.text, op, right.text));
  // Decoding an undefined value uses its text twice.
  if (left.domain != nullptr && left.may_be_undefined)
    left = named(std::move(left));
  if (right.domain != nullptr && right.may_be_undefined)
    right = named(std::move(right));
  return plain(fmt::format("({} {} {})", integer_text(left), op, integer_text(right)));
}

}  // namespace tideline::native
