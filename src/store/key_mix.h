// SPDX-License-Identifier: MIT
// A bijection on numbers of `bits` bits (16 to 64) that spreads them evenly: what an exact table by quotienting needs
// in place of a hash, since the number must come back.
//
// Why it is one: every step maps the numbers below 2^bits into themselves and can be undone, so it is a bijection, and
// so is a sequence of such steps. With s >= bits / 2 the step x ^ (x >> s) leaves the upper bits - s bits alone and
// changes the others by these only, so doing it twice gives x again. An odd factor has an inverse modulo 2^bits, since
// it has no divisor in common with 2^bits; the mask takes the product modulo 2^bits.
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
