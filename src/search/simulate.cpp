// SPDX-License-Identifier: MIT
// One walk through the state space.
#include "search/simulate.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "search/deadlock.h"

namespace tideline {

std::uint64_t WalkRandom::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

std::uint64_t WalkRandom::below(std::uint64_t bound) {
  CHECK(bound > 0);
  return next() % bound;
}

Walk::Walk(const ir::Program& program, DeadlockMode deadlock)
    : program_(program), deadlock_(deadlock), interpreter_(program), successors_(interpreter_.words()) {
  list_moves();
}

std::string Walk::move_name(const Move& move) const {
  return ir::show_command(ir::decode_command(path_.empty() ? program_.starts : program_.rules, move.command));
}

void Walk::list_moves() {
  successors_.clear();
  if (path_.empty())
    interpreter_.initial(successors_);
  else
    interpreter_.expand(path_.back().state.data(), successors_);
  moves_.clear();
  for (std::size_t i = 0; i < successors_.size(); ++i)
    if (!successors_.outside(i))
      moves_.push_back({successors_.command(i), successors_.failed(i)});
}

std::optional<WalkFinding> Walk::take(std::size_t index) {
  const Move move = moves_.at(index);
  WalkStep step;
  step.rule = move_name(move);
  step.state.assign(interpreter_.words() + 1, 0);
  StepResult result = path_.empty() ? interpreter_.start(move.command, step.state.data())
                                    : interpreter_.step(path_.back().state.data(), move.command, step.state.data());
  if (result.outcome == StepResult::Outcome::kFailed) {
    CHECK(result.failure.has_value());
    const Reason reason = result.failure->kind == FailureKind::kAssertion ? Reason::kAssertion : Reason::kError;
    return WalkFinding{reason, fmt::format("{} fails: {}", step.rule, result.failure->message), result.failure->where};
  }
  CHECK(result.outcome == StepResult::Outcome::kDone);  // expand() listed it
  step.output = std::move(result.output);
  path_.push_back(std::move(step));
  list_moves();
  return judge_state();
}

bool Walk::undo() {
  if (path_.empty())
    return false;
  path_.pop_back();
  list_moves();
  return true;
}

std::optional<WalkFinding> Walk::judge_state() {
  const Word* state = path_.back().state.data();
  for (const ir::Property& property : program_.properties) {
    if (property.kind != ir::PropertyKind::kInvariant)
      continue;
    const PropertyResult result = interpreter_.evaluate(property, state);
    if (result.failure.has_value())
      return WalkFinding{Reason::kError,
                         fmt::format("invariant \"{}\" fails: {}", property.name, result.failure->message),
                         result.failure->where};
    if (!result.holds)
      return WalkFinding{Reason::kInvariant, fmt::format("invariant \"{}\" is false", property.name), property.where};
  }
  if (is_deadlock(successors_, state, interpreter_.words(), deadlock_))
    return WalkFinding{Reason::kDeadlock,
                       deadlock_ == DeadlockMode::kStuck ? "deadlock: no rule is enabled"
                                                         : "deadlock: no rule leads to a different state",
                       {}};
  return std::nullopt;
}

}  // namespace tideline
