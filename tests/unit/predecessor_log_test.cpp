// SPDX-License-Identifier: MIT
// The predecessor log against a plain vector.
#include "search/predecessor_log.h"

#include <gtest/gtest.h>

#include <random>

namespace tideline {
namespace {

TEST(PredecessorLog, RemembersEveryOrigin) {
  MemoryBudget budget(kMemoryBudgetFloor, 0);
  PredecessorLog log(budget);
  std::vector<PredecessorLog::Origin> model;
  std::mt19937_64 random(1);
  for (std::uint64_t record = 0; record < 5000; ++record) {
    std::vector<ir::CommandId> commands(random() % 5 == 0 ? random() % 20 : 0);
    for (ir::CommandId& command : commands) {
      command = random() >> (random() % 64);
      model.push_back({record, command});
    }
    ASSERT_TRUE(log.add(commands));
  }
  ASSERT_EQ(log.states(), model.size());
  for (std::uint64_t state = 0; state < model.size(); ++state) {
    ASSERT_EQ(log.origin(state).record, model[state].record);
    ASSERT_EQ(log.origin(state).command, model[state].command);
  }
}

TEST(PredecessorLog, EndOfMemoryIsReported) {
  MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - (std::uint64_t{1} << 20));
  PredecessorLog log(budget);
  const std::vector<ir::CommandId> commands = {1, 2, 3};
  std::uint64_t records = 0;
  while (log.add(commands))
    ASSERT_LT(++records, std::uint64_t{1} << 20);
  EXPECT_GT(records, 200000U) << "four bytes per record";
  EXPECT_EQ(log.origin(log.states() - 1).record, records - 1);
}

}  // namespace
}  // namespace tideline
