// SPDX-License-Identifier: MIT
// Runs in RAM and on disk against sorted vectors: all states in order, seeks, merges, damage.
#include "em/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>

#include "em/merge.h"
#include "em/state_order.h"

namespace tideline {
namespace {

using State = std::vector<Word>;
struct Below {
  bool operator()(const State& a, const State& b) const { return compare_states(a.data(), b.data(), a.size()) < 0; }
};
using States = std::set<State, Below>;

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;
constexpr std::size_t kReadAhead = 20000;

// Neighbours share most of their bits, as states do.
States random_states(std::mt19937_64& random, std::size_t count, std::size_t words) {
  States states;
  State state(words);
  while (states.size() < count) {
    state[random() % words] ^= Word{1} << (random() % 64);
    if (random() % 50 == 0)
      for (Word& word : state)
        word = random();
    states.insert(state);
  }
  return states;
}

class RunTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  // The parameter is how many bytes of runs may be in RAM.
  RunTest() : env_(make_real_env(false)), workdir_(*env_, "", 0), budget_(kBudget, 0), memory_(budget_, GetParam()) {}

  RunPointer make(const States& states, std::size_t words) {
    RunBuilder builder(workdir_, memory_, words, states.size());
    for (const State& state : states)
      EXPECT_TRUE(builder.add(state.data()).is_ok());
    EXPECT_EQ(builder.records(), states.size());
    Result<RunPointer> run = builder.finish();
    EXPECT_TRUE(run.is_ok());
    EXPECT_EQ(run.value()->records(), states.size());
    return run.value();
  }

  static void expect_contents(const RunPointer& run, const States& states) {
    RunCursor cursor(run, kReadAhead);
    cursor.begin();
    for (const State& state : states) {
      ASSERT_FALSE(cursor.at_end());
      ASSERT_EQ(State(cursor.state(), cursor.state() + state.size()), state);
      cursor.next();
    }
    EXPECT_TRUE(cursor.at_end());
    EXPECT_TRUE(cursor.status().is_ok());
  }

