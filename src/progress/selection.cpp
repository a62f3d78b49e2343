// SPDX-License-Identifier: MIT
#include "progress/selection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "ir/progress.h"

namespace tideline::progress {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kTermsMax = 16;
// A component must shorten the layers by this much, in powers of two.
constexpr double kGainMin = 0.15;
// The cost of a component, beside its forward edges (1 each) and its regress edges: its own, that of each bit.
constexpr double kCostOfComponent = 0.02;
constexpr double kCostOfBit = 0.001;
// A proof holds beyond the sample; a natural order can be written down and covers values that were not sampled.
constexpr double kBonusOfProof = 1.2;
constexpr double kBonusOfNaturalOrder = 1.1;
// Without a component, the largest layer may grow to this many times its size.
constexpr double kNeedless = 1.15;

double share(std::uint64_t count, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(count) / static_cast<double>(all);
}

}  // namespace

struct Selection::Node {
  explicit Node(Partition layers) : partition(std::move(layers)), sizes(partition.sizes()) {}

  std::vector<Term> terms;
  unsigned bits = 0;
  std::vector<SampledEdge> edges;  // that none of the terms changes
  PartCounts regress{};
  Partition partition;
  LayerSizes sizes;
  bool has_candidates = false;
  std::vector<Candidate> candidates;
  std::vector<double> gains;  // negative: not computed
  std::map<std::size_t, std::unique_ptr<Node>> children;
};

unsigned term_bits(const Cells& cells, const Term& term) {
  const CellGroup& group = cells.groups[group_of(cells, term)];
  std::uint64_t last = group.codes() - 1;  // K1 of ir/progress.h for a value: its code, or one more
  if (term.kind == OrderKind::kTable)
    last = *std::max_element(term.ranks.begin(), term.ranks.end()) + (term.ranks.size() < group.codes() ? 1U : 0U);
  if (term.is_sum)
    last *= group.cells.size();
  else if (term.kind != OrderKind::kTable)
    last = group.type->domain->hull().size() - 1;
  return static_cast<unsigned>(std::bit_width(last + 1));
}

Selection::Selection(const CandidateSource& source, const Sample& sample, const SelectionLimits& limits)
    : source_(source), limits_(limits) {
  // Every k-th state and the edges of every k-th expanded state.
  std::vector<StateIndex> states;
  const std::size_t state_step = sample.size() / std::max<std::size_t>(1, limits.states) + 1;
  for (std::size_t s = 0; s < sample.size(); s += state_step)
    states.push_back(static_cast<StateIndex>(s));
  root_ = std::make_unique<Node>(Partition(std::move(states)));
  const std::size_t edge_step = sample.targets.size() / std::max<std::size_t>(1, limits.edges) + 1;
  for (std::size_t i = 0; i < sample.expanded.size(); i += edge_step)
    for (std::uint64_t e = sample.first_edge[i]; e < sample.first_edge[i + 1]; ++e)
      root_->edges.push_back({sample.expanded[i], sample.targets[e], i < sample.prefix ? 0U : 1U});
  for (const SampledEdge& edge : root_->edges)
    ++all_edges_[edge.part];
}

Selection::~Selection() = default;

std::vector<Term> Selection::select(double regress_bound, double cost_of_regress) {
  Node* node = root_.get();
  const auto all = static_cast<double>(node->sizes.largest);
  while (node->terms.size() < kTermsMax && static_cast<double>(node->sizes.largest) > limits_.layer_share * all) {
    const std::size_t best = choose(*node, regress_bound, cost_of_regress);
    if (best == kNone || limits_.is_interrupted())
      break;
    node = &child(*node, best);
  }
  return without_needless(node->terms, regress_bound);
}

std::size_t Selection::choose(Node& node, double bound, double cost_of_regress) {
  if (!node.has_candidates) {
    node.candidates =
        find_candidates(source_, node.edges, std::accumulate(all_edges_.begin(), all_edges_.end(), std::uint64_t{0}));
    node.gains.assign(node.candidates.size(), -1);
    node.has_candidates = true;
  }
  std::size_t best = kNone;
  double best_ratio = 0;
  for (std::size_t c = 0; c < node.candidates.size(); ++c) {
    const Candidate& candidate = node.candidates[c];
    if (!is_within(node, candidate, bound) || gain(node, c) < kGainMin)
      continue;
    double forward = 0;
    double regress = 0;
    for (std::size_t part = 0; part < kParts; ++part) {
      forward = std::max(forward, share(candidate.raised[part], all_edges_[part]));
      regress = std::max(regress, share(candidate.lowered[part], all_edges_[part]));
    }
    const double cost =
        kCostOfComponent + kCostOfBit * term_bits(source_.cells, candidate.term) + forward + cost_of_regress * regress;
    const double ratio = gain(node, c) / cost * (candidate.term.is_proved ? kBonusOfProof : 1) *
                         (candidate.term.kind == OrderKind::kTable ? 1 : kBonusOfNaturalOrder);
    if (ratio > best_ratio) {
      best_ratio = ratio;
      best = c;
    }
  }
  return best;
}

