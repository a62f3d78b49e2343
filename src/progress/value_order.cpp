// SPDX-License-Identifier: MIT
#include "progress/value_order.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace tideline::progress {
namespace {

constexpr int kRoundsMax = 20;

// Tarjan's algorithm; components are numbered as they are finished, so successors have smaller numbers.
class Components {
 public:
  explicit Components(const ValueGraph& graph)
      : graph_(graph), number_(graph.values(), 0), low_(graph.values(), 0), of_(graph.values(), kNone) {
    for (std::size_t v = 0; v < graph.values(); ++v)
      if (number_[v] == 0)
        visit(v);
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t of(std::size_t value) const { return of_[value]; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Recursion is as deep as there are values: kGraphValuesMax.
  void visit(std::size_t v) {  // NOLINT(misc-no-recursion)
    number_[v] = low_[v] = ++last_;
    stack_.push_back(v);
    for (std::size_t w = 0; w < graph_.values(); ++w) {
      if (w == v || graph_.weight(v, w) == 0)
        continue;
      if (number_[w] == 0) {
        visit(w);
        low_[v] = std::min(low_[v], low_[w]);
      } else if (of_[w] == kNone) {
        low_[v] = std::min(low_[v], number_[w]);
      }
    }
    if (low_[v] != number_[v])
      return;
    std::size_t w = kNone;
    do {
      w = stack_.back();
      stack_.pop_back();
      of_[w] = count_;
    } while (w != v);
    ++count_;
  }

  const ValueGraph& graph_;
  std::vector<std::size_t> number_;
  std::vector<std::size_t> low_;
  std::vector<std::size_t> of_;
  std::vector<std::size_t> stack_;
  std::size_t last_ = 0;
  std::size_t count_ = 0;
};

// Weight saved by putting v before w rather than behind it.
std::int64_t preference(const ValueGraph& graph, std::size_t v, std::size_t w) {
  return static_cast<std::int64_t>(graph.weight(v, w)) - static_cast<std::int64_t>(graph.weight(w, v));
}

// Of Eades, Lin and Smyth: sinks go to the end, sources to the beginning, otherwise the value whose changes lead away
// from it most goes to the beginning.
std::vector<std::size_t> greedy_sequence(const ValueGraph& graph) {
  const std::size_t n = graph.values();
  std::vector<bool> placed(n, false);
  std::vector<std::uint64_t> in(n, 0);
  std::vector<std::uint64_t> out(n, 0);
  for (std::size_t v = 0; v < n; ++v)
    for (std::size_t w = 0; w < n; ++w)
      if (v != w) {
        out[v] += graph.weight(v, w);
        in[w] += graph.weight(v, w);
      }
  std::vector<std::size_t> front;
  std::vector<std::size_t> back;
  const auto take = [&](std::size_t v, std::vector<std::size_t>& list) {
    placed[v] = true;
    list.push_back(v);
    for (std::size_t w = 0; w < n; ++w)
      if (w != v) {
        in[w] -= graph.weight(v, w);
        out[w] -= graph.weight(w, v);
      }
  };
  const auto find = [&](auto&& wanted) {
    std::size_t v = 0;
    while (v < n && (placed[v] || !wanted(v)))
      ++v;
    return v;
  };
  while (front.size() + back.size() < n) {
    if (const std::size_t source = find([&](std::size_t v) { return in[v] == 0; }); source < n) {
      take(source, front);
    } else if (const std::size_t sink = find([&](std::size_t v) { return out[v] == 0; }); sink < n) {
      take(sink, back);
    } else {
      std::size_t best = find([](std::size_t) { return true; });
      const auto surplus = [&](std::size_t v) {
        return static_cast<std::int64_t>(out[v]) - static_cast<std::int64_t>(in[v]);
      };
      for (std::size_t v = best + 1; v < n; ++v)
        if (!placed[v] && surplus(v) > surplus(best))
          best = v;
      take(best, front);
    }
  }
  front.insert(front.end(), back.rbegin(), back.rend());
  return front;
}

// Moves the value at a position to where least weight goes down. True if that was an improvement.
bool move_best(const ValueGraph& graph, std::vector<std::size_t>& sequence, std::size_t from) {
  const std::size_t v = sequence[from];
  std::int64_t best = 0;
  std::size_t to = from;
  std::int64_t saved = 0;
  for (std::size_t i = from; i-- > 0;)
    if (saved += preference(graph, v, sequence[i]); saved > best) {
      best = saved;
      to = i;
    }
  saved = 0;
  for (std::size_t i = from + 1; i < sequence.size(); ++i)
    if (saved += preference(graph, sequence[i], v); saved > best) {
      best = saved;
      to = i;
    }
  const auto at = [&sequence](std::size_t i) { return sequence.begin() + static_cast<std::ptrdiff_t>(i); };
  if (to < from)
    std::rotate(at(to), at(from), at(from + 1));
  else if (to > from)
    std::rotate(at(from), at(from + 1), at(to + 1));
  return to != from;
}

Ranks ranks_of(const std::vector<std::size_t>& sequence) {
  Ranks ranks(sequence.size());
  for (std::size_t i = 0; i < sequence.size(); ++i)
    ranks[sequence[i]] = static_cast<std::uint32_t>(i);
  return ranks;
}

// Reverse postorder of a depth-first search.
void visit_tree(const ValueGraph& graph, std::size_t v, std::vector<bool>& seen,  // NOLINT(misc-no-recursion)
                std::vector<std::size_t>& postorder) {
  seen[v] = true;
  for (std::size_t w = graph.values(); w-- > 0;)
    if (graph.weight(v, w) != 0 && !seen[w])
      visit_tree(graph, w, seen, postorder);
  postorder.push_back(v);
}

}  // namespace

std::uint64_t ValueGraph::lowered(const Ranks& ranks) const {
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < values_; ++v)
    for (std::size_t w = 0; w < values_; ++w)
      if (ranks[w] < ranks[v])
        sum += weight(v, w);
  return sum;
}

Ranks order_by_components(const ValueGraph& graph) {
  const Components components(graph);
  // Topological order; of the components that could come next, the one with the least value.
  std::vector<std::size_t> least(components.count(), graph.values());
  std::vector<std::size_t> waits_for(components.count(), 0);
  for (std::size_t v = graph.values(); v-- > 0;) {
    least[components.of(v)] = v;
    for (std::size_t w = 0; w < graph.values(); ++w)
      if (graph.weight(v, w) != 0 && components.of(v) != components.of(w))
        ++waits_for[components.of(w)];
  }
  using Entry = std::pair<std::size_t, std::size_t>;  // least value, component
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (std::size_t c = 0; c < components.count(); ++c)
    if (waits_for[c] == 0)
      ready.emplace(least[c], c);
  std::vector<std::uint32_t> rank(components.count(), 0);
  for (std::uint32_t next = 0; !ready.empty(); ++next) {
    const std::size_t c = ready.top().second;
    ready.pop();
    rank[c] = next;
    for (std::size_t v = 0; v < graph.values(); ++v)
      for (std::size_t w = 0; components.of(v) == c && w < graph.values(); ++w)
        if (graph.weight(v, w) != 0 && components.of(w) != c && --waits_for[components.of(w)] == 0)
          ready.emplace(least[components.of(w)], components.of(w));
  }
  Ranks ranks(graph.values());
  for (std::size_t v = 0; v < graph.values(); ++v)
    ranks[v] = rank[components.of(v)];
  return ranks;
}

Ranks order_by_feedback_arcs(const ValueGraph& graph) {
  std::vector<std::size_t> sequence = greedy_sequence(graph);
  bool improved = true;
  for (int round = 0; improved && round < kRoundsMax; ++round) {
    improved = false;
    for (std::size_t i = 0; i < sequence.size(); ++i)
      improved = move_best(graph, sequence, i) || improved;
  }
  return ranks_of(sequence);
}

std::vector<Ranks> orders_ignoring(const ValueGraph& graph, const std::vector<std::uint64_t>& bounds) {
  struct Change {
    std::uint64_t weight;
    std::size_t from;
    std::size_t to;
  };
  std::vector<Change> changes;
  for (std::size_t v = 0; v < graph.values(); ++v)
    for (std::size_t w = 0; w < graph.values(); ++w)
      if (graph.weight(v, w) != 0 && v != w)
        changes.push_back({graph.weight(v, w), v, w});
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.weight < b.weight; });
  ValueGraph rest = graph;
  std::vector<Ranks> orders;
  std::uint64_t ignored = 0;
  std::size_t next = 0;
  for (const std::uint64_t bound : bounds) {
    for (; next < changes.size() && ignored + changes[next].weight <= bound; ++next) {
      const Change& change = changes[next];
      const Components components(rest);
      if (components.of(change.from) != components.of(change.to))
        continue;  // it does not go down
      ignored += change.weight;
      rest.remove(change.from, change.to);
    }
    orders.push_back(order_by_components(rest));
  }
  return orders;
}

Ranks order_by_spanning_tree(const ValueGraph& graph, std::size_t root) {
  std::vector<std::size_t> postorder;
  std::vector<bool> seen(graph.values(), false);
  visit_tree(graph, root, seen, postorder);
  std::vector<std::size_t> sequence(postorder.rbegin(), postorder.rend());
  for (std::size_t v = 0; v < graph.values(); ++v)
    if (!seen[v])
      sequence.push_back(v);
  return ranks_of(sequence);
}

}  // namespace tideline::progress
