// SPDX-License-Identifier: MIT
#include "em/number_columns.h"

#include <cstring>
#include <utility>

namespace tideline {
namespace {

constexpr std::size_t kBytes = sizeof(std::uint64_t);
constexpr unsigned kBitsPerByte = 8;
// Columns are written by cache lines: those of a block are often a power of two apart and share a few sets of the
// cache.
constexpr std::size_t kTile = 8;

std::uint64_t fold(std::uint64_t difference) {
  return difference << 1U ^ (0 - (difference >> 63U));
}

std::uint64_t unfold(std::uint64_t folded) {
  return folded >> 1U ^ (0 - (folded & 1U));
}

// Exchanges the high half of each group of 2 * kShift bits of `upper` and the low half of that of `lower`.
template <unsigned kShift>
void exchange(std::uint64_t& upper, std::uint64_t& lower) {
  constexpr std::uint64_t kLow = ~std::uint64_t{0} / ((std::uint64_t{1} << kShift) + 1);
  const std::uint64_t change = (upper >> kShift ^ lower) & kLow;
  lower ^= change;
  upper ^= change << kShift;
}

// An 8 by 8 matrix of bytes, a row per word: exchanges rows and columns, in blocks of four by four bytes, then of two
// by two, then of one. Without loops, so that the rows stay in registers.
void transpose(std::uint64_t (&rows)[kBytes]) {
  exchange<32>(rows[0], rows[4]);
  exchange<32>(rows[1], rows[5]);
  exchange<32>(rows[2], rows[6]);
  exchange<32>(rows[3], rows[7]);
  exchange<16>(rows[0], rows[2]);
  exchange<16>(rows[1], rows[3]);
  exchange<16>(rows[4], rows[6]);
  exchange<16>(rows[5], rows[7]);
  exchange<8>(rows[0], rows[1]);
  exchange<8>(rows[2], rows[3]);
  exchange<8>(rows[4], rows[5]);
  exchange<8>(rows[6], rows[7]);
}

}  // namespace

void to_columns(std::span<const std::uint8_t> numbers, std::vector<std::uint8_t>& columns) {
  const std::size_t count = numbers.size() / kBytes;
  columns.resize(numbers.size());
  std::uint64_t before = 0;
  const auto folded_at = [&numbers, &before](std::size_t i) {
    std::uint64_t number = 0;
    std::memcpy(&number, numbers.data() + i * kBytes, kBytes);
    return fold(number - std::exchange(before, number));
  };
  std::size_t i = 0;
  std::uint64_t tile[kBytes][kTile];
  for (; i + kTile * kBytes <= count; i += kTile * kBytes) {
    for (std::size_t k = 0; k < kTile; ++k) {
      std::uint64_t rows[kBytes];
#pragma GCC unroll 8
      for (std::size_t row = 0; row < kBytes; ++row)
        rows[row] = folded_at(i + k * kBytes + row);
      transpose(rows);
#pragma GCC unroll 8
      for (std::size_t byte = 0; byte < kBytes; ++byte)
        tile[byte][k] = rows[byte];
    }
    for (std::size_t byte = 0; byte < kBytes; ++byte)
      std::memcpy(columns.data() + byte * count + i, tile[byte], sizeof tile[byte]);
  }
  for (; i < count; ++i) {
    std::uint64_t folded = folded_at(i);
    for (std::size_t byte = 0; byte < kBytes; ++byte, folded >>= kBitsPerByte)
      columns[byte * count + i] = static_cast<std::uint8_t>(folded);
  }
}

void from_columns(std::span<const std::uint8_t> columns, std::vector<std::uint8_t>& numbers) {
  const std::size_t count = columns.size() / kBytes;
  numbers.resize(columns.size());
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t folded = 0;
    for (std::size_t byte = kBytes; byte-- > 0;)
      folded = folded << kBitsPerByte | columns[byte * count + i];
    number += unfold(folded);
    std::memcpy(numbers.data() + i * kBytes, &number, kBytes);
  }
}

}  // namespace tideline
