// SPDX-License-Identifier: MIT
// Abstract interpretation with intervals [cousot.77.popl]: from the initial state, steps are run over intervals, and
// what they store is added to what is known, until nothing changes; then what was widened too far is taken back. See
// docs/design/dve_narrowing.md.
#include "front/dve/narrow.h"

#include <deque>
#include <unordered_map>

#include "front/dve/knowledge.h"
#include "front/dve/steps.h"

namespace tideline::dve {
namespace {

constexpr unsigned kDescentsMax = 4;

// Where the outcome of a step goes.
struct Sink {
  Knowledge& to;
  const Widening& widening;
  std::vector<SlotId> changed_slots;
  std::vector<std::pair<ProcessId, StateId>> changed_places;
};

class Analysis {
 public:
  Analysis(const Model& model, OnError on_error);

  void ascend();
  void descend();
  [[nodiscard]] Narrowing result();

 private:
  using StepId = std::uint32_t;

  void add_dependencies();
  void add_reader(StepId id, const std::vector<SlotId>& slots);
  void enqueue(const std::vector<StepId>& steps);
  void enqueue_affected(Sink& sink);
  // Runs a step from what is known, and adds what is true after it to the sink.
  void run(const Step& step, Sink& sink);
  [[nodiscard]] bool load(ProcessId process, StateId state);
  void add_stores(const Stores& stores, Sink& sink) const;
  void add_place(ProcessId process, StateId state, Sink& sink) const;
  [[nodiscard]] Interval limit(SlotId slot) const;
  void set_base();
  std::vector<Interval> stored_values();

  const Model& model_;
  Slots slots_;
  OwnSlots own_;
  std::vector<ProcessId> owner_;  // by slot of the state; kNothing: none
  Environment environment_;
  StepRunner runner_;
  std::vector<Step> steps_;
  Knowledge known_;

