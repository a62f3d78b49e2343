// SPDX-License-Identifier: MIT
// Orders of values: small graphs by hand, random ones by their invariants.
#include <gtest/gtest.h>

#include "progress/value_order.h"
#include "search/simulate.h"

namespace tideline::progress {
namespace {

struct Change {
  std::size_t from;
  std::size_t to;
  std::uint64_t weight;
};

ValueGraph graph_of(std::size_t values, const std::vector<Change>& changes) {
  ValueGraph graph(values);
  for (const Change& change : changes)
    graph.add(change.from, change.to, change.weight);
  return graph;
}

ValueGraph random_graph(WalkRandom& random) {
  ValueGraph graph(2 + random.below(9));
  for (std::uint64_t n = random.below(20); n > 0; --n) {
    const std::size_t from = random.below(graph.values());
    const std::size_t to = random.below(graph.values());
    if (from != to)
      graph.add(from, to, 1 + random.below(100));
  }
  return graph;
}

TEST(ValueOrder, ComponentsOfAChainWithALoop) {
  // 3 -> 0 <-> 2 -> 1
  const ValueGraph graph = graph_of(4, {{3, 0, 1}, {0, 2, 5}, {2, 0, 5}, {2, 1, 1}});
  EXPECT_EQ(order_by_components(graph), (Ranks{1, 2, 1, 0}));
}

TEST(ValueOrder, WhatIsNotOrderedKeepsItsNumber) {
  EXPECT_EQ(order_by_components(ValueGraph(3)), (Ranks{0, 1, 2}));
  EXPECT_EQ(order_by_feedback_arcs(ValueGraph(3)), (Ranks{0, 1, 2}));
}

TEST(ValueOrder, FeedbackArcsCutACycleWhereItIsLightest) {
  const ValueGraph graph = graph_of(4, {{0, 1, 9}, {1, 2, 2}, {2, 3, 9}, {3, 0, 9}});
  const Ranks ranks = order_by_feedback_arcs(graph);
  EXPECT_EQ(ranks, (Ranks{2, 3, 0, 1}));
  EXPECT_EQ(graph.lowered(ranks), 2U);
}

TEST(ValueOrder, IgnoringLightChangesDividesAComponent) {
  const ValueGraph graph = graph_of(4, {{0, 1, 50}, {1, 0, 50}, {1, 2, 50}, {2, 3, 50}, {3, 0, 2}});
  EXPECT_EQ(orders_ignoring(graph, {1, 2}), (std::vector<Ranks>{{0, 0, 0, 0}, {0, 0, 1, 2}}));
}

TEST(ValueOrder, SpanningTreeFollowsTheTree) {
  // 1 -> 0 -> 2 -> 1, and 3 is not reached.
  const ValueGraph graph = graph_of(4, {{1, 0, 1}, {0, 2, 1}, {2, 1, 1}});
  EXPECT_EQ(order_by_spanning_tree(graph, 1), (Ranks{1, 0, 2, 3}));
}

TEST(ValueOrder, RandomGraphs) {
  WalkRandom random(7);
  for (int round = 0; round < 300; ++round) {
    const ValueGraph graph = random_graph(random);
    EXPECT_EQ(graph.lowered(order_by_components(graph)), 0U);
    const Ranks feedback = order_by_feedback_arcs(graph);
    Ranks up(graph.values());
    for (std::uint32_t v = 0; v < up.size(); ++v)
      up[v] = v;
    Ranks down(up.rbegin(), up.rend());
    EXPECT_LE(graph.lowered(feedback), std::min(graph.lowered(up), graph.lowered(down)));
    const std::uint64_t bound = random.below(100);
    const std::vector<Ranks> orders = orders_ignoring(graph, {0, bound});
    EXPECT_EQ(orders.at(0), order_by_components(graph));
    EXPECT_LE(graph.lowered(orders.at(1)), bound);
  }
}

}  // namespace
}  // namespace tideline::progress
