// SPDX-License-Identifier: MIT
#include "store/part_tree.h"

#include <algorithm>

#include "base/check.h"

namespace tideline {

PartNumber PartTree::split(const PartSplit& split) {
  const PartNumber fresh = parts();
  const std::uint32_t leaf = split.part | kLeaf;
  CHECK(split.part < fresh && fresh < kLeaf);
  CHECK(split.slot.width >= 1 && split.slot.bit % 64 + split.slot.width <= 64);
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  bool found = root_ == leaf;
  if (found)
    root_ = node;
  for (Node& above : nodes_)
    for (std::uint32_t& child : above.children)
      if (!found && child == leaf) {
        child = node;
        found = true;
      }
  CHECK(found);
  nodes_.push_back({split.slot.word(), split.slot.mask(), split.threshold, {leaf, fresh | kLeaf}});
  splits_.push_back(split);
  return fresh;
}

std::size_t PartTree::divide(const Node& node, const Group& group, std::size_t words) {
  const auto is_high = [&node](const Word* state) { return (state[node.word] & node.mask) > node.threshold; };
  Word* low = group.states;
  Word* high = group.states + group.count * words;
  while (low != high) {
    if (!is_high(low)) {
      low += words;
      continue;
    }
    high -= words;
    if (low != high)
      std::swap_ranges(low, low + words, high);
  }
  return static_cast<std::size_t>(low - group.states) / words;
}

}  // namespace tideline
