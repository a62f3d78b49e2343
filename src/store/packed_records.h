// SPDX-License-Identifier: MIT
// States as records of ceil(bits / 8) bytes, one behind the other, and as words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "model/next_state.h"

namespace tideline {

inline std::size_t record_bytes_for(std::uint64_t bits) {
  return bits == 0 ? 1 : (bits + 7) / 8;
}

inline std::size_t record_words_for(std::uint64_t bits) {
  return bits == 0 ? 1 : (bits + 63) / 64;
}

// `count` records of `bytes` bytes lie at the front of `out`; they become states of `words` words. The last one moves
// first.
inline void unpack_records(Word* out, std::size_t count, std::size_t bytes, std::size_t words) {
  auto* at = reinterpret_cast<std::uint8_t*>(out);
  for (std::size_t i = count; i-- > 0;) {
    std::memmove(out + i * words, at + i * bytes, bytes);
    std::memset(at + i * words * sizeof(Word) + bytes, 0, words * sizeof(Word) - bytes);
  }
}

}  // namespace tideline
