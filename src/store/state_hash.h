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

}  // namespace tideline
