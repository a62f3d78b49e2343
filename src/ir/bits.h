// SPDX-License-Identifier: MIT
// Reading and writing runs of bits in packed objects: bit k of an object is bit k % 64 of word k / 64. The plain
// version, for everything but generated code.
#pragma once

#include <cstdint>

namespace tideline::ir {

// `width` bits (at most 64) from bit `at` on.
inline std::uint64_t get_bits(const std::uint64_t* words, std::uint64_t at, std::uint64_t width) {
  if (width == 0)
    return 0;
  const std::uint64_t word = at / 64;
  const std::uint64_t shift = at % 64;
  std::uint64_t value = words[word] >> shift;
  if (shift + width > 64)
    value |= words[word + 1] << (64 - shift);
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

// Replaces `width` bits (at most 64) from bit `at` on.
inline void put_bits(std::uint64_t* words, std::uint64_t at, std::uint64_t width, std::uint64_t value) {
  if (width == 0)
    return;
  const std::uint64_t word = at / 64;
  const std::uint64_t shift = at % 64;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  words[word] = (words[word] & ~(mask << shift)) | ((value & mask) << shift);
  if (shift + width > 64) {
    const std::uint64_t low = 64 - shift;
    words[word + 1] = (words[word + 1] & ~(mask >> low)) | ((value & mask) >> low);
  }
}

// Zeroes, copies or compares runs of any length. Source and target of a copy may be the same run, not overlapping ones.
void clear_bits(std::uint64_t* words, std::uint64_t at, std::uint64_t width);
void copy_bits(std::uint64_t* to, std::uint64_t to_at, const std::uint64_t* from, std::uint64_t from_at,
               std::uint64_t width);
bool equal_bits(const std::uint64_t* a, std::uint64_t a_at, const std::uint64_t* b, std::uint64_t b_at,
                std::uint64_t width);
// Compares two runs as unsigned integers, the last bit most significant: negative, 0 or positive.
int compare_bits(const std::uint64_t* a, std::uint64_t a_at, const std::uint64_t* b, std::uint64_t b_at,
                 std::uint64_t width);

}  // namespace tideline::ir
