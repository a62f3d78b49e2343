// SPDX-License-Identifier: MIT
// The hash of a packed state. A set takes its bucket from the high bits and its tag from the low ones, so that the two
// are independent.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>

#include "model/next_state.h"

namespace tideline {

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

}  // namespace tideline
