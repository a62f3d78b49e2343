// SPDX-License-Identifier: MIT
// Which slots and parts of the state are always defined: the greatest fixpoint described in analysis.h.
#include <algorithm>

#include "ir/analysis.h"
#include "ir/walk.h"

namespace tideline::ir {
namespace {

bool is_value_slot(const Ref& ref, const Frame& frame) {
  return ref.root == Root::kLocal && frame.locals[ref.slot].kind == LocalKind::kValue;
}

// Slots that are given a value before anything can read them: parameters, bindings, loop variables.
std::vector<bool> initially_undefined(const Code& code) {
  std::vector<bool> undefined(code.frame->locals.size(), true);
  if (code.function != nullptr)
    std::fill_n(undefined.begin(), code.function->param_count, false);
  auto visit = [&undefined](const Expr& expr) {
    if (expr.op == ExprOp::kForall || expr.op == ExprOp::kExists || expr.op == ExprOp::kMultisetCount)
      undefined[expr.slot] = false;
  };
  if (code.bindings != nullptr) {
    for (const Binding& binding : *code.bindings)
      undefined[binding.slot] = false;
    for_each_expr(*code.bindings, visit);
  }
  if (code.condition != nullptr)
    for_each_expr(*code.condition, visit);
  if (code.body != nullptr) {
    for_each_expr(*code.body, visit);
    for_each_stmt(*code.body, [&undefined](const Stmt& stmt) {
      if (stmt.kind == StmtKind::kFor || stmt.kind == StmtKind::kMultisetRemoveWhere)
        undefined[stmt.slot] = false;
    });
  }
  return undefined;
}

}  // namespace

bool Analysis::drop_slot(const Frame& frame, SlotIndex slot) {
  std::vector<bool>& undefined = undefined_slots_.at(&frame);
  if (undefined[slot])
    return false;
  undefined[slot] = true;
  return true;
}

bool Analysis::drop_arguments(const Expr& call, const Frame& frame) {
  bool changed = false;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (call.arguments[i].value && may_be_undefined(*call.arguments[i].value, frame))
      changed |= drop_slot(call.callee->frame, static_cast<SlotIndex>(i));
  return changed;
}

bool Analysis::drop_undefined_slots(const Code& code) {
  bool changed = false;
  const Frame& frame = *code.frame;
  auto visit = [&](const Expr& expr) {
    if (expr.op == ExprOp::kCall)
      changed |= drop_arguments(expr, frame);
  };
  if (code.bindings != nullptr) {
    for_each_expr(*code.bindings, visit);
    for (const Binding& binding : *code.bindings)
      if (binding.kind == BindingKind::kValue && may_be_undefined(*binding.value, frame))
        changed |= drop_slot(frame, binding.slot);
  }
  if (code.condition != nullptr)
    for_each_expr(*code.condition, visit);
  if (code.body == nullptr)
    return changed;
  for_each_expr(*code.body, visit);
  for_each_stmt(*code.body, [&](const Stmt& stmt) {
    if (stmt.kind == StmtKind::kReturn && code.function != nullptr && stmt.value &&
        may_be_undefined(*stmt.value, frame))
      changed |= undefined_results_.insert(code.function).second;
    const bool undefines =
        stmt.kind == StmtKind::kUndefine || (stmt.kind == StmtKind::kAssign && may_be_undefined(*stmt.value, frame));
    if (undefines && is_value_slot(stmt.ref, frame))
      changed |= drop_slot(frame, stmt.ref.slot);
  });
  return changed;
}

bool Analysis::drop_parts(const Target& target, const Type& type) {
  const std::size_t before = defined_.size();
  if (target.anywhere)
    defined_.clear();
  for (const std::uint64_t base : target.bases)
    for_each_part(type, base, [this](std::uint64_t bit, const Type&) { defined_.erase(bit); });
  return defined_.size() != before;
}

bool Analysis::drop_copied_parts(const Stmt& stmt, const Frame& frame) {
  const Target to = target_of(stmt.ref, frame);
  const Target from = target_of(stmt.source, frame);
  if (from.local || from.anywhere || to.anywhere)
    return drop_parts(to, *stmt.ref.type);
  const std::size_t before = defined_.size();
  for_each_part(*stmt.ref.type, 0, [&](std::uint64_t bit, const Type& type) {
    if (!type.domain->has_undefined || std::all_of(from.bases.begin(), from.bases.end(),
                                                   [&](std::uint64_t base) { return defined_.contains(base + bit); }))
      return;
    for (const std::uint64_t base : to.bases)
      defined_.erase(base + bit);
  });
  return defined_.size() != before;
}

bool Analysis::drop_undefined_parts(const Code& code) {
  bool changed = false;
  const Frame& frame = *code.frame;
  for_each_stmt(*code.body, [&](const Stmt& stmt) {
    if (stmt.kind == StmtKind::kCopy)
      changed |= drop_copied_parts(stmt, frame);
    const bool undefines =
        stmt.kind == StmtKind::kUndefine || (stmt.kind == StmtKind::kAssign && may_be_undefined(*stmt.value, frame));
    if (undefines && !is_value_slot(stmt.ref, frame))
      changed |= drop_parts(target_of(stmt.ref, frame), *stmt.ref.type);
  });
  return changed;
}

// Parts of the state that are defined in every initial state, in all elements of the arrays around them.
void Analysis::find_candidates(const std::vector<bool>& undefined_at_start) {
  if (undefined_at_start.empty())
    return;
  for (const Variable& variable : program_.variables)
    for_each_part(*variable.type, variable.offset, [this](std::uint64_t bit, const Type& type) {
      if (type.domain->has_undefined)
        defined_.insert(bit);
    });
  for (std::uint64_t bit = 0; bit < undefined_at_start.size(); ++bit)
    if (undefined_at_start[bit])
      defined_.erase(canonical_bit(bit));
}

void Analysis::find_undefined(const std::vector<bool>& undefined_at_start) {
  for (const Code& code : codes_)
    undefined_slots_[code.frame] = initially_undefined(code);
  find_candidates(undefined_at_start);
  // What only start rules run has had its effect on the initial states; everything else must keep parts defined.
  std::set<const Frame*> after_start;
  for (const Code& code : codes_) {
    if (code.is_start || code.function != nullptr)
      continue;
    after_start.insert(code.frame);
    for (const Function* callee : reachable_.at(code.frame))
      after_start.insert(&callee->frame);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Code& code : codes_) {
      changed |= drop_undefined_slots(code);
      if (code.body != nullptr && after_start.contains(code.frame))
        changed |= drop_undefined_parts(code);
    }
  }
}

}  // namespace tideline::ir
