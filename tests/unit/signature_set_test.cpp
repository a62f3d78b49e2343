// SPDX-License-Identifier: MIT
// The signature set keeps the contract as long as signatures differ; when they are made too short, states are missed as
// often as the bound allows, and no oftener.
#include "store/signature_set.h"

#include <gtest/gtest.h>

#include "visited_set_contract.h"

namespace tideline {
namespace {

MakeSet make_signatures(unsigned bits) {
  return [bits](std::uint64_t state_bits, unsigned threads, MemoryBudget& budget) {
    return std::make_unique<SignatureSet>(Signature(state_bits, Signature::length(bits), 1), threads, budget);
  };
}

// The states among 0 .. count-1 that a set takes for new ones.
std::vector<std::uint32_t> fresh_states(unsigned signature_bits, std::uint64_t seed, std::size_t count, double* bound) {
  MemoryBudget budget(kContractBudget, 0);
  SignatureSet set(Signature(100, signature_bits, seed), 1, budget);
  std::vector<Word> states(2 * count + 1, 0);
  for (std::size_t i = 0; i < count; ++i)
    states[2 * i] = i;
  std::vector<std::uint32_t> fresh;
  EXPECT_TRUE(set.insert(0, states.data(), count, fresh));
  if (bound != nullptr)
    *bound = set.omission_probability();
  return fresh;
}

TEST(SignatureSet, MatchesStdSet) {
  for (const std::uint64_t bits : {1U, 7U, 8U, 9U, 31U, 63U, 64U, 65U, 70U, 128U, 200U, 738U}) {
    compare_with_std_set(make_signatures(40), bits, 1000, 40);
    compare_with_std_set(make_signatures(64), bits, 1000, 40);
  }
}

TEST(SignatureSet, WhatTakeHasLeftIsDropped) {
  expect_rest_of_layer_is_dropped(make_signatures(40));
}

TEST(SignatureSet, ThreadsFindEveryStateOnce) {
  for (const unsigned threads : {1U, 2U, 4U})
    ThreadsOnOneSet(make_signatures(40), threads, 300).run();
}

TEST(SignatureSet, EndOfMemoryIsReportedAndNothingIsLost) {
  fill_until_memory_ends(make_signatures(40), 1, 64);
  fill_until_memory_ends(make_signatures(64), 3, 100);
}

TEST(SignatureSet, DependsOnTheSeedAlone) {
  const std::vector<std::uint32_t> one = fresh_states(20, 1, 3000, nullptr);
  EXPECT_EQ(one, fresh_states(20, 1, 3000, nullptr));
  EXPECT_NE(one, fresh_states(20, 2, 3000, nullptr));
}

// 2^24 signatures for 3000 states: a state is missed in about a quarter of the runs, each with a seed of its own. The
// share of runs that miss one is below the bound (by three standard deviations at most above it) and not far below.
TEST(SignatureSet, TheBoundHoldsAndIsTight) {
  constexpr std::size_t kStates = 3000;
  constexpr int kRuns = 400;
  int missed = 0;
  double bound = 0;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed)
    missed += fresh_states(24, seed, kStates, &bound).size() < kStates ? 1 : 0;
  EXPECT_NEAR(bound, 3000.0 * 3000.0 / (2.0 * 16777216.0), 0.01);
  const double share = static_cast<double>(missed) / kRuns;
  EXPECT_LT(share, bound + 0.065);
  EXPECT_GT(share, bound - 0.10);
}

TEST(SignatureSet, TheBoundNeverPassesOne) {
  double bound = 0;
  fresh_states(16, 1, 60000, &bound);
  EXPECT_EQ(bound, 1.0);
}

TEST(SignatureSet, IsCompact) {
  MemoryBudget budget(kContractBudget, 0);
  SignatureSet set(Signature(200, Signature::length(40), 1), 1, budget);
  std::vector<std::uint32_t> fresh;
  std::vector<Word> states(1000 * 4 + 1, 0);
  for (Word i = 0; i < 1500; ++i) {
    for (Word k = 0; k < 1000; ++k)
      states[k * 4] = i * 1000 + k;
    ASSERT_TRUE(set.insert(0, states.data(), 1000, fresh));
    set.next_layer();
  }
  EXPECT_EQ(set.size(), 1500000U);
  EXPECT_LT(set.bytes(), set.size() * 7);
  EXPECT_LT(set.omission_probability(), 1e-5);
}

}  // namespace
}  // namespace tideline
