// SPDX-License-Identifier: MIT
// The judge of the DVE front end, third part: what a breadth-first search over naive_steps.h finds. Like the searches
// under test it finishes the layer in which it finds a violation, and takes the violation of least depth, then the
// first reason; a failing step counts as one deeper than the state it leaves.
#pragma once

#include <cstdint>
#include <set>

#include "naive_steps.h"
#include "search/search.h"

namespace tideline::test {

struct DveQuestion {
  dve::OnError on_error = dve::OnError::kFail;
  DeadlockMode deadlock = DeadlockMode::kOff;  // or kStuck
  bool error_is_state = false;
};

struct DveAnswer {
  bool too_large = false;  // more than the allowed number of states: nothing else is meaningful
  Verdict verdict = Verdict::kHolds;
  Reason reason = Reason::kComplete;
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t levels = 0;
  // On a path to the violation. Several: a step and an assertion fail at one depth, and packed states would decide.
  std::set<std::uint64_t> path_states;
};

DveAnswer answer_naively(const dve::Model& model, const DveQuestion& question, std::size_t states_max);

// The reachable states; at most `states_max` and their successors.
std::set<DveState> reachable_naively(const DveSteps& steps, std::size_t states_max);

}  // namespace tideline::test
