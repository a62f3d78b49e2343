// SPDX-License-Identifier: MIT
#include "front/dve/steps.h"

#include <algorithm>

namespace tideline::dve {
namespace {

bool is_handshake(const Model& model, const Transition& transition) {
  return transition.sync != SyncKind::kNone && model.channels[transition.channel].capacity == 0;
}

void add_reads(const Model& model, ExprId id, std::vector<SlotId>& slots) {
  if (id == kNothing)
    return;
  const Expr& expr = model.exprs[id];
  if (expr.op == Op::kVariable || expr.op == Op::kElement)
    slots.push_back(expr.variable);
  add_reads(model, expr.left, slots);
  add_reads(model, expr.right, slots);
}

}  // namespace

std::vector<Step> all_steps(const Model& model) {
  std::vector<Step> steps;
  std::vector<std::vector<std::pair<ProcessId, const Transition*>>> receivers(model.channels.size());
  for (ProcessId p = 0; p < model.processes.size(); ++p) {
    for (const Transition& transition : model.processes[p].transitions) {
      if (!is_handshake(model, transition) || model.is_synchronous)
        steps.push_back({p, &transition});
      if (transition.sync == SyncKind::kReceive && is_handshake(model, transition))
        receivers[transition.channel].emplace_back(p, &transition);
    }
  }
  for (ProcessId p = 0; p < model.processes.size(); ++p) {
    for (const Transition& transition : model.processes[p].transitions) {
      if (transition.sync != SyncKind::kSend || !is_handshake(model, transition))
        continue;
      for (const auto& [partner, receiving] : receivers[transition.channel]) {
        if (partner != p)
          steps.push_back({p, &transition, partner, receiving});
      }
    }
  }
  return steps;
}

std::vector<SlotId> reads(const Model& model, const Slots& slots, const Transition& transition) {
  std::vector<SlotId> all;
  add_reads(model, transition.guard, all);
  for (const ExprId sent : transition.sent)
    add_reads(model, sent, all);
  for (std::size_t i = 0; i < transition.received.size(); ++i) {
    add_reads(model, transition.received[i].index, all);
    if (model.channels[transition.channel].capacity > 0)
      all.push_back(slots.item(transition.channel, i));
  }
  for (const Assignment& effect : transition.effects) {
    add_reads(model, effect.index, all);
    add_reads(model, effect.value, all);
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

StepRunner::StepRunner(const Model& model, OnError on_error, const Slots& slots, Environment& environment)
    : model_(model),
      on_error_(on_error),
      slots_(slots),
      environment_(environment),
      evaluator_(model, slots, environment) {}

bool StepRunner::run(const Step& step, Stores& stores) {
  stores_ = &stores;
  const bool happens = step.receiving != nullptr ? run_handshake(step) : run_alone(*step.transition);
  for (auto& [slot, value] : stores) {
    if (slot < model_.variables.size() && !model_.variables[slot].is_array)
      value = environment_[slot];
  }
  return happens;
}

bool StepRunner::assume_guard(const Transition& transition) {
  return transition.guard == kNothing || evaluator_.assume(transition.guard, true);
}

bool StepRunner::run_handshake(const Step& step) {
  const Transition& sending = *step.transition;
  const Transition& receiving = *step.receiving;
  if (!assume_guard(sending) || !assume_guard(receiving))
    return false;
  const std::vector<bool> can_receive = can_index_each(receiving.received);
  const Channel& channel = model_.channels[sending.channel];
  // One after the other: a value may depend on those that are stored already.
  for (std::size_t i = 0; i < sending.sent.size(); ++i) {
    const Interval value = evaluator_.value(sending.sent[i]);
    const Interval passed = channel.is_typed ? truncate(channel.types[i], value) : value;
    if (!can_receive[i] || !store_to(receiving.received[i], passed, kNothing))
      return false;
  }
  return run_effects(receiving) && run_effects(sending);
}

// Of a handshake channel, this is a transition of a synchronous system: its effects.
bool StepRunner::run_alone(const Transition& transition) {
  if (!assume_guard(transition))
    return false;
  const bool has_buffer = transition.sync != SyncKind::kNone && !is_handshake(model_, transition);
  if (!has_buffer)
    return run_effects(transition);
  const std::vector<bool> can_receive = can_index_each(transition.received);
  if (!run_effects(transition))
    return false;
  for (std::size_t i = 0; i < transition.sent.size(); ++i) {
    const Interval sent = evaluator_.value(transition.sent[i]);
    if (is_empty(sent))
      return false;
    stores_->emplace_back(slots_.item(transition.channel, i),
                          truncate(model_.channels[transition.channel].types[i], sent));
  }
  for (std::size_t i = 0; i < transition.received.size(); ++i) {
    if (!can_receive[i] ||
        !store_to(transition.received[i], environment_[slots_.item(transition.channel, i)], kNothing))
      return false;
  }
  return true;
}

bool StepRunner::run_effects(const Transition& transition) {
  return std::ranges::all_of(transition.effects, [this](const Assignment& effect) {
    const Interval value = evaluator_.value(effect.value);
    const SlotId exact_term = effect.index == kNothing ? kNothing : slots_.find_term(effect.variable, effect.index);
    return can_index(effect) && store_to(effect, value, exact_term);
  });
}

bool StepRunner::can_index(const Assignment& target) const {
  if (target.index == kNothing)
    return true;
  const auto size = static_cast<std::int64_t>(model_.variables[target.variable].initial.size());
  return !is_empty(meet(evaluator_.value(target.index), {0, size - 1}));
}

// In the state before the step. A step that fails at one of them has stored to those before it.
std::vector<bool> StepRunner::can_index_each(const std::vector<Assignment>& targets) const {
  std::vector<bool> all;
  for (const Assignment& target : targets)
    all.push_back(can_index(target));
  return all;
}

// `exact_term` is the element that is stored to, if it is known by that name now.
bool StepRunner::store_to(const Assignment& target, const Interval& value, SlotId exact_term) {
  const Variable& variable = model_.variables[target.variable];
  const Interval stored = store(variable.type, on_error_, value);
  if (is_empty(stored))
    return false;
  stores_->emplace_back(target.variable, stored);
  if (variable.is_array) {
    weaken_terms(target.variable, stored, exact_term);
    environment_.set(target.variable, join(environment_[target.variable], stored));
  } else {
    forget_terms(target.variable);
    environment_.set(target.variable, stored);
  }
  return true;
}

void StepRunner::forget_terms(VariableId scalar) {
  for (const SlotId term : slots_.terms_of(scalar))
    environment_.set(term, kAnyNumber);
}

void StepRunner::weaken_terms(VariableId array, const Interval& value, SlotId exact_term) {
  for (const SlotId term : slots_.terms_of(array))
    environment_.set(term, term == exact_term ? value : join(environment_[term], value));
}

}  // namespace tideline::dve
