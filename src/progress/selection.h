// SPDX-License-Identifier: MIT
// Choosing the components of a measure by projection, after the level idea of Evangelista and Kristensen
// [evangelista.12.spin, section 4]: a level bounds the share of regress edges, and among the measures within the bound
// one with small layers is sought. They analysed whole state spaces off-line; we have a sample, and we order values
// instead of taking them as they are.
//
// Greedy: the next component is the one with the best ratio of gain (logarithms of the largest and of the mean layer)
// to cost (forward edges go through the queue; regress edges bring sweeps and cost several times more). It ends when
// the largest layer is a small enough share of the sample or nothing gains. Afterwards components that have become
// needless are dropped.
//
// G1  on the edges that it looked at, a selection's share of regress edges is within the bound, in the breadth-first
//     part and in the walks.
// G2  the key of a selection has at most 64 bits.
// Cost: per component one pass over the edges that are stationary so far for every cell, and one over the states for
// every order; what different levels share is computed once.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "progress/candidates.h"
#include "progress/partition.h"

namespace tideline::progress {

// By level, from 1.
inline constexpr std::array<double, 6> kRegressBounds = {0, 0.01, 0.03, 0.06, 0.10, 0.20};
inline constexpr unsigned kLevels = kRegressBounds.size();

struct SelectionLimits {
  std::size_t edges = 200'000;                     // looked at, at most
  std::size_t states = 60'000;                     // whose layers are looked at, at most
  double layer_share = 0.002;                      // of the sample: small enough for the largest layer
  const std::atomic<bool>* interrupted = nullptr;  // may be null; looked at between components

  [[nodiscard]] bool is_interrupted() const { return interrupted != nullptr && interrupted->load(); }
};

// Bits of the code of a term's component.
unsigned term_bits(const Cells& cells, const Term& term);

class Selection {
 public:
  Selection(const CandidateSource& source, const Sample& sample, const SelectionLimits& limits);
  ~Selection();

  // The terms, most significant first; none if no component gains anything within the bound. A regress edge counts as
  // `cost_of_regress` forward edges.
  std::vector<Term> select(double regress_bound, double cost_of_regress);

 private:
  struct Node;
  Node& child(Node& node, std::size_t candidate);
  // The best candidate, or none.
  std::size_t choose(Node& node, double bound, double cost_of_regress);
  [[nodiscard]] double gain(Node& node, std::size_t candidate);
  [[nodiscard]] bool is_within(const Node& node, const Candidate& candidate, double bound) const;
  [[nodiscard]] std::vector<Term> without_needless(std::vector<Term> terms, double bound);
  // Walks the tree along these terms, without looking for candidates.
  std::unique_ptr<Node> follow(const std::vector<Term>& terms);
  void extend(Node& node, const Term& term);
  const std::vector<std::uint32_t>& column_of(const Term& term);

  CandidateSource source_;
  SelectionLimits limits_;
  PartCounts all_edges_{};
  std::unique_ptr<Node> root_;
  std::deque<std::pair<Term, std::vector<std::uint32_t>>> columns_;  // of terms that were taken once
};

}  // namespace tideline::progress
