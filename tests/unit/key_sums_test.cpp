// SPDX-License-Identifier: MIT
// The sum by bytes is the sum by fields, for fields in one piece and in several.
#include "store/key_sums.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tideline {
namespace {

std::uint64_t sum_of_fields(const KeyLayout& layout, const std::vector<std::uint64_t>& factors, const Word* key) {
  std::uint64_t sum = 0;
  for (std::size_t field = 0; field < layout.size(); ++field)
    sum += factors[field] * layout.get(key, field);
  return sum;
}

class KeySumsTest : public ::testing::Test {
 protected:
  // Free bits of the layout go to fields by chance.
  KeyLayout random_layout(std::size_t fields, unsigned width_most) {
    std::vector<unsigned> widths;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < fields; ++i) {
      widths.push_back(static_cast<unsigned>(random_() % (width_most + 1)));
      bits += widths.back();
    }
    KeyLayout layout(widths, bits + random_() % 20);
    for (std::uint64_t left = layout.free_bits() / 2; left > 0; --left)
      layout.widen(random_() % fields);
    return layout;
  }
  std::vector<std::uint64_t> random_factors(std::size_t fields) {
    std::vector<std::uint64_t> factors(fields);
    for (std::uint64_t& factor : factors)
      factor = random_() | 1U;
    return factors;
  }

  std::mt19937_64 random_{7};
};

TEST_F(KeySumsTest, AgreeWithTheFields) {
  int with_pieces = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t fields = 1 + random_() % 14;
    const KeyLayout layout = random_layout(fields, 14);
    const std::vector<std::uint64_t> factors = random_factors(fields);
    KeySums sums;
    sums.set(layout, factors);
    if (layout.bits() == 0 || layout.bits() > 8 * KeySums::kBytesMost)
      continue;
    ASSERT_TRUE(sums.are_there());
    with_pieces += layout.pieces() > 0 ? 1 : 0;
    for (int i = 0; i < 20; ++i) {
      std::vector<Word> key(layout.words(), 0);
      for (std::size_t field = 0; field < fields; ++field)
        if (const unsigned width = layout.width(field); width > 0)
          layout.flip(key.data(), field, static_cast<std::uint32_t>(random_()) & ((1U << width) - 1));
      ASSERT_EQ(sums.sum(key.data()), sum_of_fields(layout, factors, key.data())) << "round " << round;
    }
  }
  EXPECT_GT(with_pieces, 50);
}

TEST_F(KeySumsTest, FollowTheLayout) {
  const std::vector<std::uint64_t> factors = {3, 5};
  KeySums sums;
  sums.set(KeyLayout({4, 4}), factors);
  const Word key[2] = {0x21, 0};  // numbers 1 and 2
  EXPECT_EQ(sums.sum(key), 3 * 1 + 5 * 2);
  sums.set(KeyLayout({5, 3}), factors);  // 1 and 1
  EXPECT_EQ(sums.sum(key), 3 * 1 + 5 * 1);
}

TEST_F(KeySumsTest, LongKeysHaveNone) {
  KeySums sums;
  sums.set(KeyLayout(std::vector<unsigned>(40, 10)), random_factors(40));
  EXPECT_FALSE(sums.are_there());
}

}  // namespace
}  // namespace tideline
