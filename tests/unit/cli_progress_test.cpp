// SPDX-License-Identifier: MIT
// The progress line fits the terminal.
#include <gtest/gtest.h>

#include "cli/progress.h"

namespace tideline::cli {
namespace {

Figures figures() {
  Figures result;
  result.states = 1234567;
  result.frontier = 45678;
  result.levels = 23;
  result.memory_budget_bytes = std::uint64_t{12} << 30;
  return result;
}

TEST(ProgressLine, ShowsEverythingWhereThereIsRoom) {
  EXPECT_EQ(progress_line(figures(), 812345, std::uint64_t{212} << 20, "native", 120),
            "1,234,567 states  812 k/s  frontier 45,678  level 23  212 MiB of 12 GiB  native");
}

TEST(ProgressLine, DropsFieldsFromTheRight) {
  for (std::size_t width = 20; width < 100; ++width)
    EXPECT_LT(progress_line(figures(), 812345, std::uint64_t{212} << 20, "native", width).size(), width);
  EXPECT_EQ(progress_line(figures(), 812345, std::uint64_t{212} << 20, "native", 30), "1,234,567 states  812 k/s");
}

TEST(ProgressLine, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(progress_line(Figures(), 0, 0, "interp", 80), "0 states  0/s  interp");
}

}  // namespace
}  // namespace tideline::cli
