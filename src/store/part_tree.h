// SPDX-License-Identifier: MIT
// The projection of a partitioned search: which part of the state space a state belongs to. A binary tree over slots
// (values of variables) of the state; its leaves are the parts. A part is split by one more slot without any effect on
// the others ("compositional" refinement [evangelista.13.scp]); we compare a slot with a threshold in place of having a
// part for each of its values, so that a split makes two parts of about the same size (docs/design/partition.md).
//
// T1  every state is in one part.    T2  a split divides the states of one part among it and the new part.
// Cost: one load and comparison per split on the way. Threads: any may read; split() alone.
#pragma once

#include <cstdint>
#include <vector>

#include "model/next_state.h"

namespace tideline {

// A value in a state: bits bit .. bit+width-1 of it, which are all in one word.
struct StateSlot {
  std::uint64_t bit = 0;
  std::uint64_t width = 0;
  [[nodiscard]] std::size_t word() const { return static_cast<std::size_t>(bit / 64); }
  [[nodiscard]] Word mask() const { return (width == 64 ? ~Word{0} : (Word{1} << width) - 1) << (bit % 64); }
  // The value, shifted: good for comparisons.
  [[nodiscard]] Word of(const Word* state) const { return state[word()] & mask(); }
};

using PartNumber = std::uint32_t;

// Of the states of `part`, those whose slot is above the threshold go to the next new part.
struct PartSplit {
  PartNumber part = 0;
  StateSlot slot;
  Word threshold = 0;  // shifted as StateSlot::of()
  [[nodiscard]] bool is_high(const Word* state) const { return slot.of(state) > threshold; }
};

class PartTree {
 public:
  [[nodiscard]] PartNumber parts() const { return static_cast<PartNumber>(splits_.size() + 1); }
  [[nodiscard]] const std::vector<PartSplit>& splits() const { return splits_; }
  [[nodiscard]] PartNumber part_of(const Word* state) const {
    std::uint32_t at = root_;
    while ((at & kLeaf) == 0) {
      const Node& node = nodes_[at];
      at = node.children[(state[node.word] & node.mask) > node.threshold ? 1 : 0];
    }
    return at & ~kLeaf;
  }
  // The new part's number.
  PartNumber split(const PartSplit& split);

  // Reorders states so that those of a part stand together, and calls use(part, first state, how many) for each part
  // that has some.
  template <typename Use>
  void group(Word* states, std::size_t count, std::size_t words, Use use) const {
    std::vector<Group> todo = {{root_, states, count}};
    while (!todo.empty()) {
      const Group group = todo.back();
      todo.pop_back();
      if (group.count == 0)
        continue;
      if ((group.node & kLeaf) != 0) {
        use(group.node & ~kLeaf, group.states, group.count);
        continue;
      }
      const Node& node = nodes_[group.node];
      const std::size_t low = divide(node, group, words);
      todo.push_back({node.children[1], group.states + low * words, group.count - low});
      todo.push_back({node.children[0], group.states, low});
    }
  }

 private:
  static constexpr std::uint32_t kLeaf = std::uint32_t{1} << 31;
  struct Node {
    std::size_t word = 0;
    Word mask = 0;
    Word threshold = 0;
    std::uint32_t children[2] = {};  // low, high: a node, or a part with kLeaf
  };
  struct Group {
    std::uint32_t node = 0;
    Word* states = nullptr;
    std::size_t count = 0;
  };
  // Puts the low states first; how many they are.
  static std::size_t divide(const Node& node, const Group& group, std::size_t words);

  std::uint32_t root_ = kLeaf;
  std::vector<Node> nodes_;
  std::vector<PartSplit> splits_;
};

}  // namespace tideline
