// SPDX-License-Identifier: MIT
#include "dve_naive_explorer.h"

#include <deque>

namespace tideline::test {
namespace {

using dve::Op;

std::int64_t wrap_word(std::int64_t number) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(number)));
}

std::int64_t low_bits(dve::BaseType type, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return type == dve::BaseType::kByte ? static_cast<std::int64_t>(bits & 0xff)
                                      : static_cast<std::int16_t>(static_cast<std::uint16_t>(bits));
}

// No division by zero.
std::int64_t calculate(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::kAdd:
      return wrap_word(a + b);
    case Op::kSubtract:
      return wrap_word(a - b);
    case Op::kMultiply:
      return wrap_word(a * b);
    case Op::kDivide:
      return wrap_word(a / b);
    case Op::kModulo:
      return a % b;
    case Op::kBitAnd:
      return a & b;
    case Op::kBitOr:
      return a | b;
    case Op::kBitXor:
      return a ^ b;
    case Op::kShiftLeft:
      return wrap_word(a * (std::int64_t{1} << (b & 31)));
    case Op::kShiftRight:
      return a >> (b & 31);
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterEqual:
      return a >= b;
    case Op::kEqual:
      return a == b;
    default:
      return a != b;
  }
}

}  // namespace

DveNaiveExplorer::DveNaiveExplorer(const dve::Model& model, dve::OnError on_error)
    : model_(model), on_error_(on_error) {
  for (const dve::Process& process : model.processes)
    initial_.push_back(process.initial);
  for (const dve::Variable& variable : model.variables) {
    variables_.push_back(initial_.size());
    initial_.insert(initial_.end(), variable.initial.begin(), variable.initial.end());
  }
  for (const dve::Channel& channel : model.channels) {
    buffers_.push_back(initial_.size());
    if (channel.capacity > 0)
      initial_.resize(initial_.size() + 1 + channel.capacity * channel.types.size(), 0);
  }
}

std::set<DveNaiveExplorer::State> DveNaiveExplorer::explore(std::size_t states_max) {
  std::set<State> seen{initial_};
  std::deque<State> open{initial_};
  while (!open.empty() && seen.size() < states_max) {
    const State state = std::move(open.front());
    open.pop_front();
    const Visit visit = [&](const State& next) {
      if (seen.insert(next).second)
        open.push_back(next);
    };
    if (model_.is_synchronous)
      move_together(state, state, 0, visit);
    else
      successors(state, visit);
  }
  return seen;
}

std::vector<std::size_t> DveNaiveExplorer::places_of(dve::VariableId variable) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < model_.variables[variable].initial.size(); ++i)
    places.push_back(variables_[variable] + i);
  return places;
}

std::vector<std::size_t> DveNaiveExplorer::places_of(dve::ChannelId channel, std::size_t item) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < model_.channels[channel].capacity; ++i)
    places.push_back(buffers_[channel] + 1 + i * model_.channels[channel].types.size() + item);
  return places;
}

DveNaiveExplorer::Value DveNaiveExplorer::value(const State& state, dve::ExprId id) const {
  const dve::Expr& expr = model_.exprs[id];
  if (expr.op == Op::kNumber)
    return {true, expr.value};
  if (expr.op == Op::kInState)
    return {true, state[expr.process] == expr.state};
  if (expr.op == Op::kVariable)
    return {true, state[variables_[expr.variable]]};
  if (expr.op == Op::kAnd || expr.op == Op::kOr || expr.op == Op::kImply)
    return logical(state, expr);
  const auto [left_succeeds, left] = value(state, expr.left);
  if (!left_succeeds)
    return {false, 0};
  if (expr.op == Op::kElement) {
    const std::vector<std::size_t> places = places_of(expr.variable);
    const bool is_inside = left >= 0 && left < static_cast<std::int64_t>(places.size());
    return {is_inside, is_inside ? state[places[static_cast<std::size_t>(left)]] : 0};
  }
  if (expr.op == Op::kNot)
    return {true, left == 0};
  if (expr.op == Op::kMinus)
    return {true, wrap_word(-left)};
  if (expr.op == Op::kComplement)
    return {true, ~left};
  const auto [right_succeeds, right] = value(state, expr.right);
  if (!right_succeeds || ((expr.op == Op::kDivide || expr.op == Op::kModulo) && right == 0))
    return {false, 0};
  return {true, calculate(expr.op, left, right)};
}

DveNaiveExplorer::Value DveNaiveExplorer::logical(const State& state, const dve::Expr& expr) const {
  const auto [left_succeeds, left] = value(state, expr.left);
  if (!left_succeeds)
    return {false, 0};
  if (expr.op == Op::kAnd && left == 0)
    return {true, 0};
  if ((expr.op == Op::kOr && left != 0) || (expr.op == Op::kImply && left == 0))
    return {true, 1};
  const auto [right_succeeds, right] = value(state, expr.right);
  return {right_succeeds, right != 0};
}

bool DveNaiveExplorer::is_enabled(const State& state, dve::ProcessId process, const dve::Transition& transition) const {
  if (state[process] != transition.source)
    return false;
  const Value guard = transition.guard == dve::kNothing ? Value{true, 1} : value(state, transition.guard);
  return guard.first && guard.second != 0;
}

std::pair<bool, std::size_t> DveNaiveExplorer::place(const State& state, const dve::Assignment& target) const {
  const std::vector<std::size_t> places = places_of(target.variable);
  if (target.index == dve::kNothing)
    return {true, places[0]};
  const auto [succeeds, index] = value(state, target.index);
  const bool is_inside = succeeds && index >= 0 && index < static_cast<std::int64_t>(places.size());
  return {is_inside, is_inside ? places[static_cast<std::size_t>(index)] : 0};
}

