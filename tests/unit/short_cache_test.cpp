// SPDX-License-Identifier: MIT
// The cache of short states: it may forget, and never takes one state for another.
#include "store/short_cache.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <thread>
#include <vector>

namespace tideline {
namespace {

constexpr std::size_t kLine = 64;
constexpr unsigned kStoredBits = 40;

PageBuffer pages(MemoryBudget& budget, std::size_t lines) {
  return PageBuffer::allocate(lines * kLine, budget);
}

TEST(ShortCache, FitsWhatItCanTellApart) {
  EXPECT_TRUE(ShortCache::fits(kStoredBits, kLine));
  EXPECT_FALSE(ShortCache::fits(kStoredBits + 1, kLine));
  EXPECT_TRUE(ShortCache::fits(kStoredBits + 1, 2 * kLine));
  EXPECT_TRUE(ShortCache::fits(64, kLine << 24));
  EXPECT_FALSE(ShortCache::fits(64, (kLine << 24) - 1));
  EXPECT_FALSE(ShortCache::fits(65, kLine << 30));
  EXPECT_FALSE(ShortCache::fits(1, kLine - 1));
}

// States that were inserted may be forgotten; others are never found. Few buckets, so that each is full of states that
// differ in all bits; every length, so that the bits that are left out are as many as can be.
TEST(ShortCache, NeverFindsWhatWasNotThere) {
  for (unsigned bits = 1; bits <= 52; ++bits) {
    SCOPED_TRACE(bits);
    MemoryBudget budget(std::uint64_t{1} << 30, 0);
    const std::size_t lines = bits <= kStoredBits ? 3 : (std::size_t{1} << (bits - kStoredBits)) + bits % 2;
    ShortCache cache(bits, true, pages(budget, lines));
    std::mt19937_64 random(bits);
    const Word mask = ~Word{0} >> (64 - bits);
    std::set<Word> inserted;
    std::uint64_t found = 0;
    for (unsigned i = 0; i < 20000; ++i) {
      // Random ones, and some near those that are there.
      Word state = random() & mask;
      if (i % 2 == 0 && !inserted.empty())
        state = *inserted.begin() ^ (Word{1} << random() % bits);
      const bool was_there = cache.test_and_set(cache.hash(&state), &state);
      ASSERT_TRUE(!was_there || inserted.contains(state));
      found += was_there ? 1U : 0U;
      inserted.insert(state);
      ASSERT_TRUE(cache.test_and_set(cache.hash(&state), &state));
    }
    EXPECT_TRUE(found > 0 || bits >= 12);
  }
}

// An empty way holds zeros, which are some state's bits.
TEST(ShortCache, IsEmptyAtFirst) {
  for (Word state = 0; state < 4096; ++state) {
    MemoryBudget budget(std::uint64_t{1} << 20, 0);
    ShortCache cache(12, true, pages(budget, 1));
    ASSERT_FALSE(cache.test_and_set(cache.hash(&state), &state));
  }
}

TEST(ShortCache, KeepsTheTwelveYoungest) {
  MemoryBudget budget(std::uint64_t{1} << 20, 0);
  ShortCache cache(20, true, pages(budget, 1));
  EXPECT_EQ(cache.capacity(), 12U);
  for (Word state = 0; state < 30; ++state)
    EXPECT_FALSE(cache.test_and_set(cache.hash(&state), &state));
  for (Word state = 18; state < 30; ++state)
    EXPECT_TRUE(cache.test_and_set(cache.hash(&state), &state));
}

// Of several threads that bring the same states, one is told that a state is new, if nothing is forgotten.
TEST(ShortCache, ThreadsAgree) {
  constexpr Word kStates = 20000;
  constexpr unsigned kThreads = 4;
  MemoryBudget budget(std::uint64_t{1} << 30, 0);
  ShortCache cache(50, false, pages(budget, kStates));
  std::vector<std::uint64_t> fresh(kThreads);
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        for (Word state = 0; state < kStates; ++state)
          fresh[i] += cache.test_and_set(cache.hash(&state), &state) ? 0U : 1U;
      });
  }
  EXPECT_EQ(fresh[0] + fresh[1] + fresh[2] + fresh[3], kStates);
}

}  // namespace
}  // namespace tideline
