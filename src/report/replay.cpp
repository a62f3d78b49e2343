// SPDX-License-Identifier: MIT
// Replaying a path on the reference interpreter.
#include "report/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/deadlock.h"

namespace tideline {

namespace {

using Outcome = StepResult::Outcome;

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kDone:
      return "done";
    case Outcome::kDisabled:
      return "disabled";
    case Outcome::kDiscarded:
      return "discarded by an assume statement";
    case Outcome::kOutside:
      return "outside the assumptions";
    case Outcome::kFailed:
      return "failed";
  }
  return "?";
}

class Replay {
 public:
  Replay(const ir::Program& program, const Violation& violation, DeadlockMode deadlock)
      : program_(program), violation_(violation), deadlock_(deadlock), interpreter_(program) {}

  Result<Counterexample> run() {
    Status status = violation_.path_is_known ? walk() : stand();
    if (status.is_ok())
      status = establish();
    if (!violation_.path_is_known)
      found_.steps.clear();
    if (!status.is_ok())
      return status;
    return std::move(found_);
  }

 private:
  std::string rule_name(ir::CommandId command, bool is_start) const {
    return ir::show_command(ir::decode_command(is_start ? program_.starts : program_.rules, command));
  }

  [[nodiscard]] const Word* last_state() const {
    return found_.steps.empty() ? nullptr : found_.steps.back().state.data();
  }

  // A start command if there is no state yet.
  StepResult fire(ir::CommandId command, std::vector<Word>& out) {
    out.assign(interpreter_.words() + 1, 0);
    return last_state() == nullptr ? interpreter_.start(command, out.data())
                                   : interpreter_.step(last_state(), command, out.data());
  }

  Status walk() {
    for (const PathStep& step : violation_.path) {
      const std::size_t number = found_.steps.size();
      ReplayedStep replayed;
      replayed.rule = rule_name(step.command, number == 0);
      StepResult result = fire(step.command, replayed.state);
      if (result.outcome != Outcome::kDone)
        return Status::error(fmt::format("step {} ({}) of the path is {} when it is replayed", number, replayed.rule,
                                         outcome_name(result.outcome)));
      const std::size_t words = interpreter_.words();
      if (step.state.size() < words ||
          !std::equal(step.state.begin(), step.state.begin() + static_cast<std::ptrdiff_t>(words),
                      replayed.state.begin()))
        return Status::error(
            fmt::format("step {} ({}) of the path leads to another state when it is replayed", number, replayed.rule));
      replayed.output = std::move(result.output);
      found_.steps.push_back(std::move(replayed));
    }
    return Status::ok();
  }

  // Without a path: takes the search's word for the last state.
  Status stand() {
    found_.path_is_known = false;
    ReplayedStep last;
    last.state = violation_.path.back().state;
    last.state.push_back(0);
    found_.steps.push_back(std::move(last));
    return Status::ok();
  }

  Status establish() {
    if (violation_.command_fails)
      return establish_failing_command();
    if (violation_.reason == Reason::kCover) {
      const ir::CoverPoint& cover = program_.covers.at(violation_.property);
      found_.reason = Reason::kCover;
      found_.property = cover.name;
      found_.message = fmt::format("cover property \"{}\" is true in no reachable state", cover.name);
      found_.where = cover.where;
      return Status::ok();
    }
    if (found_.steps.empty())
      return Status::error("the violation has no path");
    return violation_.reason == Reason::kDeadlock ? establish_deadlock() : establish_property();
  }

  Status establish_failing_command() {
    const std::string rule = rule_name(violation_.failing_command, found_.steps.empty());
    std::vector<Word> ignored;
    const StepResult result = fire(violation_.failing_command, ignored);
    if (result.outcome != Outcome::kFailed || !result.failure.has_value())
      return Status::error(fmt::format("{} does not fail when it is replayed", rule));
    found_.failing_rule = rule;
    take_failure(*result.failure);
    return Status::ok();
  }

  Status establish_deadlock() {
    Successors successors(interpreter_.words());
    interpreter_.expand(last_state(), successors);
    if (!is_deadlock(successors, last_state(), interpreter_.words(), deadlock_))
      return Status::error("the last state of the path is not a deadlock when it is replayed");
    found_.reason = Reason::kDeadlock;
    found_.message = deadlock_ == DeadlockMode::kStuck ? "deadlock: no rule is enabled"
                                                       : "deadlock: no rule leads to a different state";
    return Status::ok();
  }

  Status establish_property() {
    const ir::Property& property = program_.properties.at(violation_.property);
    const PropertyResult result = interpreter_.evaluate(property, last_state());
    if (result.failure.has_value()) {
      take_failure(*result.failure);
      found_.message += fmt::format(" (while evaluating \"{}\")", property.name);
      return Status::ok();
    }
    if (result.holds)
      return Status::error(fmt::format("\"{}\" holds in the last state when it is replayed", property.name));
    found_.reason = Reason::kInvariant;
    found_.property = property.name;
    found_.message = fmt::format("invariant \"{}\" is false", property.name);
    found_.where = property.where;
    return Status::ok();
  }

  void take_failure(const Failure& failure) {
    const bool has_text = failure.kind == FailureKind::kAssertion || failure.kind == FailureKind::kError;
    found_.reason = failure.kind == FailureKind::kAssertion ? Reason::kAssertion : Reason::kError;
    found_.message = failure.message.empty() ? failure_name(failure.kind) : failure.message;
    found_.property = has_text ? found_.message : failure_name(failure.kind);
    found_.where = failure.where;
  }

  const ir::Program& program_;
  const Violation& violation_;
  DeadlockMode deadlock_;
  Interpreter interpreter_;
  Counterexample found_;
};

}  // namespace

Result<Counterexample> replay(const ir::Program& program, const Violation& violation, DeadlockMode deadlock) {
  return Replay(program, violation, deadlock).run();
}

const char* failure_name(FailureKind kind) {
  switch (kind) {
    case FailureKind::kUndefined:
      return "undefined value";
    case FailureKind::kRange:
      return "value out of range";
    case FailureKind::kIndex:
      return "index out of range";
    case FailureKind::kArithmetic:
      return "arithmetic error";
    case FailureKind::kAssertion:
      return "assertion";
    case FailureKind::kError:
      return "error statement";
    case FailureKind::kLimit:
      return "loop or recursion limit";
    case FailureKind::kMultiset:
      return "multiset full";
    case FailureKind::kNoReturn:
      return "function without return";
  }
  return "run-time error";
}

}  // namespace tideline