bool DveNaiveExplorer::store(State& state, const dve::Assignment& target, std::size_t place,
                             std::int64_t number) const {
  const dve::BaseType type = model_.variables[target.variable].type;
  state[place] = low_bits(type, number);
  return on_error_ == dve::OnError::kWrap || dve::type_range(type).contains(number);
}

bool DveNaiveExplorer::run_effects(State& state, const dve::Transition& transition) const {
  for (const dve::Assignment& effect : transition.effects) {
    const auto [succeeds, number] = value(state, effect.value);
    const auto [is_inside, where] = place(state, effect);
    if (!succeeds || !is_inside || !store(state, effect, where, number))
      return false;
  }
  return true;
}

bool DveNaiveExplorer::is_handshake(const dve::Transition& transition) const {
  return transition.sync != dve::SyncKind::kNone && model_.channels[transition.channel].capacity == 0;
}

bool DveNaiveExplorer::run_alone(State& state, dve::ProcessId process, const dve::Transition& transition) const {
  const State before = state;
  if (!run_effects(state, transition))
    return false;
  if (transition.sync == dve::SyncKind::kSend && !send(state, transition))
    return false;
  if (transition.sync == dve::SyncKind::kReceive && !receive(before, state, transition))
    return false;
  state[process] = transition.target;
  return true;
}

bool DveNaiveExplorer::send(State& state, const dve::Transition& transition) const {
  const dve::Channel& channel = model_.channels[transition.channel];
  std::int64_t& count = state[buffers_[transition.channel]];
  if (count == channel.capacity)
    return false;
  const State after_effects = state;
  for (std::size_t i = 0; i < channel.types.size(); ++i) {
    const auto [succeeds, number] = value(after_effects, transition.sent[i]);
    if (!succeeds)
      return false;
    state[places_of(transition.channel, i)[static_cast<std::size_t>(count)]] = low_bits(channel.types[i], number);
  }
  ++count;
  return true;
}

bool DveNaiveExplorer::receive(const State& before, State& state, const dve::Transition& transition) const {
  std::int64_t& count = state[buffers_[transition.channel]];
  if (count == 0)
    return false;
  for (std::size_t i = 0; i < transition.received.size(); ++i) {
    const std::vector<std::size_t> places = places_of(transition.channel, i);
    const auto [is_inside, where] = place(before, transition.received[i]);
    if (!is_inside || !store(state, transition.received[i], where, state[places[0]]))
      return false;
    for (std::size_t k = 0; k + 1 < places.size(); ++k)
      state[places[k]] = state[places[k + 1]];
    state[places.back()] = 0;
  }
  --count;
  return true;
}

bool DveNaiveExplorer::run_handshake(State& state, dve::ProcessId sender, const dve::Transition& sending,
                                     dve::ProcessId receiver, const dve::Transition& receiving) const {
  const State before = state;
  const dve::Channel& channel = model_.channels[sending.channel];
  for (std::size_t i = 0; i < sending.sent.size(); ++i) {
    const auto [succeeds, number] = value(before, sending.sent[i]);
    const auto [is_inside, where] = place(before, receiving.received[i]);
    if (!succeeds || !is_inside ||
        !store(state, receiving.received[i], where, channel.is_typed ? low_bits(channel.types[i], number) : number))
      return false;
  }
  if (!run_effects(state, receiving) || !run_effects(state, sending))
    return false;
  state[sender] = sending.target;
  state[receiver] = receiving.target;
  return true;
}

void DveNaiveExplorer::successors(const State& state, const Visit& visit) const {
  for (dve::ProcessId p = 0; p < model_.processes.size(); ++p) {
    for (const dve::Transition& transition : model_.processes[p].transitions) {
      if (!is_enabled(state, p, transition))
        continue;
      if (is_handshake(transition)) {
        if (transition.sync == dve::SyncKind::kSend)
          handshakes(state, p, transition, visit);
        continue;
      }
      State next = state;
      if (run_alone(next, p, transition))
        visit(next);
    }
  }
}

void DveNaiveExplorer::handshakes(const State& state, dve::ProcessId sender, const dve::Transition& sending,
                                  const Visit& visit) const {
  for (dve::ProcessId p = 0; p < model_.processes.size(); ++p) {
    for (const dve::Transition& receiving : model_.processes[p].transitions) {
      if (p == sender || receiving.sync != dve::SyncKind::kReceive || receiving.channel != sending.channel ||
          !is_enabled(state, p, receiving))
        continue;
      State next = state;
      if (run_handshake(next, sender, sending, p, receiving))
        visit(next);
    }
  }
}

// Processes from `process` on choose; one that cannot move stays (more than DVE allows: the analysis must not mind).
void DveNaiveExplorer::move_together(const State& before, const State& merged, dve::ProcessId process,
                                     const Visit& visit) const {
  if (process == model_.processes.size()) {
    visit(merged);
    return;
  }
  bool moves = false;
  for (const dve::Transition& transition : model_.processes[process].transitions) {
    if (!is_enabled(before, process, transition))
      continue;
    moves = true;
    State alone = before;
    if (!run_alone(alone, process, transition))
      continue;
    State next = merged;
    for (std::size_t i = 0; i < next.size(); ++i)
      next[i] = alone[i] == before[i] ? merged[i] : alone[i];
    move_together(before, next, process + 1, visit);
  }
  if (!moves)
    move_together(before, merged, process + 1, visit);
}

}  // namespace tideline::test
