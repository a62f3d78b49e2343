// SPDX-License-Identifier: MIT
#include "random_model.h"

#include <optional>

#include "random_expressions.h"

namespace tideline::test {
namespace {

using dve::BaseType;
using dve::ExprId;
using dve::Op;
using dve::ProcessId;
using dve::VariableId;

constexpr VariableId kGlobalScalar = 1;  // every model has it

class Generator : RandomExpressions {
 public:
  explicit Generator(std::uint64_t seed) : RandomExpressions(seed) {}

  dve::Model make();

 private:
  BaseType type() { return random_.one_in(3) ? BaseType::kInt : BaseType::kByte; }
  void add_globals();
  void add_variable(ProcessId owner);
  void add_channel();
  void add_process();
  void add_assertion(ProcessId process);
  void add_transition(ProcessId process, std::uint64_t position);
  void add_tame_step(dve::Transition& transition);
  void add_element_use(dve::Transition& transition);
  void add_repeated_store(dve::Transition& transition);
  void add_location_use(dve::Transition& transition);
  void add_observation(dve::Transition& transition);
  void add_sync(dve::Transition& transition);
  ExprId sent_value(std::size_t position);
  dve::Assignment receiving_target(std::size_t position);
  std::optional<VariableId> writable();
  std::vector<VariableId> all_writable(bool only_own);
  dve::Assignment target();
  dve::Assignment effect();

