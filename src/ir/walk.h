// SPDX-License-Identifier: MIT
// Visiting the parts of programs: every analysis that only collects something is a lambda over these.
#pragma once

#include "ir/program.h"

namespace tideline::ir {

// Calls visit(const Expr&) for the expressions directly inside a reference or an expression, in evaluation order.
template <typename Visit>
void for_each_index(const Ref& ref, Visit&& visit) {
  for (const Subscript& subscript : ref.subscripts)
    visit(*subscript.index);
}

template <typename Visit>
void for_each_operand(const Expr& expr, Visit&& visit) {
  for (const Ref& ref : expr.refs)
    for_each_index(ref, visit);
  for (const ExprPtr* bound : {&expr.loop.from, &expr.loop.to, &expr.loop.by})
    if (*bound)
      visit(**bound);
  for (const ExprPtr& arg : expr.args)
    visit(*arg);
  for (const Argument& argument : expr.arguments) {
    if (argument.value)
      visit(*argument.value);
    if (argument.ref)
      for_each_index(*argument.ref, visit);
  }
}

// Calls visit(const Expr&) for an expression and everything below it, outermost first.
template <typename Visit>
void for_each_expr(const Expr& expr, Visit&& visit) {
  visit(expr);
  for_each_operand(expr, [&visit](const Expr& operand) { for_each_expr(operand, visit); });
}

template <typename Visit>
void for_each_expr(const Ref& ref, Visit&& visit) {
  for_each_index(ref, [&visit](const Expr& index) { for_each_expr(index, visit); });
}

// Calls visit(const Expr&) for the expressions directly inside a statement, without those of nested statements.
template <typename Visit>
void for_each_operand(const Stmt& stmt, Visit&& visit) {
  for_each_index(stmt.ref, visit);
  for_each_index(stmt.source, visit);
  for (const ExprPtr* part : {&stmt.value, &stmt.loop.from, &stmt.loop.to, &stmt.loop.by})
    if (*part)
      visit(**part);
}

// Calls visit(const Stmt&) for every statement of a block and of the blocks inside it, outer ones first.
template <typename Visit>
void for_each_stmt(const Block& block, Visit&& visit) {
  for (const auto& stmt : block) {
    visit(*stmt);
    for_each_stmt(stmt->body, visit);
    for_each_stmt(stmt->other, visit);
  }
}

// Every expression of a block.
template <typename Visit>
void for_each_expr(const Block& block, Visit&& visit) {
  for_each_stmt(block, [&visit](const Stmt& stmt) {
    for_each_operand(stmt, [&visit](const Expr& expr) { for_each_expr(expr, visit); });
  });
}

// Every expression of a list of bindings.
template <typename Visit>
void for_each_expr(const std::vector<Binding>& bindings, Visit&& visit) {
  for (const Binding& binding : bindings) {
    for_each_expr(binding.ref, visit);
    if (binding.value)
      for_each_expr(*binding.value, visit);
  }
}

// Calls visit(const Ref&) for every reference in an expression, the arguments of calls included.
template <typename Visit>
void for_each_ref(const Expr& expr, Visit&& visit) {
  for_each_expr(expr, [&visit](const Expr& part) {
    for (const Ref& ref : part.refs)
      visit(ref);
    for (const Argument& argument : part.arguments)
      if (argument.ref)
        visit(*argument.ref);
  });
}

// Every reference of a block, those that statements write included.
template <typename Visit>
void for_each_ref(const Block& block, Visit&& visit) {
  for_each_stmt(block, [&visit](const Stmt& stmt) {
    for (const Ref* ref : {&stmt.ref, &stmt.source})
      if (ref->type != nullptr)
        visit(*ref);
    for_each_operand(stmt, [&visit](const Expr& expr) { for_each_ref(expr, visit); });
  });
}

}  // namespace tideline::ir
