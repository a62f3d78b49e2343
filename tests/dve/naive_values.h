// SPDX-License-Identifier: MIT
// The judge of the DVE narrowing: explores a model state by state, as plainly as its semantics are written down
// (docs/design/dve_narrowing.md). A state is a vector of numbers: process states, elements of variables, buffers (the
// number of messages, then all places). Stops after a number of states: what it has seen by then is reachable.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "front/dve/model.h"

namespace tideline::test {

class DveNaiveExplorer {
 public:
  using State = std::vector<std::int64_t>;

  DveNaiveExplorer(const dve::Model& model, dve::OnError on_error);

  // Returns the reachable states; at most `states_max` and their successors.
  std::set<State> explore(std::size_t states_max);

  // Places of a variable's elements, and of all messages' item `item` in a buffer.
  [[nodiscard]] std::vector<std::size_t> places_of(dve::VariableId variable) const;
  [[nodiscard]] std::vector<std::size_t> places_of(dve::ChannelId channel, std::size_t item) const;

 private:
  using Value = std::pair<bool, std::int64_t>;  // false: evaluation failed
  using Visit = std::function<void(const State&)>;

  [[nodiscard]] Value value(const State& state, dve::ExprId id) const;
  [[nodiscard]] Value logical(const State& state, const dve::Expr& expr) const;
  [[nodiscard]] bool is_enabled(const State& state, dve::ProcessId process, const dve::Transition& transition) const;
  // Where a store goes; false: out of bounds.
  [[nodiscard]] std::pair<bool, std::size_t> place(const State& state, const dve::Assignment& target) const;
  [[nodiscard]] bool store(State& state, const dve::Assignment& target, std::size_t place, std::int64_t number) const;
  [[nodiscard]] bool run_effects(State& state, const dve::Transition& transition) const;
  [[nodiscard]] bool run_alone(State& state, dve::ProcessId process, const dve::Transition& transition) const;
  [[nodiscard]] bool send(State& state, const dve::Transition& transition) const;
  [[nodiscard]] bool receive(const State& before, State& state, const dve::Transition& transition) const;
  [[nodiscard]] bool run_handshake(State& state, dve::ProcessId sender, const dve::Transition& sending,
                                   dve::ProcessId receiver, const dve::Transition& receiving) const;
  [[nodiscard]] bool is_handshake(const dve::Transition& transition) const;
  void successors(const State& state, const Visit& visit) const;
  void handshakes(const State& state, dve::ProcessId sender, const dve::Transition& sending, const Visit& visit) const;
  void move_together(const State& before, const State& merged, dve::ProcessId process, const Visit& visit) const;

  const dve::Model& model_;
  dve::OnError on_error_;
  std::vector<std::size_t> variables_;  // first place
  std::vector<std::size_t> buffers_;    // place of the count
  State initial_;
};

}  // namespace tideline::test
