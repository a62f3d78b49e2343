// SPDX-License-Identifier: MIT
// The order of states and the radix sort against std::sort.
#include "em/state_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tideline {
namespace {

using State = std::vector<Word>;

bool is_below(const State& a, const State& b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

// States whose words differ in few, scattered bits.
std::vector<State> random_states(std::mt19937_64& random, std::size_t count, std::size_t words) {
  std::vector<Word> masks(words);
  for (Word& mask : masks)
    mask = random() & random() & random() & (random() % 3 == 0 ? 0 : ~Word{0});
  std::vector<State> states(count, State(words));
  for (State& state : states)
    for (std::size_t i = 0; i < words; ++i)
      state[i] = random() & masks[i];
  return states;
}

std::vector<Word> flat(const std::vector<State>& states) {
  std::vector<Word> all;
  for (const State& state : states)
    all.insert(all.end(), state.begin(), state.end());
  return all;
}

TEST(StateOrder, TheLastWordCountsMost) {
  const Word low[] = {5, 1};
  const Word high[] = {4, 2};
  EXPECT_LT(compare_states(low, high, 2), 0);
  EXPECT_GT(compare_states(high, low, 2), 0);
  EXPECT_EQ(compare_states(low, low, 2), 0);
  EXPECT_GT(compare_states(low, high, 1), 0);
}

TEST(StateOrder, SortsAsStdSortDoes) {
  std::mt19937_64 random(7);
  for (const std::size_t words : {1U, 2U, 3U, 4U, 5U, 12U}) {
    for (const std::size_t count : {0U, 1U, 2U, 24U, 25U, 300U, 5000U}) {
      std::vector<State> states = random_states(random, count, words);
      std::vector<Word> sorted = flat(states);
      sorted.push_back(0xabcd);
      sort_states(sorted.data(), count, words);
      std::sort(states.begin(), states.end(), is_below);
      EXPECT_EQ(sorted.back(), 0xabcdU) << "wrote behind the end";
      sorted.pop_back();
      ASSERT_EQ(sorted, flat(states)) << words << " words, " << count << " states";
    }
  }
}

TEST(StateOrder, DropsWhatIsThereTwice) {
  std::mt19937_64 random(8);
  for (const std::size_t words : {1U, 3U}) {
    std::vector<State> states(2000, State(words));
    for (State& state : states)
      state[random() % words] = random() % 100;
    std::vector<Word> sorted = flat(states);
    const std::size_t count = sort_unique_states(sorted.data(), states.size(), words);
    std::sort(states.begin(), states.end(), is_below);
    states.erase(std::unique(states.begin(), states.end()), states.end());
    sorted.resize(count * words);
    EXPECT_EQ(sorted, flat(states));
  }
}

}  // namespace
}  // namespace tideline
