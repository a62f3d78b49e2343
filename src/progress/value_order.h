// SPDX-License-Identifier: MIT
// Orders for the values of a cell, from the graph of its changes: an edge v -> w of weight n says that n sampled edges
// change the value from v to w. A rank that rises along most of the weight makes the cell a component of a progress
// measure. Values of equal rank are not told apart: changes between them cost nothing.
//
//  - by components: the strongly connected components [tarjan.72.sicomp] in topological order. No change lowers the
//    rank, and no other such rank is finer [kristensen.02.forte, section 5].
//  - by feedback arcs: an order of all values in which little weight goes down [eades.93.ipl], improved by moving
//  single
//    values.
//  - in between: the lightest changes inside of components are ignored up to a bound, and what remains is ordered by
//    components. The rank is lowered by at most that weight.
//
// O1  ranks are 0 .. n - 1 without gaps; `order_by_components` never lowers.
// O2  values that the graph leaves unordered keep the order of their numbers, as far as possible.
// Cost: quadratic in the values, which are kGraphValuesMax at most; for each ignored change the same.
#pragma once

#include <cstdint>
#include <vector>

namespace tideline::progress {

inline constexpr std::size_t kGraphValuesMax = 96;

// Ranks by value.
using Ranks = std::vector<std::uint32_t>;

class ValueGraph {
 public:
  explicit ValueGraph(std::size_t values) : values_(values), weights_(values * values, 0) {}
  [[nodiscard]] std::size_t values() const { return values_; }
  [[nodiscard]] std::uint64_t weight(std::size_t from, std::size_t to) const { return weights_[from * values_ + to]; }
  void add(std::size_t from, std::size_t to, std::uint64_t weight) { weights_[from * values_ + to] += weight; }
  void remove(std::size_t from, std::size_t to) { weights_[from * values_ + to] = 0; }
  // Of the changes that lower the rank.
  [[nodiscard]] std::uint64_t lowered(const Ranks& ranks) const;

 private:
  std::size_t values_;
  std::vector<std::uint64_t> weights_;
};

Ranks order_by_components(const ValueGraph& graph);
// All values different; the weight that goes down is small.
Ranks order_by_feedback_arcs(const ValueGraph& graph);
// By components, after changes of at most this weight together were ignored; an order for each bound, which rise.
std::vector<Ranks> orders_ignoring(const ValueGraph& graph, const std::vector<std::uint64_t>& bounds);
// By a depth-first spanning tree from value `root`: reverse postorder [kristensen.02.forte, section 5]. Every value is
// ranked; those that the root does not reach come last.
Ranks order_by_spanning_tree(const ValueGraph& graph, std::size_t root);

}  // namespace tideline::progress
