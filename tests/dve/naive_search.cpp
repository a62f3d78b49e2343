// SPDX-License-Identifier: MIT
#include "naive_search.h"

#include <algorithm>
#include <compare>
#include <deque>

namespace tideline::test {
namespace {

class Search {
 public:
  Search(const dve::Model& model, const DveQuestion& question)
      : model_(model), question_(question), steps_(model, question.on_error) {}

  DveAnswer run(std::size_t states_max) {
    std::vector<DveState> layer;
    add(steps_.values().initial(), layer);
    while (!is_over_ && !layer.empty()) {
      std::vector<DveState> following;
      ++depth_;
      for (const DveState& state : layer)
        expand(state, following);
      layer = std::move(following);
      if (seen_.size() > states_max) {
        answer_.too_large = true;
        return answer_;
      }
    }
    answer_.states = seen_.size() + (has_error_state_ ? 1 : 0);
    answer_.deadlocks += has_error_state_ ? 1 : 0;
    return answer_;
  }

 private:
  struct Rank {
    std::uint64_t depth = 0;
    Reason reason = Reason::kInvariant;
    auto operator<=>(const Rank&) const = default;
  };

  void violation(Rank rank, std::uint64_t path_states) {
    const bool is_first = answer_.verdict != Verdict::kViolated;
    if (!is_first && rank_ < rank)
      return;
    if (is_first || rank < rank_)
      answer_.path_states.clear();
    answer_.path_states.insert(path_states);
    answer_.verdict = Verdict::kViolated;
    answer_.reason = rank.reason;
    rank_ = rank;
  }

  void add(const DveState& state, std::vector<DveState>& layer) {
    if (!seen_.insert(state).second)
      return;
    answer_.levels = std::max(answer_.levels, depth_);
    layer.push_back(state);
    if (const Reason reason = broken_assertion(state); reason != Reason::kComplete) {
      violation({depth_, reason}, depth_ + 1);
      is_over_ = true;
    }
  }

  // Of the first assertion that does not hold: kInvariant, or kError if it cannot be evaluated.
  [[nodiscard]] Reason broken_assertion(const DveState& state) const {
    for (dve::ProcessId p = 0; p < model_.processes.size(); ++p) {
      for (const dve::Assertion& assertion : model_.processes[p].assertions) {
        if (state[p] != assertion.state)
          continue;
        const std::optional<std::int64_t> truth = steps_.values().value(state, assertion.condition);
        if (!truth || *truth == 0)
          return truth ? Reason::kInvariant : Reason::kError;
      }
    }
    return Reason::kComplete;
  }

  void expand(const DveState& state, std::vector<DveState>& following) {
    const std::vector<DveOutcome> outcomes = steps_.from(state);
    for (const DveOutcome& outcome : outcomes) {
      if (!outcome) {
        fail();
        continue;
      }
      ++answer_.edges;
      add(*outcome, following);
    }
    if (!outcomes.empty())
      return;
    ++answer_.deadlocks;
    if (question_.deadlock == DeadlockMode::kOff)
      return;
    violation({depth_ - 1, Reason::kDeadlock}, depth_);
    is_over_ = true;
  }

  void fail() {
    violation({depth_, Reason::kError}, depth_);
    if (!question_.error_is_state) {
      is_over_ = true;
      return;
    }
    ++answer_.edges;
    if (!has_error_state_)
      answer_.levels = std::max(answer_.levels, depth_);
    has_error_state_ = true;
  }

  const dve::Model& model_;
  DveQuestion question_;
  DveSteps steps_;
  std::set<DveState> seen_;
  std::uint64_t depth_ = 0;  // of the states being expanded, plus one
  bool has_error_state_ = false;
  bool is_over_ = false;  // after this layer
  Rank rank_;
  DveAnswer answer_;
};

}  // namespace

DveAnswer answer_naively(const dve::Model& model, const DveQuestion& question, std::size_t states_max) {
  return Search(model, question).run(states_max);
}

std::set<DveState> reachable_naively(const DveSteps& steps, std::size_t states_max) {
  std::set<DveState> seen{steps.values().initial()};
  std::deque<DveState> open{steps.values().initial()};
  while (!open.empty() && seen.size() < states_max) {
    const DveState state = std::move(open.front());
    open.pop_front();
    for (const DveOutcome& next : steps.from(state)) {
      if (next && seen.insert(*next).second)
        open.push_back(*next);
    }
  }
  return seen;
}

}  // namespace tideline::test
