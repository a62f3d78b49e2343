// SPDX-License-Identifier: MIT
// Orders of bits and their inverses.
#include "store/bit_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ir/bits.h"

namespace tideline {
namespace {

TEST(BitOrder, TheOldOrderMovesNothing) {
  EXPECT_TRUE(BitOrder().is_identity());
  EXPECT_TRUE(BitOrder({{0, 10}, {10, 70}, {80, 3}}).is_identity());
  EXPECT_FALSE(BitOrder({{10, 70}, {0, 10}}).is_identity());
}

TEST(BitOrder, SegmentsStandOneBehindTheOther) {
  const BitOrder order({{100, 60}, {0, 3}, {3, 97}});
  std::mt19937_64 random(5);
  const std::vector<Word> in = {random(), random(), random() & 0xffffffff};
  std::vector<Word> out(3);
  order.apply(in.data(), out.data(), 3);
  EXPECT_EQ(ir::get_bits(out.data(), 0, 60), ir::get_bits(in.data(), 100, 60));
  EXPECT_EQ(ir::get_bits(out.data(), 60, 3), ir::get_bits(in.data(), 0, 3));
  EXPECT_TRUE(ir::equal_bits(out.data(), 63, in.data(), 3, 97));
}

TEST(BitOrder, UndoIsTheInverse) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<BitOrder::Segment> segments;
    std::uint64_t bits = 0;
    for (std::uint64_t k = random() % 9; k > 0; --k) {
      segments.push_back({bits, random() % 130});
      bits += segments.back().width;
    }
    std::shuffle(segments.begin(), segments.end(), random);
    const BitOrder order(segments);
    const std::size_t words = bits / 64 + 1;
    std::vector<Word> in(words);
    for (Word& word : in)
      word = random();
    ir::clear_bits(in.data(), bits, words * 64 - bits);
    std::vector<Word> there(words);
    std::vector<Word> back(words);
    order.apply(in.data(), there.data(), words);
    order.undo(there.data(), back.data(), words);
    if (!order.is_identity()) {
      EXPECT_EQ(back, in) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace tideline
