// SPDX-License-Identifier: MIT
#include "progress/estimate.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tideline::progress {
namespace {

struct EdgeCounts {
  std::uint64_t regress = 0;
  std::uint64_t forward = 0;
  std::uint64_t all = 0;

  [[nodiscard]] double share(std::uint64_t count) const {
    return all == 0 ? 0 : static_cast<double>(count) / static_cast<double>(all);
  }
};

EdgeCounts count_edges(const Sample& sample, const std::vector<std::uint32_t>& layers, std::size_t begin,
                       std::size_t end) {
  EdgeCounts counts;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t source = layers[sample.expanded[i]];
    for (std::uint64_t e = sample.first_edge[i]; e < sample.first_edge[i + 1]; ++e) {
      const std::uint32_t target = layers[sample.targets[e]];
      counts.regress += target < source ? 1U : 0U;
      counts.forward += target > source ? 1U : 0U;
    }
  }
  counts.all = sample.first_edge[end] - sample.first_edge[begin];
  return counts;
}

// The sweep-line search on the sampled graph.
class Sweeps {
 public:
  Sweeps(const Sample& sample, const std::vector<std::uint32_t>& layers)
      : sample_(sample), layers_(layers), row_of_(sample.size(), kNoRow), waiting_(layers.size() + 1) {
    for (std::size_t i = 0; i < sample.expanded.size(); ++i)
      row_of_[sample.expanded[i]] = static_cast<std::uint32_t>(i);
    const std::uint32_t last = layers.empty() ? 0 : *std::max_element(layers.begin(), layers.end());
    waiting_.assign(last + 1, {});
    visited_.assign(sample.size(), 0);
    persistent_.assign(sample.size(), false);
  }

  void run(Estimate& result) {
    std::vector<StateIndex> roots(sample_.starts);
    std::iota(roots.begin(), roots.end(), 0);
    std::uint64_t expansions = 0;
    result.sweeps = 0;
    while (!roots.empty() && result.sweeps < kSweepsMax)
      roots = sweep(roots, static_cast<std::uint32_t>(++result.sweeps), expansions);
    std::uint64_t states = 0;
    for (std::size_t s = 0; s < visited_.size(); ++s)
      states += visited_[s] != 0 && row_of_[s] != kNoRow ? 1U : 0U;
    result.revisits = states == 0 ? 1 : static_cast<double>(expansions) / static_cast<double>(states);
  }

 private:
  static constexpr std::uint32_t kNoRow = static_cast<std::uint32_t>(-1);

  // One sweep from these states; the persistent states that are new.
  std::vector<StateIndex> sweep(const std::vector<StateIndex>& roots, std::uint32_t number, std::uint64_t& expansions) {
    std::vector<StateIndex> found;
    for (const StateIndex root : roots)
      enqueue(root, number);
    for (std::vector<StateIndex>& layer : waiting_) {
      while (!layer.empty()) {
        const StateIndex state = layer.back();
        layer.pop_back();
        if (row_of_[state] == kNoRow)
          continue;
        ++expansions;
        expand(state, number, found);
      }
    }
    return found;
  }

  void expand(StateIndex state, std::uint32_t number, std::vector<StateIndex>& found) {
    const std::uint32_t row = row_of_[state];
    for (std::uint64_t e = sample_.first_edge[row]; e < sample_.first_edge[row + 1]; ++e) {
      const StateIndex target = sample_.targets[e];
      if (layers_[target] >= layers_[state]) {
        enqueue(target, number);
      } else if (!persistent_[target]) {
        persistent_[target] = true;
        found.push_back(target);
      }
    }
  }

  void enqueue(StateIndex state, std::uint32_t number) {
    if (visited_[state] == number)
      return;
    visited_[state] = number;
    waiting_[layers_[state]].push_back(state);
  }

  const Sample& sample_;
  const std::vector<std::uint32_t>& layers_;
  std::vector<std::uint32_t> row_of_;  // in sample.expanded
  std::vector<std::vector<StateIndex>> waiting_;
  std::vector<std::uint32_t> visited_;  // the last sweep that saw the state; 0: none
  std::vector<bool> persistent_;
};

}  // namespace

std::vector<std::uint32_t> layers_of(const Cells& cells, const Columns& columns, const std::vector<Term>& terms,
                                     std::size_t states) {
  std::vector<std::uint64_t> keys(states, 0);
  for (const Term& term : terms) {
    const std::vector<std::uint32_t> column = term_column(cells, columns, term);
    const unsigned bits = std::bit_width(column.empty() ? 0U : *std::max_element(column.begin(), column.end()));
    for (std::size_t s = 0; s < states; ++s)
      keys[s] = keys[s] << bits | column[s];
  }
  return without_gaps(keys);
}

Estimate estimate(const Sample& sample, const std::vector<std::uint32_t>& layers) {
  Estimate result;
  const std::size_t rows = sample.expanded.size();
  const EdgeCounts all = count_edges(sample, layers, 0, rows);
  result.edges = {all.share(all.regress), all.share(all.forward), all.share(all.all - all.regress - all.forward)};
  for (const auto& [begin, end] : {std::pair{std::size_t{0}, sample.prefix}, std::pair{sample.prefix, rows}}) {
    const EdgeCounts part = count_edges(sample, layers, begin, end);
    result.worst_regress = std::max(result.worst_regress, part.share(part.regress));
  }
  if (layers.empty())
    return result;
  std::vector<std::uint64_t> sizes(*std::max_element(layers.begin(), layers.end()) + std::size_t{1}, 0);
  for (const std::uint32_t layer : layers)
    ++sizes[layer];
  const auto states = static_cast<double>(layers.size());
  result.layers = sizes.size();
  result.largest_layer = *std::max_element(sizes.begin(), sizes.end());
  result.largest_share = static_cast<double>(result.largest_layer) / states;
  for (const std::uint64_t size : sizes)
    result.mean_share += static_cast<double>(size) * static_cast<double>(size) / states / states;
  Sweeps(sample, layers).run(result);
  return result;
}

}  // namespace tideline::progress
