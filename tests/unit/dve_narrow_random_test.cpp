// SPDX-License-Identifier: MIT
// Narrowing: in random models, a naive explorer sees no value outside the intervals.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "dve/naive_search.h"
#include "dve/random_model.h"
#include "front/dve/narrow.h"

namespace tideline {
namespace {

using dve::OnError;
using ir::Interval;

unsigned bits(const Interval& range) {
  return static_cast<unsigned>(std::bit_width(range.size() - 1));
}

struct Totals {
  std::uint64_t declared = 0;
  std::uint64_t narrowed = 0;
  std::uint64_t needed = 0;  // by the values that were seen
  std::uint64_t states = 0;
};

constexpr std::size_t kStatesMax = 400;

Interval seen_in(const std::set<test::DveState>& states, const std::vector<std::size_t>& places) {
  Interval seen{INT64_MAX, INT64_MIN};
  for (const test::DveState& state : states) {
    for (const std::size_t place : places)
      seen = {std::min(seen.lo, state[place]), std::max(seen.hi, state[place])};
  }
  return seen;
}

void judge(std::uint64_t seed, OnError on_error, Totals& totals) {
  const dve::Model model = test::random_dve_model(seed);
  const dve::Narrowing result = dve::narrow(model, on_error);
  const test::DveSteps steps(model, on_error);
  const std::set<test::DveState> states = test::reachable_naively(steps, kStatesMax);
  totals.states += states.size();
  for (dve::VariableId v = 0; v < model.variables.size(); ++v) {
    const Interval seen = seen_in(states, steps.values().places_of(v));
    ASSERT_TRUE(result.variables[v].contains(seen))
        << "seed " << seed << ", variable " << v << ": " << seen.lo << ".." << seen.hi;
    totals.declared += bits(dve::type_range(model.variables[v].type));
    totals.narrowed += bits(result.variables[v]);
    totals.needed += bits(seen);
  }
  for (dve::ChannelId c = 0; c < model.channels.size(); ++c) {
    for (std::size_t i = 0; i < result.channels[c].size(); ++i)
      ASSERT_TRUE(result.channels[c][i].contains(seen_in(states, steps.values().places_of(c, i))))
          << "seed " << seed << ", channel " << c << ", item " << i;
  }
}

TEST(DveNarrow, RandomModelsStayWithin) {
  Totals totals;
  for (std::uint64_t seed = 0; seed < 12000; ++seed) {
    judge(seed, seed % 2 == 0 ? OnError::kFail : OnError::kWrap, totals);
    if (HasFatalFailure())
      return;
  }
  RecordProperty("declared", std::to_string(totals.declared));
  RecordProperty("narrowed", std::to_string(totals.narrowed));
  RecordProperty("needed", std::to_string(totals.needed));
  RecordProperty("states", std::to_string(totals.states));
  // Measured; larger means that a rule was lost.
  EXPECT_LE(totals.narrowed, 137700U);
}

}  // namespace
}  // namespace tideline
