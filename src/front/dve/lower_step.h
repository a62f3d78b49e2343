// SPDX-License-Identifier: MIT
// The statements of a step: what a transition, or both sides of a handshake, do to the state.
//
// The order is DiVinE's: values of a handshake are stored with the receiver first; then the receiver's new location and
// effects, then the sender's. With a buffer, location and effects come first and the values pass after them; indices of
// variables that receive are those of the state before the step.
//
// A scalar that a step stores to several times lies in a slot with all values of its type until the last time: what the
// narrowing says holds of the state after the step, not of what lies between.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "front/dve/lower_expr.h"

namespace tideline::dve {

inline constexpr const char* kGuardFails = "a guard has an index out of bounds or divides by zero";

class StepLowering {
 public:
  StepLowering(const Model& model, const Layout& layout, OnError on_error, ir::Program& program, ExprLowering& exprs)
      : model_(model), layout_(layout), on_error_(on_error), program_(program), exprs_(exprs) {}

  // A transition without a partner: no channel, or one with a buffer.
  void single(ir::Rule& rule, ProcessId process, const Transition& transition);
  void handshake(ir::Rule& rule, ProcessId sender, const Transition& send, ProcessId receiver,
                 const Transition& receive);
  // New location, then effects; for a step that consists of nothing else.
  void only_effects(ir::Block& block, ir::Frame& frame, ProcessId process, const Transition& transition);
  // A run-time error if the condition is true.
  static void fail_if(ir::Block& block, ir::ExprPtr condition, std::string message);

 private:
  void count_stores(const std::vector<Assignment>& assignments);
  void begin_step(const ir::Frame& frame);
  void effects(ir::Block& block, ir::Frame& frame, ProcessId process, const Transition& transition);
  void store_in_between(ir::Block& block, ir::Frame& frame, const Assignment& to, ir::ExprPtr value);
  void send_to_buffer(ir::Rule& rule, const Transition& transition);
  void receive_from_buffer(ir::Rule& rule, const Transition& transition, const std::vector<ir::SlotIndex>& indices);
  void shift_buffer(ir::Rule& rule, ChannelId channel, Location where);
  ir::Ref item(ChannelId channel, ir::ExprPtr slot, std::size_t field, Location where);
  ir::Ref count(ChannelId channel, Location where);
  // Indices of receiving variables, computed now; kNothing for scalars.
  std::vector<ir::SlotIndex> capture_indices(ir::Rule& rule, const Transition& transition);
  ir::ExprPtr captured(const ir::Frame& frame, ir::SlotIndex slot, Location where);
  ir::SlotIndex keep(ir::Block& block, ir::Frame& frame, ir::ExprPtr value, const std::string& name);
  void store(ir::Block& block, ir::Frame& frame, const Assignment& to, ir::ExprPtr index, ir::ExprPtr value);
  void assign(ir::Block& block, ir::Ref ref, ir::ExprPtr value, Location where);
  // Shows a value in traces.
  void put(ir::Block& block, std::string text, ir::ExprPtr value);

  const Model& model_;
  const Layout& layout_;
  OnError on_error_;
  ir::Program& program_;
  ExprLowering& exprs_;
  std::unordered_map<VariableId, unsigned> stores_left_;  // of the step, by scalar
};

}  // namespace tideline::dve
