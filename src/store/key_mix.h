// SPDX-License-Identifier: MIT
// A bijection on numbers of `bits` bits (16 to 64) that spreads them evenly: what an exact table by quotienting needs
// in place of a hash, since the number must come back. Steps that can be undone: x ^ (x >> bits / 2) undoes itself, and
// an odd factor has an inverse modulo 2^bits.
#pragma once

#include <cstdint>

namespace tideline {

// Modulo 2^64. Newton's iteration doubles the correct low bits; an odd number is its own inverse modulo 8.
constexpr std::uint64_t inverse_of_odd(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int step = 0; step < 5; ++step)
    x *= 2 - odd * x;
  return x;
}

class KeyMix {
 public:
  explicit KeyMix(unsigned bits) : shift_((bits + 1) / 2), mask_(~std::uint64_t{0} >> (64 - bits)) {}

  [[nodiscard]] std::uint64_t mix(std::uint64_t key) const {
    key = (key ^ (key >> shift_)) * kFactor & mask_;
    key = (key ^ (key >> shift_)) * kFactor & mask_;
    return (key ^ (key >> shift_)) * kFactor & mask_;
  }
  [[nodiscard]] std::uint64_t unmix(std::uint64_t key) const {
    for (int step = 0; step < 3; ++step) {
      key = key * kInverse & mask_;
      key ^= key >> shift_;
    }
    return key;
  }

 private:
  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;
  static constexpr std::uint64_t kInverse = inverse_of_odd(kFactor);
  static_assert(kFactor * kInverse == 1);

  unsigned shift_;
  std::uint64_t mask_;
};

}  // namespace tideline
