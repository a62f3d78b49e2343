// SPDX-License-Identifier: MIT
// Numbers to columns and back: the least and the largest differences, random ones, and that slow growth leaves zeros.
#include "em/number_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace tideline {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::vector<std::uint64_t>& numbers) {
  Bytes bytes(numbers.size() * sizeof(std::uint64_t));
  if (!numbers.empty())
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Bytes there_and_back(const Bytes& bytes) {
  Bytes columns;
  to_columns(bytes, columns);
  EXPECT_EQ(columns.size(), bytes.size());
  Bytes again = {1, 2, 3};
  from_columns(columns, again);
  return again;
}

TEST(NumberColumns, ComeBackAsTheyWere) {
  const std::uint64_t largest = ~std::uint64_t{0};
  const std::uint64_t half = std::uint64_t{1} << 63U;
  for (const std::vector<std::uint64_t>& numbers : std::vector<std::vector<std::uint64_t>>{
           {}, {0}, {largest}, {largest, 0, largest}, {half, 0, half - 1, half, half + 1}, {5, 4, 6, 3, 7}})
    EXPECT_EQ(there_and_back(bytes_of(numbers)), bytes_of(numbers));
  std::mt19937_64 random(1);
  for (std::size_t count = 1; count < 300; count += 7) {
    std::vector<std::uint64_t> numbers(count);
    for (std::uint64_t& number : numbers)
      number = random() >> random() % 64;
    EXPECT_EQ(there_and_back(bytes_of(numbers)), bytes_of(numbers));
  }
}

TEST(NumberColumns, ASmallStepEitherWayHasOneByte) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < 100; ++i)
    numbers.push_back(1000 + i * 3 - i % 2 * 50);
  Bytes columns;
  to_columns(bytes_of(numbers), columns);
  EXPECT_EQ(std::count(columns.begin() + 100, columns.end(), 0), 699) << "the first number has two bytes";
}

}  // namespace
}  // namespace tideline
