// SPDX-License-Identifier: MIT
// The collapse set keeps the contract, however states are divided, and its parts: state parts and key layouts.
#include "store/collapse_set.h"

#include <gtest/gtest.h>

#include <numeric>

#include "visited_set_contract.h"

namespace tideline {
namespace {

// Parts of `length` bits; every second one of these is made of two segments that are apart.
std::vector<StatePart> parts_of(std::uint64_t bits, std::uint64_t length) {
  std::vector<StatePart> parts;
  for (std::uint64_t bit = 0; bit < bits; bit += length)
    parts.push_back({{bit, std::min(length, bits - bit)}});
  for (std::size_t i = 0; i + 2 < parts.size(); i += 4) {
    const BitOrder::Segment first = parts[i].front();
    const BitOrder::Segment third = parts[i + 2].front();
    const std::uint64_t half = length / 2;
    if (half == 0 || third.width < length)
      break;
    parts[i] = {{first.bit, half}, {third.bit + half, length - half}};
    parts[i + 2] = {{third.bit, half}, {first.bit + half, length - half}};
  }
  return parts;
}

MakeSet make_collapse(std::uint64_t length) {
  return [length](std::uint64_t bits, unsigned threads, MemoryBudget& budget) {
    return std::make_unique<CollapseSet>(StateParts(bits, parts_of(bits, length)), threads, budget);
  };
}

TEST(StateParts, ValuesComeBack) {
  std::mt19937_64 random(1);
  for (std::uint64_t bits = 1; bits <= 400; bits += bits < 140 ? 1 : 37)
    for (const std::uint64_t length : {1U, 3U, 20U, 31U, 63U, 64U}) {
      const StateParts parts(bits, parts_of(bits, length));
      State state = random_state(random, bits, 1000);
      State other = random_state(random, bits, 1000);
      state.push_back(0);
      other.push_back(0);
      State copy(parts.words() + 1, 0);
      std::set<std::size_t> differ;
      parts.differences(state.data(), other.data(), [&differ](std::size_t part) { differ.insert(part); });
      for (std::size_t part = 0; part < parts.size(); ++part) {
        EXPECT_EQ(differ.contains(part), parts.get(state.data(), part) != parts.get(other.data(), part));
        EXPECT_LE(std::bit_width(parts.get(state.data(), part)), parts.bits(part));
        parts.flip(copy.data(), part, parts.get(state.data(), part));
      }
      EXPECT_EQ(copy, state) << bits << " bits in parts of " << length;
    }
}

TEST(KeyLayout, KeysSurviveMoves) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    std::vector<unsigned> before(1 + random() % 20);
    std::vector<unsigned> after = before;
    std::vector<std::uint32_t> numbers(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      before[i] = static_cast<unsigned>(random() % 33);
      after[i] = static_cast<unsigned>(random() % 3 == 0 ? random() % 33 : before[i]);
      numbers[i] = static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << std::min(before[i], after[i])) - 1));
    }
    const KeyLayout old_layout(before);
    const KeyLayout new_layout(after);
    EXPECT_EQ(old_layout.widths(), before);
    std::vector<Word> old_key(old_layout.words(), 0);
    std::vector<Word> new_key(new_layout.words(), 0);
    for (std::size_t i = 0; i < before.size(); ++i)
      old_layout.flip(old_key.data(), i, numbers[i]);
    KeyMoves(old_layout, new_layout).apply(old_key.data(), new_key.data());
    for (std::size_t i = 0; i < before.size(); ++i) {
      ASSERT_EQ(old_layout.get(old_key.data(), i), numbers[i]);
      ASSERT_EQ(new_layout.get(new_key.data(), i), numbers[i]);
    }
  }
}

