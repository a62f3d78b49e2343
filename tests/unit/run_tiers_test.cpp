// SPDX-License-Identifier: MIT
// Runs that are merged in the background, or when it is asked for: no state is lost, and few runs are left.
#include "store/run_tiers.h"

#include <gtest/gtest.h>

#include <random>

#include "fault/faulty_env.h"

namespace tideline {
namespace {

constexpr std::size_t kReadAhead = 4096;

struct Setting {
  bool background;
  std::uint64_t run_bytes = 1 << 16;
  std::uint64_t automaton_states_min = 0;
};

class RunTiersTest : public testing::TestWithParam<Setting> {
 protected:
  RunTiersTest()
      : real_(make_real_env(false)),
        workdir_(GetParam().background ? *real_ : static_cast<Env&>(faulty_),
                 GetParam().background ? "" : "/var/tmp/tiers", 0),
        budget_(std::uint64_t{64} << 20, 0),
        memory_(budget_, GetParam().run_bytes),
        tiers_(workdir_, memory_, GetParam().automaton_states_min) {
    tiers_.set_read_ahead(kReadAhead);
  }

  void push(std::uint64_t states) {
    RunBuilder builder(workdir_, memory_, 1, states);
    for (std::uint64_t i = 0; i < states; ++i) {
      const Word state = i * 1000 + runs_;  // every run between the others
      ASSERT_TRUE(builder.add(&state).is_ok());
    }
    ++runs_;
    pushed_ += states;
    Result<RunPointer> run = builder.finish();
    ASSERT_TRUE(run.is_ok()) << run.status().message();
    tiers_.push_back(run.value());
  }
  [[nodiscard]] std::uint64_t states() const {
    std::uint64_t sum = 0;
    for (const RunPointer& run : tiers_.runs())
      sum += run->records();
    return sum;
  }

  std::unique_ptr<Env> real_;
  FaultyEnv faulty_;  // nothing fails; no background
  Workdir workdir_;
  MemoryBudget budget_;
  RunMemory memory_;
  RunTiers tiers_;
  std::uint64_t runs_ = 0;
  std::uint64_t pushed_ = 0;
};

TEST_P(RunTiersTest, LosesNothing) {
  std::mt19937_64 random(1);
  std::size_t most = 0;
  for (unsigned layer = 0; layer < 400; ++layer) {
    const std::uint64_t found = 1 + random() % (layer < 200 ? 300 : 30);
    ASSERT_TRUE(tiers_.note_expanded(found).is_ok());
    push(found);
    tiers_.begin_merge();
    ASSERT_TRUE(tiers_.bring_back().is_ok());
    ASSERT_EQ(states(), pushed_);
    most = std::max(most, tiers_.runs().size());
  }
  if (!GetParam().background) {  // else it depends on who is faster
    EXPECT_LT(most, 60U);
  }
  ASSERT_TRUE(tiers_.note_expanded(pushed_).is_ok());
  EXPECT_EQ(states(), pushed_);
  EXPECT_LT(tiers_.runs().size(), 30U);
  // Each state is there, once.
  std::vector<std::unique_ptr<SortedSource>> sources;
  for (const RunPointer& run : tiers_.runs())
    sources.push_back(std::make_unique<RunSource>(run, kReadAhead));
  std::uint64_t once = 0;
  for (Merge merge(std::move(sources), 1); !merge.at_end(); merge.next())
    ++once;
  EXPECT_EQ(once, pushed_);
}

// Runs that were in files become one, in RAM if there is room.
TEST_P(RunTiersTest, SettlesRunsFromElsewhere) {
  memory_.set_bytes_max(0);
  for (unsigned i = 0; i < 7; ++i)
    push(3000);
  push(10);  // the rest
  memory_.set_bytes_max(GetParam().run_bytes);
  ASSERT_TRUE(tiers_.settle().is_ok());
  ASSERT_EQ(tiers_.runs().size(), 1U);
  EXPECT_EQ(states(), pushed_);
  EXPECT_EQ(tiers_.runs().front()->is_automaton(), GetParam().automaton_states_min != 0);
}

TEST_P(RunTiersTest, RunsComeBackWhenThereIsRoom) {
  memory_.set_bytes_max(0);
  push(3000);
  push(3000);
  ASSERT_TRUE(tiers_.bring_back().is_ok());
  for (const RunPointer& run : tiers_.runs())
    EXPECT_FALSE(run->in_ram());
  memory_.set_bytes_max(GetParam().run_bytes);
  ASSERT_TRUE(tiers_.bring_back().is_ok());
  for (const RunPointer& run : tiers_.runs())
    EXPECT_TRUE(run->in_ram());
}

// What could not be an automaton beside the runs that were merged becomes one when they are gone.
TEST_P(RunTiersTest, BecomesAnAutomatonLater) {
  if (GetParam().automaton_states_min == 0)
    GTEST_SKIP();
  ASSERT_TRUE(tiers_.settle().is_ok());
  memory_.reserve_for_automata(0);
  for (unsigned i = 0; i < 6; ++i)
    push(20000);
  memory_.set_bytes_max(memory_.used());
  tiers_.begin_merge();
  memory_.set_bytes_max(0);
  ASSERT_TRUE(tiers_.note_expanded(pushed_).is_ok());
  ASSERT_EQ(tiers_.runs().size(), 1U);
  EXPECT_FALSE(tiers_.runs().front()->in_ram());
  memory_.set_bytes_max(GetParam().run_bytes);
  tiers_.begin_merge();
  ASSERT_TRUE(tiers_.note_expanded(pushed_).is_ok());
  EXPECT_TRUE(tiers_.runs().front()->is_automaton());
  EXPECT_EQ(states(), pushed_);
  // And goes to a file again.
  ASSERT_TRUE(tiers_.shrink_to(0).is_ok());
  EXPECT_FALSE(tiers_.runs().front()->in_ram());
  EXPECT_EQ(states(), pushed_);
  EXPECT_EQ(memory_.used(), 0U);
}

TEST_P(RunTiersTest, AMergeIsAbandonedWithItsRuns) {
  for (unsigned i = 0; i < 8; ++i)
    push(20000);
  tiers_.begin_merge();  // the end of the test does not wait for all of it
  EXPECT_EQ(states(), pushed_);
}

TEST_P(RunTiersTest, FewRunsAreNotMerged) {
  for (unsigned i = 0; i < 5; ++i)
    push(100);
  tiers_.begin_merge();
  ASSERT_TRUE(tiers_.note_expanded(1000).is_ok());
  EXPECT_EQ(tiers_.runs().size(), 5U);
  push(100);
  tiers_.begin_merge();
  ASSERT_TRUE(tiers_.note_expanded(1000).is_ok());
  EXPECT_EQ(tiers_.runs().size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Settings, RunTiersTest,
                         testing::Values(Setting{false}, Setting{true}, Setting{false, 1 << 22, 1},
                                         Setting{true, 1 << 22, 1}, Setting{true, 1 << 17, 500}));

}  // namespace
}  // namespace tideline
