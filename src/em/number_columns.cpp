// SPDX-License-Identifier: MIT
#include "em/number_columns.h"

#include <cstring>

namespace tideline {
namespace {

constexpr std::size_t kBytes = sizeof(std::uint64_t);
constexpr unsigned kBitsPerByte = 8;

std::uint64_t fold(std::uint64_t difference) {
  return difference << 1U ^ (0 - (difference >> 63U));
}

std::uint64_t unfold(std::uint64_t folded) {
  return folded >> 1U ^ (0 - (folded & 1U));
}

}  // namespace

void to_columns(std::span<const std::uint8_t> numbers, std::vector<std::uint8_t>& columns) {
  const std::size_t count = numbers.size() / kBytes;
  columns.resize(numbers.size());
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t number = 0;
    std::memcpy(&number, numbers.data() + i * kBytes, kBytes);
    std::uint64_t folded = fold(number - before);
    before = number;
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
