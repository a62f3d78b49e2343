// SPDX-License-Identifier: MIT
#include "naive_explorer.h"

#include <algorithm>
#include <set>

namespace tideline::cross {
namespace {

using State = std::vector<Word>;
using Outcome = StepResult::Outcome;

Reason reason_of(const Failure& failure) {
  return failure.kind == FailureKind::kAssertion ? Reason::kAssertion : Reason::kError;
}

class Explorer {
 public:
  Explorer(const ir::Program& program, DeadlockMode deadlock)
      : program_(program), deadlock_(deadlock), interpreter_(program), next_(program.state_words() + 1) {}

  NaiveResult run(std::uint64_t states_max, SeenStates* seen) {
    std::vector<State> layer = start_layer();
    while (!violated_ && !layer.empty()) {
      std::vector<State> following;
      ++depth_;
      for (const State& state : layer)
        expand(state, following);
      layer = std::move(following);
      if (seen_.size() > states_max) {
        result_.too_large = true;
        return result_;
      }
    }
    result_.states = seen_.size();
    result_.levels = depth_ == 0 || layer.empty() ? (depth_ == 0 ? 0 : depth_ - 1) : depth_;
    if (!violated_)
      check_covers();
    if (seen != nullptr)
      *seen = std::move(seen_);
    return result_;
  }

 private:
  // Ranks violations as the searches do: shorter paths first, then the order of Reason, then the property.
  void violation(std::uint64_t depth, Reason order, std::uint32_t property, Reason reason, std::uint64_t path_states) {
    const Rank rank{depth, order, property};
    if (violated_ && !(rank < rank_))
      return;
    violated_ = true;
    rank_ = rank;
    result_.verdict = Verdict::kViolated;
    result_.reason = reason;
    result_.path_states = path_states;
  }

  std::vector<State> start_layer() {
    std::vector<State> layer;
    for (const ir::Rule& rule : program_.starts) {
      for (ir::CommandId c = rule.first_command; c < rule.first_command + rule.command_count; ++c) {
        const StepResult step = interpreter_.start(c, next_.data());
        if (step.outcome == Outcome::kFailed)
          violation(1, Reason::kError, 0, reason_of(*step.failure), 0);
        else if (step.outcome == Outcome::kDone)
          add(layer);
      }
    }
    return layer;
  }

  void add(std::vector<State>& layer) {
    State state(next_.begin(), next_.end() - 1);
    if (!seen_.emplace(state, 0).second)
      return;
    for (std::uint32_t i = 0; i < program_.properties.size(); ++i) {
      const ir::Property& property = program_.properties[i];
      if (property.kind != ir::PropertyKind::kInvariant && property.kind != ir::PropertyKind::kCover)
        continue;
      const PropertyResult result = interpreter_.evaluate(property, state.data());
      if (result.failure) {
        violation(depth_, Reason::kError, i, reason_of(*result.failure), depth_ + 1);
        break;
      }
      if (property.kind == ir::PropertyKind::kCover && result.holds)
        covered_.insert(property.cover);
      if (property.kind == ir::PropertyKind::kInvariant && !result.holds) {
        violation(depth_, Reason::kInvariant, i, Reason::kInvariant, depth_ + 1);
        break;
      }
    }
    layer.push_back(std::move(state));
  }

  void expand(const State& state, std::vector<State>& following) {
    bool moves = false;
    bool fails = false;
    for (const ir::Rule& rule : program_.rules) {
      for (ir::CommandId c = rule.first_command; c < rule.first_command + rule.command_count; ++c) {
        const StepResult step = interpreter_.step(state.data(), c, next_.data());
        if (step.outcome == Outcome::kFailed) {
          fails = true;
          violation(depth_, Reason::kError, 0, reason_of(*step.failure), depth_);
        } else if (step.outcome == Outcome::kDone || step.outcome == Outcome::kOutside) {
          ++result_.edges;
          ++seen_[state];
          moves = moves || deadlock_ == DeadlockMode::kStuck || !std::equal(state.begin(), state.end(), next_.begin());
          if (step.outcome == Outcome::kDone)
            add(following);
        }
      }
    }
    if (deadlock_ != DeadlockMode::kOff && !moves && !fails)
      violation(depth_ - 1, Reason::kDeadlock, 0, Reason::kDeadlock, depth_);
  }

  void check_covers() {
    const std::vector<std::uint8_t>& by_statements = interpreter_.covered();
    for (std::uint32_t i = 0; i < program_.covers.size(); ++i) {
      if (covered_.contains(i) || by_statements[i] != 0)
        continue;
      result_.verdict = Verdict::kViolated;
      result_.reason = Reason::kCover;
    }
  }

  struct Rank {
    std::uint64_t depth = 0;
    Reason order = Reason::kInvariant;
    std::uint32_t property = 0;
    auto operator<=>(const Rank&) const = default;
  };

  const ir::Program& program_;
  DeadlockMode deadlock_;
  Interpreter interpreter_;
  State next_;
  SeenStates seen_;
  std::set<std::uint32_t> covered_;
  std::uint64_t depth_ = 0;
  bool violated_ = false;
  Rank rank_;
  NaiveResult result_;
};

}  // namespace

NaiveResult explore_naively(const ir::Program& program, DeadlockMode deadlock, std::uint64_t states_max,
                            SeenStates* seen) {
  return Explorer(program, deadlock).run(states_max, seen);
}

}  // namespace tideline::cross
