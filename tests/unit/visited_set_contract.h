// SPDX-License-Identifier: MIT
// The contract of src/store/visited_set.h as test code: every kind of set is compared with std::set and std::deque, and
// hammered by threads. A kind is given as a function that makes an empty set for a number of bits and threads.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "io/budget.h"
#include "store/visited_set.h"

namespace tideline {

using State = std::vector<Word>;
using MakeSet = std::function<std::unique_ptr<VisitedSet>(std::uint64_t bits, unsigned threads, MemoryBudget& budget)>;

inline constexpr std::uint64_t kContractBudget = std::uint64_t{64} << 20;

// Words take one of `variety` values each: parts of states repeat, as they do in real state spaces.
inline State random_state(std::mt19937_64& random, std::uint64_t bits, std::uint64_t variety) {
  State state((bits + 63) / 64, 0);
  for (Word& word : state)
    word = (random() % variety) * 0x9e3779b97f4a7c15ULL;
  if (bits % 64 != 0)
    state.back() &= (Word{1} << (bits % 64)) - 1;
  return state;
}

// All states of the current layer that are left, in the order they are handed out.
inline std::vector<State> take_all(VisitedSet& set, std::size_t words, std::size_t most) {
  std::vector<State> states;
  std::vector<Word> out(most * words + 1);
  while (const std::size_t count = set.take(0, most, out.data())) {
    EXPECT_LE(count, most);
    for (const Word* state = out.data(); state != out.data() + count * words; state += words)
      states.emplace_back(state, state + words);
  }
  return states;
}

// S1 and S3 with one thread: what is fresh, and what comes out of each layer, in the order of insertion.
inline void compare_with_std_set(const MakeSet& make, std::uint64_t bits, std::uint64_t variety, int rounds) {
  MemoryBudget budget(kContractBudget, 0);
  const std::unique_ptr<VisitedSet> set = make(bits, 1, budget);
  std::set<State> model;
  std::mt19937_64 random(bits);
  for (int round = 0; round < rounds; ++round) {
    std::vector<Word> states;
    std::vector<std::uint32_t> expected;
    std::vector<State> layer;
    const std::size_t count = random() % 300;
    for (std::size_t i = 0; i < count; ++i) {
      State state = random_state(random, bits, variety);
      states.insert(states.end(), state.begin(), state.end());
      if (!model.insert(state).second)
        continue;
      expected.push_back(static_cast<std::uint32_t>(i));
      layer.push_back(std::move(state));
    }
    states.push_back(0);
    std::vector<std::uint32_t> fresh;
    ASSERT_TRUE(set->insert(0, states.data(), count, fresh));
    ASSERT_EQ(fresh, expected) << bits << " bits, round " << round;
    ASSERT_EQ(set->next_layer(), layer.size());
    ASSERT_EQ(take_all(*set, (bits + 63) / 64, 1 + random() % 50), layer);
  }
  EXPECT_EQ(set->size(), model.size());
  EXPECT_LE(set->bytes(), budget.used());
}

inline void expect_rest_of_layer_is_dropped(const MakeSet& make) {
  MemoryBudget budget(kContractBudget, 0);
  const std::unique_ptr<VisitedSet> set = make(64, 1, budget);
  std::vector<std::uint32_t> fresh;
  const Word states[] = {3, 5, 8, 0};
  ASSERT_TRUE(set->insert(0, states, 2, fresh));
  EXPECT_EQ(set->next_layer(), 2U);
  Word out[2];
  EXPECT_EQ(set->take(0, 1, out), 1U);
  EXPECT_EQ(out[0], 3U);
  ASSERT_TRUE(set->insert(0, states, 3, fresh));
  EXPECT_EQ(set->next_layer(), 1U);
  EXPECT_EQ(take_all(*set, 1, 4), (std::vector<State>{{8}}));
  EXPECT_EQ(set->next_layer(), 0U);
  EXPECT_EQ(set->take(0, 1, out), 0U);
}

// S2: every thread inserts its own shuffle of the same states, layer by layer; each is fresh once and taken once.
class ThreadsOnOneSet {
 public:
  ThreadsOnOneSet(const MakeSet& make, unsigned threads, std::uint64_t bits)
      : threads_(threads),
        words_((bits + 63) / 64),
        budget_(kContractBudget, 0),
        set_(make(bits, threads, budget_)),
        found_(kStates * kLayers) {}

