// SPDX-License-Identifier: MIT
// Hash compaction [wolper.93.cav, stern.95.charme]: the visited set remembers a signature of each state in place of the
// state, so two states with the same signature are taken for one, and what only the second one leads to is missed. The
// probability of that is bounded and reported.
//
// A signature has `bits` + kAddressBits bits of a seeded hash, at most 64, and is the key of a KeySet: what its bucket
// says of a signature is not stored, so `bits` bits per state remain in a table of 2^kAddressBits buckets (about 3
// million states), fewer in a larger one.
//
// H1  a state is missed only if its whole signature equals that of a state in the set (docs/design/compaction.md has
//     the bound that follows).
// H2  signatures, and so the states visited, depend on the seed and not on threads or timing, as long as no two are
//     equal.
// Cost and threads: see key_set.h.
#pragma once

#include "store/key_set.h"
#include "store/state_hash.h"

namespace tideline {

class Signature {
 public:
  static constexpr CompactTable::Growth kGrowth = CompactTable::Growth::kTight;
  static constexpr bool kHasInverse = false;
  static constexpr unsigned kAddressBits = 18;
  static constexpr unsigned kBitsMax = 64;

  // `bits` is the whole length, kAddressBits included: length(BITS) for --compact BITS.
  Signature(std::uint64_t state_bits, unsigned bits, std::uint64_t seed)
      : state_bits_(state_bits), words_((state_bits + 63) / 64), bits_(bits), seed_(seed) {}
  static constexpr unsigned length(unsigned bits) {
    return bits + kAddressBits < kBitsMax ? bits + kAddressBits : kBitsMax;
  }

  [[nodiscard]] std::uint64_t state_bits() const { return state_bits_; }
  [[nodiscard]] unsigned bits() const { return bits_; }
  [[nodiscard]] std::uint64_t operator()(const Word* state) const {
    return hash_state(state, words_, seed_) >> (64 - bits_);
  }
  [[nodiscard]] double omission_probability(std::uint64_t states) const;

 private:
  std::uint64_t state_bits_;
  std::size_t words_;
  unsigned bits_;
  std::uint64_t seed_;
};

using SignatureSet = KeySet<Signature>;
extern template class KeySet<Signature>;

}  // namespace tideline
