// SPDX-License-Identifier: MIT
// The choice of blocks against the numbers of the paper: the curve, what is drawn how often, block sizes, calibration.
#include "store/disk_cloud.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tideline {
namespace {

DiskCloud::Parameters parameters(std::uint64_t blocks_max, std::uint64_t block_entries_min) {
  DiskCloud::Parameters result;
  result.blocks_max = blocks_max;
  result.block_entries_min = block_entries_min;
  return result;
}

std::uint64_t entries_in(const ReadPlan& plan, bool in_cloud) {
  std::uint64_t sum = 0;
  for (const ReadPlan::Range& range : plan.ranges)
    sum += range.in_cloud == in_cloud ? range.end - range.begin : 0;
  return sum;
}

TEST(DiskCloud, TheCurveIsThePapers) {
  EXPECT_GT(DiskCloud::weight(0), 0);
  EXPECT_DOUBLE_EQ(DiskCloud::weight(0.4), 0.4);
  EXPECT_DOUBLE_EQ(DiskCloud::weight(0.55), 0.5);
  EXPECT_DOUBLE_EQ(DiskCloud::weight(0.7), 0.6);
  EXPECT_DOUBLE_EQ(DiskCloud::weight(0.85), 0.8);
  EXPECT_DOUBLE_EQ(DiskCloud::weight(1), 1);
  for (int i = 0; i < 100; ++i)
    EXPECT_LT(DiskCloud::weight(i / 100.0), DiskCloud::weight((i + 1) / 100.0));
}

// One block drawn of ten, 20,000 times: each as often as its weight says, within four standard deviations.
TEST(DiskCloud, BlocksAreDrawnByWeight) {
  constexpr int kDraws = 20000;
  DiskCloud cloud(parameters(100, 1));
  std::vector<int> drawn(10);
  for (int i = 0; i < kDraws; ++i) {
    const std::vector<bool> chosen = cloud.draw(10, 1);
    ASSERT_EQ(std::count(chosen.begin(), chosen.end(), true), 1);
    ++drawn[static_cast<std::size_t>(std::find(chosen.begin(), chosen.end(), true) - chosen.begin())];
  }
  double sum = 0;
  for (int i = 0; i < 10; ++i)
    sum += DiskCloud::weight(i / 9.0);
  for (int i = 0; i < 10; ++i) {
    const double expected = DiskCloud::weight(i / 9.0) / sum;
    EXPECT_NEAR(drawn[static_cast<std::size_t>(i)] / double{kDraws}, expected,
                4 * std::sqrt(expected * (1 - expected) / kDraws));
  }
}

TEST(DiskCloud, AsManyBlocksAsAskedFor) {
  DiskCloud cloud(parameters(100, 1));
  for (std::size_t blocks = 1; blocks <= 40; ++blocks)
    for (std::size_t count = 0; count <= blocks; ++count) {
      const std::vector<bool> chosen = cloud.draw(blocks, count);
      ASSERT_EQ(static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), true)), count);
    }
}

TEST(DiskCloud, PlansAreRangesOfWholeBlocks) {
  for (const std::uint64_t entries : {1U, 9999U, 10000U, 10001U, 123456U, 1000000U, 54321987U}) {
    DiskCloud cloud(parameters(100, 10000));
    const std::uint64_t per_block = std::max<std::uint64_t>(10000, (entries + 99) / 100);
    for (int check = 1; check <= 10; ++check) {
      const ReadPlan plan = cloud.plan(entries);
      std::uint64_t at = 0;
      for (const ReadPlan::Range& range : plan.ranges) {
        ASSERT_LE(at, range.begin);
        ASSERT_LT(range.begin, range.end);
        ASSERT_EQ(range.begin % per_block, 0U);
        ASSERT_TRUE(range.end % per_block == 0 || range.end == entries);
        at = range.end;
      }
      const std::uint64_t read = entries_in(plan, true) + entries_in(plan, false);
      ASSERT_EQ(plan.complete, read == entries);
      ASSERT_EQ(plan.calibrating, check == 10);
      ASSERT_TRUE(!plan.calibrating || plan.complete);
      ASSERT_NEAR(static_cast<double>(entries_in(plan, true)), 0.6 * static_cast<double>(entries),
                  static_cast<double>(per_block));
    }
  }
}

