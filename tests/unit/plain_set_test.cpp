// SPDX-License-Identifier: MIT
// The plain visited set against std::set, with tiny budgets, states that collide, and threads that insert the same.
#include "store/plain_set.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <random>
#include <set>
#include <thread>

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

// All states of the current layer that are left, in the order they are handed out.
std::vector<State> take_all(VisitedSet& set, std::size_t words, std::size_t most) {
  std::vector<State> states;
  std::vector<Word> out(most * words + 1);
  while (const std::size_t count = set.take(0, most, out.data())) {
    EXPECT_LE(count, most);
    for (const Word* state = out.data(); state != out.data() + count * words; state += words)
      states.emplace_back(state, state + words);
  }
  return states;
}

// Layers of random batches: what is fresh, and what comes out of each layer, in order.
void compare_with_set(std::uint64_t bits, std::uint64_t variety) {
  MemoryBudget budget(kBudget, 0);
  PlainSet set(bits, 1, budget);
  std::set<State> model;
  std::vector<std::vector<State>> layers;
  std::mt19937_64 random(bits);
  for (int round = 0; round < 60; ++round) {
    std::vector<Word> states;
    std::vector<std::uint32_t> expected;
    layers.emplace_back();
    const std::size_t count = random() % 300;
    for (std::size_t i = 0; i < count; ++i) {
      State state = random_state(random, bits, variety);
      states.insert(states.end(), state.begin(), state.end());
      if (!model.insert(state).second)
        continue;
      expected.push_back(static_cast<std::uint32_t>(i));
      layers.back().push_back(std::move(state));
    }
    states.push_back(0);
    std::vector<std::uint32_t> fresh;
    ASSERT_TRUE(set.insert(0, states.data(), count, fresh));
    ASSERT_EQ(fresh, expected);
    ASSERT_EQ(set.next_layer(), layers.back().size());
    ASSERT_EQ(take_all(set, (bits + 63) / 64, 1 + random() % 50), layers.back());
  }
  ASSERT_EQ(set.size(), model.size());
  for (const std::size_t layer : {std::size_t{0}, std::size_t{31}, layers.size() - 1}) {
    ASSERT_TRUE(set.restart(layer));
    EXPECT_EQ(take_all(set, (bits + 63) / 64, 7), layers[layer]);
  }
}

TEST(PlainSet, MatchesStdSet) {
  for (const std::uint64_t bits : {1U, 7U, 8U, 9U, 23U, 31U, 40U, 56U, 63U, 64U, 65U, 70U, 127U, 128U, 200U, 700U})
    compare_with_set(bits, 1000);
}

TEST(PlainSet, WhatTakeHasLeftIsDropped) {
  MemoryBudget budget(kBudget, 0);
  PlainSet set(64, 1, budget);
  std::vector<std::uint32_t> fresh;
  const Word states[] = {3, 5, 8, 0};
  ASSERT_TRUE(set.insert(0, states, 2, fresh));
  EXPECT_EQ(set.next_layer(), 2U);
  Word out[2];
  EXPECT_EQ(set.take(0, 1, out), 1U);
  EXPECT_EQ(out[0], 3U);
  ASSERT_TRUE(set.insert(0, states, 3, fresh));
  EXPECT_EQ(set.next_layer(), 1U);
  EXPECT_EQ(take_all(set, 1, 4), (std::vector<State>{{8}}));
  EXPECT_EQ(set.next_layer(), 0U);
  EXPECT_EQ(set.take(0, 1, out), 0U);
}

// Whatever the budget is, the index ends with a size with which the cells take the rest of the memory.
TEST(PlainSet, FillsItsMemory) {
  for (std::uint64_t free_bytes = 12000000; free_bytes < 24000000; free_bytes += 1234567)
    for (const std::uint64_t bits : {64U, 192U}) {
      SCOPED_TRACE(std::to_string(bits) + " bits, " + std::to_string(free_bytes));
      MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - free_bytes);
      PlainSet set(bits, 1, budget);
      std::vector<Word> batch(100 * (bits / 64) + 1);
      std::vector<std::uint32_t> fresh;
      bool room = true;
      for (Word next = 0; room; next += 100) {
        for (Word i = 0; i < 100; ++i)
          batch[i * (bits / 64)] = next + i;
        fresh.clear();
        room = set.insert(0, batch.data(), 100, fresh);
      }
      EXPECT_GT(set.size() * (bits / 8 + 6), free_bytes * 93 / 100);
    }
}

// Others give memory back at any moment: the index, perhaps fuller than it likes to be, grows by as much as there is.
TEST(PlainSet, GrowsByLittleWhenMemoryComesBack) {
  constexpr std::uint64_t kFree = 6000000;
  constexpr std::uint64_t kOthers = kFree / 20;
  for (std::uint64_t first = 300000; first < 460000; first += 4000) {
    SCOPED_TRACE(first);
    MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - kFree);
    ASSERT_TRUE(budget.charge(2 * kOthers));
    PlainSet set(64, 1, budget);
    std::vector<Word> batch(1001);
    std::vector<std::uint32_t> fresh;
    bool room = true;
    for (Word next = 0; room; next += 1000) {
      if (next == first || next == first + 12000)
        budget.release(kOthers);
      for (Word i = 0; i < 1000; ++i)
        batch[i] = next + i;
      fresh.clear();
      room = set.insert(0, batch.data(), 1000, fresh);
      ASSERT_LT(next, 1000000U);
    }
    EXPECT_LE(budget.used(), budget.total());
    EXPECT_EQ(set.next_layer(), set.size());
    EXPECT_EQ(take_all(set, 1, 1000).size(), set.size());
  }
}

