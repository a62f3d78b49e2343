// SPDX-License-Identifier: MIT
// The layered queue against std::deque.
#include "store/chunk_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <thread>

namespace tideline {
namespace {

std::string entry_of(std::uint64_t number, std::size_t bytes) {
  std::string entry(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i)
    entry[i] = static_cast<char>(number >> (8 * (i % 4)));
  return entry;
}

void compare_with_deque(std::size_t entry_bytes, std::uint64_t entries_most) {
  MemoryBudget budget(std::uint64_t{256} << 20, 0);
  {
    ChunkQueue queue(entry_bytes, 1, budget);
    std::deque<std::string> current;
    std::deque<std::string> next;
    std::mt19937_64 random(entry_bytes);
    std::uint64_t number = 0;
    for (int layer = 0; layer < 8; ++layer) {
      std::vector<std::uint8_t> out(64 * entry_bytes);
      for (std::uint64_t left = random() % entries_most; left > 0; --left) {
        next.push_back(entry_of(number++, entry_bytes));
        ASSERT_TRUE(queue.append(0, next.back().data()));
        if (random() % 4 != 0)
          continue;
        const std::size_t taken = queue.take(0, random() % 64, out.data());
        for (std::size_t i = 0; i < taken; ++i) {
          ASSERT_EQ(current.front(), std::string(out.begin() + static_cast<std::ptrdiff_t>(i * entry_bytes),
                                                 out.begin() + static_cast<std::ptrdiff_t>((i + 1) * entry_bytes)));
          current.pop_front();
        }
      }
      std::size_t seen = 0;
      queue.for_each([&seen](std::uint8_t*) { ++seen; });
      ASSERT_EQ(seen, current.size() + next.size());
      ASSERT_EQ(queue.next_layer(), next.size());
      current.swap(next);
      next.clear();
      ASSERT_LE(queue.bytes(), budget.used());
    }
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(ChunkQueue, MatchesStdDeque) {
  for (const std::size_t bytes : {1U, 7U, 8U, 93U, 4096U})
    compare_with_deque(bytes, 20000);
  compare_with_deque(std::size_t{70} << 10, 50);
}

TEST(ChunkQueue, GivesBackWhatWasTaken) {
  MemoryBudget budget(std::uint64_t{256} << 20, 0);
  ChunkQueue queue(8, 1, budget);
  for (std::uint64_t i = 0; i < 1000000; ++i)
    ASSERT_TRUE(queue.append(0, &i));
  EXPECT_GE(queue.bytes(), 8000000U);
  EXPECT_EQ(queue.next_layer(), 1000000U);
  std::vector<std::uint64_t> out(1000);
  for (std::uint64_t i = 0; i < 1000; ++i)
    ASSERT_EQ(queue.take(0, 1000, out.data()), 1000U);
  EXPECT_LT(queue.bytes(), 200000U);
}

TEST(ChunkQueue, ThreadsTakeTheirOwnFirstAndThenThatOfOthers) {
  MemoryBudget budget(std::uint64_t{256} << 20, 0);
  ChunkQueue queue(8, 2, budget);
  for (std::uint64_t i = 0; i < 20000; ++i)
    ASSERT_TRUE(queue.append(i % 2, &i));
  EXPECT_EQ(queue.next_layer(), 20000U);
  std::vector<std::uint64_t> out(100);
  for (std::uint64_t first = 1; first < 20000; first += 200) {
    ASSERT_EQ(queue.take(1, 100, out.data()), 100U);
    EXPECT_EQ(out.front(), first);
    EXPECT_EQ(out.back(), first + 198);
  }
  ASSERT_EQ(queue.take(1, 100, out.data()), 100U);
  EXPECT_EQ(out.back(), 198U);
  ASSERT_EQ(queue.take(0, 100, out.data()), 100U);
  EXPECT_EQ(out.front(), 200U);
}

TEST(ChunkQueue, TakenOnceByThreadsThatAppendMeanwhile) {
  constexpr unsigned kThreads = 3;
  constexpr std::uint64_t kEntries = 40000;
  MemoryBudget budget(std::uint64_t{256} << 20, 0);
  ChunkQueue queue(8, kThreads, budget);
  for (std::uint64_t i = 0; i < kEntries; ++i)
    ASSERT_TRUE(queue.append(0, &i));
  for (int layer = 0; layer < 4; ++layer) {
    ASSERT_EQ(queue.next_layer(), kEntries);
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread)
      threads.emplace_back([&queue, thread] {
        std::vector<std::uint64_t> out(64);
        while (const std::size_t taken = queue.take(thread, out.size(), out.data()))
          for (std::size_t i = 0; i < taken; ++i)
            EXPECT_TRUE(queue.append(thread, &out[i]));
      });
  }
  std::vector<bool> seen(kEntries);
  queue.for_each([&seen](const std::uint8_t* entry) {
    std::uint64_t number = 0;
    std::memcpy(&number, entry, sizeof number);
    EXPECT_FALSE(seen.at(number));
    seen.at(number) = true;
  });
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(kEntries));
}

TEST(ChunkQueue, EndOfMemoryIsReported) {
  MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - (std::uint64_t{1} << 20));
  ChunkQueue queue(8, 1, budget);
  std::uint64_t count = 0;
  while (queue.append(0, &count))
    ASSERT_LT(++count, 200000U);
  EXPECT_EQ(count, (std::uint64_t{1} << 20) / 8);
  EXPECT_EQ(queue.next_layer(), count);
}

}  // namespace
}  // namespace tideline
