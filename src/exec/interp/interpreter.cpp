// SPDX-License-Identifier: MIT
// Steps of a program (ir/program.h): enumerate commands, evaluate bindings and guards, run bodies, tidy up successors.
#include "exec/interp/interpreter.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "exec/interp/machine.h"
#include "ir/bits.h"
#include "ir/dispatch.h"
#include "ir/multiset.h"
#include "ir/progress.h"

namespace tideline {

using interp::Activation;
using interp::Discarded;
using ir::Binding;
using ir::BindingKind;

// Runs rules, properties and the progress measure on the machine. One activation for each is kept and reused.
class Interpreter::Stepper {
 public:
  explicit Stepper(const ir::Program& program)
      : program_(program), machine_(program), words_(program.state_words()), source_(words_ + 1), target_(words_ + 1) {
    for (const ir::Rule& rule : program.rules)
      rule_frames_.emplace_back(rule.frame);
    for (const ir::Rule& rule : program.starts)
      start_frames_.emplace_back(rule.frame);
    for (const ir::Property& property : program.properties)
      property_frames_.emplace_back(property.frame);
    for (const ir::ProgressComponent& component : program.progress)
      progress_frames_.emplace_back(component.frame);
    has_multisets_ = std::any_of(program.variables.begin(), program.variables.end(),
                                 [](const ir::Variable& v) { return v.type->contains_multiset(); });
  }

  void expand(const Word* state, Successors& out) {
    if (!dispatch_)
      dispatch_ = ir::make_dispatch(program_, ir::Analysis(program_, {}));
    set_source(state);
    std::optional<std::int64_t> priority;
    expand_nodes(*dispatch_, priority, out);
  }

  void initial(Successors& out) {
    const std::vector<Word> zero(words_, 0);
    set_source(zero.data());
    std::optional<std::int64_t> priority;
    for (std::size_t r = 0; r < program_.starts.size(); ++r)
      expand_rule(program_.starts[r], start_frames_[r], {}, priority, out);
  }

  StepResult step(const std::vector<ir::Rule>& rules, const Word* state, ir::CommandId id, Word* out) {
    set_source(state);
    const ir::Command command = ir::decode_command(rules, id);
    auto& frames = &rules == &program_.starts ? start_frames_ : rule_frames_;
    Activation& frame = frames[static_cast<std::size_t>(command.rule - rules.data())];
    StepResult result;
    machine_.use_output(&result.output);
    try {
      result.outcome = step_command(rules, command, frame);
    } catch (const Discarded&) {
      result.outcome = StepResult::Outcome::kDiscarded;
    } catch (const Failure& failure) {
      result.outcome = StepResult::Outcome::kFailed;
      result.failure = failure;
    }
    machine_.use_output(nullptr);
    std::copy_n(target_.begin(), words_, out);
    return result;
  }

  CheckResult check(const Word* state) {
    set_source(state);
    for (std::size_t i = 0; i < program_.properties.size(); ++i) {
      const ir::Property& property = program_.properties[i];
      if (property.kind != ir::PropertyKind::kInvariant && property.kind != ir::PropertyKind::kCover)
        continue;
      try {
        const bool holds = evaluate_here(property, property_frames_[i]);
        if (property.kind == ir::PropertyKind::kCover && holds)
          machine_.covered()[property.cover] = 1;
        if (property.kind == ir::PropertyKind::kInvariant && !holds)
          return {CheckResult::Kind::kViolated, static_cast<std::uint32_t>(i)};
      } catch (const Failure&) {
        return {CheckResult::Kind::kFailed, static_cast<std::uint32_t>(i)};
      }
    }
    return {};
  }

  PropertyResult evaluate(const ir::Property& property, const Word* state) {
    set_source(state);
    Activation frame(property.frame);
    PropertyResult result;
    try {
      result.holds = evaluate_here(property, frame);
    } catch (const Failure& failure) {
      result.failure = failure;
    }
    return result;
  }

