// SPDX-License-Identifier: MIT
// The set of short states keeps the contract at every length of a state, is exact where all states there are come in,
// and takes less than the plain set.
#include "store/short_set.h"

#include <gtest/gtest.h>

#include "visited_set_contract.h"

namespace tideline {
namespace {

std::unique_ptr<VisitedSet> make_short(std::uint64_t bits, unsigned threads, MemoryBudget& budget) {
  return std::make_unique<ShortSet>(ShortKey(bits), threads, budget);
}

TEST(ShortSet, MatchesStdSetAtEveryLength) {
  for (std::uint64_t bits = 1; bits <= ShortKey::kStateBitsMax; ++bits)
    compare_with_std_set(make_short, bits, 1000, 40);
}

// Small lengths: every state there is.
TEST(ShortSet, HoldsEveryStateThereIs) {
  for (const std::uint64_t bits : {0U, 1U, 3U, 8U, 15U, 16U, 17U, 20U}) {
    MemoryBudget budget(kContractBudget, 0);
    ShortSet set(ShortKey(bits), 1, budget);
    const std::size_t count = std::size_t{1} << bits;
    std::vector<Word> states(count + 1);
    for (std::size_t i = 0; i < count; ++i)
      states[i] = i;
    for (const std::size_t expected : {count, std::size_t{0}}) {
      std::vector<std::uint32_t> fresh;
      ASSERT_TRUE(set.insert(0, states.data(), count, fresh));
      EXPECT_EQ(fresh.size(), expected) << bits;
    }
    EXPECT_EQ(set.next_layer(), count);
    EXPECT_EQ(take_all(set, 1, 100).back(), State{count - 1});
    EXPECT_EQ(set.omission_probability(), 0.0);
  }
}

TEST(ShortSet, WhatTakeHasLeftIsDropped) {
  expect_rest_of_layer_is_dropped(make_short);
}

TEST(ShortSet, ThreadsFindEveryStateOnce) {
  for (const unsigned threads : {1U, 2U, 4U, 8U})
    ThreadsOnOneSet(make_short, threads, 64).run();
}

TEST(ShortSet, EndOfMemoryIsReportedAndNothingIsLost) {
  fill_until_memory_ends(make_short, 1, 64);
  fill_until_memory_ends(make_short, 3, 50);
}

// States that differ in a few places only, as real ones do, are spread as if by a hash: 53 bits in at most 10 bytes, or
// 13 while the table is small and doubles.
TEST(ShortSet, IsCompact) {
  MemoryBudget budget(kContractBudget, 0);
  ShortSet set(ShortKey(53), 1, budget);
  std::vector<std::uint32_t> fresh;
  std::vector<Word> states(1000 + 1, 0);
  for (Word i = 0; i < 6000; ++i) {
    for (Word k = 0; k < 1000; ++k)
      states[k] = i << 40 | k << 3;
    ASSERT_TRUE(set.insert(0, states.data(), 1000, fresh));
    set.next_layer();
    if (i >= 1000) {
      ASSERT_LT(set.bytes(), set.size() * (i < 5500 ? 13 : 10));
    }
  }
  EXPECT_EQ(set.size(), 6000000U);
}

}  // namespace
}  // namespace tideline
