// SPDX-License-Identifier: MIT
// The loops over the parameters of a rule or property: which binding is evaluated where, and in which loop each
// conjunct of a guard is tested. See emit_rule.h for the rules it follows.
#pragma once

#include <string>
#include <vector>

#include "exec/native/emitter.h"

namespace tideline::native {

// Level 0 is outside all loops; parameter and choose binding number k (from 1) opens level k.
class Instances {
 public:
  struct Conjunct {
    const ir::Expr* expr = nullptr;
    bool may_fail = false;
    std::size_t level = 0;
  };

  // `conjuncts`: of the guard, in order; those that are known to hold may be missing.
  Instances(const Module& module, const ir::Frame& frame, const std::vector<ir::Binding>& bindings,
            const std::vector<const ir::Expr*>& conjuncts);

  [[nodiscard]] std::size_t depth() const { return loops_.size(); }
  // The binding that opens level `level` >= 1.
  [[nodiscard]] const ir::Binding& loop(std::size_t level) const { return bindings_[loops_[level - 1]]; }
  // Alias and value bindings evaluated at a level, in order.
  [[nodiscard]] const std::vector<const ir::Binding*>& bindings_at(std::size_t level) const { return at_[level]; }
  [[nodiscard]] const std::vector<Conjunct>& conjuncts() const { return conjuncts_; }
  // Can a binding inside a loop fail, or the multiset that a loop runs over?
  [[nodiscard]] bool loops_may_fail() const { return failing_level_ > 0; }
  // Can anything here fail?
  [[nodiscard]] bool may_fail() const;
  // Is there a conjunct that can fail and is tested further out than the innermost level?
  [[nodiscard]] bool early_test_may_fail() const;
  // "first + (v0 - lo) * n + ..." for the parameters of the levels up to `level`, the others being least.
  [[nodiscard]] std::string command_text(const ir::Rule& rule, const Emitter& emitter, std::size_t level) const;

 private:
  [[nodiscard]] std::size_t level_of(const ir::Expr& expr) const;
  [[nodiscard]] std::size_t level_of(const ir::Ref& ref) const;
  void note_slot(const ir::Ref& ref, std::size_t& level) const;
  void place_bindings(const ir::Frame& frame);
  void place_conjuncts(const std::vector<const ir::Expr*>& conjuncts, const ir::Frame& frame);

  const Module& module_;
  const std::vector<ir::Binding>& bindings_;
  std::vector<std::size_t> loops_;
  std::vector<std::vector<const ir::Binding*>> at_;
  std::vector<std::size_t> slot_levels_;
  bool binding_may_fail_ = false;
  std::size_t failing_level_ = 0;  // the deepest level with a binding that can fail
  std::vector<Conjunct> conjuncts_;
};

}  // namespace tideline::native
