// SPDX-License-Identifier: MIT
// Hash compaction [wolper.93.cav, stern.95.charme]: the visited set remembers a signature of each state in place of the
// state, so two states with the same signature are taken for one, and what only the second one leads to is missed. The
// probability of that is bounded and reported. The queue holds whole states.
//
// A signature has `bits` + kAddressBits bits of a seeded hash, at most 64. It is stored in a CompactTable, which is
// exact on signatures: what its bucket says of a signature is not stored, so `bits` bits per state remain in a table of
// 2^kAddressBits buckets (about 3 million states), fewer in a larger one.
//
// H1  a state is missed only if its whole signature equals that of a state in the set (docs/design/compaction.md has
// the
//     bound that follows).    H2  signatures, and so the states visited, depend on the seed and not on threads or
//     timing, as long as no two are equal.
// Cost: about (bits + 3) / 8 / load bytes per state, and the packed states of two layers. Threads: see visited_set.h.
#pragma once

#include <vector>

#include "store/chunk_queue.h"
#include "store/compact_table.h"
#include "store/gate.h"
#include "store/visited_set.h"

namespace tideline {

class SignatureSet final : public VisitedSet {
 public:
  static constexpr unsigned kAddressBits = 18;
  static constexpr unsigned kSignatureBitsMax = 64;

  // `signature_bits` is the whole length, kAddressBits included: signature_length(BITS) for --compact BITS.
  SignatureSet(std::uint64_t state_bits, unsigned signature_bits, std::uint64_t seed, unsigned threads,
               MemoryBudget& budget);
  static constexpr unsigned signature_length(unsigned bits) {
    return bits + kAddressBits < kSignatureBitsMax ? bits + kAddressBits : kSignatureBitsMax;
  }

  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override { return queue_.next_layer(); }
  bool restart(std::uint64_t) override { return false; }

  [[nodiscard]] std::uint64_t size() const override { return table_.size(); }
  [[nodiscard]] std::uint64_t bytes() const override { return table_.bytes() + queue_.bytes(); }
  [[nodiscard]] double omission_probability() const override;

 private:
  [[nodiscard]] bool enter_with_room(unsigned thread);

  std::size_t words_;
  std::size_t entry_bytes_;  // of a state in the queue
  unsigned signature_bits_;
  std::uint64_t seed_;
  unsigned threads_;
  Gate gate_;
  ChunkQueue queue_;
  CompactTable table_;
  bool full_ = false;  // memory has ended
};

}  // namespace tideline
