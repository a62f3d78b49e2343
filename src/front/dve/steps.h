// SPDX-License-Identifier: MIT
// The steps of a DVE model as the narrowing analysis sees them, and one step run over intervals.
//
// A step is a transition alone, or a sender and a receiver of one handshake channel in different processes. Committed
// states, `P.S` tests and buffers that are full or empty only keep steps from happening: the analysis ignores them. In
// a synchronous system all processes move at once, each from the same state, so that what a variable holds afterwards
// is what some transition alone has stored, or what it held before.
#pragma once

#include <utility>
#include <vector>

#include "front/dve/environment.h"
#include "front/dve/evaluate.h"

namespace tideline::dve {

struct Step {
  ProcessId process = kNothing;
  const Transition* transition = nullptr;
  ProcessId partner = kNothing;  // the receiver of a handshake
  const Transition* receiving = nullptr;
};

std::vector<Step> all_steps(const Model& model);

// Slots that a transition reads: each once.
std::vector<SlotId> reads(const Model& model, const Slots& slots, const Transition& transition);

// What was stored: arrays as often as they were, scalars with their last value, so that values between are not seen.
using Stores = std::vector<std::pair<SlotId, Interval>>;

class StepRunner {
 public:
  StepRunner(const Model& model, OnError on_error, const Slots& slots, Environment& environment);

  // Runs the step in the environment, which holds afterwards what is true after it. False: it cannot happen.
  [[nodiscard]] bool run(const Step& step, Stores& stores);

 private:
  [[nodiscard]] bool assume_guard(const Transition& transition);
  [[nodiscard]] bool run_handshake(const Step& step);
  [[nodiscard]] bool run_alone(const Transition& transition);
  [[nodiscard]] bool run_effects(const Transition& transition);
  [[nodiscard]] bool can_index(const Assignment& target) const;
  [[nodiscard]] std::vector<bool> can_index_each(const std::vector<Assignment>& targets) const;
  [[nodiscard]] bool store_to(const Assignment& target, const Interval& value, SlotId exact_term);
  void forget_terms(VariableId scalar);
  void weaken_terms(VariableId array, const Interval& value, SlotId exact_term);

  const Model& model_;
  OnError on_error_;
  const Slots& slots_;
  Environment& environment_;
  Evaluator evaluator_;
  Stores* stores_ = nullptr;  // of the step that is run
};

}  // namespace tideline::dve
