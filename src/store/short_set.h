// SPDX-License-Identifier: MIT
// The exact visited set of states of at most 64 bits. Such a state is a number, and a table that is exact on numbers by
// quotienting [cleary.84.tc] needs neither an index nor an array of states: the key of a state is the state itself,
// spread evenly over all numbers of its length by a bijection (KeyMix).
//
// N1  different states have different keys: the state is below 2^bits, and KeyMix maps the numbers below 2^bits onto
//     themselves, one to one (the argument is in key_mix.h). With K1 of key_set.h the set is exact.
// Cost and threads: see key_set.h; measured in docs/design/tables.md.
#pragma once

#include <algorithm>

#include "store/key_mix.h"
#include "store/key_set.h"

namespace tideline {

class ShortKey {
 public:
  static constexpr CompactTable::Growth kGrowth = CompactTable::Growth::kRoomy;
  static constexpr bool kHasInverse = true;
  static constexpr unsigned kStateBitsMax = CompactTable::kKeyBitsMax;

  explicit ShortKey(std::uint64_t state_bits);

  [[nodiscard]] std::uint64_t state_bits() const { return state_bits_; }
  [[nodiscard]] unsigned bits() const { return bits_for(state_bits_); }
  [[nodiscard]] std::uint64_t operator()(const Word* state) const { return mix_.mix(*state); }
  [[nodiscard]] Word state_of(std::uint64_t key) const { return mix_.unmix(key); }
  [[nodiscard]] double omission_probability(std::uint64_t /*states*/) const { return 0.0; }

 private:
  // The table has no shorter numbers than kKeyBitsMin bits: above a shorter state there are zeros.
  static unsigned bits_for(std::uint64_t state_bits) {
    return std::max(CompactTable::kKeyBitsMin, static_cast<unsigned>(state_bits));
  }

  std::uint64_t state_bits_;
  KeyMix mix_;
};

using ShortSet = KeySet<ShortKey>;
extern template class KeySet<ShortKey>;

}  // namespace tideline
