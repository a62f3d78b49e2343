// SPDX-License-Identifier: MIT
// The exact visited set that saves memory: tree compression [blom.08.entcs, laarman.11.spin] with the roots in a
// compact hash table [cleary.84.tc, laarman.19.isse]. A state is folded into a pair of references
// (src/store/tree_shape.h); its inner nodes are numbered by the NodeTable and shared by all states, the pair is stored
// in the CompactTable. The queue holds pairs, too, and take() unfolds them. States of at most 64 bits go to the
// CompactTable as they are.
//
// The tree is cut anew, after a sample of what is in the set, when kRetuneAt states are there: all states are folded
// again. If there is no memory for that, the old tree stays.
//
// R1  equal keys are equal states: references are numbers of values, and the table is exact on keys.
// Cost: about 6 bytes per state for the root, 13 for each inner node, 8 for each state in the queue. A layer cannot be
// taken twice. Threads: see visited_set.h.
#pragma once

#include <memory>
#include <vector>

#include "store/bit_order.h"
#include "store/chunk_queue.h"
#include "store/compact_table.h"
#include "store/gate.h"
#include "store/key_mix.h"
#include "store/tree_shape.h"
#include "store/visited_set.h"

namespace tideline {

class TreeSet final : public VisitedSet {
 public:
  // Inside the set, states have their bits in `order`.
  TreeSet(std::uint64_t state_bits, unsigned threads, MemoryBudget& budget, BitOrder order = {});

  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override { return queue_.next_layer(); }
  bool restart(std::uint64_t) override { return false; }
  bool help(unsigned /*thread*/) override { return gate_.help(); }

  [[nodiscard]] std::uint64_t size() const override { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const override { return forest_bytes_.load() + queue_.bytes(); }
  [[nodiscard]] double omission_probability() const override { return 0.0; }
  [[nodiscard]] std::uint64_t nodes() const { return forest_->nodes.size(); }

 private:
  // A tree's shape and all that depends on it.
  struct Forest {
    Forest(TreeShape the_shape, std::size_t words, unsigned threads, MemoryBudget& budget);

    TreeShape shape;
    KeyMix mix;
    NodeTable nodes;
    CompactTable roots;
    std::vector<TreeFolder> folders;  // per thread
  };

  [[nodiscard]] const Word* reorder(unsigned thread, const Word* states, std::size_t count);
  void unfold_in_order(unsigned thread, std::uint64_t key, Word* out);
  [[nodiscard]] bool enter_with_room(unsigned thread);
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::uint64_t make_room();
  void retune();
  [[nodiscard]] std::vector<Word> sample() const;
  [[nodiscard]] bool refold(Forest& next);

  std::uint64_t state_bits_;
  std::size_t words_;
  MemoryBudget& budget_;
  unsigned threads_;
  BitOrder order_;
  std::vector<std::vector<Word>> scratch_;  // per thread: a batch of states in the set's order
  Gate gate_;
  ChunkQueue queue_;
  std::unique_ptr<Forest> forest_;
  std::size_t retuned_ = 0;  // how often
  bool full_ = false;        // memory has ended
  std::atomic<std::uint64_t> size_ = 0;
  std::atomic<std::uint64_t> forest_bytes_ = 0;
};

}  // namespace tideline
