// SPDX-License-Identifier: MIT
// The tree of parts on random states and splits, and the choice of a split.
#include "store/part_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "store/part_split.h"

namespace tideline {
namespace {

constexpr std::size_t kWords = 3;
using State = std::vector<Word>;

std::vector<State> random_states(std::mt19937_64& random, std::size_t count) {
  std::vector<State> states(count, State(kWords));
  for (State& state : states)
    for (Word& word : state)
      word = random() & 0xff000000000000ffU;
  return states;
}

PartSplit random_split(std::mt19937_64& random, PartNumber parts, const State& example) {
  PartSplit split;
  split.part = static_cast<PartNumber>(random() % parts);
  split.slot.width = 1 + random() % 64;
  split.slot.bit = random() % kWords * 64 + random() % (65 - split.slot.width);
  split.threshold = split.slot.of(example.data());
  return split;
}

std::vector<Word> flat(const std::vector<State>& states) {
  std::vector<Word> words;
  for (const State& state : states)
    words.insert(words.end(), state.begin(), state.end());
  return words;
}

TEST(PartTree, SplitsRefineOnePart) {
  std::mt19937_64 random(1);
  const std::vector<State> states = random_states(random, 500);
  PartTree tree;
  for (const State& state : states)
    EXPECT_EQ(tree.part_of(state.data()), 0U);
  for (int round = 0; round < 60; ++round) {
    std::vector<PartNumber> before;
    for (const State& state : states)
      before.push_back(tree.part_of(state.data()));
    const PartSplit split = random_split(random, tree.parts(), states[random() % states.size()]);
    const PartNumber fresh = tree.split(split);
    ASSERT_EQ(fresh + 1, tree.parts());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const bool moves = before[i] == split.part && split.is_high(states[i].data());
      ASSERT_EQ(tree.part_of(states[i].data()), moves ? fresh : before[i]);  // T1, T2
    }
  }
}

TEST(PartTree, GroupsAreTheParts) {
  std::mt19937_64 random(2);
  PartTree tree;
  for (int round = 0; round < 40; ++round) {
    const std::vector<State> states = random_states(random, random() % 300);
    tree.split(random_split(random, tree.parts(), random_states(random, 1).front()));
    std::map<PartNumber, std::vector<State>> expected;
    for (const State& state : states)
      expected[tree.part_of(state.data())].push_back(state);
    std::map<PartNumber, std::vector<State>> found;
    std::vector<Word> words = flat(states);
    tree.group(words.data(), states.size(), kWords, [&found](PartNumber part, const Word* first, std::size_t count) {
      EXPECT_FALSE(found.contains(part));
      for (std::size_t i = 0; i < count; ++i)
        found[part].emplace_back(first + i * kWords, first + (i + 1) * kWords);
    });
    for (auto* groups : {&expected, &found})
      for (auto& [part, list] : *groups)
        std::sort(list.begin(), list.end());
    ASSERT_EQ(found, expected);
  }
}

// A grid of two slots: no step changes the high one by more than one, all change the low one by much.
PartSample grid_sample() {
  PartSample sample;
  for (Word slow = 0; slow < 10; ++slow)
    for (Word fast = 0; fast < 10; ++fast) {
      sample.states.push_back(slow << 8 | fast);
      sample.steps.push_back(slow << 8 | fast);
      sample.steps.push_back((slow + (fast == 0 ? 1 : 0)) << 8 | (fast + 5) % 10);
    }
  return sample;
}

TEST(ChooseSplit, TakesTheSlotThatFewStepsCross) {
  const std::vector<StateSlot> slots = {{0, 8}, {8, 8}};
  const std::optional<PartSplit> split = choose_split(7, slots, grid_sample());
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->part, 7U);
  EXPECT_EQ(split->slot.bit, 8U);
  EXPECT_EQ(split->threshold, Word{4} << 8) << "the middle";
}

TEST(ChooseSplit, PrefersBothSidesToBeLarge) {
  PartSample sample = grid_sample();
  for (Word& word : sample.states)
    word = word == 0 ? word : word | 1U << 8 | 1U << 9 | 1U << 10 | 1U << 11;  // the slow slot is 0 or 15
  const std::optional<PartSplit> split = choose_split(0, {{0, 8}, {8, 8}}, sample);
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->slot.bit, 0U);
}

TEST(ChooseSplit, FindsBitsOutsideTheSlots) {
  PartSample sample;
  sample.words = 2;
  sample.states = {0, 3, 0, 4};
  const std::optional<PartSplit> split = choose_split(0, {{0, 8}}, sample);
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->slot.bit, 64U);
  EXPECT_EQ(split->threshold, 3U);
  sample.states = {0, 3, 0, 3};
  EXPECT_FALSE(choose_split(0, {{0, 8}}, sample).has_value());
}

}  // namespace
}  // namespace tideline
