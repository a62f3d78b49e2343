// SPDX-License-Identifier: MIT
// How a packed state is cut into a binary tree: every node covers a range of bits. A range of at most 28 bits is its
// own reference; one of at most 64 bits is a leaf, a value in the node table; a longer one has two children and is the
// pair of their references. The root is not a node: its pair is the state's key.
//
// Where ranges are cut decides how many nodes there are: a root whose two halves vary independently has about the
// square root of the states in nodes on each side, one that separates nothing has as many as states. So we differ from
// the balanced tree of [laarman.11.spin]: the cuts come from a sample of states; each divides a range so that both
// sides have the same number of different values. docs/design/tables.md has the measurements.
//
// T1  children cover their parent, the left one the lower bits.    T2  node 0 is the root; children come after parents.
#pragma once

#include <cstdint>
#include <vector>

#include "model/next_state.h"
#include "store/node_table.h"

namespace tideline {

// Bits [begin, begin + count) of a state, count <= 64.
inline std::uint64_t bits_of(const Word* state, std::uint64_t begin, unsigned count) {
  const std::uint64_t word = begin / 64;
  const unsigned offset = begin % 64;
  std::uint64_t bits = state[word] >> offset;
  if (offset + count > 64)
    bits |= state[word + 1] << (64 - offset);
  return count == 64 ? bits : bits & ~(~std::uint64_t{0} << count);
}

// Sets bits [begin, begin + count) of a state, which are zero.
inline void set_bits(Word* state, std::uint64_t begin, unsigned count, std::uint64_t bits) {
  const std::uint64_t word = begin / 64;
  const unsigned offset = begin % 64;
  state[word] |= bits << offset;
  if (offset + count > 64)
    state[word + 1] |= bits >> (64 - offset);
}

class TreeShape {
 public:
  static constexpr std::uint64_t kDirectBits = NodeTable::kNumberBits;
  static constexpr std::uint64_t kLeafBits = 64;

  struct Node {
    std::uint64_t begin = 0;  // bits
    std::uint64_t end = 0;
    std::uint64_t words = 0;  // bit k: the range touches word k (bit 63: word 63 or a later one)
    std::uint32_t left = 0;   // children; 0: none
    std::uint32_t right = 0;
    [[nodiscard]] unsigned bits() const { return static_cast<unsigned>(end - begin); }
    [[nodiscard]] bool is_direct() const { return end - begin <= kDirectBits; }
    [[nodiscard]] bool is_pair() const { return left != 0; }
    // Bits of a reference to this node.
    [[nodiscard]] unsigned reference_bits() const {
      return is_direct() ? bits() : static_cast<unsigned>(NodeTable::kNumberBits);
    }
  };

  // Cut in the middle.
  explicit TreeShape(std::uint64_t state_bits);
  // Cut after the sample: `count` states of `words` words, one behind the other, one readable word behind the last.
  TreeShape(std::uint64_t state_bits, const Word* sample, std::size_t count, std::size_t words);

  [[nodiscard]] const Node& root() const { return nodes_[0]; }
  [[nodiscard]] const Node& node(std::uint32_t index) const { return nodes_[index]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  // The nodes that are looked up, the root left out: every one in a later level than its children.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& levels() const { return levels_; }
  // Bits of the key of a state.
  [[nodiscard]] unsigned key_bits() const;

 private:
  struct Sample {
    const Word* states;
    std::size_t words;
    std::size_t all;                    // states in the whole sample
    std::vector<std::uint32_t> chosen;  // states whose values of the range at hand differ
  };
  std::uint32_t add(std::uint64_t begin, std::uint64_t end, const Sample* sample);

  void find_levels();

  std::vector<Node> nodes_;
  std::vector<std::vector<std::uint32_t>> levels_;
};

// One thread's way from states to keys. Successors of one state differ in few places: a reference is looked up only if
// its range differs from the state before. A batch goes up the tree level by level, so that the look-ups of a level,
// which are cache misses, overlap.
class TreeFolder {
 public:
  static constexpr std::size_t kBatch = 32;

  TreeFolder(const TreeShape& shape, NodeTable& nodes, std::size_t words);

  // The keys of `count` states (at most kBatch), one behind the other, one readable word behind the last. Room for
  // kBatch * shape.size() nodes must be there.
  void fold(const Word* states, std::size_t count, std::uint64_t* keys);

 private:
  // A range of a state of the batch that differs from the state before.
  struct Lookup {
    std::uint32_t node = 0;
    std::uint32_t state = 0;
    std::uint64_t value = 0;
    std::uint64_t hash = 0;
    std::uint64_t at = 0;  // where the node table's look-up goes on
  };

  void find_changes(const Word* states, std::size_t count);
  void fold_level(const std::vector<std::uint32_t>& level, const Word* states, std::size_t count);
  void begin_lookup(Lookup& lookup, const Word* states);
  // Of state i of the batch; row 0 is the last state of the batch before.
  std::uint32_t* references(std::size_t i) { return references_.data() + (i + 1) * shape_->size(); }

  const TreeShape* shape_;
  NodeTable* nodes_;
  std::size_t words_;
  std::vector<Word> last_;                 // the last state of the batch before
  std::vector<std::uint32_t> references_;  // per state, per node
  std::vector<Lookup> lookups_;            // room for those of any level
  std::uint64_t changed_[kBatch] = {};     // words that differ from the state before, as in TreeShape::Node::words
  bool first_ = true;
};

// The state that has this key; `out` has `words` words.
void unfold(const TreeShape& shape, const NodeTable& nodes, std::uint64_t key, Word* out, std::size_t words);

}  // namespace tideline
