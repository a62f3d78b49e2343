// SPDX-License-Identifier: MIT
// The operands of expressions that are names, and the variables that are written to: what they refer to. A wrong name
// is reported and stands for 0, so that one run finds several.
#include <utility>

#include "front/dve/expression.h"

namespace tideline::dve {
namespace {

using Kind = TokenKind;

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

}  // namespace

bool ExpressionParser::parse_target(const Place& place, Assignment& target) {
  place_ = place;
  Token name;
  target.where = cursor_.where();
  if (!cursor_.expect_name("a variable", name))
    return false;
  if (cursor_.is(Kind::kArrow)) {
    cursor_.error(name.where, "a process cannot write the variables of another one", "make the variable global");
    return false;
  }
  target.variable = resolve_variable(name);
  if (target.variable != kNothing && model_.variables[target.variable].is_constant)
    cursor_.error(name.where, quoted(cursor_.text_of(name)) + " is a constant and cannot be written");
  if (target.variable != kNothing && place_.process == model_.property &&
      model_.variables[target.variable].owner != model_.property)
    cursor_.error(name.where, "the property process cannot write global variables");
  if (!cursor_.is(Kind::kBracketOpen)) {
    is_scalar_without_index(name, target.variable);
    return true;
  }
  is_array_with_index(name, target.variable);
  cursor_.advance();
  target.index = parse(place);
  return target.index != kNothing && cursor_.expect(Kind::kBracketClose);
}

ExpressionParser::Step ExpressionParser::number(std::int64_t value, Location where) {
  Expr expr;
  expr.where = where;
  expr.value = value;
  push(expr, 1);
  return Step::kOperator;
}

ExpressionParser::Step ExpressionParser::name() {
  const Token first = cursor_.token();
  cursor_.advance();
  if (cursor_.accept(Kind::kDot))
    return state_test(first);
  if (cursor_.accept(Kind::kArrow))
    return foreign_variable(first);
  return variable(first, resolve_variable(first));
}

ExpressionParser::Step ExpressionParser::state_test(const Token& process) {
  Token state;
  if (!cursor_.expect_name("the name of a state", state))
    return Step::kFailed;
  if (!place_.allows_states) {
    cursor_.error(process.where, "an initial value cannot depend on the state of a process");
    return number(0, process.where);
  }
  Expr expr;
  expr.op = Op::kInState;
  expr.where = process.where;
  expr.process = resolve_process(process);
  if (expr.process == kNothing || !takes_part(expr.process, process))
    return number(0, process.where);
  const std::string_view name = cursor_.text_of(state);
  const std::optional<StateId> found = names_.state(expr.process, name);
  if (!found) {
    cursor_.error(state.where, "process " + quoted(cursor_.text_of(process)) + " has no state " + quoted(name),
                  cursor_.errors_are_shown() ? names_.suggest_state(expr.process, name) : "");
    return number(0, process.where);
  }
  expr.state = *found;
  push(expr, 1);
  return Step::kOperator;
}

ExpressionParser::Step ExpressionParser::foreign_variable(const Token& process) {
  Token name;
  if (!cursor_.expect_name("the name of a variable", name))
    return Step::kFailed;
  if (!place_.allows_foreign)
    cursor_.error(process.where,
                  "only the property process, --invariant and --progress can read the variables of other processes",
                  "make the variable global");
  const ProcessId owner = place_.allows_foreign ? resolve_process(process) : kNothing;
  const bool is_known = owner != kNothing && takes_part(owner, process);
  return variable(name, is_known ? resolve_foreign(owner, name) : kNothing);
}

ExpressionParser::Step ExpressionParser::variable(const Token& name, VariableId variable) {
  if (cursor_.is(Kind::kBracketOpen)) {
    const VariableId array = is_array_with_index(name, variable) ? variable : kNothing;
    return open({PendingKind::kIndex, Op::kElement, 0, name.where, array});
  }
  if (!is_scalar_without_index(name, variable))
    return number(0, name.where);
  const Variable& scalar = model_.variables[variable];
  if (scalar.is_constant)
    return number(scalar.initial[0], name.where);
  Expr expr;
  expr.op = Op::kVariable;
  expr.where = name.where;
  expr.variable = variable;
  push(expr, 1);
  return Step::kOperator;
}

// What the property process is and has is not part of a state: others cannot ask for it.
bool ExpressionParser::takes_part(ProcessId process, const Token& name) {
  if (process != model_.property || place_.process == process)
    return true;
  cursor_.error(name.where, quoted(cursor_.text_of(name)) + " is the property process, which takes no part");
  return false;
}

bool ExpressionParser::is_array_with_index(const Token& name, VariableId variable) {
  if (variable == kNothing)
    return false;
  if (!model_.variables[variable].is_array)
    cursor_.error(name.where, quoted(cursor_.text_of(name)) + " is not an array and cannot be indexed");
  return model_.variables[variable].is_array;
}

bool ExpressionParser::is_scalar_without_index(const Token& name, VariableId variable) {
  if (variable == kNothing)
    return false;
  const std::string text(cursor_.text_of(name));
  if (model_.variables[variable].is_array)
    cursor_.error(name.where, quoted(text) + " is an array", "write " + text + "[...] for an element");
  return !model_.variables[variable].is_array;
}

ProcessId ExpressionParser::resolve_process(const Token& name) {
  const std::string_view text = cursor_.text_of(name);
  const Symbol* symbol = names_.global(text);
  if (symbol != nullptr && symbol->kind == SymbolKind::kProcess)
    return symbol->index;
  cursor_.error(name.where, symbol == nullptr ? "unknown process " + quoted(text) : quoted(text) + " is not a process",
                cursor_.errors_are_shown() ? names_.suggest_global(text, SymbolKind::kProcess) : "");
  return kNothing;
}

VariableId ExpressionParser::resolve_variable(const Token& name) {
  const std::string_view text = cursor_.text_of(name);
  const Symbol* symbol = names_.visible(place_.process, text);
  if (symbol == nullptr) {
    unknown_name(name);
    return kNothing;
  }
  if (symbol->kind == SymbolKind::kVariable)
    return symbol->index;
  const char* sort = symbol->kind == SymbolKind::kChannel ? " is a channel" : " is a process";
  cursor_.error(name.where, quoted(text) + sort + ", but a variable is needed here");
  return kNothing;
}

void ExpressionParser::unknown_name(const Token& name) {
  const std::string text(cursor_.text_of(name));
  std::string hint;
  if (cursor_.errors_are_shown()) {
    const std::optional<ProcessId> owner = names_.process_with_local(text);
    if (place_.process != kNothing && names_.state(place_.process, text))
      hint = "a state is tested with " + model_.processes[place_.process].name + "." + text;
    else if (place_.allows_foreign && owner)
      hint = "write " + model_.processes[*owner].name + "->" + text;
    else
      hint = names_.suggest_variable(place_.process, text);
  }
  cursor_.error(name.where, "unknown name '" + text + "'", std::move(hint));
}

VariableId ExpressionParser::resolve_foreign(ProcessId process, const Token& name) {
  const std::string_view text = cursor_.text_of(name);
  const Symbol* symbol = names_.local(process, text);
  if (symbol != nullptr)
    return symbol->index;
  cursor_.error(name.where, "process '" + model_.processes[process].name + "' has no variable " + quoted(text),
                cursor_.errors_are_shown() ? names_.suggest_local(process, text) : "");
  return kNothing;
}

}  // namespace tideline::dve
