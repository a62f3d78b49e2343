// SPDX-License-Identifier: MIT
// Failure and value facts; aliases and regions are in analysis_targets.cpp, the fixpoint about undefined values in
// analysis_undefined.cpp.
#include "ir/analysis.h"

#include <algorithm>

#include "base/check.h"
#include "ir/walk.h"

namespace tideline::ir {
namespace {

// Is every value of `range` in one of the parts, which may lie side by side?
bool covers(const std::vector<Interval>& parts, const Interval& range) {
  std::int64_t next = range.lo;
  for (std::size_t tried = 0; tried < parts.size();) {
    const Interval& part = parts[tried];
    if (!part.contains(next)) {
      ++tried;
      continue;
    }
    if (part.hi >= range.hi)
      return true;
    next = part.hi + 1;
    tried = 0;
  }
  return false;
}

bool covers(const Domain& domain, const Domain& other) {
  return std::all_of(other.parts.begin(), other.parts.end(),
                     [&domain](const Interval& part) { return covers(domain.parts, part); });
}

// Does running the block always end with a return (or not at all)?
bool always_returns(const Block& block) {
  return std::any_of(block.begin(), block.end(), [](const auto& stmt) {
    switch (stmt->kind) {
      case StmtKind::kReturn:
      case StmtKind::kError:
        return true;
      case StmtKind::kIf:
        return always_returns(stmt->body) && always_returns(stmt->other);
      default:
        return false;
    }
  });
}

bool is_logical(ExprOp op) {
  return op == ExprOp::kNot || op == ExprOp::kAnd || op == ExprOp::kOr || op == ExprOp::kImplies;
}

}  // namespace

Analysis::Analysis(const Program& program, const std::vector<bool>& undefined_at_start) : program_(program) {
  collect_codes();
  find_reachable();
  find_targets();
  find_written_regions();
  find_undefined(undefined_at_start);
  find_failing();
}

void Analysis::collect_codes() {
  for (const Rule& rule : program_.starts)
    codes_.push_back({&rule.frame, &rule.bindings, rule.guard.get(), &rule.body, nullptr, true});
  for (const Rule& rule : program_.rules)
    codes_.push_back({&rule.frame, &rule.bindings, rule.guard.get(), &rule.body, nullptr, false});
  for (const Property& property : program_.properties)
    codes_.push_back({&property.frame, &property.bindings, property.condition.get(), nullptr, nullptr,
                      property.kind == PropertyKind::kAssumption});
  for (const ProgressComponent& component : program_.progress) {
    codes_.push_back({&component.frame, nullptr, component.value.get(), nullptr, nullptr, false});
    codes_.back().is_measure = true;
  }
  for (const Function& function : program_.functions)
    codes_.push_back({&function.frame, nullptr, nullptr, &function.body, &function, false});
  for (const Code& code : codes_)
    code_numbers_.emplace(code.frame, code_numbers_.size());
}

void Analysis::find_reachable() {
  for (const Code& code : codes_) {
    std::set<const Function*>& callees = reachable_[code.frame];
    auto visit = [&callees](const Expr& expr) {
      if (expr.op == ExprOp::kCall)
        callees.insert(expr.callee);
    };
    if (code.bindings != nullptr)
      for_each_expr(*code.bindings, visit);
    if (code.condition != nullptr)
      for_each_expr(*code.condition, visit);
    if (code.body != nullptr)
      for_each_expr(*code.body, visit);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [frame, callees] : reachable_) {
      std::set<const Function*> further = callees;
      for (const Function* callee : callees)
        further.insert(reachable_.at(&callee->frame).begin(), reachable_.at(&callee->frame).end());
      if (further.size() != callees.size()) {
        callees = std::move(further);
        changed = true;
      }
    }
  }
  for (const Code& code : codes_) {
    if (!code.is_start)
      continue;
    in_start_.insert(code.frame);
    for (const Function* callee : reachable_.at(code.frame))
      in_start_.insert(&callee->frame);
  }
}

bool Analysis::fits(const Expr& expr, const Domain& domain) {
  if (covers(domain.parts, expr.range))
    return true;
  switch (expr.op) {
    case ExprOp::kUndefinedValue:
      return true;
    case ExprOp::kRead:
      return covers(domain, *expr.refs[0].type->domain);
    case ExprOp::kConditional:
      return fits(*expr.args[1], domain) && fits(*expr.args[2], domain);
    case ExprOp::kCall:
      return expr.callee->result != nullptr && covers(domain, *expr.callee->result);
    default:
      return false;
  }
}

