// SPDX-License-Identifier: MIT
// The tree set keeps the contract, and its parts: shapes, folding, the node table.
#include "store/tree_set.h"

#include <gtest/gtest.h>

#include <map>

#include "store/state_hash.h"
#include "visited_set_contract.h"

namespace tideline {
namespace {

std::unique_ptr<VisitedSet> make_tree(std::uint64_t bits, unsigned threads, MemoryBudget& budget) {
  return std::make_unique<TreeSet>(bits, threads, budget);
}

// The last third of the bits first.
std::unique_ptr<VisitedSet> make_reordered_tree(std::uint64_t bits, unsigned threads, MemoryBudget& budget) {
  const std::uint64_t cut = bits - bits / 3;
  return std::make_unique<TreeSet>(bits, threads, budget, BitOrder({{cut, bits - cut}, {0, cut}}));
}

TEST(NodeTable, EqualValuesHaveEqualNumbers) {
  MemoryBudget budget(kContractBudget, 0);
  NodeTable table(budget);
  std::map<std::uint64_t, std::uint32_t> model;
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t value = random() % 50000;
    ASSERT_TRUE(table.reserve(1));
    const std::uint64_t hash = hash_word(value);
    const std::uint32_t number = table.number_of(value, hash, table.find_candidate(hash));
    ASSERT_EQ(model.emplace(value, number).first->second, number);
    ASSERT_EQ(table.value(number), value);
  }
  for (const auto& [value, number] : model)
    ASSERT_EQ(table.value(number), value);
  EXPECT_EQ(table.bytes(), budget.used());
}

// Threads race for the same new values; numbers that a loser gave up must not come back when the index grows.
TEST(NodeTable, NumbersSurviveRacesAndGrowth) {
  constexpr std::uint64_t kValues = 30000;
  constexpr unsigned kThreads = 4;
  MemoryBudget budget(kContractBudget, 0);
  NodeTable table(budget);
  ASSERT_TRUE(table.reserve(kThreads * kValues));
  const auto number_of = [&table](std::uint64_t value) {
    const std::uint64_t hash = hash_word(value);
    return table.number_of(value, hash, table.find_candidate(hash));
  };
  std::vector<std::vector<std::uint32_t>> numbers(kThreads, std::vector<std::uint32_t>(kValues));
  std::barrier together(kThreads);
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread)
      threads.emplace_back([&, thread] {
        for (std::uint64_t value = 0; value < kValues; ++value) {
          if (value % 100 == 0)
            together.arrive_and_wait();
          numbers[thread][value] = number_of(value);
        }
      });
  }
  ASSERT_TRUE(table.reserve(100 * kValues));
  for (std::uint64_t value = 0; value < kValues; ++value)
    for (unsigned thread = 0; thread < kThreads; ++thread)
      ASSERT_EQ(numbers[thread][value], number_of(value));
}

void expect_sound(const TreeShape& shape, std::uint64_t bits) {
  EXPECT_EQ(shape.root().begin, 0U);
  EXPECT_EQ(shape.root().end, bits);
  for (std::uint32_t i = 0; i < shape.size(); ++i) {
    const TreeShape::Node& node = shape.node(i);
    EXPECT_LT(node.begin, node.end);
    EXPECT_EQ(node.is_pair(), node.end - node.begin > TreeShape::kLeafBits);
    if (!node.is_pair())
      continue;
    EXPECT_GT(node.left, i);
    EXPECT_EQ(shape.node(node.left).begin, node.begin);
    EXPECT_EQ(shape.node(node.left).end, shape.node(node.right).begin);
    EXPECT_EQ(shape.node(node.right).end, node.end);
  }
}

TEST(TreeShape, CoversTheStateWithAndWithoutASample) {
  std::mt19937_64 random(4);
  for (std::uint64_t bits = 1; bits <= 900; bits += bits < 140 ? 1 : 37) {
    expect_sound(TreeShape(bits), bits);
    const std::size_t words = (bits + 63) / 64;
    std::vector<Word> sample;
    for (int i = 0; i < 300; ++i) {
      const State state = random_state(random, bits, 20);
      sample.insert(sample.end(), state.begin(), state.end());
    }
    sample.push_back(0);
    expect_sound(TreeShape(bits, sample.data(), 300, words), bits);
  }
}

