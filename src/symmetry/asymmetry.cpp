// SPDX-License-Identifier: MIT
#include "symmetry/asymmetry.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "ir/walk.h"
#include "symmetry/loop_order.h"
#include "symmetry/scalarsets.h"
#include "symmetry/slot_use.h"
#include "symmetry/step_code.h"

namespace tideline::symmetry {
namespace {

// Do permutations of scalarsets act alike on objects of the two types, which have the same layout?
bool permute_alike(const ir::Type& a, const ir::Type& b, const Scalarsets& scalarsets) {
  if (&a == &b)
    return true;
  if (a.domain != nullptr && (b.domain == nullptr || scalarsets.in(*a.domain) != scalarsets.in(*b.domain)))
    return false;
  if (a.element != nullptr && !permute_alike(*a.element, *b.element, scalarsets))
    return false;
  return std::equal(
      a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
      [&scalarsets](const ir::Field& x, const ir::Field& y) { return permute_alike(*x.type, *y.type, scalarsets); });
}

bool is_ordered(ir::ExprOp op) {
  switch (op) {
    case ir::ExprOp::kNegate:
    case ir::ExprOp::kComplement:
    case ir::ExprOp::kAdd:
    case ir::ExprOp::kSubtract:
    case ir::ExprOp::kMultiply:
    case ir::ExprOp::kDivide:
    case ir::ExprOp::kModulo:
    case ir::ExprOp::kBitAnd:
    case ir::ExprOp::kBitOr:
    case ir::ExprOp::kBitXor:
    case ir::ExprOp::kShiftLeft:
    case ir::ExprOp::kShiftRight:
    case ir::ExprOp::kLess:
    case ir::ExprOp::kLessEqual:
    case ir::ExprOp::kGreater:
    case ir::ExprOp::kGreaterEqual:
      return true;
    default:
      return false;
  }
}

// The domain of a value that may be a scalarset member; null if it cannot be one.
const ir::Domain* domain_of(const ir::Expr& expr) {
  switch (expr.op) {
    case ir::ExprOp::kRead:
      return expr.refs[0].type->domain;
    case ir::ExprOp::kCall:
      return expr.callee->result;
    case ir::ExprOp::kConditional: {
      const ir::Domain* first = domain_of(*expr.args[1]);
      return first != nullptr ? first : domain_of(*expr.args[2]);
    }
    default:
      return nullptr;
  }
}

// Statements by which others can see that a function was called: writes to more than its own variables, and what marks,
// ends or fails the step.
bool is_visible(const ir::Stmt& stmt) {
  switch (stmt.kind) {
    case ir::StmtKind::kAssume:
    case ir::StmtKind::kCover:
    case ir::StmtKind::kAssert:
    case ir::StmtKind::kError:
      return true;
    case ir::StmtKind::kAssign:
    case ir::StmtKind::kCopy:
    case ir::StmtKind::kUndefine:
    case ir::StmtKind::kClear:
    case ir::StmtKind::kMultisetAdd:
    case ir::StmtKind::kMultisetRemove:
    case ir::StmtKind::kMultisetRemoveWhere:
      return stmt.ref.root != ir::Root::kLocal;
    default:
      return false;
  }
}

bool has_visible_calls(const ir::Expr& expr, std::set<const ir::Function*>& seen) {
  bool found = false;
  ir::for_each_expr(expr, [&](const ir::Expr& part) {
    if (part.op != ir::ExprOp::kCall || !seen.insert(part.callee).second)
      return;
    ir::for_each_stmt(part.callee->body, [&](const ir::Stmt& stmt) {
      found = found || is_visible(stmt);
      ir::for_each_operand(stmt, [&](const ir::Expr& inner) { found = found || has_visible_calls(inner, seen); });
    });
  });
  return found;
}

// Uses that break symmetry wherever they stand. One piece of code at a time.
class Uses {
 public:
  Uses(const Scalarsets& scalarsets, std::vector<Asymmetry>& found) : scalarsets_(scalarsets), found_(found) {}

  void code(const ir::Frame& frame, const ir::Domain* result, const ir::Block& body) {
    ir::for_each_stmt(body, [&](const ir::Stmt& stmt) { statement(stmt, frame, result); });
    ir::for_each_expr(body, [this](const ir::Expr& expr) { expression(expr); });
  }

  void expressions(const ir::Expr& expr) {
    ir::for_each_expr(expr, [this](const ir::Expr& part) { expression(part); });
  }

  void bindings(const std::vector<ir::Binding>& bindings) {
    ir::for_each_expr(bindings, [this](const ir::Expr& expr) { expression(expr); });
  }

 private:
  void report(const ir::Domain* scalarset, Location where, const std::string& what, bool certain) {
    found_.push_back({scalarset, where, what + " scalarset '" + scalarset->name + "'", certain});
  }

  void statement(const ir::Stmt& stmt, const ir::Frame& frame, const ir::Domain* result) {
    loop_bounds(stmt.loop);
    switch (stmt.kind) {
      case ir::StmtKind::kClear:
        return least_values(*stmt.ref.type, stmt.where);
      case ir::StmtKind::kAssign:
        value(*stmt.value, stmt.ref.type->domain);
        return;
      case ir::StmtKind::kReturn:
        if (stmt.value)
          value(*stmt.value, result);
        return;
      case ir::StmtKind::kCopy:
        return copy(*stmt.ref.type, *stmt.source.type, stmt.where);
      case ir::StmtKind::kMultisetAdd:
        return copy(*stmt.ref.type->element, *stmt.source.type, stmt.where);
      case ir::StmtKind::kBind:
        return copy(*frame.locals[stmt.slot].type, *stmt.ref.type, stmt.where);
      case ir::StmtKind::kMultisetRemoveWhere:
        return effects(*stmt.value, scalarsets_.in(*stmt.ref.type->element));
      default:
        return;
    }
  }