bool Analysis::has_effects(const Expr& expr) {
  bool found = false;
  for_each_expr(expr, [&found](const Expr& part) {
    if (part.op != ExprOp::kCall)
      return;
    const Frame& frame = part.callee->frame;
    found = found || part.callee->writes_state ||
            std::any_of(frame.locals.begin(), frame.locals.begin() + part.callee->param_count,
                        [](const Local& parameter) { return parameter.kind == LocalKind::kAlias; });
  });
  return found;
}

bool Analysis::has_effects(const Ref& ref) {
  return std::any_of(ref.subscripts.begin(), ref.subscripts.end(),
                     [](const Subscript& subscript) { return has_effects(*subscript.index); });
}

bool Analysis::holds_undefined(const Ref& ref, const Frame& frame) const {
  if (ref.root == Root::kLocal && frame.locals[ref.slot].kind == LocalKind::kValue)
    return undefined_slots_.at(&frame)[ref.slot];
  if (!ref.type->domain->has_undefined)
    return false;
  if (runs_in_start(frame))
    return true;
  const Target target = target_of(ref, frame);
  return target.local || target.anywhere || target.bases.empty() ||
         !std::all_of(target.bases.begin(), target.bases.end(),
                      [this](std::uint64_t bit) { return defined_.contains(bit); });
}

bool Analysis::may_be_undefined(const Expr& expr, const Frame& frame) const {
  switch (expr.op) {
    case ExprOp::kUndefinedValue:
      return true;
    case ExprOp::kRead:
      return !expr.checked && holds_undefined(expr.refs[0], frame);
    case ExprOp::kConditional:
      return may_be_undefined(*expr.args[1], frame) || may_be_undefined(*expr.args[2], frame);
    case ExprOp::kCall:
      return undefined_results_.contains(expr.callee);
    default:
      return false;
  }
}

bool Analysis::needed_may_fail(const Expr& expr, const Frame& frame) const {
  return may_be_undefined(expr, frame) || may_fail(expr, frame);
}

bool Analysis::may_fail(const Ref& ref, const Frame& frame) const {
  return std::any_of(ref.subscripts.begin(), ref.subscripts.end(), [&](const Subscript& subscript) {
    return subscript.is_slot || !fits(*subscript.index, *subscript.domain) || needed_may_fail(*subscript.index, frame);
  });
}

bool Analysis::loop_may_fail(const LoopRange& loop, const Frame& frame) const {
  if (loop.domain != nullptr)
    return false;
  return needed_may_fail(*loop.from, frame) || needed_may_fail(*loop.to, frame) ||
         (loop.by && (loop.by->range.contains(0) || needed_may_fail(*loop.by, frame)));
}

bool Analysis::call_may_fail(const Expr& call, const Frame& frame) const {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& argument = call.arguments[i];
    if (argument.ref && may_fail(*argument.ref, frame))
      return true;
    if (!argument.value)
      continue;
    const Local& parameter = call.callee->frame.locals[i];
    if (may_fail(*argument.value, frame) || !fits(*argument.value, *parameter.type->domain))
      return true;
  }
  return may_fail(*call.callee) || may_discard(*call.callee) || covering_.contains(call.callee);
}

bool Analysis::may_cover(const Expr& expr) const {
  bool found = false;
  for_each_expr(
      expr, [&](const Expr& part) { found = found || (part.op == ExprOp::kCall && covering_.contains(part.callee)); });
  return found;
}