TEST(PlainSet, EndOfMemoryIsReportedAndNothingIsLost) {
  MemoryBudget budget(kMemoryBudgetFloor, 0);
  PlainSet set(64, 1, budget);
  std::vector<Word> batch(101);
  std::uint64_t inserted = 0;
  bool room = true;
  for (Word next = 0; room; next += 100) {
    std::vector<std::uint32_t> fresh;
    for (std::size_t i = 0; i < 100; ++i)
      batch[i] = next + i;
    room = set.insert(0, batch.data(), 100, fresh);
    inserted += fresh.size();
    ASSERT_LT(inserted, std::uint64_t{1} << 23);
  }
  EXPECT_EQ(set.size(), inserted);
  EXPECT_LE(budget.used(), budget.total());
  EXPECT_EQ(set.bytes(), budget.used());
  EXPECT_GT(inserted * 8, kMemoryBudgetFloor / 3) << "a third of the budget, at least, must hold states";
  EXPECT_EQ(set.next_layer(), inserted);
  const std::vector<State> states = take_all(set, 1, 1000);
  ASSERT_EQ(states.size(), inserted);
  for (Word i = 0; i < inserted; ++i)
    ASSERT_EQ(states[i][0], i);
}

// Every thread inserts its own shuffle of the same states, layer by layer, while the index grows under it.
class PlainSetThreads : public testing::TestWithParam<unsigned> {
 protected:
  static constexpr Word kStates = 20000;
  static constexpr Word kLayers = 3;
  static constexpr std::size_t kBatch = 77;

  explicit PlainSetThreads(std::uint64_t bits = 70)
      : words_((bits + 63) / 64), budget_(kBudget, 0), set_(bits, GetParam(), budget_), found_(kStates * kLayers) {}

  void write(Word number, Word* state) const {
    state[0] = number * 0x9e3779b97f4a7c15ULL;
    state[words_ - 1] = number % 64;
  }
  void insert_layer(unsigned thread, Word layer) {
    std::vector<Word> order(kStates);
    for (Word i = 0; i < kStates; ++i)
      order[i] = layer * kStates + i;
    std::shuffle(order.begin(), order.end(), std::mt19937_64(thread));
    std::vector<Word> batch(kBatch * words_ + 1);
    std::vector<std::uint32_t> fresh;
    for (std::size_t begin = 0; begin < kStates; begin += kBatch) {
      const std::size_t count = std::min<std::size_t>(kBatch, kStates - begin);
      for (std::size_t i = 0; i < count; ++i)
        write(order[begin + i], batch.data() + i * words_);
      fresh.clear();
      ASSERT_TRUE(set_.insert(thread, batch.data(), count, fresh));
      for (const std::uint32_t i : fresh)
        ++found_[order[begin + i]];
    }
  }
  // Takes the layer to its end; every state must be one of it, and none may come twice.
  void take_layer(unsigned thread, Word layer) {
    std::vector<Word> out(10 * words_ + 1);
    std::vector<Word> expected(words_);
    while (const std::size_t count = set_.take(thread, 10, out.data())) {
      for (std::size_t i = 0; i < count; ++i) {
        const Word number = out[i * words_] * 0xf1de83e19937733dULL;  // the inverse of the factor in write()
        ASSERT_EQ(number / kStates, layer);
        write(number, expected.data());
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), out.data() + i * words_));
        ++found_[number];
      }
    }
  }

  std::size_t words_;
  MemoryBudget budget_;
  PlainSet set_;
  std::vector<std::atomic<unsigned>> found_;
};

TEST_P(PlainSetThreads, EveryStateIsFreshOnceAndTakenOnce) {
  std::uint64_t layer_size = 0;
  std::barrier end_insert(GetParam(), [this, &layer_size]() noexcept { layer_size = set_.next_layer(); });
  std::barrier end_take(GetParam());
  const auto run = [&](unsigned thread) {
    for (Word layer = 0; layer < kLayers; ++layer) {
      insert_layer(thread, layer);
      end_insert.arrive_and_wait();
      EXPECT_EQ(layer_size, kStates);
      take_layer(thread, layer);
      end_take.arrive_and_wait();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < GetParam(); ++thread)
      threads.emplace_back(run, thread);
  }
  EXPECT_EQ(set_.size(), kStates * kLayers);
  EXPECT_TRUE(std::all_of(found_.begin(), found_.end(), [](const auto& found) { return found == 2; }));
}

INSTANTIATE_TEST_SUITE_P(Threads, PlainSetThreads, testing::Values(1U, 2U, 3U, 8U));

// A set so full that memory ends while several threads insert: all of them must hear of it.
TEST(PlainSet, EndOfMemoryWithThreads) {
  MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - (std::uint64_t{2} << 20));
  PlainSet set(64, 4, budget);
  std::atomic<std::uint64_t> inserted = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < 4; ++thread)
      threads.emplace_back([&set, &inserted, thread] {
        std::vector<std::uint32_t> fresh;
        Word state[2] = {thread, 0};
        for (; set.insert(thread, state, 1, fresh); state[0] += 4)
          ASSERT_LT(fresh.size(), std::size_t{1} << 20);
        inserted += fresh.size();
      });
  }
  EXPECT_EQ(set.size(), inserted);
  EXPECT_LE(budget.used(), budget.total());
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
