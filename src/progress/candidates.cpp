// SPDX-License-Identifier: MIT
#include "progress/candidates.h"

#include <algorithm>
#include <numeric>

namespace tideline::progress {
namespace {

// Shares of all edges that an order may ignore, in turn.
constexpr std::array<double, 5> kIgnoredShares = {0, 0.0005, 0.003, 0.01, 0.03};

class Finder {
 public:
  Finder(const CandidateSource& source, const std::vector<SampledEdge>& edges, std::uint64_t all_edges)
      : source_(source), edges_(edges), all_edges_(all_edges) {}

  std::vector<Candidate> run() {
    for (std::size_t c = 0; c < source_.cells.cells.size(); ++c)
      if (source_.cells.cells[c].alone && !source_.columns.of_cell[c].empty())
        add_cell(c);
    for (std::size_t g = 0; g < source_.cells.groups.size(); ++g)
      add_group(g);
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::size_t values_of(std::size_t group) const { return source_.columns.codes[group].size(); }
  [[nodiscard]] bool has_graph(std::size_t group) const { return values_of(group) <= kGraphValuesMax; }

  void add_cell(std::size_t cell) {
    const std::size_t group = source_.cells.cells[cell].group;
    Term term{cell, false, OrderKind::kAscending, {}, !source_.facts[cell].may_fall};
    if (!has_graph(group)) {
      offer_counted(term);
      term.kind = OrderKind::kDescending;
      term.is_proved = !source_.facts[cell].may_rise;
      offer_counted(term);
      return;
    }
    std::vector<ValueGraph> graphs(kParts, ValueGraph(values_of(group)));
    add_changes(cell, graphs);
    const auto offer = [&](Term made) { offer_by_graph(std::move(made), graphs); };
    offer_orders(term, group, graphs, !source_.facts[cell].may_rise, source_.facts[cell], offer);
  }

  // Sums: of groups with two cells that change, or one that may not stand alone.
  void add_group(std::size_t g) {
    const CellGroup& group = source_.cells.groups[g];
    const std::vector<std::size_t> list = source_.columns.changing(group);
    if (list.empty() || (list.size() == 1 && source_.cells.cells[list.front()].alone))
      return;
    const auto all = [&](auto&& wanted) { return std::all_of(group.cells.begin(), group.cells.end(), wanted); };
    Term term{g, true, OrderKind::kAscending, {}, all([&](std::size_t c) { return !source_.facts[c].may_fall; })};
    const bool never_rises = all([&](std::size_t c) { return !source_.facts[c].may_rise; });
    const auto offer = [&](const Term& made) { offer_counted(made); };
    if (!has_graph(g)) {
      offer(term);
      term.kind = OrderKind::kDescending;
      term.is_proved = never_rises;
      offer(term);
      return;
    }
    std::vector<ValueGraph> graphs(kParts, ValueGraph(values_of(g)));
    for (const std::size_t cell : list)
      add_changes(cell, graphs);
    CellFacts facts;
    for (const std::size_t cell : group.cells) {
      facts.is_control = facts.is_control && source_.facts[cell].is_control;
      facts.changes.insert(facts.changes.end(), source_.facts[cell].changes.begin(), source_.facts[cell].changes.end());
    }
    offer_orders(term, g, graphs, never_rises, facts, offer);
  }

  void add_changes(std::size_t cell, std::vector<ValueGraph>& graphs) const {
    const std::vector<std::uint32_t>& column = source_.columns.of_cell[cell];
    for (const SampledEdge& edge : edges_)
      if (column[edge.source] != column[edge.target])
        graphs[edge.part].add(column[edge.source], column[edge.target], 1);
  }

  // All orders of a cell or group that has a graph. `term` is the ascending one.
  template <typename Offer>
  void offer_orders(const Term& term, std::size_t group, const std::vector<ValueGraph>& graphs, bool never_rises,
                    const CellFacts& facts, Offer&& offer) {
    offer(term);
    Term down = term;
    down.kind = OrderKind::kDescending;
    down.is_proved = never_rises;
    offer(down);
    if (graphs.front().values() == 2 && !source_.cells.groups[group].has_undefined())
      return;
    ValueGraph all(graphs.front().values());
    for (const ValueGraph& graph : graphs)
      for (std::size_t v = 0; v < graph.values(); ++v)
        for (std::size_t w = 0; w < graph.values(); ++w)
          all.add(v, w, graph.weight(v, w));
    std::vector<Ranks> tried;
    const auto try_table = [&](Ranks ranks, bool is_proved) {
      if (!is_proved)
        put_unseen_last(ranks, source_.columns.seen[group]);
      if (std::all_of(ranks.begin(), ranks.end(), [&](std::uint32_t rank) { return rank == ranks.front(); }) ||
          std::find(tried.begin(), tried.end(), ranks) != tried.end())
        return;
      tried.push_back(ranks);
      offer(Term{term.index, term.is_sum, OrderKind::kTable, std::move(ranks), is_proved});
    };
    std::vector<std::uint64_t> bounds;
    for (const double share : kIgnoredShares)
      bounds.push_back(static_cast<std::uint64_t>(share * static_cast<double>(all_edges_)));
    for (Ranks& ranks : orders_ignoring(all, bounds))
      try_table(std::move(ranks), false);
    try_table(order_by_feedback_arcs(all), false);
    if (const ValueGraph control = control_graph(facts, source_.cells.groups[group]); control.values() > 0) {
      try_table(order_by_components(control), true);
      const std::vector<bool>& seen = source_.columns.seen[group];
      const auto root = static_cast<std::size_t>(std::find(seen.begin(), seen.end(), true) - seen.begin());
      try_table(order_by_spanning_tree(control, root), false);
    }
  }

  // Values that no sampled state has come later than all others: they were not reached yet.
  static void put_unseen_last(Ranks& ranks, const std::vector<bool>& seen) {
    std::vector<std::uint32_t> used;
    for (std::size_t v = 0; v < ranks.size(); ++v)
      if (seen[v])
        used.push_back(ranks[v]);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (std::size_t v = 0; v < ranks.size(); ++v)
      ranks[v] = static_cast<std::uint32_t>(
          (seen[v] ? std::lower_bound(used.begin(), used.end(), ranks[v]) : used.end()) - used.begin());
  }

  // What lowers and raises the term, from the changes of its values.
  void offer_by_graph(Term term, const std::vector<ValueGraph>& graphs) {
    const std::vector<std::uint64_t> ranks = value_ranks(source_.cells, source_.columns, term);
    Candidate candidate{std::move(term), {}, {}};
    for (std::size_t part = 0; part < kParts; ++part)
      for (std::size_t v = 0; v < ranks.size(); ++v)
        for (std::size_t w = 0; w < ranks.size(); ++w) {
          candidate.lowered[part] += ranks[w] < ranks[v] ? graphs[part].weight(v, w) : 0;
          candidate.raised[part] += ranks[w] > ranks[v] ? graphs[part].weight(v, w) : 0;
        }
    found_.push_back(std::move(candidate));
  }

  // The same, edge by edge: for sums, of which an edge may change several cells.
  void offer_counted(const Term& term) {
    const std::vector<std::uint32_t> column = term_column(source_.cells, source_.columns, term);
    Candidate candidate{term, {}, {}};
    for (const SampledEdge& edge : edges_) {
      candidate.lowered[edge.part] += column[edge.target] < column[edge.source] ? 1U : 0U;
      candidate.raised[edge.part] += column[edge.target] > column[edge.source] ? 1U : 0U;
    }
    found_.push_back(std::move(candidate));
  }

  const CandidateSource& source_;
  const std::vector<SampledEdge>& edges_;
  std::uint64_t all_edges_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<Candidate> find_candidates(const CandidateSource& source, const std::vector<SampledEdge>& edges,
                                       std::uint64_t all_edges) {
  return Finder(source, edges, all_edges).run();
}

}  // namespace tideline::progress