bool Analysis::may_fail(const Expr& expr, const Frame& frame) const {
  switch (expr.op) {
    case ExprOp::kConstant:
    case ExprOp::kUndefinedValue:
      return false;
    case ExprOp::kRead:
      return may_fail(expr.refs[0], frame) || (expr.checked && holds_undefined(expr.refs[0], frame));
    case ExprOp::kIsUndefined:
      return may_fail(expr.refs[0], frame);
    case ExprOp::kSameBits:
      return may_fail(expr.refs[0], frame) || may_fail(expr.refs[1], frame);
    case ExprOp::kMultisetCount:
      return may_fail(expr.refs[0], frame) || needed_may_fail(*expr.args[0], frame);
    case ExprOp::kForall:
    case ExprOp::kExists:
      return loop_may_fail(expr.loop, frame) || needed_may_fail(*expr.args[0], frame);
    case ExprOp::kEqual:
    case ExprOp::kNotEqual:
      return may_fail(*expr.args[0], frame) || may_fail(*expr.args[1], frame);
    case ExprOp::kInDomain:
      return may_fail(*expr.args[0], frame);
    case ExprOp::kConditional:
      return needed_may_fail(*expr.args[0], frame) || may_fail(*expr.args[1], frame) || may_fail(*expr.args[2], frame);
    case ExprOp::kCall:
      return call_may_fail(expr, frame);
    default:
      break;
  }
  // The other operators need all their operands.
  if (std::any_of(expr.args.begin(), expr.args.end(),
                  [&](const ExprPtr& operand) { return needed_may_fail(*operand, frame); }))
    return true;
  if (expr.op == ExprOp::kDivide || expr.op == ExprOp::kModulo)
    return expr.may_overflow || expr.args[1]->range.contains(0);
  if (expr.op == ExprOp::kShiftLeft || expr.op == ExprOp::kShiftRight)
    return expr.may_overflow || expr.args[1]->range.lo < 0;
  return !is_logical(expr.op) && expr.may_overflow;
}

bool Analysis::may_fail(const Function& function) const {
  return failing_.contains(&function);
}

bool Analysis::stmt_may_fail(const Stmt& stmt, const Frame& frame) const {
  if (stmt.kind == StmtKind::kPut)
    return false;
  if (may_fail(stmt.ref, frame) || may_fail(stmt.source, frame))
    return true;
  switch (stmt.kind) {
    case StmtKind::kAssign: {
      const Domain& domain = *stmt.ref.type->domain;
      return may_fail(*stmt.value, frame) || !fits(*stmt.value, domain) ||
             (!domain.has_undefined && may_be_undefined(*stmt.value, frame));
    }
    case StmtKind::kIf:
      return needed_may_fail(*stmt.value, frame) || block_may_fail(stmt.body, frame) ||
             block_may_fail(stmt.other, frame);
    case StmtKind::kFor:
      return loop_may_fail(stmt.loop, frame) || block_may_fail(stmt.body, frame);
    case StmtKind::kAssume:
    case StmtKind::kCover:
    case StmtKind::kMultisetRemoveWhere:
      return needed_may_fail(*stmt.value, frame);
    case StmtKind::kReturn:
    case StmtKind::kCall:
      return stmt.value && may_fail(*stmt.value, frame);
    case StmtKind::kCopy:
    case StmtKind::kUndefine:
    case StmtKind::kClear:
    case StmtKind::kBind:
      return false;
    default:
      return true;  // while, assert, error, adding to and removing from multisets
  }
}

bool Analysis::block_may_fail(const Block& block, const Frame& frame) const {
  return std::any_of(block.begin(), block.end(), [&](const auto& stmt) { return stmt_may_fail(*stmt, frame); });
}

void Analysis::find_failing() {
  for (const Function& function : program_.functions) {
    for_each_stmt(function.body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::kAssume)
        discarding_.insert(&function);
      if (stmt.kind == StmtKind::kCover)
        covering_.insert(&function);
    });
  }
  for (const Function& function : program_.functions) {
    const std::set<const Function*>& callees = reachable_.at(&function.frame);
    for (std::set<const Function*>* found : {&discarding_, &covering_})
      if (std::any_of(callees.begin(), callees.end(), [&](const Function* f) { return found->contains(f); }))
        found->insert(&function);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function& function : program_.functions) {
      if (failing_.contains(&function))
        continue;
      bool fails = function.is_recursive || block_may_fail(function.body, function.frame) ||
                   (function.result != nullptr && !always_returns(function.body));
      for_each_stmt(function.body, [&](const Stmt& stmt) {
        if (stmt.kind == StmtKind::kReturn && function.result != nullptr)
          fails = fails || !stmt.value || !fits(*stmt.value, *function.result);
      });
      if (fails) {
        failing_.insert(&function);
        changed = true;
      }
    }
  }
}

}  // namespace tideline::ir
