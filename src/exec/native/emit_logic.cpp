// SPDX-License-Identifier: MIT
// Conditions as jumps, and the operators that do not evaluate all their operands.
#include "base/check.h"
#include "exec/native/emitter.h"

namespace tideline::native {

using ir::Expr;
using ir::ExprOp;

void Emitter::jump(const Expr& condition, bool when, const std::string& label) {
  switch (condition.op) {
    case ExprOp::kNot:
      jump(*condition.args[0], !when, label);
      return;
    case ExprOp::kAnd:
    case ExprOp::kOr:
    case ExprOp::kImplies: {
      // The left operand decides alone if it has the value `decisive`; the result is then `decided`.
      const bool decisive = condition.op == ExprOp::kOr;
      const bool decided = condition.op != ExprOp::kAnd;
      if (decided == when) {
        jump(*condition.args[0], decisive, label);
        jump(*condition.args[1], when, label);
        return;
      }
      const std::string end = fresh_label();
      jump(*condition.args[0], decisive, end);
      jump(*condition.args[1], when, label);
      out_.label(end);
      return;
    }
    case ExprOp::kForall:
    case ExprOp::kExists:
      jump_quantifier(condition, when, label);
      return;
    default: {
      const std::string text = truth_text(needed(condition), when);
      if (text == "1")
        out_.line("goto {};", label);
      else if (text != "0")
        out_.line("if ({}) goto {};", text, label);
      return;
    }
  }
}

void Emitter::jump_quantifier(const Expr& expr, bool when, const std::string& label) {
  const bool decisive = expr.op == ExprOp::kExists;  // the body's value that decides, and the result then
  const std::string decided = when == decisive ? label : fresh_label();
  for_each_value(expr.loop, expr.slot, [&] { jump(*expr.args[0], decisive, decided); });
  if (when == decisive)
    return;
  out_.line("goto {};", label);
  out_.label(decided);
}

Value Emitter::quantified(const Expr& expr) {
  const std::string name = fmt::format("x{}", fresh());
  const std::string end = fresh_label();
  const bool decisive = expr.op == ExprOp::kExists;
  out_.line("int64_t {} = {};", name, decisive ? 1 : 0);
  for_each_value(expr.loop, expr.slot, [&] { jump(*expr.args[0], decisive, end); });
  out_.line("{} = {};", name, decisive ? 0 : 1);
  out_.label(end);
  return plain(name);
}

Value Emitter::short_circuit(const Expr& expr) {
  const Value left = needed(*expr.args[0]);
  std::string before = out_.set_aside();
  const Value right = needed(*expr.args[1]);
  const bool decisive = expr.op == ExprOp::kOr;
  const bool decided = expr.op != ExprOp::kAnd;
  if (out_.empty()) {
    (void)out_.take_back(std::move(before));
    return plain(fmt::format("({} {} {})", truth_text(left, expr.op != ExprOp::kImplies),
                             expr.op == ExprOp::kAnd ? "&&" : "||", truth_text(right, true)));
  }
  const std::string lines = out_.take_back(std::move(before));
  const std::string name = fmt::format("x{}", fresh());
  out_.line("int64_t {} = {};", name, decided ? 1 : 0);
  out_.open("if ({}) {{", truth_text(left, !decisive));
  out_.append(lines);
  out_.line("{} = {};", name, truth_text(right, true));
  out_.close();
  return plain(name);
}

Value Emitter::conditional(const Expr& expr) {
  const Value condition = needed(*expr.args[0]);
  std::string before = out_.set_aside();
  Value then = value(*expr.args[1]);
  if (then.domain != nullptr && then.may_be_undefined)
    then = named(std::move(then));
  const std::string then_lines = out_.take_back(std::string());
  Value otherwise = value(*expr.args[2]);
  if (otherwise.domain != nullptr && otherwise.may_be_undefined)
    otherwise = named(std::move(otherwise));
  const std::string otherwise_lines = out_.take_back(std::move(before));
  Value result;
  result.may_be_undefined = then.may_be_undefined || otherwise.may_be_undefined;
  const std::string test = truth_text(condition, true);
  if (then_lines.empty() && otherwise_lines.empty()) {
    result.text = fmt::format("({} ? {} : {})", test, integer_text(then), integer_text(otherwise));
    return result;
  }
  result.text = fmt::format("x{}", fresh());
  out_.line("int64_t {};", result.text);
  out_.open("if ({}) {{", test);
  out_.append(then_lines);
  out_.line("{} = {};", result.text, integer_text(then));
  out_.close();
  out_.open("else {{");
  out_.append(otherwise_lines);
  out_.line("{} = {};", result.text, integer_text(otherwise));
  out_.close();
  return result;
}

Value Emitter::multiset_count(const Expr& expr) {
  const Address multiset = captured(address(expr.refs[0]));
  const std::string name = fmt::format("x{}", fresh());
  out_.line("int64_t {} = 0;", name);
  for_each_occupied(multiset, *expr.refs[0].type, expr.slot, [&] {
    const std::string next = fresh_label();
    jump(*expr.args[0], false, next);
    out_.line("{}++;", name);
    out_.label(next);
  });
  return plain(name);
}

}  // namespace tideline::native
