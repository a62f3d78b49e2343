// SPDX-License-Identifier: MIT
// The hash of a packed state. Different bits of it choose the owner (thread), the bucket and the tag, so that the three
// are independent: bits 0..15 the owner, 16..23 the tag, the high bits the bucket.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>

#include "model/next_state.h"

namespace tideline {

inline std::uint64_t hash_state(const Word* state, std::size_t words) {
  return XXH3_64bits(state, words * sizeof(Word));
}

inline unsigned owner_of(std::uint64_t hash, unsigned owners) {
  return static_cast<unsigned>(((hash & 0xffff) * owners) >> 16);
}

}  // namespace tideline
