// SPDX-License-Identifier: MIT
#include "store/layer_ranges.h"

#include "base/check.h"

namespace tideline {

void LayerRanges::add(unsigned thread, NumberRange range) {
  if (range.size() > 0)
    logs_[thread].ranges.push_back(range);
}

std::uint64_t LayerRanges::next_layer() {
  for (Log& log : logs_)
    log.layers.push_back(log.ranges.size());
  restart(layers_++);
  return current_size_;
}

void LayerRanges::restart(std::uint64_t layer) {
  current_.clear();
  current_size_ = 0;
  for (std::size_t thread = 0; thread < logs_.size(); ++thread) {
    const Log& log = logs_[thread];
    CHECK(layer + 1 < log.layers.size());
    Section& section = sections_[thread];
    section.begin = current_size_;
    section.taken.store(0, std::memory_order_relaxed);
    for (std::size_t i = log.layers[layer]; i < log.layers[layer + 1]; ++i) {
      current_.push_back({current_size_, log.ranges[i]});
      current_size_ += log.ranges[i].size();
    }
    section.size = current_size_ - section.begin;
  }
}

std::size_t LayerRanges::part_at(std::uint64_t position) const {
  const auto behind = std::upper_bound(current_.begin(), current_.end(), position,
                                       [](std::uint64_t p, const Part& part) { return p < part.position; });
  return static_cast<std::size_t>(behind - current_.begin()) - 1;
}

std::vector<NumberRange> LayerRanges::rest() const {
  std::vector<NumberRange> ranges;
  for (const Section& section : sections_)
    visit(section.begin + section.gone(), section.size - section.gone(),
          [&ranges](NumberRange range) { ranges.push_back(range); });
  return ranges;
}

std::vector<NumberRange> LayerRanges::taken_since(std::uint64_t first) const {
  CHECK(first < layers_);
  std::vector<NumberRange> ranges;
  for (const Log& log : logs_)
    for (std::size_t i = log.layers[first]; i < log.layers[layers_ - 1]; ++i)
      ranges.push_back(log.ranges[i]);
  for (const Section& section : sections_)
    visit(section.begin, section.gone(), [&ranges](NumberRange range) { ranges.push_back(range); });
  return ranges;
}

std::vector<NumberRange> LayerRanges::built() const {
  std::vector<NumberRange> ranges;
  for (const Log& log : logs_)
    ranges.insert(ranges.end(), log.ranges.begin() + static_cast<std::ptrdiff_t>(log.layers.back()), log.ranges.end());
  return ranges;
}

std::vector<NumberRange> LayerRanges::pieces(std::uint64_t most) const {
  std::vector<NumberRange> pieces;
  for (const Log& log : logs_)
    for (NumberRange range : log.ranges) {
      if (!pieces.empty() && pieces.back().end == range.begin) {
        const std::uint64_t more = std::min(range.size(), most - pieces.back().size());
        pieces.back().end += more;
        range.begin += more;
      }
      for (std::uint64_t begin = range.begin; begin < range.end; begin += most)
        pieces.push_back({begin, std::min(range.end, begin + most)});
    }
  return pieces;
}

}  // namespace tideline