  bool has_committed_ = false;        // states
  std::vector<bool> is_written_;      // by variable
  std::vector<std::size_t> arities_;  // by channel
};

dve::Model Generator::make() {
  dve::Model& model = builder_.model();
  model.is_synchronous = random_.one_in(5);
  has_committed_ = random_.one_in(4);
  const bool has_assertions = random_.one_in(5);
  add_globals();
  const std::uint64_t channels = model.is_synchronous ? 0 : random_.below(3);
  for (std::uint64_t i = 0; i < channels; ++i)
    add_channel();
  const std::uint64_t processes = random_.one_in(8) ? 1 : 2 + random_.below(2);
  for (ProcessId p = 0; p < processes; ++p)
    add_process();
  for (process_ = 0; process_ < processes; ++process_) {
    const std::uint64_t states = model.processes[process_].states.size();
    const std::uint64_t transitions = random_.one_in(20) ? 0 : states + random_.below(6);
    for (std::uint64_t i = 0; i < transitions; ++i)
      add_transition(process_, i);
    if (has_assertions)
      add_assertion(process_);
  }
  return std::move(model);
}

// At least one array and one scalar.
void Generator::add_globals() {
  const BaseType base = type();
  const std::int64_t first = small();
  const bool is_constant = random_.one_in(4);
  builder_.array(base, {first, 3, 1}, is_constant);
  is_written_.push_back(!is_constant && !random_.one_in(8));
  builder_.scalar(base, first);
  is_written_.push_back(!random_.one_in(8));
  const std::uint64_t more = random_.below(3);
  for (std::uint64_t i = 0; i < more; ++i)
    add_variable(dve::kNothing);
}

void Generator::add_process() {
  const std::uint64_t states = 1 + random_.below(builder_.model().is_synchronous ? 2 : 4);
  const ProcessId process = builder_.process(states, static_cast<dve::StateId>(random_.below(states)));
  for (dve::State& state : builder_.model().processes[process].states)
    state.is_committed = has_committed_ && random_.one_in(4);
  const std::uint64_t locals = random_.below(3);
  for (std::uint64_t i = 0; i < locals; ++i)
    add_variable(process);
}

void Generator::add_variable(ProcessId owner) {
  const BaseType base = type();
  const std::int64_t first = small();
  VariableId id = 0;
  if (random_.one_in(3)) {
    std::vector<std::int64_t> initial(1 + random_.below(3), first);
    initial.back() = small();
    id = builder_.array(base, std::move(initial));
  } else {
    id = builder_.scalar(base, first);
  }
  builder_.model().variables[id].owner = owner;
  is_written_.push_back(!random_.one_in(8));
}

void Generator::add_channel() {
  arities_.push_back(random_.below(4));
  std::vector<BaseType> types(arities_.back());
  for (BaseType& each : types)
    each = type();
  const std::uint64_t kind = random_.below(3);
  if (kind == 0)
    builder_.handshake();
  else if (kind == 1)
    builder_.handshake(std::move(types));
  else
    builder_.buffer(static_cast<std::uint32_t>(1 + random_.below(3)), std::move(types));
}

// Most of them are weak enough to hold for a while.
void Generator::add_assertion(ProcessId process) {
  dve::Assertion assertion;
  assertion.state = static_cast<dve::StateId>(random_.below(builder_.model().processes[process].states.size()));
  const ExprId left = condition(1);
  const ExprId right = condition(2);
  assertion.condition = random_.one_in(4) ? left : builder_.binary(Op::kOr, left, right);
  assertion.text = "random";
  builder_.model().processes[process].assertions.push_back(std::move(assertion));
}

// The first ones leave the initial state and those after it.
void Generator::add_transition(ProcessId process, std::uint64_t position) {
  dve::Transition transition;
  const std::uint64_t states = builder_.model().processes[process].states.size();
  const std::uint64_t next = builder_.model().processes[process].initial + position;
  transition.source = static_cast<dve::StateId>((position < states ? next : random_.below(states)) % states);
  transition.target = static_cast<dve::StateId>(random_.below(states));
  const bool is_tame = !random_.one_in(4);
  if (is_tame)
    add_tame_step(transition);
  else if (!random_.one_in(4))
    transition.guard = condition(3);
  if (!builder_.model().channels.empty() && random_.one_in(is_tame ? 3 : 2))
    add_sync(transition);
  if (random_.one_in(6))
    add_location_use(transition);
  if (builder_.model().is_synchronous && random_.one_in(2))
    add_observation(transition);
  if (is_tame) {
    builder_.transition(process, std::move(transition));
    return;
  }
  if (random_.one_in(4))
    add_element_use(transition);
  const std::uint64_t effects = random_.below(4);
  for (std::uint64_t i = 0; i < effects && writable(); ++i)
    transition.effects.push_back(effect());
  if (random_.one_in(4))
    add_repeated_store(transition);
  builder_.transition(process, std::move(transition));
}

// Counts up to a bound, sets a scalar, or does nothing.
void Generator::add_tame_step(dve::Transition& transition) {
  const VariableId scalar = readable(false);
  const std::uint64_t kind = random_.below(4);
  if (!is_written_[scalar] || kind == 0)
    return;
  if (kind == 1) {
    transition.effects.push_back(builder_.assign(scalar, builder_.number(small())));
    return;
  }
  transition.guard = builder_.compare(scalar, Op::kLess, small() + 1);
  transition.effects.push_back(builder_.increment(scalar));
}

// guard a[i] op n; effect (some element of a, or i) = n, x = a[i]: what a guard said of an element may be over.
void Generator::add_element_use(dve::Transition& transition) {
  const VariableId array = readable(true);
  const VariableId scalar = readable(false);
  const VariableId target = readable(false);
  const ExprId before = builder_.element(array, builder_.read(scalar));
  const ExprId bound = number();
  transition.guard = builder_.binary(random_.pick(kComparisons), before, bound);
  if (!is_written_[array] || !is_written_[scalar] || !is_written_[target])
    return;
  if (random_.one_in(3)) {
    transition.effects.push_back(builder_.assign(scalar, number()));
  } else {
    const ExprId at = index(array);
    transition.effects.push_back(builder_.assign_element(array, at, number()));
  }
  const ExprId after = builder_.element(array, builder_.read(scalar));
  transition.effects.push_back(builder_.assign(target, after));
}

// x = a number, ..., x = another: what lies between is no value of a state. Sometimes a long condition is evaluated
// there again, and becomes a function if nothing forbids it.
void Generator::add_repeated_store(dve::Transition& transition) {
  const VariableId scalar = readable(false);
  if (!is_written_[scalar])
    return;
  const VariableId other = readable(false);
  const bool is_twice = random_.one_in(2) && is_written_[other];
  const ExprId large = is_twice ? condition(6) : 0;
  std::vector<dve::Assignment> effects{builder_.assign(scalar, number())};
  effects.insert(effects.end(), transition.effects.begin(), transition.effects.end());
  for (int i = 0; is_twice && i < 2; ++i)
    effects.push_back(builder_.assign(other, large));
  const ExprId last = random_.one_in(2) ? number() : arithmetic(1);
  effects.push_back(builder_.assign(scalar, last));
  transition.effects = std::move(effects);
}

// A scalar takes the truth of being in the source or the target of the transition.
void Generator::add_location_use(dve::Transition& transition) {
  const VariableId scalar = readable(false);
  const dve::StateId state = random_.one_in(2) ? transition.source : transition.target;
  if (is_written_[scalar])
    transition.effects.push_back(builder_.assign(scalar, builder_.in_state(process_, state)));
}

// A scalar of the process takes what the partner of a handshake, or another process in the same step, may have changed.
void Generator::add_observation(dve::Transition& transition) {
  for (const VariableId own : all_writable(true)) {
    if (builder_.model().variables[own].is_array)
      continue;
    const ExprId seen = random_.one_in(3) ? location() : builder_.read(readable(false));
    transition.effects.push_back(builder_.assign(own, seen));
    return;
  }
}

void Generator::add_sync(dve::Transition& transition) {
  transition.channel = static_cast<dve::ChannelId>(random_.below(builder_.model().channels.size()));
  const std::size_t items = arities_[transition.channel];
  const bool sends = random_.one_in(2) || (items > 0 && !writable());
  transition.sync = sends ? dve::SyncKind::kSend : dve::SyncKind::kReceive;
  for (std::size_t i = 0; i < items; ++i) {
    if (sends)
      transition.sent.push_back(sent_value(i));
    else
      transition.received.push_back(receiving_target(i));
  }
  if (random_.one_in(2))
    add_observation(transition);
  if (random_.one_in(4)) {
    const ExprId fragile = fragile_condition();
    transition.guard =
        transition.guard == dve::kNothing ? fragile : builder_.binary(Op::kAnd, transition.guard, fragile);
  }
}

// Later values of a list may read what an earlier one is stored to; some are outside the types.
ExprId Generator::sent_value(std::size_t position) {
  const std::uint64_t kind = random_.below(4);
  if (kind == 0)
    return builder_.number(random_.one_in(2) ? 254 + small() : 32766 + small());
  return kind == 1 && position > 0 ? builder_.read(kGlobalScalar) : arithmetic(2);
}

// Indices of later variables may be what an earlier one receives, or what an effect changes.
dve::Assignment Generator::receiving_target(std::size_t position) {
  if (!is_written_[kGlobalScalar] || !random_.one_in(2))
    return target();
  if (position == 0 && random_.one_in(2))
    return builder_.into(kGlobalScalar);
  const VariableId array = readable(true);
  if (!is_written_[array])
    return target();
  return builder_.assign_element(array, builder_.read(kGlobalScalar), dve::kNothing);
}

// Own ones more often where processes would write the same variable in one step.
std::optional<VariableId> Generator::writable() {
  const bool prefers_own = !random_.one_in(builder_.model().is_synchronous ? 4 : 2);
  std::vector<VariableId> found = all_writable(prefers_own);
  if (found.empty())
    found = all_writable(false);
  if (found.empty())
    return std::nullopt;
  return random_.pick(found);
}

std::vector<VariableId> Generator::all_writable(bool only_own) {
  std::vector<VariableId> found;
  const std::vector<dve::Variable>& variables = builder_.model().variables;
  for (VariableId v = 0; v < variables.size(); ++v) {
    const bool is_own = variables[v].owner == process_;
    if (is_written_[v] && (is_own || (!only_own && variables[v].owner == dve::kNothing)))
      found.push_back(v);
  }
  return found;
}

dve::Assignment Generator::target() {
  dve::Assignment assignment;
  assignment.variable = *writable();
  if (builder_.model().variables[assignment.variable].is_array)
    assignment.index = index(assignment.variable);
  return assignment;
}

// Half of them count.
dve::Assignment Generator::effect() {
  dve::Assignment assignment = target();
  if (random_.one_in(2)) {
    assignment.value = random_.one_in(3) ? element() : arithmetic(2);
    return assignment;
  }
  const bool is_array = assignment.index != dve::kNothing;
  const ExprId old =
      is_array ? builder_.element(assignment.variable, assignment.index) : builder_.read(assignment.variable);
  const ExprId step = builder_.number(1);
  assignment.value = builder_.binary(random_.one_in(3) ? Op::kSubtract : Op::kAdd, old, step);
  return assignment;
}

}  // namespace

dve::Model random_dve_model(std::uint64_t seed) {
  return Generator(seed).make();
}

}  // namespace tideline::test
