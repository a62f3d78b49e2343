// SPDX-License-Identifier: MIT
// The hashes spread states that differ in few bits, wherever these are, evenly over the high bits and the low ones.
#include "store/state_hash.h"

#include <gtest/gtest.h>

#include <vector>

namespace tideline {
namespace {

constexpr std::size_t kClasses = 256;
constexpr std::uint64_t kStates = kClasses * 64;

// Chi-squared over the classes: about kClasses, standard deviation 23, for a good hash.
double unevenness(const std::vector<std::uint64_t>& counts) {
  constexpr double kExpected = static_cast<double>(kStates) / kClasses;
  double sum = 0;
  for (const std::uint64_t count : counts) {
    const double difference = static_cast<double>(count) - kExpected;
    sum += difference * difference / kExpected;
  }
  return sum;
}

class StateHash : public testing::TestWithParam<std::size_t> {};

TEST_P(StateHash, SpreadsCountersEverywhereInAState) {
  const std::size_t words = GetParam();
  for (std::size_t shift = 0; shift + 14 <= words * 64; shift += 5) {
    std::vector<std::uint64_t> high(kClasses);
    std::vector<std::uint64_t> low(kClasses);
    for (std::uint64_t i = 0; i < kStates; ++i) {
      std::vector<Word> state(words);
      state[shift / 64] = i << (shift % 64);
      if (shift % 64 > 50)
        state[shift / 64 + 1] = i >> (64 - shift % 64);
      const std::uint64_t hash = index_hash(state.data(), words);
      ++high[hash >> 56];
      ++low[hash & 0xff];
    }
    EXPECT_LT(unevenness(high), 500) << words << " words, bit " << shift;
    EXPECT_LT(unevenness(low), 500) << words << " words, bit " << shift;
  }
}

INSTANTIATE_TEST_SUITE_P(Words, StateHash, testing::Values(1U, 2U, 3U, 4U, 5U));

}  // namespace
}  // namespace tideline
