// SPDX-License-Identifier: MIT
// The hash of a packed state. A set takes its bucket from the high bits and its tag from the low ones, so that the two
// are independent.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>

#include "model/next_state.h"

namespace tideline {

// Both halves of a product, folded together, as wyhash does.
inline std::uint64_t mix(std::uint64_t left, std::uint64_t right) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(left) * right;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t hash_state(const Word* state, std::size_t words) {
  return XXH3_64bits(state, words * sizeof(Word));
}

// A hash that differs with every seed: its high bits are a signature of the state.
inline std::uint64_t hash_state(const Word* state, std::size_t words, std::uint64_t seed) {
  return XXH3_64bits_withSeed(state, words * sizeof(Word), seed);
}

// Of one word: the finisher of splitmix64 [steele.14.oopsla], all of whose bits are usable.
inline std::uint64_t hash_word(Word word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

// A cheaper hash, good enough to spread states over buckets and tags, but not to stand for them: two multiplications
// for a state of one word, one more for each further word; long states go to XXH3.
inline std::uint64_t index_hash(const Word* state, std::size_t words) {
  constexpr std::size_t kShort = 4;
  if (words > kShort)
    return hash_state(state, words);
  std::uint64_t hash = 0xa0761d6478bd642fU;
  for (std::size_t i = 0; i < words; ++i)
    hash = mix(hash ^ state[i], 0xe7037ed1a0b428dbU);
  return mix(hash, 0x8ebc6af09c88c6e3U);
}

}  // namespace tideline