// Two counters of 11 bits, at bits 0 and 500 of 700: the sample shows that all that matters is to part them.
TEST(TreeShape, PartsWhatVariesIndependently) {
  constexpr std::size_t kWords = 11;
  std::vector<Word> sample(std::size_t{10000} * kWords + 1, 0);
  std::mt19937_64 random(5);
  for (std::size_t i = 0; i < 10000; ++i) {
    set_bits(sample.data() + i * kWords, 0, 11, random() % 2048);
    set_bits(sample.data() + i * kWords, 500, 11, random() % 2048);
  }
  const TreeShape shape(700, sample.data(), 10000, kWords);
  const std::uint64_t cut = shape.node(shape.root().left).end;
  EXPECT_GE(cut, 11U);
  EXPECT_LE(cut, 500U);
}

TEST(TreeSet, MatchesStdSetAtEveryLength) {
  for (std::uint64_t bits = 1; bits <= 900; bits += bits < 140 ? 1 : 61)
    compare_with_std_set(make_tree, bits, 1000, 12);
}

TEST(TreeSet, MatchesStdSetInAnotherOrderOfBits) {
  for (std::uint64_t bits = 1; bits <= 400; bits += bits < 140 ? 7 : 61)
    compare_with_std_set(make_reordered_tree, bits, 1000, 12);
  compare_with_std_set(make_reordered_tree, 193, 700, 2000);
  ThreadsOnOneSet(make_reordered_tree, 3, 150).run();
}

TEST(TreeSet, MatchesStdSetWhenPartsRepeat) {
  for (const std::uint64_t bits : {65U, 100U, 128U, 200U, 738U})
    compare_with_std_set(make_tree, bits, 40, 60);
}

// More states than it takes to cut the tree anew, twice.
TEST(TreeSet, IsExactAcrossNewCuts) {
  for (const std::uint64_t bits : {70U, 193U})
    compare_with_std_set(make_tree, bits, 700, 2000);
}

TEST(TreeSet, WhatTakeHasLeftIsDropped) {
  expect_rest_of_layer_is_dropped(make_tree);
}

TEST(TreeSet, ThreadsFindEveryStateOnce) {
  for (const unsigned threads : {1U, 2U, 4U})
    for (const std::uint64_t bits : {70U, 300U})
      ThreadsOnOneSet(make_tree, threads, bits).run();
}

TEST(TreeSet, EndOfMemoryIsReportedAndNothingIsLost) {
  fill_until_memory_ends(make_tree, 1, 64);
  fill_until_memory_ends(make_tree, 1, 200);
  fill_until_memory_ends(make_tree, 3, 100);
}

// 200 bits in four parts of which any two neighbours repeat: below 12 bytes per state, the queue included.
TEST(TreeSet, IsCompact) {
  MemoryBudget budget(kContractBudget, 0);
  TreeSet set(200, 1, budget);
  std::vector<std::uint32_t> fresh;
  for (Word i = 0; i < 1200; ++i) {
    std::vector<Word> states(1000 * 4 + 1, 0);
    for (Word k = 0; k < 1000; ++k) {
      states[k * 4] = i * 0x9e3779b97f4a7c15ULL;
      states[k * 4 + 2] = k * 0x9e3779b97f4a7c15ULL;
    }
    fresh.clear();
    ASSERT_TRUE(set.insert(0, states.data(), 1000, fresh));
    ASSERT_EQ(fresh.size(), 1000U);
    if (i % 16 == 0)
      set.next_layer();
  }
  EXPECT_EQ(set.size(), 1200000U);
  EXPECT_LT(set.bytes(), set.size() * 8);
  EXPECT_LT(set.nodes(), 10000U);
}

}  // namespace
}  // namespace tideline