  std::unique_ptr<Env> env_;
  Workdir workdir_;
  MemoryBudget budget_;
  RunMemory memory_;
};

// An automaton is a run as others are: it is walked over, looked up in, merged, and goes to a file.
TEST_P(RunTest, CanBeAnAutomaton) {
  std::mt19937_64 random(5);
  memory_.set_bytes_max(kBudget);
  for (const std::size_t words : {1U, 3U}) {
    const States states = random_states(random, 5000, words);
    States others = random_states(random, 5000, words);
    for (const State& state : states)
      others.erase(state);
    const std::atomic<bool> abandoned = false;
    Result<AutomatonMerge> merged = merge_to_automaton({make(states, words), make(others, words)}, workdir_, memory_,
                                                       kReadAhead, ~std::uint64_t{0}, abandoned);
    ASSERT_TRUE(merged.is_ok());
    const RunPointer run = merged.value().run;
    ASSERT_TRUE(run != nullptr && run->is_automaton());
    States all = states;
    all.insert(others.begin(), others.end());
    expect_contents(run, all);
    Result<RunPointer> again = merge_runs({run, make(others, words)}, workdir_, memory_, kReadAhead);
    ASSERT_TRUE(again.is_ok());
    expect_contents(again.value(), all);
    ASSERT_TRUE(run->save().is_ok());
    EXPECT_TRUE(run->is_automaton());
    ASSERT_TRUE(run->move_to_file().is_ok());
    EXPECT_FALSE(run->in_ram());
    EXPECT_EQ(run->records(), all.size());
    expect_contents(run, all);
    RunCursor cursor(run, kReadAhead);
    for (const State& state : all)
      ASSERT_TRUE(cursor.contains(state.data()));
  }
}

// The index is in RAM whatever the budget: the fewer bytes there are, the fewer blocks.
TEST_P(RunTest, TheIndexIsSmallAgainstTheBudget) {
  constexpr std::size_t kWords = 22;
  constexpr std::uint64_t kStates = 1000000;
  std::uint64_t last = ~std::uint64_t{0};
  for (const std::uint64_t bytes : {std::uint64_t{1} << 30, std::uint64_t{64} << 20, std::uint64_t{32} << 20}) {
    MemoryBudget budget(bytes, 0);
    RunMemory memory(budget, 0);
    RunBuilder builder(workdir_, memory, kWords, kStates);
    State state(kWords);
    for (std::uint64_t i = 0; i < kStates; ++i) {
      state[0] = i * 11;
      state[5] = i / 3;
      state[kWords - 1] = i;
      ASSERT_TRUE(builder.add(state.data()).is_ok());
    }
    const Result<RunPointer> run = builder.finish();
    ASSERT_TRUE(run.is_ok());
    EXPECT_LE(run.value()->index().bytes(), bytes / 64);
    EXPECT_LE(run.value()->index().size(), last);
    last = run.value()->index().size();
  }
}

TEST_P(RunTest, GivesBackWhatWasAdded) {
  std::mt19937_64 random(1);
  for (const std::size_t words : {1U, 2U, 3U, 9U, 17U})
    for (const std::size_t count : {0U, 1U, 31U, 32U, 33U, 20000U}) {
      SCOPED_TRACE(std::to_string(words) + " words, " + std::to_string(count));
      const States states = random_states(random, count, words);
      expect_contents(make(states, words), states);
    }
  EXPECT_EQ(memory_.used(), 0U);
  EXPECT_EQ(workdir_.counts().disk_bytes, 0U);
}

TEST_P(RunTest, SeeksForward) {
  std::mt19937_64 random(2);
  for (const std::size_t words : {1U, 2U, 5U}) {
    const States states = random_states(random, 20000, words);
    const RunPointer run = make(states, words);
    for (const std::size_t jump : {1U, 3U, 100U, 3000U}) {
      RunCursor cursor(run, kReadAhead);
      std::size_t next = random() % jump;
      std::size_t at = 0;
      for (const State& state : states) {
        if (at++ < next)
          continue;
        next += 1 + random() % jump;
        State wanted = state;
        if (random() % 2 == 0)
          wanted[0] ^= 1;
        if (Below()(wanted, state))
          continue;  // seek() goes forward only
        const auto found = states.lower_bound(wanted);
        ASSERT_EQ(cursor.seek(wanted.data()), found != states.end() && *found == wanted);
        ASSERT_EQ(cursor.at_end(), found == states.end());
        if (found != states.end()) {
          ASSERT_EQ(State(cursor.state(), cursor.state() + words), *found);
        }
      }
      EXPECT_TRUE(cursor.status().is_ok());
    }
  }
}

TEST_P(RunTest, MergesWithoutRepeats) {
  std::mt19937_64 random(3);
  States all;
  std::vector<RunPointer> runs;
  for (const std::size_t count : {0U, 5000U, 1U, 3000U, 40U}) {
    States some = random_states(random, count, 2);
    for (const State& state : all)
      if (random() % 3 == 0)
        some.insert(state);
    runs.push_back(make(some, 2));
    all.insert(some.begin(), some.end());
  }
  const Result<RunPointer> merged = merge_runs(runs, workdir_, memory_, kReadAhead);
  ASSERT_TRUE(merged.is_ok());
  expect_contents(merged.value(), all);
}

TEST_P(RunTest, CanBeSavedAndOpenedAgain) {
  std::mt19937_64 random(4);
  const States states = random_states(random, 10000, 3);
  RunPointer run = make(states, 3);
  ASSERT_TRUE(run->save().is_ok());
  expect_contents(run, states);
  const Result<RunPointer> again = Run::open(workdir_, run->name(), 3);
  ASSERT_TRUE(again.is_ok()) << again.status().message();
  expect_contents(again.value(), states);
  EXPECT_EQ(again.value()->block_bytes(), run->block_bytes());
  ASSERT_TRUE(run->move_to_file().is_ok());
  EXPECT_FALSE(run->in_ram());
  expect_contents(run, states);
  RunMemory little(budget_, run->block_bytes() / 2);
  ASSERT_TRUE(run->load(little).is_ok());
  EXPECT_FALSE(run->in_ram());
  EXPECT_EQ(little.used(), 0U);
  RunMemory enough(budget_, kBudget);
  for (int times = 0; times < 2; ++times) {
    ASSERT_TRUE(run->load(enough).is_ok());
    EXPECT_TRUE(run->in_ram());
    EXPECT_GE(enough.used(), run->block_bytes());
    expect_contents(run, states);
    ASSERT_TRUE(run->move_to_file().is_ok());
    EXPECT_EQ(enough.used(), 0U);
    expect_contents(run, states);
  }
  EXPECT_FALSE(Run::open(workdir_, run->name(), 2).is_ok()) << "states of another length";
}

TEST_P(RunTest, AChangedByteIsAnError) {
  std::mt19937_64 random(5);
  const States states = random_states(random, 3000, 2);
  const RunPointer run = make(states, 2);
  ASSERT_TRUE(run->save().is_ok());
  ASSERT_TRUE(run->move_to_file().is_ok());
  const std::uint64_t offset = run->index()[1].offset + 30;
  std::fstream file(workdir_.path_of(run->name()), std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(static_cast<char>(byte ^ 4));
  file.close();
  RunMemory enough(budget_, kBudget);
  EXPECT_FALSE(run->load(enough).is_ok());
  EXPECT_FALSE(run->in_ram());
  RunCursor cursor(run, kReadAhead);
  cursor.begin();
  while (!cursor.at_end())
    cursor.next();
  ASSERT_FALSE(cursor.status().is_ok());
  EXPECT_NE(cursor.status().message().find(run->name()), std::string::npos) << cursor.status().message();
  EXPECT_NE(cursor.status().message().find("damaged"), std::string::npos) << cursor.status().message();
}

INSTANTIATE_TEST_SUITE_P(InRamAndOnDisk, RunTest, testing::Values(0, 10000, kBudget));

}  // namespace
}  // namespace tideline
