// SPDX-License-Identifier: MIT
// How good a measure is, on a sample: the shares of regress, forward and stationary edges, the layers, and what the
// sweep-line search would do. The last is found by running it [evangelista.12.spin, algorithm 1] on the sampled graph:
// on a complete sample that is what the search will do; otherwise it is a guess, as the sample lacks most of the ways
// back, and states that it did not expand end every path.
//
// Cost: a sort of the states by their keys; a pass over the sampled edges for every sweep, at most kSweepsMax.
#pragma once

#include <cstdint>
#include <vector>

#include "progress/columns.h"

namespace tideline::progress {

inline constexpr std::uint64_t kSweepsMax = 300;

struct EdgeShares {
  double regress = 0;
  double forward = 0;
  double stationary = 0;
};

struct Estimate {
  EdgeShares edges;          // of all sampled edges
  double worst_regress = 0;  // the greater share of the breadth-first part and the walks
  std::uint64_t layers = 0;  // among the sampled states
  std::uint64_t largest_layer = 0;
  double largest_share = 0;  // of the sampled states
  double mean_share = 0;     // of the layer of a random state
  std::uint64_t sweeps = 1;  // kSweepsMax: that many or more
  double revisits = 1;       // expansions per expanded state
};

// The number of each sampled state's layer: layers are numbered in the order of the measure. One layer without terms.
// The key of the terms has at most 64 bits.
std::vector<std::uint32_t> layers_of(const Cells& cells, const Columns& columns, const std::vector<Term>& terms,
                                     std::size_t states);

Estimate estimate(const Sample& sample, const std::vector<std::uint32_t>& layers);

}  // namespace tideline::progress
