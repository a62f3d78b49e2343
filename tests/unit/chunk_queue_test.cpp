// SPDX-License-Identifier: MIT
// The layered queue against std::deque.
#include "store/chunk_queue.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

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
        const std::size_t taken = queue.take(random() % 64, out.data());
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
    ASSERT_EQ(queue.take(1000, out.data()), 1000U);
  EXPECT_LT(queue.bytes(), 200000U);
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
