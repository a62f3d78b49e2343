// SPDX-License-Identifier: MIT
#include "sweep_agreement.h"

#include <gtest/gtest.h>

#include <string>

#include "fault/faulty_env.h"
#include "report/replay.h"
#include "search/sweep.h"

namespace tideline::cross {
namespace {

class OneEngine final : public EngineSource {
 public:
  explicit OneEngine(Engine& engine) : engine_(engine) {}
  Engine& current() override { return engine_; }
  Engine* poll() override { return nullptr; }

 private:
  Engine& engine_;
};

void expect_counts(const Figures& figures, const SweepJudge& judge) {
  EXPECT_GE(figures.visited, judge.states);
  EXPECT_LE(*figures.visited, judge.states * *figures.sweeps);
  EXPECT_EQ(figures.states.has_value(), figures.regress_edges == 0U);
  if (figures.regress_edges == 0U) {
    EXPECT_EQ(figures.states, judge.states);
    EXPECT_EQ(figures.edges, judge.edges);
  }
}

}  // namespace

void expect_sweep_agrees(const ir::Program& program, Engine& engine, SearchOptions options, std::uint64_t seed,
                         const SweepJudge& judge) {
  SCOPED_TRACE(std::string(engine.name()) + ", threads " + std::to_string(options.threads) + ", sweep");
  OneEngine engines(engine);
  FaultyEnv env;  // in memory; nothing fails
  Workdir workdir(env, "/var/tmp/sweep", 0);
  options.search = SearchKind::kSweep;
  options.workdir = &workdir;
  options.memory_bytes = std::uint64_t{64} << 20;
  if (seed % 2 == 0)
    options.sweep.queue = {2 + seed % 30, 1 + seed % 7, 4, 2};
  options.sweep.found_states_max = seed % 5;
  options.sweep.layer_states_max = seed % 3 == 0 ? 20 : 0;
  const SearchResult result = search_sweep(program, engines, options, {});
  EXPECT_STREQ(verdict_name(result.verdict), verdict_name(judge.verdict)) << result.trouble;
  if (judge.verdict == Verdict::kHolds && result.verdict == Verdict::kHolds)
    expect_counts(result.figures, judge);
  if (result.verdict == Verdict::kViolated) {
    const Result<Counterexample> replayed = replay(program, result.violations.front(), options.deadlock);
    EXPECT_TRUE(replayed.is_ok()) << replayed.status().message();
  }
}

}  // namespace tideline::cross
