// SPDX-License-Identifier: MIT
#include "progress/partition.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tideline::progress {
namespace {

// A layer this much smaller than the largest does not matter.
constexpr std::uint64_t kSmall = 64;

double square(std::uint64_t size) {
  return static_cast<double>(size) * static_cast<double>(size);
}

}  // namespace

Partition::Partition(std::vector<StateIndex> states) : members_(std::move(states)), begins_{0, members_.size()} {}

LayerSizes Partition::sizes() const {
  LayerSizes sizes;
  for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
    const std::uint64_t size = begins_[i + 1] - begins_[i];
    sizes.largest = std::max(sizes.largest, size);
    sizes.mean += square(size);
  }
  sizes.mean /= std::max<double>(1, static_cast<double>(members_.size()));
  return sizes;
}

LayerSizes Partition::sizes_with(const std::vector<std::uint32_t>& column,
                                 const std::vector<std::uint32_t>& rank) const {
  const std::uint64_t small = sizes().largest / kSmall;
  std::vector<std::uint64_t> counts(rank.empty() ? 0 : *std::max_element(rank.begin(), rank.end()) + std::size_t{1}, 0);
  LayerSizes sizes;
  for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
    const std::uint64_t size = begins_[i + 1] - begins_[i];
    if (size <= small) {
      sizes.largest = std::max(sizes.largest, size);
      sizes.mean += square(size);
      continue;
    }
    for (std::size_t m = begins_[i]; m < begins_[i + 1]; ++m)
      ++counts[rank[column[members_[m]]]];
    for (std::size_t m = begins_[i]; m < begins_[i + 1]; ++m) {
      std::uint64_t& count = counts[rank[column[members_[m]]]];
      sizes.largest = std::max(sizes.largest, count);
      sizes.mean += square(count);
      count = 0;
    }
  }
  sizes.mean /= std::max<double>(1, static_cast<double>(members_.size()));
  return sizes;
}

void Partition::refine(const std::vector<std::uint32_t>& column) {
  // Two stable distributions: by rank, then back into the layers.
  std::uint32_t last = 0;
  for (const StateIndex state : members_)
    last = std::max(last, column[state]);
  std::vector<std::size_t> next(last + std::size_t{2}, 0);
  for (const StateIndex state : members_)
    ++next[column[state] + std::size_t{1}];
  std::partial_sum(next.begin(), next.end(), next.begin());
  struct Placed {
    StateIndex state;
    std::uint32_t layer;
  };
  std::vector<Placed> by_rank(members_.size());
  for (std::uint32_t i = 0; i + 1 < begins_.size(); ++i)
    for (std::size_t m = begins_[i]; m < begins_[i + 1]; ++m)
      by_rank[next[column[members_[m]]]++] = {members_[m], i};
  std::vector<std::size_t> ends(begins_.begin(), begins_.end() - 1);
  for (const Placed& placed : by_rank)
    members_[ends[placed.layer]++] = placed.state;
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i + 1 < begins_.size(); ++i)
    for (std::size_t m = begins_[i]; m < begins_[i + 1]; ++m)
      if (m == begins_[i] || column[members_[m]] != column[members_[m - 1]])
        begins.push_back(m);
  begins.push_back(members_.size());
  begins_ = std::move(begins);
}

}  // namespace tideline::progress
