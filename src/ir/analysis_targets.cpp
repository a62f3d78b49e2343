// SPDX-License-Identifier: MIT
// What aliases can designate and which state bits are written: flow-insensitive, one answer per slot over all calls.
#include <algorithm>

#include "base/check.h"
#include "ir/analysis.h"
#include "ir/walk.h"

namespace tideline::ir {

bool Target::join(const Target& other) {
  const Target before = *this;
  anywhere = anywhere || other.anywhere;
  local = local || other.local;
  if (other.region.begin != other.region.end) {
    if (region.begin == region.end)
      region = other.region;
    region = {std::min(region.begin, other.region.begin), std::max(region.end, other.region.end)};
  }
  bases.insert(other.bases.begin(), other.bases.end());
  if (bases.size() > kBasesMax)
    anywhere = true;
  if (anywhere)
    bases.clear();
  return anywhere != before.anywhere || local != before.local || bases != before.bases ||
         region.begin != before.region.begin || region.end != before.region.end;
}

std::uint64_t Analysis::canonical_bit(std::uint64_t bit) const {
  const auto after = std::upper_bound(program_.variables.begin(), program_.variables.end(), bit,
                                      [](std::uint64_t b, const Variable& v) { return b < v.offset; });
  CHECK(after != program_.variables.begin());
  const Variable& variable = *std::prev(after);
  std::uint64_t result = variable.offset;
  std::uint64_t rest = bit - variable.offset;
  const Type* type = variable.type;
  while (type->kind != TypeKind::kSimple) {
    if (type->kind == TypeKind::kRecord) {
      const auto next = std::upper_bound(type->fields.begin(), type->fields.end(), rest,
                                         [](std::uint64_t b, const Field& field) { return b < field.offset; });
      if (next == type->fields.begin())
        break;
      const Field& field = *std::prev(next);
      result += field.offset;
      rest -= field.offset;
      type = field.type;
      continue;
    }
    if (type->stride() == 0)
      break;
    rest %= type->stride();
    type = type->element;
  }
  return result + rest;
}

Target Analysis::target_of(const Ref& ref, const Frame& frame) const {
  if (ref.root == Root::kLocal) {
    Target target;
    target.local = true;
    return target;
  }
  std::uint64_t constant = ref.offset;
  std::uint64_t reach = 0;  // how far subscripts can move it
  for (const Subscript& subscript : ref.subscripts) {
    constant += subscript.offset_before;
    reach += (subscript.domain->hull().size() - 1) * subscript.stride;
  }
  Target target;
  if (ref.root == Root::kState) {
    if (ref.type->bits == 0)
      return target;  // no bits, nothing to tell
    target.bases.insert(canonical_bit(constant));
    target.region = {constant, constant + reach + ref.type->bits};
    return target;
  }
  const Target& base = targets_.at(&frame)[ref.slot];
  target.local = base.local;
  target.anywhere = base.anywhere;
  for (const std::uint64_t bit : base.bases)
    target.bases.insert(canonical_bit(bit + constant));
  target.region = base.region;
  return target;
}

bool Analysis::join_slot(const Frame& frame, SlotIndex slot, const Target& target) {
  return targets_.at(&frame)[slot].join(target);
}

bool Analysis::join_arguments(const Expr& call, const Frame& frame) {
  bool changed = false;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (call.callee->frame.locals[i].kind == LocalKind::kAlias)
      changed |= join_slot(call.callee->frame, static_cast<SlotIndex>(i), target_of(*call.arguments[i].ref, frame));
  return changed;
}

void Analysis::find_targets() {
  for (const Code& code : codes_)
    targets_[code.frame].resize(code.frame->locals.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const Code& code : codes_) {
      auto visit = [&](const Expr& expr) {
        if (expr.op == ExprOp::kCall)
          changed |= join_arguments(expr, *code.frame);
      };
      if (code.bindings != nullptr) {
        for (const Binding& binding : *code.bindings)
          if (binding.kind == BindingKind::kAlias)
            changed |= join_slot(*code.frame, binding.slot, target_of(binding.ref, *code.frame));
        for_each_expr(*code.bindings, visit);
      }
      if (code.condition != nullptr)
        for_each_expr(*code.condition, visit);
      if (code.body == nullptr)
        continue;
      for_each_expr(*code.body, visit);
      for_each_stmt(*code.body, [&](const Stmt& stmt) {
        if (stmt.kind == StmtKind::kBind)
          changed |= join_slot(*code.frame, stmt.slot, target_of(stmt.ref, *code.frame));
      });
    }
  }
}

void Analysis::find_written_regions() {
  for (const Code& code : codes_) {
    std::vector<Region>& regions = written_[code.frame];
    if (code.body == nullptr)
      continue;
    for_each_stmt(*code.body, [&](const Stmt& stmt) {
      switch (stmt.kind) {
        case StmtKind::kAssign:
        case StmtKind::kCopy:
        case StmtKind::kUndefine:
        case StmtKind::kClear:
        case StmtKind::kMultisetAdd:
        case StmtKind::kMultisetRemove:
        case StmtKind::kMultisetRemoveWhere:
          break;
        default:
          return;
      }
      const Target target = target_of(stmt.ref, *code.frame);
      if (target.anywhere)
        regions.push_back({0, program_.state_bits});
      else if (target.region.begin != target.region.end)
        regions.push_back(target.region);
    });
  }
}

bool Analysis::may_change(const Rule& rule, const Variable& variable) const {
  auto changes = [&](const Frame& frame) {
    const std::vector<Region>& regions = written_.at(&frame);
    return std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
      return region.meets(variable.offset, variable.offset + variable.type->bits);
    });
  };
  if (changes(rule.frame))
    return true;
  const std::set<const Function*>& callees = reachable(rule.frame);
  return std::any_of(callees.begin(), callees.end(), [&](const Function* callee) { return changes(callee->frame); });
}

}  // namespace tideline::ir
