// SPDX-License-Identifier: MIT
#include "naive_steps.h"

namespace tideline::test {

using dve::SyncKind;

DveSteps::DveSteps(const dve::Model& model, dve::OnError on_error) : model_(model), values_(model, on_error) {}

std::vector<DveOutcome> DveSteps::from(const DveState& state) const {
  if (!model_.is_synchronous)
    return asynchronous(state);
  std::vector<DveOutcome> outcomes;
  std::vector<Move> chosen;
  combine(state, chosen, outcomes);
  return outcomes;
}

std::vector<DveSteps::Move> DveSteps::moves(const DveState& state, dve::ProcessId process) const {
  std::vector<Move> found;
  for (const dve::Transition& transition : model_.processes[process].transitions) {
    if (state[process] != transition.source)
      continue;
    const std::optional<std::int64_t> guard =
        transition.guard == dve::kNothing ? std::optional<std::int64_t>(1) : values_.value(state, transition.guard);
    if (!guard || *guard != 0)
      found.push_back({process, &transition, !guard});
  }
  return found;
}

bool DveSteps::is_committed(const DveState& state, dve::ProcessId process) const {
  return model_.processes[process].states[static_cast<std::size_t>(state[process])].is_committed;
}

// ---- asynchronous systems ----

std::vector<DveOutcome> DveSteps::asynchronous(const DveState& state) const {
  bool any_committed = false;
  for (dve::ProcessId p = 0; p < model_.processes.size(); ++p)
    any_committed = any_committed || is_committed(state, p);
  std::vector<Move> sends;
  std::vector<Move> receives;
  std::vector<DveOutcome> outcomes;
  for (dve::ProcessId p = 0; p < model_.processes.size(); ++p) {
    if (any_committed && !is_committed(state, p))
      continue;
    for (const Move& move : moves(state, p)) {
      const SyncKind sync = move.transition->sync;
      if (sync != SyncKind::kNone && model_.channels[move.transition->channel].capacity == 0)
        (sync == SyncKind::kSend ? sends : receives).push_back(move);
      else if (is_ready(state, *move.transition))
        outcomes.push_back(alone(state, move));
    }
  }
  for (const Move& send : sends) {
    for (const Move& receive : receives) {
      if (send.process != receive.process && send.transition->channel == receive.transition->channel)
        outcomes.push_back(handshake(state, send, receive));
    }
  }
  return outcomes;
}

// Room in the buffer, or a message.
bool DveSteps::is_ready(const DveState& state, const dve::Transition& transition) const {
  if (transition.sync == SyncKind::kNone)
    return true;
  const std::int64_t count = state[values_.count_of(transition.channel)];
  return transition.sync == SyncKind::kSend ? count < model_.channels[transition.channel].capacity : count > 0;
}

DveOutcome DveSteps::alone(const DveState& before, const Move& move) const {
  DveState state = before;
  if (move.fails || !run_effects(state, move))
    return std::nullopt;
  if (move.transition->sync == SyncKind::kSend && !send(state, *move.transition))
    return std::nullopt;
  if (move.transition->sync == SyncKind::kReceive && !receive(before, state, *move.transition))
    return std::nullopt;
  return state;
}

DveOutcome DveSteps::handshake(const DveState& before, const Move& send, const Move& receive) const {
  if (send.fails || receive.fails || shares_writes(send, receive))
    return std::nullopt;
  DveState state = before;
  if (!exchange(before, state, send, receive) || !run_effects(state, receive) || !run_effects(state, send))
    return std::nullopt;
  return state;
}

// Effects of both write the same global variable.
bool DveSteps::shares_writes(const Move& a, const Move& b) const {
  for (const dve::Assignment& first : a.transition->effects) {
    for (const dve::Assignment& second : b.transition->effects) {
      if (first.variable == second.variable && model_.variables[first.variable].owner == dve::kNothing)
        return true;
    }
  }
  return false;
}

bool DveSteps::run_effects(DveState& state, const Move& move) const {
  state[move.process] = move.transition->target;
  for (const dve::Assignment& effect : move.transition->effects) {
    const std::optional<std::int64_t> number = values_.value(state, effect.value);
    const std::optional<std::size_t> element = values_.element(state, effect);
    if (!number || !element || !values_.store(state, effect.variable, *element, *number))
      return false;
  }
  return true;
}

bool DveSteps::exchange(const DveState& before, DveState& state, const Move& send, const Move& receive) const {
  const dve::Channel& channel = model_.channels[send.transition->channel];
  for (std::size_t i = 0; i < send.transition->sent.size(); ++i) {
    const dve::Assignment& to = receive.transition->received[i];
    const std::optional<std::int64_t> number = values_.value(state, send.transition->sent[i]);
    const std::optional<std::size_t> element = values_.element(before, to);
    if (!number || !element)
      return false;
    const std::int64_t passed = channel.is_typed ? low_bits(channel.types[i], *number) : *number;
    if (!values_.store(state, to.variable, *element, passed))
      return false;
  }
  return true;
}

bool DveSteps::send(DveState& state, const dve::Transition& transition) const {
  const dve::Channel& channel = model_.channels[transition.channel];
  std::int64_t& count = state[values_.count_of(transition.channel)];
  for (std::size_t i = 0; i < channel.types.size(); ++i) {
    const std::optional<std::int64_t> number = values_.value(state, transition.sent[i]);
    if (!number)
      return false;
    const std::size_t place = values_.places_of(transition.channel, i)[static_cast<std::size_t>(count)];
    state[place] = low_bits(channel.types[i], *number);
  }
  ++count;
  return true;
}

bool DveSteps::receive(const DveState& before, DveState& state, const dve::Transition& transition) const {
  for (std::size_t i = 0; i < transition.received.size(); ++i) {
    const dve::Assignment& to = transition.received[i];
    const std::optional<std::size_t> element = values_.element(before, to);
    const std::int64_t front = state[values_.places_of(transition.channel, i)[0]];
    if (!element || !values_.store(state, to.variable, *element, front))
      return false;
  }
  for (std::size_t i = 0; i < transition.received.size(); ++i) {
    const std::vector<std::size_t> places = values_.places_of(transition.channel, i);
    for (std::size_t k = 0; k + 1 < places.size(); ++k)
      state[places[k]] = state[places[k + 1]];
    state[places.back()] = 0;
  }
  --state[values_.count_of(transition.channel)];
  return true;
}

// ---- synchronous systems ----

// Processes from chosen.size() on choose.
void DveSteps::combine(const DveState& before, std::vector<Move>& chosen, std::vector<DveOutcome>& outcomes) const {
  if (chosen.size() == model_.processes.size()) {
    outcomes.push_back(together(before, chosen));
    return;
  }
  for (const Move& move : moves(before, static_cast<dve::ProcessId>(chosen.size()))) {
    chosen.push_back(move);
    combine(before, chosen, outcomes);
    chosen.pop_back();
  }
}

DveOutcome DveSteps::together(const DveState& before, const std::vector<Move>& chosen) const {
  for (std::size_t a = 0; a < chosen.size(); ++a) {
    for (std::size_t b = a + 1; b < chosen.size(); ++b) {
      if (shares_writes(chosen[a], chosen[b]))
        return std::nullopt;
    }
  }
  DveState merged = before;
  for (const Move& move : chosen) {
    DveState after = before;
    if (move.fails || !run_effects(after, move))
      return std::nullopt;
    take_over(merged, after, move);
  }
  return merged;
}

// What the move may have written.
void DveSteps::take_over(DveState& merged, const DveState& after, const Move& move) const {
  merged[move.process] = after[move.process];
  for (const dve::Assignment& effect : move.transition->effects) {
    for (const std::size_t place : values_.places_of(effect.variable))
      merged[place] = after[place];
  }
}

}  // namespace tideline::test
