// SPDX-License-Identifier: MIT
#include "front/dve/knowledge.h"

namespace tideline::dve {
namespace {

constexpr ProcessId kSeveral = kNothing - 1;

Interval initial_values(const Variable& variable) {
  Interval values = kEmpty;
  for (const std::int64_t value : variable.initial)
    values = join(values, {value, value});
  return values;
}

bool meet_bound(Bound& bound, const Interval& other) {
  const Interval both = meet(bound.value, other);
  const bool shrinks = both != bound.value;
  bound.value = both;
  return shrinks;
}

// A place where a variable has no value is not reachable.
bool meet_place(Knowledge::Place& place, const Knowledge::Place& other, const std::vector<Bound>& everywhere,
                const std::vector<SlotId>& own) {
  if (!place)
    return false;
  if (!other) {
    place.reset();
    return true;
  }
  bool shrinks = false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    shrinks |= meet_bound((*place)[i], meet((*other)[i].value, everywhere[own[i]].value));
    if (is_empty((*place)[i].value)) {
      place.reset();
      return true;
    }
  }
  return shrinks;
}

}  // namespace

OwnSlots own_slots(const Model& model) {
  std::vector<ProcessId> writers(model.variables.size(), kNothing);
  for (ProcessId p = 0; p < model.processes.size(); ++p) {
    const auto note = [&](const std::vector<Assignment>& targets) {
      for (const Assignment& target : targets) {
        ProcessId& writer = writers[target.variable];
        writer = writer == kNothing || writer == p ? p : kSeveral;
      }
    };
    for (const Transition& transition : model.processes[p].transitions) {
      note(transition.received);
      note(transition.effects);
    }
  }
  OwnSlots own(model.processes.size());
  for (VariableId v = 0; v < writers.size(); ++v) {
    if (writers[v] < model.processes.size())
      own[writers[v]].push_back(v);
  }
  return own;
}

Knowledge::Knowledge(const Model& model, const Slots& slots, const OwnSlots& own) : everywhere(slots.first_term()) {
  for (VariableId v = 0; v < model.variables.size(); ++v)
    everywhere[v].value = initial_values(model.variables[v]);
  for (ProcessId p = 0; p < model.processes.size(); ++p) {
    std::vector<Bound> initial;
    for (const SlotId slot : own[p])
      initial.push_back(everywhere[slot]);
    at.emplace_back(model.processes[p].states.size())[model.processes[p].initial] = std::move(initial);
  }
}

bool Knowledge::meet_with(const Knowledge& other, const OwnSlots& own) {
  bool shrinks = false;
  for (std::size_t slot = 0; slot < everywhere.size(); ++slot)
    shrinks |= meet_bound(everywhere[slot], other.everywhere[slot].value);
  for (std::size_t p = 0; p < at.size(); ++p) {
    for (std::size_t q = 0; q < at[p].size(); ++q)
      shrinks |= meet_place(at[p][q], other.at[p][q], everywhere, own[p]);
  }
  return shrinks;
}

}  // namespace tideline::dve
