// SPDX-License-Identifier: MIT
#include "symmetry/failing_quantifiers.h"

#include <set>

#include "ir/walk.h"
#include "symmetry/scalarsets.h"

namespace tideline::symmetry {
namespace {

class Finder {
 public:
  Finder(const ir::Program& program, const ir::Analysis& analysis)
      : program_(program), analysis_(analysis), scalarsets_(program) {}

  std::vector<Asymmetry> find() {
    for (const ir::Property& property : program_.properties)
      if (property.kind == ir::PropertyKind::kInvariant)
        mark_harmless(*property.condition, true);
    for (const ir::Code& code : analysis_.codes())
      if (code.body != nullptr)
        ir::for_each_stmt(*code.body, [&](const ir::Stmt& stmt) { statement(stmt); });
    for (const ir::Code& code : analysis_.codes())
      if (!code.is_measure)
        search(code);
    return std::move(found_);
  }

 private:
  // An expression whose other value than `needed` is a violation: marks the quantifiers that then decide.
  void mark_harmless(const ir::Expr& expr, bool needed) {
    switch (expr.op) {
      case ir::ExprOp::kNot:
        return mark_harmless(*expr.args[0], !needed);
      case ir::ExprOp::kForall:
      case ir::ExprOp::kExists:
        if (needed != (expr.op == ir::ExprOp::kForall))
          return;
        harmless_.insert(&expr);
        return mark_harmless(*expr.args[0], needed);
      case ir::ExprOp::kAnd:
      case ir::ExprOp::kOr:
        if (needed == (expr.op == ir::ExprOp::kAnd))
          mark_harmless(*expr.args[0], needed);
        return mark_harmless(*expr.args[1], needed);
      case ir::ExprOp::kImplies:
        if (!needed)
          mark_harmless(*expr.args[0], true);
        return mark_harmless(*expr.args[1], needed);
      default:
        return;
    }
  }

  void statement(const ir::Stmt& stmt) {
    if (stmt.kind == ir::StmtKind::kAssert)
      mark_harmless(*stmt.value, true);
    if (stmt.kind != ir::StmtKind::kFor || stmt.loop.domain == nullptr)
      return;
    bool has_return = false;
    ir::for_each_stmt(stmt.body, [&has_return](const ir::Stmt& inner) {
      has_return = has_return || inner.kind == ir::StmtKind::kReturn;
    });
    if (has_return)
      report(*stmt.loop.domain, stmt.where, "this loop");
  }

  void search(const ir::Code& code) {
    const auto visit = [&](const ir::Expr& expr) {
      const bool is_quantifier = expr.op == ir::ExprOp::kForall || expr.op == ir::ExprOp::kExists;
      if (is_quantifier && expr.loop.domain != nullptr && !harmless_.contains(&expr) &&
          analysis_.may_fail(*expr.args[0], *code.frame))
        report(*expr.loop.domain, expr.where, expr.op == ir::ExprOp::kForall ? "this forall" : "this exists");
    };
    if (code.bindings != nullptr)
      ir::for_each_expr(*code.bindings, visit);
    if (code.condition != nullptr)
      ir::for_each_expr(*code.condition, visit);
    if (code.body != nullptr)
      ir::for_each_expr(*code.body, visit);
  }

  void report(const ir::Domain& domain, Location where, const std::string& what) {
    for (const ir::Domain* scalarset : scalarsets_.in(domain))
      found_.push_back({scalarset, where,
                        what + " may end before it meets a member of scalarset '" + scalarset->name +
                            "' for which it has a run-time error, or not, by their order",
                        false});
  }

  const ir::Program& program_;
  const ir::Analysis& analysis_;
  const Scalarsets scalarsets_;
  std::set<const ir::Expr*> harmless_;
  std::vector<Asymmetry> found_;
};

}  // namespace

std::vector<Asymmetry> find_failing_quantifiers(const ir::Program& program, const ir::Analysis& analysis) {
  return Finder(program, analysis).find();
}

}  // namespace tideline::symmetry
