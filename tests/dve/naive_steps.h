// SPDX-License-Identifier: MIT
// The judge of the DVE front end, second part: the steps of a model, with the meaning that DiVinE 2.4 gives them.
//
// A guard that fails counts as enabled and makes the step a failing one. A handshake stores its values one after the
// other, each evaluated where the earlier ones are stored already; indices of receiving variables are those of the
// state before. Then come the receiver's location and effects, then the sender's. With a buffer, location and effects
// come first, then the message. While a process is in a committed state, only committed sources move. In a synchronous
// system every process takes a transition, all from the same state; what each has written is put together.
#pragma once

#include <optional>
#include <vector>

#include "naive_values.h"

namespace tideline::test {

// The state after a step; nothing if the step fails.
using DveOutcome = std::optional<DveState>;

class DveSteps {
 public:
  DveSteps(const dve::Model& model, dve::OnError on_error);

  [[nodiscard]] const DveValues& values() const { return values_; }
  // One outcome per enabled step.
  [[nodiscard]] std::vector<DveOutcome> from(const DveState& state) const;

 private:
  // A transition in its source state, with a guard that is true or fails.
  struct Move {
    dve::ProcessId process = 0;
    const dve::Transition* transition = nullptr;
    bool fails = false;
  };

  [[nodiscard]] std::vector<Move> moves(const DveState& state, dve::ProcessId process) const;
  [[nodiscard]] bool is_committed(const DveState& state, dve::ProcessId process) const;
  [[nodiscard]] bool is_ready(const DveState& state, const dve::Transition& transition) const;
  [[nodiscard]] bool shares_writes(const Move& a, const Move& b) const;
  [[nodiscard]] std::vector<DveOutcome> asynchronous(const DveState& state) const;
  [[nodiscard]] DveOutcome alone(const DveState& before, const Move& move) const;
  [[nodiscard]] DveOutcome handshake(const DveState& before, const Move& send, const Move& receive) const;
  [[nodiscard]] DveOutcome together(const DveState& before, const std::vector<Move>& chosen) const;
  void combine(const DveState& before, std::vector<Move>& chosen, std::vector<DveOutcome>& outcomes) const;
  void take_over(DveState& merged, const DveState& after, const Move& move) const;

  // These change the state; false: they fail.
  [[nodiscard]] bool run_effects(DveState& state, const Move& move) const;
  [[nodiscard]] bool exchange(const DveState& before, DveState& state, const Move& send, const Move& receive) const;
  [[nodiscard]] bool send(DveState& state, const dve::Transition& transition) const;
  [[nodiscard]] bool receive(const DveState& before, DveState& state, const dve::Transition& transition) const;

  const dve::Model& model_;
  DveValues values_;
};

}  // namespace tideline::test