  // What a measure passes on its way is not covered: it decides nothing but the order of a search.
  void progress(const Word* states, std::size_t count, std::uint64_t* keys) {
    const std::vector<std::uint8_t> covered = machine_.covered();
    for (std::size_t i = 0; i < count; ++i)
      keys[i] = progress_key(states + i * words_);
    machine_.covered() = covered;
  }

  [[nodiscard]] std::size_t words() const { return words_; }
  std::vector<std::uint8_t>& covered() { return machine_.covered(); }

 private:
  void set_source(const Word* state) {
    std::copy_n(state, words_, source_.begin());
    machine_.use_state(source_.data());
    machine_.reset_depth();
  }

  std::uint64_t progress_key(const Word* state) {
    set_source(state);
    std::uint64_t key = 0;
    unsigned bits_left = ir::progress_bits(program_);
    for (std::size_t i = 0; i < program_.progress.size(); ++i) {
      const ir::ProgressComponent& component = program_.progress[i];
      bits_left -= ir::progress_bits(component);
      key |= ir::progress_code(component, value_or_undefined(component, progress_frames_[i])) << bits_left;
    }
    return key;
  }

  std::int64_t value_or_undefined(const ir::ProgressComponent& component, Activation& frame) {
    frame.reset();
    machine_.reset_depth();
    try {
      return machine_.eval(*component.value, frame);
    } catch (const Discarded&) {
      return ir::kUndefined;
    } catch (const Failure&) {
      return ir::kUndefined;
    }
  }

  // Calls `each` for every combination of parameters from binding `k` on, in command order, with all bindings
  // evaluated; `each` returns false to stop. `failed` is called where a binding fails.
  template <typename Each, typename Failed>
  bool for_each_instance(const std::vector<Binding>& bindings, std::size_t k, Activation& frame, Each& each,
                         Failed& failed) {
    if (k == bindings.size())
      return each();
    const Binding& binding = bindings[k];
    interp::Address multiset;
    try {
      if (binding.kind == BindingKind::kAlias)
        frame.alias(binding.slot) = machine_.resolve(binding.ref, frame);
      else if (binding.kind == BindingKind::kValue)
        frame.value(binding.slot) = machine_.eval(*binding.value, frame);
      else if (binding.kind == BindingKind::kChoose)
        multiset = machine_.resolve(binding.ref, frame);
    } catch (const Discarded&) {
      return true;
    } catch (const Failure& failure) {
      return failed(k, failure);
    }
    if (binding.kind == BindingKind::kAlias || binding.kind == BindingKind::kValue)
      return for_each_instance(bindings, k + 1, frame, each, failed);
    for (const ir::Interval& part : binding.domain->parts) {
      for (std::int64_t v = part.lo; v <= part.hi; ++v) {
        if (binding.kind == BindingKind::kChoose &&
            !machine_.occupied(*binding.ref.type, multiset, static_cast<std::uint64_t>(v)))
          continue;
        frame.value(binding.slot) = v;
        if (!for_each_instance(bindings, k + 1, frame, each, failed))
          return false;
      }
    }
    return true;
  }

  // The command of the current instance; parameters from binding `known` on are taken as least.
  static ir::CommandId current_command(const ir::Rule& rule, Activation& frame, std::size_t known) {
    std::vector<std::int64_t> parameters;
    for (std::size_t i = 0; i < rule.bindings.size(); ++i) {
      const Binding& binding = rule.bindings[i];
      if (binding.kind == BindingKind::kParameter || binding.kind == BindingKind::kChoose)
        parameters.push_back(i < known ? frame.value(binding.slot) : binding.domain->hull().lo);
    }
    return ir::command_id(rule, parameters);
  }

  static void append_failure(Successors& out, ir::CommandId command) {
    tl_buffer* buffer = out.raw();
    if (buffer->count == buffer->capacity)
      buffer->grow(buffer);
    std::memset(buffer->states + buffer->count * buffer->words, 0, buffer->words * sizeof(Word));
    buffer->commands[buffer->count++] = command | TL_FAILED;
    ++buffer->failures;
  }