  void expression(const ir::Expr& expr) {
    loop_bounds(expr.loop);
    if (is_ordered(expr.op))
      for (const ir::ExprPtr& arg : expr.args)
        number(*arg);
    switch (expr.op) {
      case ir::ExprOp::kEqual:
      case ir::ExprOp::kNotEqual:
        value(*expr.args[0], domain_of(*expr.args[1]));
        value(*expr.args[1], domain_of(*expr.args[0]));
        return;
      case ir::ExprOp::kForall:
      case ir::ExprOp::kExists:
        if (expr.loop.domain != nullptr)
          effects(*expr.args[0], scalarsets_.in(*expr.loop.domain));
        return;
      case ir::ExprOp::kMultisetCount:
        return effects(*expr.args[0], scalarsets_.in(*expr.refs[0].type->element));
      case ir::ExprOp::kSameBits:
        return copy(*expr.refs[0].type, *expr.refs[1].type, expr.where);
      case ir::ExprOp::kCall:
        return arguments(expr);
      default:
        return;
    }
  }

  void arguments(const ir::Expr& call) {
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      const ir::Type& type = *call.callee->frame.locals[k].type;
      if (call.arguments[k].value)
        value(*call.arguments[k].value, type.domain);
      else
        copy(type, *call.arguments[k].ref->type, call.where);
    }
  }

  void loop_bounds(const ir::LoopRange& loop) {
    for (const ir::ExprPtr* bound : {&loop.from, &loop.to, &loop.by})
      if (*bound)
        number(**bound);
  }

  // A value that is used as a number.
  void number(const ir::Expr& expr) {
    if (const ir::Domain* domain = domain_of(expr))
      for (const ir::Domain* scalarset : scalarsets_.in(*domain))
        report(scalarset, expr.where, "order or arithmetic on members of", true);
  }

  // A value that is stored in, or compared with one of, the domain.
  void value(const ir::Expr& expr, const ir::Domain* domain) {
    if (domain == nullptr)
      return;
    if (expr.op == ir::ExprOp::kConditional) {
      value(*expr.args[1], domain);
      return value(*expr.args[2], domain);
    }
    if (expr.op == ir::ExprOp::kConstant) {
      if (const ir::Domain* scalarset = scalarsets_.of_value(*domain, expr.constant))
        report(scalarset, expr.where, "a constant member of", true);
      return;
    }
    const bool is_symbol = domain->kind == ir::DomainKind::kScalarset || domain->kind == ir::DomainKind::kUnion;
    if (!is_symbol && domain->kind != ir::DomainKind::kEnum)
      number(expr);
  }

  void copy(const ir::Type& to, const ir::Type& from, Location where) {
    if (permute_alike(to, from, scalarsets_))
      return;
    for (const ir::Type* type : {&to, &from})
      for (const ir::Domain* scalarset : scalarsets_.in(*type))
        report(scalarset, where, "objects are mixed whose types differ in", false);
  }

  void effects(const ir::Expr& condition, const std::vector<const ir::Domain*>& scalarsets) {
    std::set<const ir::Function*> seen;
    if (!has_visible_calls(condition, seen))
      return;
    for (const ir::Domain* scalarset : scalarsets)
      report(scalarset, condition.where,
             "a condition with effects or assertions is evaluated in an order that depends on the members of", false);
  }

  void least_values(const ir::Type& type, Location where) {
    if (type.is_simple()) {
      if (const ir::Domain* scalarset = scalarsets_.of_value(*type.domain, type.domain->hull().lo))
        report(scalarset, where, "'clear' stores the first member of", true);
    } else if (type.kind == ir::TypeKind::kArray) {
      least_values(*type.element, where);
    }
    for (const ir::Field& field : type.fields)
      least_values(*field.type, where);
  }

  const Scalarsets& scalarsets_;
  std::vector<Asymmetry>& found_;
};

void find_uses(const ir::Program& program, const Scalarsets& scalarsets, std::vector<Asymmetry>& found) {
  Uses uses(scalarsets, found);
  for (const ir::Rule& rule : program.rules) {
    uses.bindings(rule.bindings);
    if (rule.guard)
      uses.expressions(*rule.guard);
    uses.code(rule.frame, nullptr, rule.body);
  }
  for (const ir::Property& property : program.properties) {
    uses.bindings(property.bindings);
    uses.expressions(*property.condition);
  }
  for (const ir::Function* function : step_functions(program))
    uses.code(function->frame, function->result, function->body);
}

}  // namespace

std::vector<Asymmetry> find_asymmetries(const ir::Program& program) {
  std::vector<Asymmetry> found;
  const Scalarsets scalarsets(program);
  if (scalarsets.all().empty())
    return found;
  find_uses(program, scalarsets, found);
  find_ordered_loops(program, scalarsets, found);
  find_slot_uses(program, scalarsets, found);
  const auto key = [](const Asymmetry& a) {
    return std::make_tuple(a.where.line, a.where.column, a.scalarset->hull().lo, !a.certain, std::string_view(a.what));
  };
  std::sort(found.begin(), found.end(), [&key](const Asymmetry& a, const Asymmetry& b) { return key(a) < key(b); });
  found.erase(std::unique(found.begin(), found.end(),
                          [&key](const Asymmetry& a, const Asymmetry& b) { return key(a) == key(b); }),
              found.end());
  return found;
}

}  // namespace tideline::symmetry
