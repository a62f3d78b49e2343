// SPDX-License-Identifier: MIT
// Dictionaries against std::map: numbers without gaps, growth, refusals, threads that bring the same new values.
#include "store/dictionary.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>
#include <vector>

namespace tideline {
namespace {

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

// The number of a value, with more room if it takes that.
std::uint32_t number_with_room(Dictionary& dictionary, std::uint64_t value, unsigned& width) {
  for (;;) {
    const std::uint32_t number = dictionary.number_of(value);
    if (number != Dictionary::kRefused)
      return number;
    EXPECT_TRUE(dictionary.wants_more());
    if (dictionary.size() >> width != 0)
      ++width;
    EXPECT_TRUE(dictionary.make_room(width));
    EXPECT_FALSE(dictionary.wants_more());
  }
}

void compare_with_map(unsigned bits, std::uint64_t variety) {
  MemoryBudget budget(kBudget, 0);
  Dictionary dictionary(bits, budget);
  std::map<std::uint64_t, std::uint32_t> model;
  std::mt19937_64 random(bits);
  unsigned width = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t value = ((random() % variety) * 0x9e3779b97f4a7c15ULL) >> (64 - bits);
    const std::uint32_t number = number_with_room(dictionary, value, width);
    const auto next = static_cast<std::uint32_t>(model.size());
    ASSERT_EQ(model.emplace(value, next).first->second, number) << bits << " bits";
    ASSERT_LT(number, std::uint64_t{1} << width);
    ASSERT_EQ(dictionary.value(number), value);
  }
  EXPECT_EQ(dictionary.size(), model.size());
  EXPECT_EQ(dictionary.bytes(), budget.used());
  for (const auto& [value, number] : model) {
    ASSERT_EQ(dictionary.value(number), value);
    ASSERT_EQ(dictionary.number_of(value), number);
  }
}

TEST(Dictionary, NumbersValuesInTheOrderOfTheirFirstOccurrence) {
  for (unsigned bits = 1; bits <= 64; ++bits) {
    compare_with_map(bits, 10);
    compare_with_map(bits, 5000);
  }
}

TEST(Dictionary, RefusesWhatItHasNoNumberFor) {
  MemoryBudget budget(kBudget, 0);
  Dictionary dictionary(40, budget);
  EXPECT_EQ(dictionary.number_of(7), Dictionary::kRefused);
  ASSERT_TRUE(dictionary.make_room(1));
  EXPECT_EQ(dictionary.number_of(7), 0U);
  EXPECT_EQ(dictionary.number_of(9), 1U);
  EXPECT_EQ(dictionary.number_of(8), Dictionary::kRefused);
  EXPECT_EQ(dictionary.number_of(9), 1U);
  EXPECT_FALSE(dictionary.make_room(1)) << "a bit is not enough for three values";
  ASSERT_TRUE(dictionary.make_room(2));
  EXPECT_EQ(dictionary.number_of(8), 2U);
}

TEST(Dictionary, EndOfMemoryChangesNothing) {
  MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - (std::uint64_t{64} << 10));
  {
    Dictionary dictionary(64, budget);
    std::uint64_t value = 0;
    bool room = true;
    while (room) {
      while (dictionary.number_of(value * value) != Dictionary::kRefused)
        ++value;
      room = dictionary.make_room(28);
    }
    EXPECT_GE(value, 1024U);
    for (std::uint64_t i = 0; i < value; ++i)
      ASSERT_EQ(dictionary.number_of(i * i), i);
  }
  EXPECT_EQ(budget.used(), kMemoryBudgetFloor - (std::uint64_t{64} << 10));
}

TEST(Dictionary, ThreadsGetTheSameNumbersWithoutGaps) {
  constexpr std::uint64_t kValues = 20000;
  constexpr unsigned kThreads = 4;
  for (const unsigned bits : {15U, 50U}) {
    MemoryBudget budget(kBudget, 0);
    Dictionary dictionary(bits, budget);
    unsigned width = 0;
    for (std::uint64_t value = kValues; value < 2 * kValues && dictionary.size() < 256; ++value)
      number_with_room(dictionary, value % 32768, width);
    EXPECT_EQ(dictionary.number_of(1), Dictionary::kRefused);
    while (width < 15 && dictionary.make_room(++width)) {
    }
    std::vector<std::vector<std::uint32_t>> numbers(kThreads);
    {
      std::vector<std::jthread> threads;
      for (unsigned thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&dictionary, &mine = numbers[thread]] {
          for (std::uint64_t value = 0; value < kValues; ++value)
            mine.push_back(dictionary.number_of(value));
        });
    }
    for (std::uint64_t value = 0; value < kValues; ++value)
      for (unsigned thread = 1; thread < kThreads; ++thread)
        ASSERT_TRUE(numbers[0][value] == numbers[thread][value] || numbers[0][value] == Dictionary::kRefused ||
                    numbers[thread][value] == Dictionary::kRefused);
    for (std::uint32_t number = 0; number < dictionary.size(); ++number)
      ASSERT_EQ(dictionary.number_of(dictionary.value(number)), number);
  }
}

}  // namespace
}  // namespace tideline