bool Selection::is_within(const Node& node, const Candidate& candidate, double bound) const {
  for (std::size_t part = 0; part < kParts; ++part)
    if (share(node.regress[part] + candidate.lowered[part], all_edges_[part]) > bound)
      return false;
  return node.bits + term_bits(source_.cells, candidate.term) <= ir::kProgressBitsMax;
}

double Selection::gain(Node& node, std::size_t candidate) {
  double& gain = node.gains[candidate];
  if (gain >= 0)
    return gain;
  const Term& term = node.candidates[candidate].term;
  LayerSizes sizes;
  if (term.is_sum) {
    const std::vector<std::uint32_t> column = term_column(source_.cells, source_.columns, term);
    std::vector<std::uint32_t> same(column.empty() ? 0 : *std::max_element(column.begin(), column.end()) + 1U);
    std::iota(same.begin(), same.end(), 0);
    sizes = node.partition.sizes_with(column, same);
  } else {
    Ranks ranks = term.ranks;
    if (term.kind != OrderKind::kTable) {
      ranks.resize(source_.columns.codes[group_of(source_.cells, term)].size());
      std::iota(ranks.begin(), ranks.end(), 0);
    }
    sizes = node.partition.sizes_with(source_.columns.of_cell[term.index], ranks);
  }
  gain = std::log2(static_cast<double>(node.sizes.largest) / static_cast<double>(sizes.largest)) +
         std::log2(node.sizes.mean / sizes.mean);
  gain = std::max(gain, 0.0);
  return gain;
}

const std::vector<std::uint32_t>& Selection::column_of(const Term& term) {
  for (const auto& [known, column] : columns_)
    if (known == term)
      return column;
  columns_.emplace_back(term, term_column(source_.cells, source_.columns, term));
  return columns_.back().second;
}

void Selection::extend(Node& node, const Term& term) {
  const std::vector<std::uint32_t>& column = column_of(term);
  node.terms.push_back(term);
  node.bits += term_bits(source_.cells, term);
  node.partition.refine(column);
  node.sizes = node.partition.sizes();
  std::vector<SampledEdge> left;
  for (const SampledEdge& edge : node.edges) {
    if (column[edge.source] == column[edge.target])
      left.push_back(edge);
    else if (column[edge.target] < column[edge.source])
      ++node.regress[edge.part];
  }
  node.edges = std::move(left);
}

Selection::Node& Selection::child(Node& node, std::size_t candidate) {
  std::unique_ptr<Node>& made = node.children[candidate];
  if (made == nullptr) {
    made = std::make_unique<Node>(node.partition);
    made->terms = node.terms;
    made->bits = node.bits;
    made->edges = node.edges;
    made->regress = node.regress;
    extend(*made, node.candidates[candidate].term);
  }
  return *made;
}

std::unique_ptr<Selection::Node> Selection::follow(const std::vector<Term>& terms) {
  auto node = std::make_unique<Node>(root_->partition);
  node->edges = root_->edges;
  for (const Term& term : terms)
    extend(*node, term);
  return node;
}

std::vector<Term> Selection::without_needless(std::vector<Term> terms, double bound) {
  const auto all = static_cast<double>(root_->sizes.largest);
  std::unique_ptr<Node> with = follow(terms);
  for (std::size_t i = 0; i < terms.size() && terms.size() > 1;) {
    std::vector<Term> fewer = terms;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    std::unique_ptr<Node> without = follow(fewer);
    const auto largest = static_cast<double>(without->sizes.largest);
    bool is_good = largest <= std::max(kNeedless * static_cast<double>(with->sizes.largest), limits_.layer_share * all);
    for (std::size_t part = 0; part < kParts; ++part)
      is_good = is_good && without->regress[part] <= with->regress[part] &&
                share(without->regress[part], all_edges_[part]) <= bound;
    if (!is_good) {
      ++i;
      continue;
    }
    terms = std::move(fewer);
    with = std::move(without);
  }
  return terms;
}

}  // namespace tideline::progress
