// SPDX-License-Identifier: MIT
#include "exec/native/instances.h"

#include <algorithm>

#include "ir/walk.h"

namespace tideline::native {
namespace {

bool opens_loop(const ir::Binding& binding) {
  return binding.kind == ir::BindingKind::kParameter || binding.kind == ir::BindingKind::kChoose;
}

}  // namespace

Instances::Instances(const Module& module, const ir::Frame& frame, const std::vector<ir::Binding>& bindings,
                     const std::vector<const ir::Expr*>& conjuncts)
    : module_(module), bindings_(bindings), slot_levels_(frame.locals.size(), 0) {
  for (std::size_t i = 0; i < bindings.size(); ++i)
    if (opens_loop(bindings[i]))
      loops_.push_back(i);
  at_.resize(loops_.size() + 1);
  place_bindings(frame);
  place_conjuncts(conjuncts, frame);
}

void Instances::note_slot(const ir::Ref& ref, std::size_t& level) const {
  if (ref.root != ir::Root::kState)
    level = std::max(level, slot_levels_[ref.slot]);
}

std::size_t Instances::level_of(const ir::Expr& expr) const {
  std::size_t level = 0;
  for_each_expr(expr, [&](const ir::Expr& part) {
    for (const ir::Ref& ref : part.refs)
      note_slot(ref, level);
    for (const ir::Argument& argument : part.arguments)
      if (argument.ref)
        note_slot(*argument.ref, level);
  });
  return level;
}

std::size_t Instances::level_of(const ir::Ref& ref) const {
  std::size_t level = 0;
  note_slot(ref, level);
  for_each_index(ref, [&](const ir::Expr& index) { level = std::max(level, level_of(index)); });
  return level;
}

void Instances::place_bindings(const ir::Frame& frame) {
  std::size_t natural = 0;
  for (const ir::Binding& binding : bindings_) {
    const bool fails = binding.kind == ir::BindingKind::kValue       ? module_.analysis.may_fail(*binding.value, frame)
                       : binding.kind == ir::BindingKind::kParameter ? false
                                                                     : module_.analysis.may_fail(binding.ref, frame);
    if (fails)  // a multiset is found before its loop begins, but after the tests of the level around it
      failing_level_ = opens_loop(binding) ? natural + 1 : natural;
    binding_may_fail_ = binding_may_fail_ || fails;
    if (opens_loop(binding)) {
      slot_levels_[binding.slot] = ++natural;
      continue;
    }
    std::size_t level = natural;
    if (!fails)
      level = binding.kind == ir::BindingKind::kValue ? level_of(*binding.value) : level_of(binding.ref);
    slot_levels_[binding.slot] = level;
    at_[level].push_back(&binding);
  }
}

void Instances::place_conjuncts(const std::vector<const ir::Expr*>& conjuncts, const ir::Frame& frame) {
  for (const ir::Expr* conjunct : conjuncts)
    conjuncts_.push_back({conjunct, false, 0});
  std::size_t least = failing_level_;  // H1
  for (Conjunct& conjunct : conjuncts_) {
    conjunct.may_fail =
        module_.analysis.may_fail(*conjunct.expr, frame) || module_.analysis.may_be_undefined(*conjunct.expr, frame);
    conjunct.level = std::max(least, level_of(*conjunct.expr));
    if (module_.analysis.may_cover(*conjunct.expr))
      conjunct.level = depth();  // H3
    if (conjunct.may_fail)
      least = conjunct.level;
  }
}

bool Instances::may_fail() const {
  return binding_may_fail_ ||
         std::any_of(conjuncts_.begin(), conjuncts_.end(), [](const Conjunct& conjunct) { return conjunct.may_fail; });
}

bool Instances::early_test_may_fail() const {
  return std::any_of(conjuncts_.begin(), conjuncts_.end(),
                     [this](const Conjunct& conjunct) { return conjunct.may_fail && conjunct.level < depth(); });
}

std::string Instances::command_text(const ir::Rule& rule, const Emitter& emitter, std::size_t level) const {
  std::uint64_t weight = rule.command_count;
  std::string text = unsigned_literal(rule.first_command);
  for (std::size_t k = 1; k <= level; ++k) {
    const ir::Interval hull = loop(k).domain->hull();
    weight /= hull.size();
    Value parameter;
    parameter.text = emitter.slot_name(loop(k).slot);
    text += fmt::format(" + {} * {}", position_text(parameter, hull.lo), unsigned_literal(weight));
  }
  return text;
}

}  // namespace tideline::native