// Fields become wider, in pieces; keys are the same until numbers use the new bits, and can be put in order.
TEST(KeyLayout, WiderFieldsLeaveKeysAsTheyAre) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<unsigned> widths(1 + random() % 12);
    for (unsigned& width : widths)
      width = static_cast<unsigned>(random() % 20);
    KeyLayout layout(widths, std::accumulate(widths.begin(), widths.end(), std::uint64_t{60}));
    std::vector<std::uint32_t> numbers(widths.size(), 0);
    std::vector<Word> key(layout.words(), 0);
    for (int step = 0; step < 60; ++step) {
      const std::size_t field = random() % widths.size();
      const auto number = static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << layout.width(field)) - 1));
      layout.flip(key.data(), field, numbers[field] ^ number);
      numbers[field] = number;
      const KeyLayout before = layout;
      if (layout.width(field) < 32)
        layout.widen(field);
      EXPECT_TRUE(KeyMoves(before, layout).is_identity());
      const KeyLayout in_order(layout.widths(), layout.bits());
      std::vector<Word> moved(in_order.words(), 0);
      KeyMoves(layout, in_order).apply(key.data(), moved.data());
      for (std::size_t i = 0; i < widths.size(); ++i) {
        ASSERT_EQ(layout.get(key.data(), i), numbers[i]);
        ASSERT_EQ(in_order.get(moved.data(), i), numbers[i]);
      }
    }
    EXPECT_GT(layout.pieces(), 0U);
  }
}

TEST(CollapseSet, MatchesStdSetAtEveryLength) {
  for (std::uint64_t bits = 1; bits <= 900; bits += bits < 140 ? 3 : 61)
    for (const std::uint64_t length : {5U, 24U, 64U})
      compare_with_std_set(make_collapse(length), bits, 1000, 12);
}

TEST(CollapseSet, MatchesStdSetWithFewAndManyValues) {
  for (const std::uint64_t variety : {2U, 40U, 700U, 100000U})
    for (const std::uint64_t length : {16U, 64U})
      compare_with_std_set(make_collapse(length), 193, variety, 500);
}

TEST(CollapseSet, WhatTakeHasLeftIsDropped) {
  expect_rest_of_layer_is_dropped(make_collapse(16));
}

// Fields become wider while other threads insert and take.
TEST(CollapseSet, ThreadsFindEveryStateOnce) {
  for (const unsigned threads : {1U, 2U, 3U, 4U})
    for (const std::uint64_t bits : {70U, 300U})
      for (const std::uint64_t length : {13U, 64U})
        ThreadsOnOneSet(make_collapse(length), threads, bits).run();
}

// State i: part p, 24 bits from bit 24 p on, is i / (2 p + 1).
State numbered_state(Word i, std::size_t parts) {
  State state(parts * 24 / 64 + 1, 0);
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t bit = 0; bit < 24; ++bit)
      if ((i / (2 * part + 1) >> bit & 1U) != 0)
        state[(part * 24 + bit) / 64] |= Word{1} << (part * 24 + bit) % 64;
  return state;
}

// So many keys that they are rewritten in rounds, by all threads; every part takes new values all the time. Fields
// are in pieces in between.
void expect_many_keys_survive(std::size_t parts, unsigned threads) {
  constexpr Word kStates = 150000;
  constexpr std::size_t kBatch = 500;
  MemoryBudget budget(kContractBudget, 0);
  const std::uint64_t bits = parts * 24 + 1;  // the last one is 0
  CollapseSet set(StateParts(bits, parts_of(bits, 24)), threads, budget);
  std::vector<std::uint64_t> found(threads);
  const auto insert_all = [&](unsigned thread) {
    std::vector<std::uint32_t> fresh;
    for (Word first = 0; first < kStates; first += kBatch) {
      std::vector<Word> batch;
      for (Word i = first; i < first + kBatch; ++i) {
        const State state = numbered_state(i, parts);
        batch.insert(batch.end(), state.begin(), state.end());
      }
      batch.push_back(0);
      fresh.clear();
      EXPECT_TRUE(set.insert(thread, batch.data(), kBatch, fresh));
      found[thread] += fresh.size();
    }
  };
  {
    std::vector<std::jthread> running;
    for (unsigned thread = 0; thread < threads; ++thread)
      running.emplace_back([&, thread] { insert_all(thread); });
  }
  EXPECT_EQ(std::accumulate(found.begin(), found.end(), std::uint64_t{0}), kStates);
  EXPECT_GT(set.form().rewritten(), kStates);
  EXPECT_EQ(set.next_layer(), kStates);
  std::set<State> taken;
  for (const State& state : take_all(set, (bits + 63) / 64, 1000))
    taken.insert(state);
  ASSERT_EQ(taken.size(), kStates);
  for (Word i = 0; i < kStates; ++i)
    ASSERT_TRUE(taken.contains(numbered_state(i, parts))) << i;
}