  std::vector<std::vector<StepId>> readers_;            // by slot of the state
  std::vector<std::vector<std::vector<StepId>>> from_;  // by process and state
  std::deque<StepId> queue_;
  std::vector<bool> is_queued_;
};

Analysis::Analysis(const Model& model, OnError on_error)
    : model_(model),
      slots_(model),
      own_(own_slots(model)),
      owner_(slots_.first_term(), kNothing),
      environment_(slots_.size()),
      runner_(model, on_error, slots_, environment_),
      steps_(all_steps(model)),
      known_(model, slots_, own_),
      readers_(slots_.first_term()),
      is_queued_(steps_.size(), false) {
  for (ProcessId p = 0; p < model.processes.size(); ++p) {
    from_.emplace_back(model.processes[p].states.size());
    for (const SlotId slot : own_[p])
      owner_[slot] = p;
  }
  add_dependencies();
  set_base();
}

void Analysis::add_dependencies() {
  std::unordered_map<const Transition*, std::vector<SlotId>> read;
  for (const Process& process : model_.processes) {
    for (const Transition& transition : process.transitions)
      read.emplace(&transition, reads(model_, slots_, transition));
  }
  for (StepId id = 0; id < steps_.size(); ++id) {
    const Step& step = steps_[id];
    from_[step.process][step.transition->source].push_back(id);
    add_reader(id, read.at(step.transition));
    if (step.receiving == nullptr)
      continue;
    from_[step.partner][step.receiving->source].push_back(id);
    add_reader(id, read.at(step.receiving));
  }
}

// Own variables of the processes that move are read from the places they are in.
void Analysis::add_reader(StepId id, const std::vector<SlotId>& slots) {
  for (const SlotId slot : slots) {
    if (owner_[slot] != kNothing && (owner_[slot] == steps_[id].process || owner_[slot] == steps_[id].partner))
      continue;
    if (readers_[slot].empty() || readers_[slot].back() != id)
      readers_[slot].push_back(id);
  }
}

void Analysis::enqueue(const std::vector<StepId>& steps) {
  for (const StepId id : steps) {
    if (!is_queued_[id])
      queue_.push_back(id);
    is_queued_[id] = true;
  }
}

void Analysis::enqueue_affected(Sink& sink) {
  for (const SlotId slot : sink.changed_slots) {
    environment_.set_base(slot, known_.everywhere[slot].value);
    enqueue(readers_[slot]);
  }
  for (const auto& [process, state] : sink.changed_places)
    enqueue(from_[process][state]);
  sink.changed_slots.clear();
  sink.changed_places.clear();
}

void Analysis::ascend() {
  const Widening widening(model_);
  Sink sink{known_, widening, {}, {}};
  for (ProcessId p = 0; p < model_.processes.size(); ++p)
    enqueue(from_[p][model_.processes[p].initial]);
  while (!queue_.empty()) {
    const StepId id = queue_.front();
    queue_.pop_front();
    is_queued_[id] = false;
    run(steps_[id], sink);
    enqueue_affected(sink);
  }
}

// One step of the whole model from what is known contains every reachable state, as what is known does.
void Analysis::descend() {
  const Widening exact;
  for (unsigned i = 0; i < kDescentsMax; ++i) {
    Knowledge next(model_, slots_, own_);
    Sink sink{next, exact, {}, {}};
    for (const Step& step : steps_)
      run(step, sink);
    if (!known_.meet_with(next, own_))
      return;
    set_base();
  }
}

void Analysis::run(const Step& step, Sink& sink) {
  const Transition& transition = *step.transition;
  const Transition* receiving = step.receiving;
  Stores stores;
  const bool happens = load(step.process, transition.source) &&
                       (receiving == nullptr || load(step.partner, receiving->source)) && runner_.run(step, stores);
  if (happens) {
    add_stores(stores, sink);
    add_place(step.process, transition.target, sink);
    if (receiving != nullptr)
      add_place(step.partner, receiving->target, sink);
  }
  environment_.undo(0);
}

// False: not reached so far.
bool Analysis::load(ProcessId process, StateId state) {
  const Knowledge::Place& place = known_.at[process][state];
  if (!place)
    return false;
  for (std::size_t i = 0; i < own_[process].size(); ++i)
    environment_.set(own_[process][i], (*place)[i].value);
  return true;
}

void Analysis::add_stores(const Stores& stores, Sink& sink) const {
  for (const auto& [slot, value] : stores) {
    if (sink.widening.grow(sink.to.everywhere[slot], value, limit(slot)))
      sink.changed_slots.push_back(slot);
  }
}

void Analysis::add_place(ProcessId process, StateId state, Sink& sink) const {
  const std::vector<SlotId>& own = own_[process];
  Knowledge::Place& place = sink.to.at[process][state];
  bool changes = !place;
  if (!place)
    place.emplace(own.size(), Bound{kEmpty});
  for (std::size_t i = 0; i < own.size(); ++i) {
    Bound& bound = (*place)[i];
    if (is_empty(bound.value))
      bound.value = environment_[own[i]];
    else
      changes |= sink.widening.grow(bound, environment_[own[i]], limit(own[i]));
  }
  if (changes)
    sink.changed_places.emplace_back(process, state);
}

Interval Analysis::limit(SlotId slot) const {
  return slot < model_.variables.size() ? type_range(model_.variables[slot].type) : kAnyNumber;
}

void Analysis::set_base() {
  for (SlotId slot = 0; slot < slots_.first_term(); ++slot)
    environment_.set_base(slot, known_.everywhere[slot].value);
}

// What is known of all states, and what a step can store before it fails.
std::vector<Interval> Analysis::stored_values() {
  std::vector<Interval> values;
  for (SlotId slot = 0; slot < slots_.first_term(); ++slot)
    values.push_back(known_.everywhere[slot].value);
  for (const Step& step : steps_) {
    Stores stores;
    if (load(step.process, step.transition->source) &&
        (step.receiving == nullptr || load(step.partner, step.receiving->source)))
      (void)runner_.run(step, stores);
    for (const auto& [slot, value] : stores)
      values[slot] = join(values[slot], value);
    environment_.undo(0);
  }
  return values;
}

Narrowing Analysis::result() {
  const std::vector<Interval> values = stored_values();
  Narrowing narrowing;
  for (VariableId v = 0; v < model_.variables.size(); ++v)
    narrowing.variables.push_back(values[v]);
  for (ChannelId c = 0; c < model_.channels.size(); ++c) {
    std::vector<Interval>& items = narrowing.channels.emplace_back();
    if (model_.channels[c].capacity == 0)
      continue;
    for (std::size_t i = 0; i < model_.channels[c].types.size(); ++i)
      items.push_back(values[slots_.item(c, i)]);
  }
  return narrowing;
}

}  // namespace

Narrowing narrow(const Model& model, OnError on_error) {
  Analysis analysis(model, on_error);
  analysis.ascend();
  analysis.descend();
  return analysis.result();
}

}  // namespace tideline::dve
