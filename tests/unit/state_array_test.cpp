// SPDX-License-Identifier: MIT
// Cells that become longer, in rounds whose pieces may be done in any order.
#include "store/state_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tideline {
namespace {

constexpr std::uint64_t kBudget = std::uint64_t{256} << 20;

Word contents(std::uint64_t cell, std::uint64_t bits) {
  return cell * 0x9e3779b97f4a7c15U >> (64 - bits);
}

// Pieces of a round; one if they must be done in order.
std::vector<NumberRange> pieces_of(NumberRange round, bool in_order) {
  constexpr std::uint64_t kPiece = 1000;
  std::vector<NumberRange> pieces;
  for (std::uint64_t begin = round.begin; begin < round.end; begin += kPiece)
    pieces.push_back({begin, std::min(round.end, begin + kPiece)});
  return in_order ? std::vector<NumberRange>{round} : pieces;
}

TEST(StateArray, CellsAreRewrittenInAnyOrderWithinARound) {
  std::mt19937_64 random(1);
  for (const std::uint64_t count : {0U, 1U, 5000U, 40000U, 300000U}) {
    for (const auto& [from, to] : {std::pair(9U, 17U), std::pair(15U, 16U), std::pair(40U, 41U), std::pair(57U, 64U)}) {
      MemoryBudget budget(kBudget, 0);
      StateArray array(from, budget);
      ASSERT_TRUE(array.reserve(count));
      for (std::uint64_t i = 0; i < count; ++i) {
        const Word state = contents(i, from);
        array.store(i, &state);
      }
      ASSERT_TRUE(array.begin_rewriting(count, to));
      const bool keeps_length = array.keeps_length();
      unsigned rounds = 0;
      for (NumberRange round = array.next_round(); round.size() > 0; round = array.next_round(), ++rounds) {
        std::vector<NumberRange> pieces = pieces_of(round, round.begin == 0 && !keeps_length);
        std::shuffle(pieces.begin(), pieces.end(), random);
        for (const NumberRange& piece : pieces)
          array.rewrite(piece, [](const Word* old, Word* now) { *now = *old + 1; });
      }
      EXPECT_EQ(array.stride(), (to + 7) / 8);
      EXPECT_TRUE(keeps_length ? rounds <= 1 : rounds > 1 || count < 100000) << rounds;
      for (std::uint64_t i = 0; i < count; ++i) {
        Word state[2] = {};
        array.load(i, state);
        ASSERT_EQ(state[0], contents(i, from) + 1) << i << " of " << count << ", " << from << " to " << to << " bits";
      }
    }
  }
}

TEST(StateArray, NothingChangesIfTheBudgetRefuses) {
  constexpr std::uint64_t kCells = 10 << 20;
  MemoryBudget budget(std::uint64_t{32} << 20, 0);
  StateArray array(8, budget);
  ASSERT_TRUE(array.reserve(kCells));
  const Word state = 42;
  array.store(kCells - 1, &state);
  EXPECT_FALSE(array.begin_rewriting(kCells, 64));
  EXPECT_EQ(array.stride(), 1U);
  Word found[2] = {};
  array.load(kCells - 1, found);
  EXPECT_EQ(found[0], 42U);
}

}  // namespace
}  // namespace tideline
