// SPDX-License-Identifier: MIT
// Every configuration agrees with the naive explorer on random programs: interp and native engine, 1, 2 and 4 threads,
// all kinds of visited sets, in RAM and on disk; those on disk with so little RAM that they use it, the search by parts
// with parts of a few states, the sweeps with random measures.
// TIDELINE_CROSS_SEEDS=FIRST:COUNT chooses other programs (`./dev cross` runs many).
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "exec/interp/interpreter.h"
#include "exec/native/native.h"
#include "front/murphi/murphi.h"
#include "naive_explorer.h"
#include "random_measure.h"
#include "random_murphi.h"
#include "report/replay.h"
#include "search/bfs.h"
#include "search/partition.h"
#include "sweep_agreement.h"

namespace tideline::cross {
namespace {

constexpr std::uint64_t kStatesMax = 4000;

class FixedEngine final : public EngineSource {
 public:
  explicit FixedEngine(Engine& engine) : engine_(engine) {}
  Engine& current() override { return engine_; }
  Engine* poll() override { return nullptr; }

 private:
  Engine& engine_;
};

struct Seeds {
  std::uint64_t first = 1;
  std::uint64_t count = 160;
};

Seeds chosen_seeds() {
  Seeds seeds;
  if (const char* text = std::getenv("TIDELINE_CROSS_SEEDS")) {
    const std::string pair = text;
    seeds.first = std::stoull(pair);
    seeds.count = std::stoull(pair.substr(pair.find(':') + 1));
  }
  return seeds;
}

// A kind of visited set. With so few states, 64-bit signatures are as good as exact. For programs of at most 64 bits,
// the even seeds, the tree is the set of short states.
struct SetChoice {
  const char* name;
  TableKind table;
  unsigned compact_bits;
  SearchKind search = SearchKind::kBfs;
  DiskLimits limits = {};
};
constexpr SetChoice kPlain = {"plain", TableKind::kPlain, 0};
constexpr SetChoice kCollapse = {"collapse", TableKind::kCollapse, 0};
constexpr SetChoice kTree = {"tree", TableKind::kTree, 0};
constexpr SetChoice kCompact = {"compact 64", TableKind::kAuto, 64};
constexpr SetChoice kOnDisk[] = {{"disk-bfs", TableKind::kAuto, 0, SearchKind::kDiskBfs},
                                 {"disk-bfs, compact 64", TableKind::kAuto, 64, SearchKind::kDiskBfs},
                                 {"cloud", TableKind::kAuto, 0, SearchKind::kCloud},
                                 {"cloud, compact 64", TableKind::kAuto, 64, SearchKind::kCloud}};
constexpr std::uint64_t kRecentStatesMax = 10;

// A search that forgets may visit states again, and then does not say how many there are.
void expect_counts(const Figures& figures, const NaiveResult& judge) {
  if (figures.states.has_value()) {
    EXPECT_EQ(figures.states, judge.states);
    EXPECT_EQ(figures.edges, judge.edges);
    EXPECT_EQ(figures.levels, judge.levels);
    return;
  }
  if (judge.verdict == Verdict::kHolds) {
    EXPECT_GE(figures.visited, judge.states);
  }
  EXPECT_GE(figures.edges, judge.edges);
  EXPECT_FALSE(figures.levels.has_value());
}

constexpr SetChoice kRuns = {"runs, merged into automata", TableKind::kAuto, 0, SearchKind::kRuns, {0, 0, 0, 1}};
constexpr SetChoice kTinyRuns = {"runs on disk", TableKind::kAuto, 0, SearchKind::kRuns, {0, 11, 1}};
constexpr SetChoice kKeyRuns = {"runs of keys", TableKind::kAuto, 0, SearchKind::kRuns, {0, 11, 3000, 0, 1}};
constexpr SetChoice kSpillingKeys = {"auto, keys", TableKind::kAuto, 0, SearchKind::kAuto, {20, 30, 2000, 0, 1}};
constexpr SetChoice kSpilling = {"auto", TableKind::kAuto, 0, SearchKind::kAuto, {20, 30, 2000}};

// Compares one search with the judge.
void expect_agreement(const ir::Program& program, Engine& engine, unsigned threads, SetChoice set,
                      DeadlockMode deadlock, const NaiveResult& judge) {
  FixedEngine engines(engine);
  SearchOptions options;
  options.threads = threads;
  options.table = set.table;
  options.compact_bits = set.compact_bits;
  options.search = set.search;
  options.limits = set.limits;
  const std::unique_ptr<Env> env = make_real_env(false);
  Workdir workdir(*env, "", 0);
  options.workdir = &workdir;
  options.deadlock = deadlock;
  options.memory_bytes = set.search == SearchKind::kBfs ? std::uint64_t{2} << 30 : std::uint64_t{64} << 20;
  options.recent_states_max = kRecentStatesMax;
  options.cloud.blocks_max = 10;
  options.cloud.block_entries_min = 5;
  const SearchResult result = search_bfs(program, engines, options, {});
  SCOPED_TRACE(std::string(engine.name()) + ", threads " + std::to_string(threads) + ", " + set.name);
  EXPECT_STREQ(verdict_name(result.verdict), verdict_name(judge.verdict));
  EXPECT_STREQ(reason_name(result.reason), reason_name(judge.reason));
  if (set.search != SearchKind::kCloud) {
    EXPECT_TRUE(result.figures.states.has_value());
  }
  expect_counts(result.figures, judge);
  if (result.verdict != Verdict::kViolated || judge.verdict != Verdict::kViolated)
    return;
  const Violation& violation = result.violations.front();
  EXPECT_EQ(violation.path.size(), judge.path_states);
  // A path that the interpreter does not confirm never reaches the user.
  EXPECT_TRUE(replay(program, violation, deadlock).is_ok());
}

// The search by parts does not know levels, unless there is a violation: then the breadth-first search has the word.
void expect_parts_agree(const ir::Program& program, Engine& engine, unsigned threads, std::uint64_t part_states,
                        DeadlockMode deadlock, const NaiveResult& judge) {
  SCOPED_TRACE(std::string(engine.name()) + ", threads " + std::to_string(threads) + ", parts of " +
               std::to_string(part_states));
  FixedEngine engines(engine);
  const std::unique_ptr<Env> env = make_real_env(false);
  Workdir workdir(*env, "", 0);
  SearchOptions options;
  options.search = SearchKind::kPartition;
  options.workdir = &workdir;
  options.threads = threads;
  options.recent_states_max = part_states;
  options.deadlock = deadlock;
  options.memory_bytes = std::uint64_t{64} << 20;
  const SearchResult result = search_partition(program, engines, options, {});
  EXPECT_STREQ(verdict_name(result.verdict), verdict_name(judge.verdict));
  EXPECT_STREQ(reason_name(result.reason), reason_name(judge.reason)) << result.trouble;
  EXPECT_EQ(result.figures.states, judge.states);
  EXPECT_EQ(result.figures.edges, judge.edges);
  if (result.verdict == Verdict::kHolds) {
    EXPECT_EQ(result.figures.visited, judge.states);
    EXPECT_FALSE(result.figures.levels.has_value());
  }
  if (result.verdict != Verdict::kViolated || judge.verdict != Verdict::kViolated)
    return;
  const Violation& violation = result.violations.front();
  EXPECT_EQ(violation.path.size(), judge.path_states);
  EXPECT_TRUE(replay(program, violation, deadlock).is_ok());
}

void compare_sweep(const ir::Program& program, Engine& engine, unsigned threads, std::uint64_t seed,
                   DeadlockMode deadlock, const NaiveResult& judge) {
  SearchOptions options;
  options.threads = threads;
  options.deadlock = deadlock;
  expect_sweep_agrees(program, engine, options, seed, {judge.verdict, judge.states, judge.edges});
}

// Loads, explores and compares one program; returns its number of states, 0 if it was too large.
std::uint64_t check_program(std::uint64_t seed) {
  const std::string text = random_murphi(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  Diagnostics diagnostics("random.m", text);
  const std::unique_ptr<ir::Program> program = murphi::load("random.m", text, {}, diagnostics);
  EXPECT_NE(program, nullptr) << diagnostics.render();
  if (!program)
    return 0;
  const DeadlockMode deadlock = static_cast<DeadlockMode>(seed % 3);
  const NaiveResult judge = explore_naively(*program, deadlock, kStatesMax);
  if (judge.too_large)
    return 0;
  if (judge.states <= 3 && seed % 4 != 0)
    return judge.states;  // too small to be worth a C compiler every time
  add_random_measure(*program, seed);
  InterpEngine interp(*program);
  auto build = NativeBuild::prepare(*program, {});
  build->start();
  for (const unsigned threads : {1U, 2U, 4U})
    expect_agreement(*program, interp, threads, kPlain, deadlock, judge);
  expect_agreement(*program, interp, 2, kCollapse, deadlock, judge);
  expect_agreement(*program, interp, 2, kTree, deadlock, judge);
  expect_agreement(*program, interp, 2, kCompact, deadlock, judge);
  expect_agreement(*program, interp, 2, kSpilling, deadlock, judge);
  expect_agreement(*program, interp, seed % 4 < 2 ? 1 : 2, seed % 2 == 0 ? kKeyRuns : kSpillingKeys, deadlock, judge);
  for (const SetChoice& choice : kOnDisk)
    for (const unsigned threads : {1U, 2U})
      expect_agreement(*program, interp, threads, choice, deadlock, judge);
  for (const unsigned threads : {1U, 2U})
    expect_parts_agree(*program, interp, threads, judge.states < 200 ? 2 + seed % 9 : 50, deadlock, judge);
  for (const unsigned threads : {1U, 2U})
    compare_sweep(*program, interp, threads, seed, deadlock, judge);
  Result<std::unique_ptr<Engine>> native = build->take();
  EXPECT_TRUE(native.is_ok()) << native.status().message();
  if (!native.is_ok())
    return 0;
  for (const unsigned threads : {1U, 2U, 4U}) {
    compare_sweep(*program, *native.value(), threads, seed + 1, deadlock, judge);
    expect_agreement(*program, *native.value(), threads, kPlain, deadlock, judge);
    expect_agreement(*program, *native.value(), threads, kCollapse, deadlock, judge);
    expect_agreement(*program, *native.value(), threads, kTree, deadlock, judge);
    expect_agreement(*program, *native.value(), threads, kCompact, deadlock, judge);
    expect_agreement(*program, *native.value(), threads, threads == 2 ? kTinyRuns : kRuns, deadlock, judge);
    expect_agreement(*program, *native.value(), threads, kSpilling, deadlock, judge);
  }
  return judge.states;
}

TEST(Cross, EveryConfigurationAgreesWithTheNaiveExplorer) {
  const Seeds seeds = chosen_seeds();
  std::uint64_t explored = 0;
  std::uint64_t sizeable = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count && !HasFailure(); ++seed) {
    const std::uint64_t states = check_program(seed);
    explored += states > 0 ? 1 : 0;
    sizeable += states > 10 ? 1 : 0;
  }
  std::printf("%llu programs compared, %llu of them with more than 10 states\n",
              static_cast<unsigned long long>(explored), static_cast<unsigned long long>(sizeable));
  EXPECT_GE(explored * 2, seeds.count) << "too many generated programs are too large to compare";
  EXPECT_GE(sizeable * 8, seeds.count) << "too many generated programs are trivial";
}

}  // namespace
}  // namespace tideline::cross
