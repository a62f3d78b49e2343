// SPDX-License-Identifier: MIT
// DVE expressions in the intermediate form. Arithmetic is 32-bit and wraps; indices outside an array and division by
// zero fail. A large expression that is used more than once becomes a function (S1 of simplify.h makes uses visible), a
// constant array a function of the index.
#pragma once

#include <unordered_map>
#include <vector>

#include "front/dve/layout.h"
#include "front/dve/model.h"
#include "ir/build.h"

namespace tideline::dve {

inline constexpr ir::Interval kInt32{-2147483648LL, 2147483647LL};

// Copies of global parts as they were before the step, for the steps of synchronous systems: what the map has is read
// from the frame's slot instead of the state.
struct Snapshot {
  const ir::Frame* frame = nullptr;
  std::unordered_map<VariableId, ir::SlotIndex> variables;
  std::unordered_map<ProcessId, ir::SlotIndex> locations;
};

class ExprLowering {
 public:
  ExprLowering(const Model& model, const Layout& layout, ir::Program& program);

  // While it is set, large expressions do not become functions.
  void set_snapshot(const Snapshot* snapshot) { snapshot_ = snapshot; }

  // The number, or whether it is not 0.
  ir::ExprPtr value(ExprId id);
  ir::ExprPtr truth(ExprId id);
  // The process is in the state.
  ir::ExprPtr in_state(ProcessId process, StateId state, Location where);
  // A variable that is in the state, or one of its elements.
  ir::Ref place(VariableId variable, ir::ExprPtr index, Location where);
  // Low 32, 16 or 8 bits, if the value can be outside.
  static ir::ExprPtr wrap(ir::ExprPtr value, ir::Interval to);
  // Both; a null one is true.
  static ir::ExprPtr both(ir::ExprPtr left, ir::ExprPtr right);

 private:
  ir::ExprPtr inside(ExprId id);
  ir::ExprPtr element(const Expr& expr);
  ir::ExprPtr operation(const Expr& expr);
  ir::ExprPtr logic(const Expr& expr);
  ir::ExprPtr shift(const Expr& expr);
  ir::ExprPtr constant_element(const Expr& expr);
  const ir::Function& constant_array(VariableId variable);
  ir::ExprPtr packed_elements(VariableId variable, const ir::Frame& frame, std::int64_t first, std::int64_t count);
  const ir::Domain* domain(ir::Interval values);
  const ir::Function& shared(ExprId id);
  void count_uses();

  const Model& model_;
  const Layout& layout_;
  ir::Program& program_;
  const Snapshot* snapshot_ = nullptr;
  std::vector<bool> is_shared_;
  std::unordered_map<ExprId, const ir::Function*> functions_;
  std::unordered_map<VariableId, const ir::Function*> arrays_;
};

}  // namespace tideline::dve
