// SPDX-License-Identifier: MIT
// Runs that are merged in the background, or when it is asked for: no state is lost, and few runs are left.
#include "store/run_tiers.h"

#include <gtest/gtest.h>

#include <random>

#include "fault/faulty_env.h"

namespace tideline {
namespace {

constexpr std::size_t kReadAhead = 4096;

class RunTiersTest : public testing::TestWithParam<bool> {
 protected:
  RunTiersTest()
      : real_(make_real_env(false)),
        workdir_(GetParam() ? *real_ : static_cast<Env&>(faulty_), GetParam() ? "" : "/var/tmp/tiers", 0),
        budget_(std::uint64_t{64} << 20, 0),
        memory_(budget_, 1 << 16),
        tiers_(workdir_, memory_) {
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
    ASSERT_EQ(states(), pushed_);
    most = std::max(most, tiers_.runs().size());
  }
  EXPECT_LT(most, 60U);
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

INSTANTIATE_TEST_SUITE_P(Background, RunTiersTest, testing::Bool());

}  // namespace
}  // namespace tideline
