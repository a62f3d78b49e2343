// SPDX-License-Identifier: MIT
#include "symmetry/step_code.h"

#include <vector>

#include "ir/walk.h"

namespace tideline::symmetry {

std::set<const ir::Function*> step_functions(const ir::Program& program) {
  std::set<const ir::Function*> reached;
  std::vector<const ir::Function*> waiting;
  const auto visit = [&](const ir::Expr& expr) {
    if (expr.op == ir::ExprOp::kCall && reached.insert(expr.callee).second)
      waiting.push_back(expr.callee);
  };
  for (const ir::Rule& rule : program.rules) {
    ir::for_each_expr(rule.bindings, visit);
    if (rule.guard)
      ir::for_each_expr(*rule.guard, visit);
    ir::for_each_expr(rule.body, visit);
  }
  for (const ir::Property& property : program.properties) {
    ir::for_each_expr(property.bindings, visit);
    ir::for_each_expr(*property.condition, visit);
  }
  while (!waiting.empty()) {
    const ir::Function* function = waiting.back();
    waiting.pop_back();
    ir::for_each_expr(function->body, visit);
  }
  return reached;
}

}  // namespace tideline::symmetry