// Ten checks, the last of which calibrates and finds this.
void calibrate(DiskCloud& cloud, std::uint64_t in_cloud, std::uint64_t not_in_cloud) {
  for (int check = 0; check < 10; ++check) {
    const ReadPlan plan = cloud.plan(1000000);
    cloud.learn(plan, in_cloud, plan.calibrating ? not_in_cloud : 0, 1);
  }
}

TEST(DiskCloud, ShrinksWhileItMissesLittleAndGrowsWhileItMissesMuch) {
  DiskCloud cloud(parameters(100, 10000));
  calibrate(cloud, 1000, 0);
  EXPECT_DOUBLE_EQ(cloud.share(), 0.6 * 0.85);
  calibrate(cloud, 1000, 1000);
  EXPECT_DOUBLE_EQ(cloud.share(), 0.6 * 0.85 * 1.15);
  calibrate(cloud, 0, 0);  // nothing was old: nothing is learnt
  EXPECT_DOUBLE_EQ(cloud.share(), 0.6 * 0.85 * 1.15);
  for (int i = 0; i < 100; ++i)
    calibrate(cloud, 1000, 0);
  EXPECT_DOUBLE_EQ(cloud.share(), 0.01);
}

TEST(DiskCloud, IsResetSomeTimeAfterItHasStayedLarge) {
  DiskCloud::Parameters often = parameters(100, 10000);
  often.reset_probability = 1;
  DiskCloud reset(often);
  often.reset_probability = 0;
  DiskCloud never(often);
  double least = 1;
  for (int i = 0; i < 20; ++i) {
    calibrate(reset, 0, 1000);
    calibrate(never, 0, 1000);
    if (i > 6)
      least = std::min(least, reset.share());
  }
  EXPECT_DOUBLE_EQ(least, DiskCloud::kInitialShare);
  EXPECT_DOUBLE_EQ(never.share(), 1);
}

TEST(DiskCloud, ReadsEverythingAfterNothingWasNewUntilSomethingIs) {
  DiskCloud cloud(parameters(100, 10000));
  for (int check = 1; check <= 10; ++check) {
    const ReadPlan plan = cloud.plan(1000000);
    EXPECT_EQ(plan.complete, check == 10);
    cloud.learn(plan, 100, 0, check == 10 ? 0 : 5);
  }
  for (int check = 11; check <= 25; ++check) {
    const ReadPlan plan = cloud.plan(1000000);
    EXPECT_TRUE(plan.complete);
    cloud.learn(plan, 100, 0, check == 25 ? 1 : 0);
  }
  EXPECT_FALSE(cloud.plan(1000000).complete);
}

TEST(DiskCloud, DependsOnTheSeedAndGoesOnWhereItWasSaved) {
  const auto same = [](const ReadPlan& one, const ReadPlan& other) {
    return std::equal(one.ranges.begin(), one.ranges.end(), other.ranges.begin(), other.ranges.end(),
                      [](const auto& a, const auto& b) { return a.begin == b.begin && a.end == b.end; });
  };
  DiskCloud::Parameters settings = parameters(100, 10000);
  DiskCloud one(settings);
  DiskCloud other(settings);
  settings.seed = 2;
  DiskCloud another(settings);
  EXPECT_FALSE(same(one.plan(1000000), another.plan(1000000)));
  (void)other.plan(1000000);
  calibrate(one, 1000, 0);
  calibrate(other, 1000, 0);
  SavedSet saved;
  one.save(saved);
  DiskCloud loaded(settings);
  ASSERT_TRUE(loaded.load(saved).is_ok());
  EXPECT_EQ(loaded.share(), one.share());
  for (int i = 0; i < 20; ++i) {
    const ReadPlan plan = one.plan(1000000);
    EXPECT_TRUE(same(plan, other.plan(1000000)));
    EXPECT_TRUE(same(plan, loaded.plan(1000000)));
  }
  EXPECT_FALSE(loaded.load({}).is_ok());
}

}  // namespace
}  // namespace tideline
