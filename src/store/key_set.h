// SPDX-License-Identifier: MIT
// A visited set that remembers a number of each state, its key, in a CompactTable, and queues whole states for the
// layers that are still to be handed out. What is remembered is the Key's business: a bijection of short states makes
// the set exact (src/store/short_set.h), a hash makes it small however long the states are (src/store/signature_set.h).
//
// Key is a class with state_bits(), bits() of a key (16 to 64), operator()(state), which spreads keys evenly over all
// numbers of that length, and omission_probability(states in the set). If it has an inverse, kHasInverse and
// state_of(key), the set can hand its states over.
//
// K1  a state is taken for one that is in the set exactly if their keys are equal (the table is exact on keys).
// Cost: the table (about (bits - log2(buckets) + 3) / 8 / load bytes per state) and the packed states of two layers;
// one cache miss for any state, prefetched in batches. Layers are not kept. Threads: see visited_set.h.
#pragma once

#include <vector>

#include "store/chunk_queue.h"
#include "store/compact_table.h"
#include "store/gate.h"
#include "store/hand_over.h"
#include "store/visited_set.h"

namespace tideline {

template <typename Key>
class KeySet final : public VisitedSet {
 public:
  KeySet(const Key& key, unsigned threads, MemoryBudget& budget);

  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override { return queue_.next_layer(); }
  bool help(unsigned /*thread*/) override { return gate_.help(); }
  bool restart(std::uint64_t) override { return false; }
  [[nodiscard]] bool can_hand_over() const override { return Key::kHasInverse; }
  Status hand_over(const HandOver& to) override;

  [[nodiscard]] std::uint64_t size() const override { return table_.size(); }
  [[nodiscard]] std::uint64_t bytes() const override { return table_.bytes() + queue_.bytes(); }
  [[nodiscard]] double omission_probability() const override { return key_.omission_probability(size()); }

 private:
  // States looked up between two looks at the gate, and between two additions to the size that all threads share.
  static constexpr std::size_t kBatch = 512;

  struct alignas(64) Batch {
    std::vector<std::uint64_t> keys;  // of the states being inserted
    std::vector<Word> unqueued;       // states that the table has and the queue had no memory for
  };

  [[nodiscard]] bool enter_with_room(unsigned thread);
  Status hand_over_layer(Known what, HandOverPieces& pieces);

  MemoryBudget& budget_;
  Key key_;
  std::size_t words_;
  std::size_t entry_bytes_;  // of a state in the queue
  unsigned threads_;
  Gate gate_;
  ChunkQueue queue_;
  CompactTable table_;
  std::vector<Batch> batches_;  // per thread
  bool full_ = false;           // memory has ended
};

}  // namespace tideline
