// SPDX-License-Identifier: MIT
// The queue of candidates against std::set.
#include "store/part_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "store/state_hash.h"

namespace tideline {
namespace {

class PartQueueTest : public ::testing::Test {
 protected:
  PartQueueTest()
      : budget_(std::uint64_t{64} << 20, 0),
        queue_(128, 1, PageBuffer::allocate(4096, budget_), PageBuffer::allocate(4096, budget_)) {
    tree_.split({0, {64, 8}, 3});
    tree_.split({1, {0, 4}, 7});
  }
  static std::map<PartNumber, std::set<std::pair<Word, Word>>> contents(const std::vector<PartQueue::Group>& groups) {
    std::map<PartNumber, std::set<std::pair<Word, Word>>> all;
    for (const PartQueue::Group& group : groups)
      for (std::size_t i = 0; i < group.count; ++i)
        EXPECT_TRUE(all[group.part].emplace(group.states[2 * i], group.states[2 * i + 1]).second) << "twice";
    return all;
  }

  MemoryBudget budget_;
  PartTree tree_;
  PartQueue queue_;
};

TEST_F(PartQueueTest, GroupsByPartWithoutRepetitions) {
  std::mt19937_64 random(3);
  std::map<PartNumber, std::set<std::pair<Word, Word>>> expected;
  ASSERT_EQ(queue_.capacity(), 256U);
  for (int round = 0; round < 50; ++round) {
    while (queue_.has_room(2)) {
      const Word states[4] = {random() % 16, random() % 8, random() % 16, random() % 8};
      ASSERT_TRUE(queue_.append(states, 2));
      for (const Word* state : {states, states + 2})
        expected[tree_.part_of(state)].emplace(state[0], state[1]);
    }
    const Word none[4] = {};
    EXPECT_FALSE(queue_.append(none, 2));
    std::vector<PartQueue::Group> groups = queue_.groups(tree_);
    for (PartQueue::Group& group : groups)
      queue_.sort(group);
    ASSERT_EQ(contents(groups), expected);
    const std::size_t gone = random() % groups.size();
    expected.erase(groups[gone].part);
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(gone));
    queue_.keep(groups);
    std::size_t left = 0;
    for (const auto& [part, states] : expected)
      left += states.size();
    ASSERT_EQ(queue_.size(), left);
  }
}

TEST_F(PartQueueTest, SeenIsNeverSaidOfAnotherState) {
  std::set<std::pair<Word, Word>> asked;
  std::mt19937_64 random(4);
  std::size_t repeated = 0;
  for (int i = 0; i < 5000; ++i) {
    const Word state[3] = {random() % 20, random() % 20, 0};
    const bool is_new = asked.emplace(state[0], state[1]).second;
    const bool seen = queue_.seen(index_hash(state, 2), state);
    ASSERT_FALSE(is_new && seen);  // Q1
    repeated += seen ? 1 : 0;
  }
  EXPECT_GT(repeated, 500U);
}

}  // namespace
}  // namespace tideline
