// SPDX-License-Identifier: MIT
// Mixing for colours. Only speed and quality matter: a collision can make two elements look alike that are not, which
// costs time (or, for elements taken to be interchangeable, one more representative), never a wrong verdict: what comes
// out of a canonicaliser is always a permutation of what went in.
#pragma once

#include <cstdint>
#include <cstring>

#include "model/next_state.h"

namespace tideline::symmetry {

inline constexpr std::uint64_t kOddA = 0x9e3779b97f4a7c15;
inline constexpr std::uint64_t kOddB = 0xd1b54a32d192ed03;
inline constexpr std::uint64_t kOddC = 0x8cb92ba72f3d8dd7;

// High and low half of a 128-bit product, folded. Zero if b is kOddB: not to be mixed with.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ kOddA) * (b ^ kOddB);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// At most kChunkBits bits from bit `bit` on; reads up to 8 bytes beyond, so a state is followed by a readable word.
inline std::uint64_t peek(const Word* words, std::uint64_t bit, std::uint64_t mask) {
  Word loaded = 0;
  std::memcpy(&loaded, reinterpret_cast<const char*>(words) + (bit >> 3), sizeof loaded);
  return (loaded >> (bit & 7)) & mask;
}

}  // namespace tideline::symmetry
