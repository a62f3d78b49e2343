// SPDX-License-Identifier: MIT
// DVE expressions in the intermediate form. Arithmetic is 32-bit and wraps; indices outside an array and division by
// zero fail. A large expression that is used more than once becomes a function (S1 of simplify.h makes uses visible), a
// constant array a function of the index.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "front/dve/layout.h"
#include "front/dve/model.h"
#include "ir/build.h"

namespace tideline::dve {

inline constexpr ir::Interval kInt32{-2147483648LL, 2147483647LL};

// What is read from slots of the frame instead of the state: values between two stores of a step, and, in synchronous
// systems, what other processes may have changed.
struct Overrides {
  const ir::Frame* frame = nullptr;
  std::unordered_map<VariableId, ir::SlotIndex> variables;
  std::unordered_map<ProcessId, ir::SlotIndex> locations;
  [[nodiscard]] bool empty() const { return variables.empty() && locations.empty(); }
};

class ExprLowering {
 public:
  ExprLowering(const Model& model, const Layout& layout, ir::Program& program);

  // While there are any, large expressions do not become functions.
  Overrides& overrides() { return overrides_; }

  // The number, or whether it is not 0.
  ir::ExprPtr value(ExprId id);
  ir::ExprPtr truth(ExprId id);
  // Would evaluating it fail? Null if it cannot; evaluating the answer never fails.
  ir::ExprPtr failure(ExprId id);
  // The process is in the state.
  ir::ExprPtr in_state(ProcessId process, StateId state, Location where);
  // The number of the process's state; 0 for one that has only that one.
  ir::ExprPtr location(ProcessId process, Location where);
  // A variable that is in the state, or one of its elements.
  ir::Ref place(VariableId variable, ir::ExprPtr index, Location where);
  // A statement that fails, as any access to the array does, if the index is outside.
  void check_index(ir::Block& block, ir::Frame& frame, VariableId variable, ir::ExprPtr index);
  // Low 32, 16 or 8 bits, if the value can be outside.
  static ir::ExprPtr wrap(ir::ExprPtr value, ir::Interval to);
  // Both; a null one is true.
  static ir::ExprPtr both(ir::ExprPtr left, ir::ExprPtr right);
  // One of them; a null one is false.
  static ir::ExprPtr either(ir::ExprPtr left, ir::ExprPtr right);

 private:
  ir::ExprPtr inside(ExprId id);
  ir::ExprPtr own_failure(const Expr& expr);
  ir::ExprPtr slot_read(ir::SlotIndex slot, Location where);
  ir::ExprPtr element(const Expr& expr);
  ir::ExprPtr operation(const Expr& expr);
  ir::ExprPtr logic(const Expr& expr);
  ir::ExprPtr shift(const Expr& expr);
  ir::ExprPtr constant_element(const Expr& expr);
  const ir::Function& constant_array(VariableId variable, bool is_checked, Location where);
  ir::ExprPtr packed_elements(VariableId variable, const ir::Frame& frame, std::int64_t first, std::int64_t count);
  const ir::Domain* domain(ir::Interval values);
  const ir::Function& shared(ExprId id);
  void count_uses();

  const Model& model_;
  const Layout& layout_;
  ir::Program& program_;
  Overrides overrides_;
  std::vector<bool> fails_;      // by ExprId
  std::vector<bool> is_shared_;  // by ExprId
  std::unordered_map<ExprId, const ir::Function*> functions_;
  std::map<std::tuple<VariableId, bool, std::uint32_t, std::uint32_t>, const ir::Function*> arrays_;
};

}  // namespace tideline::dve