TEST(CollapseSet, ManyKeysAreRewrittenByAllThreads) {
  expect_many_keys_survive(5, 3);
  expect_many_keys_survive(37, 2);
}

TEST(CollapseSet, EndOfMemoryIsReportedAndNothingIsLost) {
  fill_until_memory_ends(make_collapse(16), 1, 64);
  fill_until_memory_ends(make_collapse(16), 1, 200);
  fill_until_memory_ends(make_collapse(10), 3, 100);
}

// A part with a value of its own in every state: the dictionary is what ends first.
TEST(CollapseSet, EndOfMemoryInADictionary) {
  MemoryBudget budget(kMemoryBudgetFloor, 0);
  CollapseSet set(StateParts(64, parts_of(64, 64)), 1, budget);
  std::vector<std::uint32_t> fresh;
  Word inserted = 0;
  std::vector<Word> batch(101);
  for (bool room = true; room; inserted += fresh.size()) {
    for (Word i = 0; i < 100; ++i)
      batch[i] = (inserted + i) * 0x9e3779b97f4a7c15ULL;
    fresh.clear();
    room = set.insert(0, batch.data(), 100, fresh);
    ASSERT_LT(inserted, Word{1} << 22);
  }
  EXPECT_EQ(set.size(), inserted);
  EXPECT_LE(budget.used(), budget.total());
  EXPECT_EQ(set.bytes(), budget.used());
  EXPECT_EQ(set.next_layer(), inserted);
  const std::vector<State> states = take_all(set, 1, 1000);
  ASSERT_EQ(states.size(), inserted);
  for (Word i = 0; i < inserted; ++i)
    ASSERT_EQ(states[i][0], i * 0x9e3779b97f4a7c15ULL);
}

// Keys are rewritten many times between the layers and when they are taken again.
TEST(CollapseSet, LayersCanBeTakenAgain) {
  MemoryBudget budget(kContractBudget, 0);
  CollapseSet set(StateParts(150, parts_of(150, 30)), 1, budget);
  std::mt19937_64 random(6);
  std::vector<std::vector<State>> layers;
  for (std::uint64_t layer = 0; layer < 40; ++layer) {
    std::vector<Word> states;
    layers.emplace_back();
    for (Word i = 0; i < 200; ++i) {
      State state = random_state(random, 150, 2 + layer * layer);
      state[0] = (layer * 200 + i) << 20;
      states.insert(states.end(), state.begin(), state.end());
      layers.back().push_back(std::move(state));
    }
    states.push_back(0);
    std::vector<std::uint32_t> fresh;
    ASSERT_TRUE(set.insert(0, states.data(), 200, fresh));
    ASSERT_EQ(set.next_layer(), 200U);
  }
  EXPECT_GT(set.form().rewritten(), set.size());
  for (std::size_t layer = layers.size(); layer-- > 0;) {
    ASSERT_TRUE(set.restart(layer));
    ASSERT_EQ(take_all(set, 3, 7), layers[layer]);
  }
}

// 200 bits in parts of which two take 1000 values each: 10 bits for each of these in place of 50 for each.
TEST(CollapseSet, IsCompact) {
  MemoryBudget budget(kContractBudget, 0);
  CollapseSet set(StateParts(200, parts_of(200, 50)), 1, budget);
  std::vector<std::uint32_t> fresh;
  for (Word i = 0; i < 1000; ++i) {
    std::vector<Word> states(1000 * 4 + 1, 0);
    for (Word k = 0; k < 1000; ++k) {
      states[k * 4] = i << 30;
      states[k * 4 + 2] = k;
    }
    fresh.clear();
    ASSERT_TRUE(set.insert(0, states.data(), 1000, fresh));
    ASSERT_EQ(fresh.size(), 1000U);
  }
  EXPECT_LE(set.form().key_bits(), 24U);
  EXPECT_LT(set.bytes(), set.size() * 13);
}

}  // namespace
}  // namespace tideline
