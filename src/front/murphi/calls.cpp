// SPDX-License-Identifier: MIT
// Calls. By-value parameters of simple type are copied; aggregates are bound by reference even by value, and cannot be
// written by the callee, as in both dialects. A function with an aggregate result writes it through a leading alias
// parameter, so it can be called only where a statement can be put before: see object_or_result().
#include <utility>

#include "front/murphi/elaborator.h"

namespace tideline::murphi {

const Symbol* Elaborator::function_symbol(const Expr& expr) {
  const Symbol* symbol = scopes_.find(expr.name.text);
  if (symbol == nullptr) {
    unknown_name(expr.name, "function");
    return nullptr;
  }
  if (symbol->kind == SymbolKind::kConst && symbol->sort == Sort::kError)
    return nullptr;  // its declaration was wrong
  if (symbol->kind != SymbolKind::kFunction) {
    error(expr.name.where, "'" + expr.name.text + "' is not a function");
    return nullptr;
  }
  return symbol;
}

std::vector<ir::Argument> Elaborator::arguments(const Expr& expr, FunctionInfo& callee, Call& site) {
  std::vector<ir::Argument> made;
  if (expr.args.size() != callee.params.size()) {
    error(expr.span.where, "'" + expr.name.text + "' needs " + std::to_string(callee.params.size()) +
                               (callee.params.size() == 1 ? " argument" : " arguments") + ", not " +
                               std::to_string(expr.args.size()));
    return made;
  }
  for (std::size_t k = 0; k < expr.args.size(); ++k) {
    const Parameter& param = callee.params[k];
    const Expr& actual = *expr.args[k];
    const std::string what = "argument '" + param.name + "' of '" + expr.name.text + "'";
    ir::Argument argument;
    Origin origin;
    if (!param.is_var && param.type->is_simple()) {
      // CMurphi binds a variable of exactly the (named) type of the parameter without reading it.
      Value passed = object(actual);
      const bool is_exact = passed.ref && passed.type == param.type && !param.type->name.empty();
      read(passed, is_exact ? ReadMode::kRaw : ReadMode::kArgument);
      argument.value = fitting(std::move(passed), *param.type, what.c_str());
    } else {
      Value bound = param.is_var ? object(actual) : object_or_result(actual);
      if (bound.is_error()) {
        continue;
      }
      if (param.is_var && (!bound.ref || !bound.is_writable)) {
        error(actual.span.where, what + " is a var parameter and needs a variable; this is " +
                                     (bound.what[0] == '\0' ? "an expression" : std::string(bound.what)));
        continue;
      }
      if (!bound.ref || bound.sort == Sort::kSlot || !same_type(*bound.type, *param.type)) {
        const bool is_other_range = param.is_var && bound.ref && sort_of(*bound.type) == sort_of(*param.type);
        error(actual.span.where, is_other_range
                                     ? what + " needs a variable of type '" + name_of(*param.type) + "', not '" +
                                           name_of(*bound.type) + "'"
                                     : what + " must be " + describe(*param.type) + ", not " + describe(bound));
        continue;
      }
      make_addressable(*bound.ref);
      origin = bound.origin;
      argument.ref = std::move(bound.ref);
    }
    site.arguments.push_back(origin);
    made.push_back(std::move(argument));
  }
  return made;
}

void Elaborator::note_call(Call site) {
  if (pure_place_ != nullptr)
    pure_calls_.push_back({std::move(site), pure_place_});
  else if (function_ != nullptr)
    function_->effects.calls.push_back(std::move(site));
  else
    calls_.push_back(std::move(site));
}

Value Elaborator::call(const Expr& expr, bool is_statement) {
  const Symbol* symbol = function_symbol(expr);
  if (symbol == nullptr)
    return {};
  FunctionInfo& callee = *symbol->function;
  if (!is_statement && callee.result == nullptr) {
    error(expr.span.where, "'" + expr.name.text + "' is a procedure and has no value");
    return {};
  }
  if (callee.has_aggregate_result()) {
    if (is_statement)
      return object_or_result(expr);
    error(expr.span.where, "the value of '" + expr.name.text + "' is " + describe(*callee.result),
          "assign it to a local variable first");
    return {};
  }
  Call site{&callee, expr.span.where, {}};
  std::vector<ir::Argument> actuals = arguments(expr, callee, site);
  note_call(std::move(site));
  Value result;
  result.where = expr.span.where;
  bool may_be_undefined = false;
  if (callee.result != nullptr) {
    result.sort = sort_of(*callee.result);
    if (result.sort == Sort::kSymbol)
      result.domain = callee.result->domain;
    may_be_undefined = !options_.strict_undefined && callee.result->domain->kind != ir::DomainKind::kEnum &&
                       result.sort == Sort::kSymbol;
  }
  result.expr = ir::make_call(callee.function, std::move(actuals), may_be_undefined, expr.span.where);
  return result;
}

Value Elaborator::object_or_result(const Expr& expr) {
  if (expr.kind != ExprKind::kCall || block_ == nullptr)
    return object(expr);
  const Symbol* symbol = scopes_.find(expr.name.text);
  if (symbol == nullptr || symbol->kind != SymbolKind::kFunction || !symbol->function->has_aggregate_result())
    return object(expr);
  FunctionInfo& callee = *symbol->function;
  Call site{&callee, expr.span.where, {}};
  std::vector<ir::Argument> actuals = arguments(expr, callee, site);
  note_call(std::move(site));
  // A temporary, since the function may read what its result will be assigned to.
  const ir::SlotIndex slot = new_local("", callee.result, ir::LocalKind::kPacked);
  emit(ir::StmtKind::kUndefine, expr.span.where).ref = ir::make_local_ref(*frame_, slot, expr.span.where);
  ir::Argument leading;
  leading.ref = std::make_unique<ir::Ref>(ir::make_local_ref(*frame_, slot, expr.span.where));
  actuals.insert(actuals.begin(), std::move(leading));
  emit(ir::StmtKind::kCall, expr.span.where).value =
      ir::make_call(callee.function, std::move(actuals), false, expr.span.where);
  Value result;
  result.sort = Sort::kAggregate;
  result.where = expr.span.where;
  result.type = callee.result;
  result.ref = std::make_unique<ir::Ref>(ir::make_local_ref(*frame_, slot, expr.span.where));
  result.ref->text = expr.name.text + "(...)";
  result.what = "the result of a function";
  return result;
}

}  // namespace tideline::murphi
