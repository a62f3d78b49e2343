// SPDX-License-Identifier: MIT
// A sample of a state space for judging progress measures: states, and all edges that leave some of them.
//
// It begins breadth-first. If that ends, the sample is the state space and what is computed on it is exact. Otherwise
// bundles of random walks go on from there: a bundle of width w expands w states, and its next step is w random states
// among those that were new. Wide bundles see much at a depth, narrow ones reach deep; a bundle that sees only what is
// known ends, and the next begins in random states that were seen but not expanded. Walks that avoid known states make
// late phases and high counters visible, which a breadth-first prefix never reaches.
//
// A1  states are distinct (representatives, if the search reduces by symmetry); edges are between them, without loops.
// A2  row i has the edges of state expanded[i], all of them; no state has two rows.
// A3  a sample depends on the program, the limits and the seed alone.
// Cost: some expansions more than the limits say, since a layer's last state is expanded as a whole.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ir/program.h"
#include "model/next_state.h"
#include "search/search.h"
#include "symmetry/reduction.h"

namespace tideline::progress {

using StateIndex = std::uint32_t;

struct SampleLimits {
  std::uint64_t prefix_states = 60'000;  // expanded breadth-first, at most
  std::uint64_t walk_states = 80'000;    // expanded by walks, at most
  std::uint64_t edges = 1'000'000;       // at most; half of them breadth-first
  std::uint64_t states = 400'000;        // seen, at most; the same
};

// What fits into `memory_bytes` with the columns that are made of it (progress/columns.h), the defaults at most.
SampleLimits limits_for(const ir::Program& program, std::uint64_t memory_bytes);

struct Sample {
  std::size_t words = 1;
  std::vector<Word> states;               // one readable word behind the last
  std::vector<StateIndex> expanded;       // A2
  std::vector<std::uint64_t> first_edge;  // of each of those, and the end
  std::vector<StateIndex> targets;        // of the edges
  std::size_t starts = 0;                 // the first so many states are the initial ones
  std::size_t prefix = 0;                 // how many of `expanded` are of the breadth-first part
  bool complete = false;                  // it is the whole state space
  bool interrupted = false;

  [[nodiscard]] std::size_t size() const { return (states.size() - 1) / words; }
  [[nodiscard]] const Word* state(StateIndex i) const { return states.data() + std::size_t{i} * words; }
};

struct SampleOptions {
  SampleLimits limits;
  std::uint64_t seed = 1;
  SymmetryMode symmetry = SymmetryMode::kOff;
  std::vector<ir::Interval> scalarsets;            // that are permuted
  const std::atomic<bool>* interrupted = nullptr;  // may be null
};

Sample take_sample(const ir::Program& program, EngineSource& engines, const SampleOptions& options);

}  // namespace tideline::progress