  void append_target(Successors& out, ir::CommandId command, StepResult::Outcome outcome) const {
    tl_buffer* buffer = out.raw();
    if (buffer->count == buffer->capacity)
      buffer->grow(buffer);
    std::copy_n(target_.begin(), words_, buffer->states + buffer->count * words_);
    const bool outside = outcome == StepResult::Outcome::kOutside;
    buffer->outside += outside ? 1 : 0;
    buffer->commands[buffer->count++] = command | (outside ? TL_OUTSIDE : 0);
  }

  void expand_nodes(const ir::Dispatch& nodes, std::optional<std::int64_t>& priority, Successors& out) {
    for (const ir::DispatchNode& node : nodes) {
      switch (node.kind) {
        case ir::DispatchNode::Kind::kRule:
          expand_rule(program_.rules[node.rule], rule_frames_[node.rule], node.conjuncts, priority, out);
          break;
        case ir::DispatchNode::Kind::kTest:
          if (machine_.eval_truth(*node.condition, rule_frames_[node.rule]))
            expand_nodes(node.body, priority, out);
          break;
        case ir::DispatchNode::Kind::kSwitch: {
          const ir::Ref& control = node.condition->refs[0];
          const ir::Dispatch* found = node.find(ir::get_bits(source_.data(), control.offset, control.type->bits));
          if (found != nullptr)
            expand_nodes(*found, priority, out);
          break;
        }
      }
    }
  }

  // All commands of a rule of whose guard `conjuncts` are to be tested. `priority` is that of the enabled rules, once
  // there are any: those of a higher number are masked.
  void expand_rule(const ir::Rule& rule, Activation& frame, const std::vector<const ir::Expr*>& conjuncts,
                   std::optional<std::int64_t>& priority, Successors& out) {
    auto each = [&] {
      const ir::CommandId command = current_command(rule, frame, rule.bindings.size());
      try {
        if (all_true(conjuncts, frame)) {
          if (!priority)
            priority = rule.priority;
          if (rule.priority == *priority) {
            append_target(out, command, run_body(rule, frame));
          }
        }
      } catch (const Discarded&) {
      } catch (const Failure&) {
        append_failure(out, command);
      }
      machine_.use_state(source_.data());
      machine_.reset_depth();
      return true;
    };
    auto failed = [&](std::size_t k, const Failure&) {
      append_failure(out, current_command(rule, frame, k));
      machine_.reset_depth();
      return true;
    };
    frame.reset();
    for_each_instance(rule.bindings, 0, frame, each, failed);
  }

  bool all_true(const std::vector<const ir::Expr*>& conjuncts, Activation& frame) {
    return std::all_of(conjuncts.begin(), conjuncts.end(),
                       [&](const ir::Expr* conjunct) { return machine_.eval_truth(*conjunct, frame); });
  }

  bool enabled(const ir::Rule& rule, Activation& frame) {
    return !rule.guard || machine_.eval_truth(*rule.guard, frame);
  }

  // Body, multisets, assumptions, with all bindings evaluated and the guard true; leaves the successor in target_.
  StepResult::Outcome run_body(const ir::Rule& rule, Activation& frame) {
    target_ = source_;
    machine_.use_state(target_.data());
    Activation body_frame = frame;  // the body's locals are fresh in every execution
    machine_.run(rule.body, body_frame);
    if (has_multisets_)
      for (const ir::Variable& variable : program_.variables)
        ir::sort_multisets(*variable.type, target_.data(), variable.offset);
    for (std::size_t i = 0; i < program_.properties.size(); ++i) {
      const ir::Property& property = program_.properties[i];
      if (property.kind == ir::PropertyKind::kAssumption && !evaluate_here(property, property_frames_[i]))
        return StepResult::Outcome::kOutside;
    }
    return StepResult::Outcome::kDone;
  }

