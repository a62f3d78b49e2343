// SPDX-License-Identifier: MIT
// The index with hashes that all collide, so that buckets overflow and wrap around.
#include "store/tag_index.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tideline {
namespace {

constexpr std::uint64_t kBuckets = 64;
constexpr std::uint32_t kEntries = 600;

// Entry number n has value n % kEntries; inserts it with hash `hash`.
bool insert(TagIndex& index, std::uint64_t hash, std::uint32_t number) {
  return index.insert(
      hash, number, [number](std::uint32_t other) { return other % kEntries == number % kEntries; }, [] {});
}

TEST(TagIndex, FullBucketsOverflowIntoTheNext) {
  // All entries in the last bucket, then round to the first; one tag for all, then different ones.
  for (const std::uint64_t spread : {0U, 1U}) {
    MemoryBudget budget(kMemoryBudgetFloor, 0);
    TagIndex index(false);
    ASSERT_TRUE(index.replace(kBuckets, budget));
    for (std::uint32_t i = 0; i < kEntries; ++i) {
      const std::uint64_t hash = ~std::uint64_t{0} - spread * 257 * i;
      ASSERT_TRUE(insert(index, hash, i));
      ASSERT_FALSE(insert(index, hash, i + kEntries));
    }
  }
}

TEST(TagIndex, ThreadsThatInsertEqualEntriesAgreeOnOne) {
  constexpr std::uint32_t kThreads = 4;
  MemoryBudget budget(kMemoryBudgetFloor, 0);
  TagIndex index(false);
  ASSERT_TRUE(index.replace(kBuckets, budget));
  std::vector<std::atomic<unsigned>> inserted(kEntries);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t thread = 0; thread < kThreads; ++thread)
      threads.emplace_back([&index, &inserted, thread] {
        for (std::uint32_t i = 0; i < kEntries; ++i)
          if (insert(index, ~std::uint64_t{0} - i / 2, i + thread * kEntries))
            ++inserted[i];
      });
  }
  for (const auto& count : inserted)
    EXPECT_EQ(count, 1U);
}

TEST(TagIndex, ARefusedReplacementChangesNothing) {
  MemoryBudget budget(kMemoryBudgetFloor, 0);
  TagIndex index(false);
  ASSERT_TRUE(index.replace(kBuckets, budget));
  ASSERT_TRUE(insert(index, 0, 1));
  EXPECT_FALSE(index.replace(kMemoryBudgetFloor, budget));
  EXPECT_EQ(index.buckets(), kBuckets);
  EXPECT_FALSE(insert(index, 0, 1));
}

}  // namespace
}  // namespace tideline
