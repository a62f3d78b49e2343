// SPDX-License-Identifier: MIT
// Finding progress measures (docs/design/progress.md): samples the state space, reads the program's text, chooses
// components for each level of regress, and estimates what each measure would cost.
//
// Whatever is found, a search with it is exact: a bad measure is slow or needs memory, never wrong.
// Cost: the sample (some hundred thousand expansions at most) and a few seconds. Deterministic for a seed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "progress/estimate.h"
#include "progress/sample.h"
#include "progress/selection.h"

namespace tideline::progress {

struct Measure {
  unsigned level = 0;  // the least level to which it belongs
  std::vector<ir::ProgressComponent> components;
  unsigned key_bits = 0;
  Estimate estimate;
  bool is_proved = false;  // the program's text shows that there are no regress edges
  double score = 0;        // less is better: score_of()
};

struct Findings {
  std::vector<Measure> measures;  // best first; none if nothing in the model makes progress
  std::uint64_t sampled_states = 0;
  std::uint64_t expanded_states = 0;
  std::uint64_t sampled_edges = 0;
  bool complete = false;  // the sample is the state space: estimates are exact
  bool interrupted = false;
};

struct FindOptions {
  SampleOptions sample;
  SelectionLimits selection;
  unsigned level = 0;  // 1 .. kLevels: this one only; 0: all
};

// What a search pays: the logarithm of the largest layer, down to the share below which it does not matter; twice that
// of the expansions per state; the share of edges through the queue; that of regress edges, whose targets are kept,
// twice; a little for each sweep.
double score_of(const Estimate& estimate, const SelectionLimits& limits);

// Types that the components need are added to the program.
Findings find_measures(ir::Program& program, EngineSource& engines, const FindOptions& options);

// The components of the best, for Program::progress; none if nothing was found or the search for it was interrupted.
std::vector<ir::ProgressComponent> find_measure(ir::Program& program, EngineSource& engines,
                                                const FindOptions& options);

}  // namespace tideline::progress