  // Is some command of a rule with a lower priority number enabled? One whose bindings or guard fail is not.
  bool masked(const std::vector<ir::Rule>& rules, const ir::Rule& rule) {
    bool found = false;
    for (const ir::Rule& other : rules) {
      if (found || other.priority >= rule.priority)
        break;
      Activation frame(other.frame);
      auto each = [&] {
        try {
          found = enabled(other, frame);
        } catch (const Discarded&) {
          machine_.reset_depth();
        } catch (const Failure&) {
          machine_.reset_depth();
        }
        return !found;
      };
      auto failed = [](std::size_t, const Failure&) { return true; };
      for_each_instance(other.bindings, 0, frame, each, failed);
    }
    return found;
  }

  StepResult::Outcome step_command(const std::vector<ir::Rule>& rules, const ir::Command& command, Activation& frame) {
    frame.reset();
    std::size_t k = 0;
    for (const Binding& binding : command.rule->bindings) {
      switch (binding.kind) {
        case BindingKind::kAlias:
          frame.alias(binding.slot) = machine_.resolve(binding.ref, frame);
          break;
        case BindingKind::kValue:
          frame.value(binding.slot) = machine_.eval(*binding.value, frame);
          break;
        case BindingKind::kChoose:
        case BindingKind::kParameter: {
          const std::int64_t v = command.parameters[k++];
          if (binding.kind == BindingKind::kChoose) {
            const interp::Address multiset = machine_.resolve(binding.ref, frame);
            if (!machine_.occupied(*binding.ref.type, multiset, static_cast<std::uint64_t>(v)))
              return StepResult::Outcome::kDisabled;
          } else if (!binding.domain->contains(v)) {
            return StepResult::Outcome::kDisabled;
          }
          frame.value(binding.slot) = v;
          break;
        }
      }
    }
    if (!enabled(*command.rule, frame) || masked(rules, *command.rule))
      return StepResult::Outcome::kDisabled;
    return run_body(*command.rule, frame);
  }

  // In the machine's current state: for all instances, or for a cover property for some.
  bool evaluate_here(const ir::Property& property, Activation& frame) {
    const bool universal = property.kind != ir::PropertyKind::kCover;
    bool result = universal;
    auto each = [&] {
      try {
        result = machine_.eval_truth(*property.condition, frame);
      } catch (const Discarded&) {
        machine_.reset_depth();
      }
      return result == universal;
    };
    auto failed = [](std::size_t, const Failure& failure) -> bool { throw failure; };
    frame.reset();
    for_each_instance(property.bindings, 0, frame, each, failed);
    return result;
  }

  const ir::Program& program_;
  interp::Machine machine_;
  std::size_t words_;
  std::vector<Word> source_;
  std::vector<Word> target_;
  std::vector<Activation> rule_frames_;
  std::vector<Activation> start_frames_;
  std::vector<Activation> property_frames_;
  std::vector<Activation> progress_frames_;
  bool has_multisets_ = false;
  std::optional<ir::Dispatch> dispatch_;  // made by the first expansion; replays do without
};

Interpreter::Interpreter(const ir::Program& program)
    : program_(program), stepper_(std::make_unique<Stepper>(program)) {}

Interpreter::~Interpreter() = default;

std::size_t Interpreter::words() const {
  return stepper_->words();
}
void Interpreter::initial(Successors& out) {
  stepper_->initial(out);
}
void Interpreter::expand(const Word* state, Successors& out) {
  stepper_->expand(state, out);
}
CheckResult Interpreter::check(const Word* state) {
  return stepper_->check(state);
}
void Interpreter::progress(const Word* states, std::size_t count, std::uint64_t* keys) {
  stepper_->progress(states, count, keys);
}
const std::vector<std::uint8_t>& Interpreter::covered() const {
  return stepper_->covered();
}

StepResult Interpreter::start(ir::CommandId command, Word* out) {
  const std::vector<Word> zero(stepper_->words(), 0);
  return stepper_->step(program_.starts, zero.data(), command, out);
}

StepResult Interpreter::step(const Word* state, ir::CommandId command, Word* out) {
  return stepper_->step(program_.rules, state, command, out);
}

PropertyResult Interpreter::evaluate(const ir::Property& property, const Word* state) {
  return stepper_->evaluate(property, state);
}

}  // namespace tideline