  void run() {
    std::uint64_t layer_size = 0;
    std::barrier end_insert(threads_, [this, &layer_size]() noexcept { layer_size = set_->next_layer(); });
    std::barrier end_take(threads_);
    {
      std::vector<std::jthread> threads;
      for (unsigned thread = 0; thread < threads_; ++thread)
        threads.emplace_back([&, thread] {
          for (Word layer = 0; layer < kLayers; ++layer) {
            insert_layer(thread, layer);
            end_insert.arrive_and_wait();
            EXPECT_EQ(layer_size, kStates);
            take_layer(thread, layer);
            end_take.arrive_and_wait();
          }
        });
    }
    EXPECT_EQ(set_->size(), kStates * kLayers);
    EXPECT_TRUE(std::all_of(found_.begin(), found_.end(), [](const auto& found) { return found == 2; }));
  }

 private:
  static constexpr Word kStates = 20000;
  static constexpr Word kLayers = 3;
  static constexpr std::size_t kBatch = 77;

  void write(Word number, Word* state) const {
    for (std::size_t i = 1; i + 1 < words_; ++i)
      state[i] = number >> (7 * i);
    state[words_ - 1] = number % 64;
    state[0] = number * 0x9e3779b97f4a7c15ULL;  // all there is of a state of one word
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
      ASSERT_TRUE(set_->insert(thread, batch.data(), count, fresh));
      for (const std::uint32_t i : fresh)
        ++found_[order[begin + i]];
    }
  }
  // Takes the layer to its end; every state must be one of it.
  void take_layer(unsigned thread, Word layer) {
    std::vector<Word> out(10 * words_ + 1);
    std::vector<Word> expected(words_);
    while (const std::size_t count = set_->take(thread, 10, out.data())) {
      for (std::size_t i = 0; i < count; ++i) {
        const Word number = out[i * words_] * 0xf1de83e19937733dULL;  // the inverse of the factor in write()
        ASSERT_EQ(number / kStates, layer);
        write(number, expected.data());
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), out.data() + i * words_));
        ++found_[number];
      }
    }
  }

  unsigned threads_;
  std::size_t words_;
  MemoryBudget budget_;
  std::unique_ptr<VisitedSet> set_;
  std::vector<std::atomic<unsigned>> found_;
};

// Inserts 0, 1, 2, ... until memory ends, with several threads; what was reported fresh is what can be taken, and
// nothing is charged in the end.
inline void fill_until_memory_ends(const MakeSet& make, unsigned threads, std::uint64_t bits) {
  const std::size_t words = (bits + 63) / 64;
  MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - (std::uint64_t{4} << 20));
  const std::uint64_t used_before = budget.used();
  {
    const std::unique_ptr<VisitedSet> set = make(bits, threads, budget);
    std::atomic<std::uint64_t> inserted = 0;
    {
      std::vector<std::jthread> workers;
      for (unsigned thread = 0; thread < threads; ++thread)
        workers.emplace_back([&, thread] {
          std::vector<std::uint32_t> fresh;
          std::vector<Word> batch(50 * words + 1, 0);
          bool room = true;
          for (Word next = thread; room; next += 50 * threads) {
            for (Word i = 0; i < 50; ++i)
              batch[i * words] = next + i * threads;
            room = set->insert(thread, batch.data(), 50, fresh);
            ASSERT_LT(fresh.size(), std::size_t{1} << 22);
          }
          inserted += fresh.size();
        });
    }
    EXPECT_LE(budget.used(), budget.total());
    EXPECT_GT(inserted, std::uint64_t{100000});
    const std::uint64_t queued = set->next_layer();
    EXPECT_LE(queued, inserted);
    EXPECT_GE(queued + threads * std::uint64_t{50}, inserted);  // a batch in which memory ended may be cut short
    std::set<State> taken;
    for (State& state : take_all(*set, words, 100)) {
      EXPECT_TRUE(std::all_of(state.begin() + 1, state.end(), [](Word word) { return word == 0; }));
      EXPECT_TRUE(taken.insert(std::move(state)).second);
    }
    EXPECT_EQ(taken.size(), queued);
  }
  EXPECT_EQ(budget.used(), used_before);
}

}  // namespace tideline
