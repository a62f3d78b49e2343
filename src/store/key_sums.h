// SPDX-License-Identifier: MIT
// Sums of a key's numbers, each times a factor of its field, for keys that are read again: when an index grows, the
// hashes of all keys are made from these (collapse_set.h).
//
// The sum is linear in the bits of the key, each of which counts its factor times its place in the number. So it is
// also a sum over the bytes of the key, of 256 values that are computed once for each, which is less work than taking
// the numbers apart, for keys in pieces, too. Tabulation hashing [zobrist.70.tr] has random values in such tables; ours
// must agree with the sum that encoding keeps up to date.
//
// K1  sum(key) is the sum over the fields of factor * get(key, field), modulo 2^64.
// Cost: 2 KiB per byte of a key; none, and no sums, for longer keys than kBytesMost. Threads: sum() by all at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "store/key_layout.h"

namespace tideline {

class KeySums {
 public:
  static constexpr std::uint64_t kBytesMost = 32;  // tables of 64 KiB

  // For keys of this layout from now on.
  void set(const KeyLayout& layout, std::span<const std::uint64_t> factors);

  [[nodiscard]] bool are_there() const { return !tables_.empty(); }
  [[nodiscard]] std::uint64_t sum(const Word* key) const {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(key);
    std::uint64_t sum = 0;
    for (const Table& table : tables_)
      sum += table[*bytes++];
    return sum;
  }

 private:
  using Table = std::array<std::uint64_t, 256>;  // by the value of the byte
  std::vector<Table> tables_;                    // by byte
};

}  // namespace tideline
