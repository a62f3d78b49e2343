// SPDX-License-Identifier: MIT
// The states that a thread has met lately: they may be forgotten, and none is taken for another.
#include "store/recent_states.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "store/state_hash.h"

namespace tideline {
namespace {

RecentStates make(MemoryBudget& budget, std::size_t words, std::uint64_t cells) {
  return {words, PageBuffer::allocate(RecentStates::bytes_for(cells, words), budget)};
}

bool look_up(RecentStates& recent, const std::vector<Word>& state) {
  const std::uint64_t hash = index_hash(state.data(), state.size());
  recent.prefetch(hash);
  return recent.test_and_set(hash, state.data());
}

// Few cells, states near each other, so that most have taken another's place.
TEST(RecentStates, NeverFindsWhatWasNotThere) {
  for (const std::size_t words : {1U, 2U, 3U, 5U, 18U}) {
    SCOPED_TRACE(words);
    MemoryBudget budget(std::uint64_t{1} << 30, 0);
    RecentStates recent = make(budget, words, 100);
    std::mt19937_64 random(words);
    std::set<std::vector<Word>> before;
    std::uint64_t found = 0;
    for (unsigned i = 0; i < 20000; ++i) {
      std::vector<Word> state(words);
      state[random() % words] = random() % 1000;
      const bool is_here = look_up(recent, state);
      ASSERT_TRUE(!is_here || before.contains(state));
      found += is_here ? 1U : 0U;
      before.insert(state);
      ASSERT_TRUE(look_up(recent, state));
    }
    EXPECT_GT(found, 0U);
  }
}

// Cells hold zeros at first, which are some state's words; and every state may be one of all ones.
TEST(RecentStates, IsEmptyAtFirst) {
  for (const Word filled : {Word{0}, ~Word{0}}) {
    MemoryBudget budget(std::uint64_t{1} << 30, 0);
    RecentStates recent = make(budget, 2, 1);
    const std::vector<Word> state(2, filled);
    EXPECT_FALSE(look_up(recent, state));
    EXPECT_TRUE(look_up(recent, state));
  }
}

// A model without variables has one state.
TEST(RecentStates, StatesWithoutWords) {
  MemoryBudget budget(std::uint64_t{1} << 30, 0);
  RecentStates recent = make(budget, 0, 1);
  EXPECT_FALSE(look_up(recent, {}));
  EXPECT_TRUE(look_up(recent, {}));
}

// Looks up `count` states, all new or all the same, as far as that is said to pay; how many were looked up.
std::uint64_t look_up_many(RecentStates& recent, Word& next, bool is_new, std::uint64_t count) {
  std::uint64_t looked_up = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!recent.pays(1))
      continue;
    next += is_new ? 1 : 0;
    (void)look_up(recent, {next});
    ++looked_up;
  }
  return looked_up;
}

TEST(RecentStates, RestsWhereNothingIsFound) {
  MemoryBudget budget(std::uint64_t{1} << 30, 0);
  RecentStates recent = make(budget, 1, 1000);
  constexpr std::uint64_t kMany = 1'000'000;
  Word next = 0;
  const std::uint64_t at_first = look_up_many(recent, next, true, kMany);
  EXPECT_LT(at_first, kMany / 10);
  EXPECT_GT(at_first, kMany / 20);  // it is tried again
  // What is found again and again is looked up all the time, once that has been noticed.
  EXPECT_GT(look_up_many(recent, next, false, 2 * kMany), kMany);
  EXPECT_EQ(look_up_many(recent, next, false, kMany), kMany);
}

}  // namespace
}  // namespace tideline
