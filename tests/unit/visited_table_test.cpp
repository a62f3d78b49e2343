// SPDX-License-Identifier: MIT
// The visited set against std::set, with tiny budgets and colliding hashes so that borders are hit.
#include "store/visited_table.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tideline {
namespace {

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

using State = std::vector<Word>;

State random_state(std::mt19937_64& random, std::uint64_t bits, std::uint64_t variety) {
  State state((bits + 63) / 64, 0);
  for (Word& word : state)
    word = (random() % variety) * 0x9e3779b97f4a7c15ULL;
  if (bits % 64 != 0)
    state.back() &= (Word{1} << (bits % 64)) - 1;
  return state;
}

// Inserts random batches; `hash` maps a state to the hash that is used.
template <typename Hash>
void compare_with_set(std::uint64_t bits, std::uint64_t variety, Hash hash) {
  MemoryBudget budget(kBudget, 0);
  VisitedTable table(bits, budget);
  std::set<State> model;
  std::vector<State> order;
  std::mt19937_64 random(bits);
  for (int round = 0; round < 60; ++round) {
    std::vector<Word> states;
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint32_t> expected;
    const std::size_t count = random() % 300;
    for (std::size_t i = 0; i < count; ++i) {
      State state = random_state(random, bits, variety);
      states.insert(states.end(), state.begin(), state.end());
      hashes.push_back(hash(state));
      if (!model.insert(state).second)
        continue;
      expected.push_back(static_cast<std::uint32_t>(i));
      order.push_back(std::move(state));
    }
    std::vector<std::uint32_t> fresh;
    ASSERT_TRUE(table.insert(states.data(), hashes.data(), count, fresh));
    ASSERT_EQ(fresh, expected);
  }
  ASSERT_EQ(table.states().size(), model.size());
  State loaded(table.states().words());
  for (std::size_t i = 0; i < order.size(); ++i) {
    table.states().load(i, loaded.data());
    ASSERT_EQ(loaded, order[i]);
  }
}

TEST(VisitedTable, MatchesStdSet) {
  const auto good = [](const State& state) { return hash_state(state.data(), state.size()); };
  for (const std::uint64_t bits : {1U, 7U, 8U, 9U, 63U, 64U, 65U, 70U, 127U, 128U, 200U, 700U})
    compare_with_set(bits, 1000, good);
}

TEST(VisitedTable, FullBucketsOverflowIntoTheNext) {
  // All states in the last bucket, then round to the first: exact all the same. The index must not grow in between,
  // since growing computes real hashes; 256 first buckets hold these few.
  MemoryBudget budget(kBudget, 0);
  VisitedTable table(64, budget);
  std::vector<std::uint32_t> fresh;
  for (Word i = 0; i < 600; ++i) {
    const std::uint64_t hash = ~std::uint64_t{0};
    ASSERT_TRUE(table.insert(&i, &hash, 1, fresh));
    ASSERT_TRUE(table.insert(&i, &hash, 1, fresh));
  }
  EXPECT_EQ(fresh.size(), 600U);
}

TEST(VisitedTable, EndOfMemoryIsReportedAndNothingIsLost) {
  MemoryBudget budget(kMemoryBudgetFloor, 0);
  VisitedTable table(64, budget);
  std::vector<Word> batch(100);
  std::vector<std::uint64_t> hashes(100);
  std::uint64_t inserted = 0;
  bool room = true;
  for (Word next = 0; room; next += 100) {
    std::vector<std::uint32_t> fresh;
    for (std::size_t i = 0; i < 100; ++i) {
      batch[i] = next + i;
      hashes[i] = hash_state(&batch[i], 1);
    }
    room = table.insert(batch.data(), hashes.data(), 100, fresh);
    inserted += fresh.size();
    ASSERT_LT(inserted, std::uint64_t{1} << 23);
  }
  EXPECT_EQ(table.states().size(), inserted);
  EXPECT_LE(budget.used(), budget.total());
  EXPECT_GT(inserted * 8, kMemoryBudgetFloor / 3) << "a third of the budget, at least, must hold states";
  for (Word i = 0; i < inserted; i += 997)
    EXPECT_TRUE(table.contains(&i));
}

TEST(MemoryBudget, ChargesUpToTheTotal) {
  MemoryBudget budget(kMemoryBudgetFloor, 1000);
  EXPECT_FALSE(budget.charge(kMemoryBudgetFloor));
  EXPECT_TRUE(budget.charge(kMemoryBudgetFloor - 1000));
  EXPECT_EQ(budget.available(), 0U);
  budget.release(500);
  EXPECT_TRUE(budget.charge(500));
  EXPECT_FALSE(budget.charge(1));
}

TEST(MemoryBudget, PagesAreChargedAndReleased) {
  MemoryBudget budget(kMemoryBudgetFloor, 0);
  {
    PageBuffer pages = PageBuffer::allocate(1 << 20, budget);
    ASSERT_NE(pages.data(), nullptr);
    EXPECT_EQ(budget.used(), 1U << 20);
    EXPECT_TRUE(pages.replace(2 << 20, budget));
    EXPECT_EQ(budget.used(), 2U << 20);
    EXPECT_FALSE(pages.replace(kMemoryBudgetFloor + 1, budget));
    EXPECT_NE(pages.data(), nullptr);
  }
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace tideline
