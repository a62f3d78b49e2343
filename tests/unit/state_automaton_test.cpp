// SPDX-License-Identifier: MIT
// Automata against sets of states: all states in order, lookups, little memory; and their size where states are
// products of parts.
#include "em/state_automaton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "em/state_order.h"

namespace tideline {
namespace {

using State = std::vector<Word>;
struct Below {
  bool operator()(const State& a, const State& b) const { return compare_states(a.data(), b.data(), a.size()) < 0; }
};
using States = std::set<State, Below>;

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;
constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

class StateAutomatonTest : public testing::Test {
 protected:
  StateAutomatonTest() : budget_(kBudget, 0), memory_(budget_, kBudget) {}

  std::unique_ptr<StateAutomaton> make(const States& states, std::uint64_t bytes_max = kNoLimit) {
    StateAutomatonBuilder builder(memory_, states.begin()->size(), bytes_max);
    for (const State& state : states)
      if (!builder.add(state.data()))
        break;
    std::unique_ptr<StateAutomaton> automaton = builder.finish();
    EXPECT_EQ(automaton == nullptr && bytes_max != kNoLimit, builder.too_large());
    return automaton;
  }

  static void expect_contents(const StateAutomaton& automaton, const States& states) {
    EXPECT_EQ(automaton.states(), states.size());
    StateAutomatonCursor cursor(automaton);
    cursor.begin();
    for (const State& state : states) {
      ASSERT_FALSE(cursor.at_end());
      ASSERT_EQ(State(cursor.state(), cursor.state() + state.size()), state);
      cursor.next();
    }
    EXPECT_TRUE(cursor.at_end());
  }

  // Looks up states of the set, and neighbours of them, in the order given.
  static void expect_lookups(const StateAutomaton& automaton, const States& states, const std::vector<State>& wanted) {
    StateAutomatonCursor cursor(automaton);
    for (const State& state : wanted)
      ASSERT_EQ(cursor.contains(state.data()), states.contains(state));
  }

  MemoryBudget budget_;
  RunMemory memory_;
};

States random_states(std::mt19937_64& random, std::size_t count, std::size_t words, unsigned bits) {
  States states;
  State state(words);
  while (states.size() < count) {
    state[random() % words] ^= Word{1} << (random() % bits);
    if (random() % 50 == 0)
      for (Word& word : state)
        word = random() >> (64 - bits);
    states.insert(state);
  }
  return states;
}

std::vector<State> neighbours(std::mt19937_64& random, const States& states) {
  std::vector<State> wanted;
  for (State state : states) {
    wanted.push_back(state);
    state[random() % state.size()] ^= Word{1} << (random() % 64);
    wanted.push_back(state);
  }
  return wanted;
}

TEST_F(StateAutomatonTest, HasExactlyItsStates) {
  std::mt19937_64 random(1);
  for (const std::size_t words : {1U, 2U, 5U, 22U})
    for (const std::size_t count : {1U, 2U, 300U, 20000U})
      for (const unsigned bits : {15U, 64U}) {
        const States states = random_states(random, count, words, bits);
        const std::unique_ptr<StateAutomaton> automaton = make(states);
        ASSERT_NE(automaton, nullptr);
        expect_contents(*automaton, states);
        std::vector<State> wanted = neighbours(random, states);
        std::sort(wanted.begin(), wanted.end(), Below());
        expect_lookups(*automaton, states, wanted);
        std::shuffle(wanted.begin(), wanted.end(), random);
        expect_lookups(*automaton, states, wanted);
      }
  EXPECT_EQ(memory_.used(), 0U);
}

// Nodes with all 256 edges, at the last level and above it; states that differ in one part have the same rest.
TEST_F(StateAutomatonTest, IsSmallForProducts) {
  States states;
  for (Word high = 0; high < 256; ++high)
    for (Word low = 0; low < 256; ++low)
      states.insert({high << 40U | low});
  const std::unique_ptr<StateAutomaton> automaton = make(states);
  ASSERT_NE(automaton, nullptr);
  expect_contents(*automaton, states);
  EXPECT_LT(automaton->bytes(), 8192U);  // whole pages; the nodes take 1,400
}

// With less and less memory the register of nodes cannot grow, and then there is none for the nodes.
TEST_F(StateAutomatonTest, LittleMemoryCostsNoState) {
  States states;  // 2,000 parts, of which 499 are different
  for (Word high = 0; high < 2000; ++high)
    for (Word i = 1; i < 30; ++i)
      states.insert({high << 40U | (high * 7919 % 499 * i * i * 31) % 65536});
  const std::uint64_t whole = make(states)->bytes();
  std::size_t made = 0;
  std::size_t refused = 0;
  for (std::uint64_t bytes = 8 * whole; bytes > 4096; bytes = bytes * 7 / 8) {
    memory_.set_bytes_max(bytes);
    const std::unique_ptr<StateAutomaton> automaton = make(states);
    if (automaton != nullptr)
      expect_contents(*automaton, states);
    ++(automaton != nullptr ? made : refused);
  }
  EXPECT_GT(made, 5U);
  EXPECT_GT(refused, 5U);
  EXPECT_EQ(memory_.used(), 0U);
}

TEST_F(StateAutomatonTest, SaysThatItIsTooLarge) {
  std::mt19937_64 random(3);
  const States states = random_states(random, 20000, 2, 64);
  EXPECT_EQ(make(states, 10000), nullptr);
  EXPECT_EQ(memory_.used(), 0U);
  memory_.reserve_for_automata(kBudget / 2);  // all of it, since none is being made
  EXPECT_TRUE(memory_.has_room(kBudget / 2));
  EXPECT_FALSE(memory_.has_room(kBudget / 2 + 1));
}

// What is reserved for automata is not for blocks, until an automaton that is being made has it.
TEST(RunMemoryTest, ReservesForAutomata) {
  MemoryBudget budget(kBudget, 0);
  RunMemory memory(budget, 100000);
  memory.reserve_for_automata(60000);
  EXPECT_TRUE(memory.has_room(40000));
  EXPECT_FALSE(memory.has_room(40001));
  EXPECT_EQ(memory.allocate(40001).data(), nullptr);
  const PageBuffer nodes = memory.allocate_for_automaton(50000);
  EXPECT_TRUE(memory.has_room(40000));
  EXPECT_FALSE(memory.has_room(40001));
  memory.note_finished(nodes.size());
  EXPECT_FALSE(memory.has_room(1));
  memory.release(nodes.size());
  EXPECT_TRUE(memory.has_room(40000));
  EXPECT_EQ(memory.used(), 0U);
}

}  // namespace
}  // namespace tideline
