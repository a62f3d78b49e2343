// SPDX-License-Identifier: MIT
// Expressions over intervals: which values an expression can have in an environment, and what the environment must be
// like if a guard is true.
//
// A1  value(e) contains every value that e has in a state of the environment in which its evaluation succeeds.
// A2  assume(e, t) only takes away states in which e is not evaluated, fails, or is not t; false: none is left. After
//     false the environment is worthless and has to be undone by the caller.
// Cost: linear in the expression, except for sides of comparisons, which are looked at kRestrictDepthMax times.
#pragma once

#include <vector>

#include "front/dve/environment.h"

namespace tideline::dve {

class Evaluator {
 public:
  Evaluator(const Model& model, const Slots& slots, Environment& environment);

  [[nodiscard]] Interval value(ExprId id) const;
  [[nodiscard]] bool assume(ExprId id, bool is_true);

 private:
  [[nodiscard]] Interval element(ExprId id) const;
  [[nodiscard]] Interval logical(const Expr& expr) const;
  [[nodiscard]] bool assume_either(ExprId a, bool a_is_true, ExprId b, bool b_is_true);
  [[nodiscard]] bool assume_comparison(Op op, ExprId left, ExprId right);
  [[nodiscard]] bool assume_number(ExprId id, bool is_true);
  [[nodiscard]] bool restrict(ExprId id, const Interval& range);
  [[nodiscard]] bool restrict_below(ExprId id, const Interval& range);
  [[nodiscard]] bool restrict_slot(SlotId slot, const Interval& range);

  const Model& model_;
  const Slots& slots_;
  Environment& environment_;
  std::vector<bool> is_refinable_;  // by ExprId: mentions a variable or a term
  unsigned restrict_depth_ = 0;
};

}  // namespace tideline::dve
