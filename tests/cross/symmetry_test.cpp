// SPDX-License-Identifier: MIT
// Symmetry reduction against naive orbits on random programs: in programs that symmetry::find_asymmetries lets pass,
// permuting a state permutes what all commands do, and the reachable states are closed under permutations if the start
// states are; a reduced search visits one state per orbit, fires the commands of one state per orbit, gives the verdict
// of the unreduced search, and its path is as short and replays. TIDELINE_CROSS_SEEDS=FIRST:COUNT chooses other
// programs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "exec/interp/interpreter.h"
#include "exec/native/native.h"
#include "front/murphi/murphi.h"
#include "naive_orbits.h"
#include "random_measure.h"
#include "random_symmetric.h"
#include "report/replay.h"
#include "search/bfs.h"
#include "search/partition.h"
#include "sweep_agreement.h"
#include "symmetry/asymmetry.h"
#include "symmetry/scalarsets.h"

namespace tideline::cross {
namespace {

constexpr std::uint64_t kStatesMax = 6000;
constexpr int kRandomStates = 60;

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
  std::uint64_t count = 300;
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

// Which of several run-time errors of one state is met first depends on the representative.
Reason coarse(Reason reason) {
  return reason == Reason::kAssertion ? Reason::kError : reason;
}

// One program and what the judge says about it.
struct Judged {
  const ir::Program* program = nullptr;
  DeadlockMode deadlock = DeadlockMode::kOff;
  std::vector<ir::Interval> scalarsets;  // that are permuted
  bool has_symmetric_starts = true;
  NaiveResult plain;
  NaiveOrbits orbits;
};

void expect_agreement(const Judged& judged, Engine& engine, unsigned threads, SymmetryMode mode,
                      SearchKind search = SearchKind::kBfs) {
  const bool by_parts = search == SearchKind::kPartition;
  SCOPED_TRACE(std::string(engine.name()) + ", threads " + std::to_string(threads) + ", " + symmetry_name(mode) +
               (by_parts                      ? ", by parts"
                : search == SearchKind::kAuto ? ", runs of keys"
                                              : ""));
  FixedEngine engines(engine);
  SearchOptions options;
  options.threads = threads;
  options.deadlock = judged.deadlock;
  options.memory_bytes = std::uint64_t{2} << 30;
  options.symmetry = mode;
  options.scalarsets = judged.scalarsets;
  const std::unique_ptr<Env> env = make_real_env(false);
  Workdir workdir(*env, "", 0);
  options.search = search;
  if (search != SearchKind::kBfs) {
    options.workdir = &workdir;
    options.memory_bytes = std::uint64_t{64} << 20;
    options.recent_states_max = 20;
    options.limits = {20, 30, 2000, 0, 1};
  }
  const SearchResult result = by_parts ? search_partition(*judged.program, engines, options, {})
                                       : search_bfs(*judged.program, engines, options, {});
  EXPECT_STREQ(verdict_name(result.verdict), verdict_name(judged.plain.verdict));
  EXPECT_STREQ(reason_name(coarse(result.reason)), reason_name(coarse(judged.plain.reason)));
  if (judged.has_symmetric_starts || judged.plain.verdict == Verdict::kHolds) {
    EXPECT_EQ(result.figures.states, judged.orbits.orbits);
    EXPECT_EQ(result.figures.edges, judged.orbits.edges);
  }
  if (judged.has_symmetric_starts &&
      (!by_parts || (result.verdict == Verdict::kViolated && result.reason != Reason::kCover))) {
    EXPECT_EQ(result.figures.levels, judged.plain.levels);
  }
  if (result.verdict != Verdict::kViolated || judged.plain.verdict != Verdict::kViolated)
    return;
  const Violation& violation = result.violations.front();
  EXPECT_EQ(violation.path.size(), judged.plain.path_states);
  const Result<Counterexample> replayed = replay(*judged.program, violation, judged.deadlock);
  EXPECT_TRUE(replayed.is_ok()) << replayed.status().message();
}

// Under symmetry a measure is one of representatives.
void expect_sweep_agreement(const Judged& judged, Engine& engine, unsigned threads, std::uint64_t seed) {
  if (!judged.has_symmetric_starts && judged.plain.verdict != Verdict::kHolds)
    return;
  SearchOptions options;
  options.threads = threads;
  options.deadlock = judged.deadlock;
  options.symmetry = SymmetryMode::kOn;
  options.scalarsets = judged.scalarsets;
  expect_sweep_agrees(*judged.program, engine, options, seed,
                      {judged.plain.verdict, judged.orbits.orbits, judged.orbits.edges});
}

void expect_native_agreement(const Judged& judged) {
  auto build = NativeBuild::prepare(*judged.program, {});
  build->start();
  Result<std::unique_ptr<Engine>> native = build->take();
  ASSERT_TRUE(native.is_ok()) << native.status().message();
  expect_agreement(judged, *native.value(), 2, SymmetryMode::kOn);
}

struct Tally {
  std::uint64_t too_large = 0;
  std::uint64_t refused = 0;            // find_asymmetries names all scalarsets
  std::uint64_t partial = 0;            // some, but not all
  std::uint64_t refused_symmetric = 0;  // of both: symmetric in all states tried
  std::uint64_t reduced = 0;            // fewer orbits than states
  std::uint64_t violated = 0;
  std::uint64_t compared = 0;
  std::uint64_t orbits = 0;
};

// The scalarsets that no asymmetry names.
std::vector<ir::Interval> permuted_scalarsets(const ir::Program& program) {
  std::vector<ir::Interval> kept = symmetry::scalarsets_of(program);
  for (const symmetry::Asymmetry& asymmetry : symmetry::find_asymmetries(program))
    std::erase(kept, asymmetry.scalarset->hull());
  return kept;
}

void compare(Judged& judged, const SeenStates& seen, std::uint64_t seed, Tally& tally) {
  judged.orbits = count_orbits(*judged.program, judged.scalarsets, seen);
  judged.has_symmetric_starts = has_symmetric_starts(*judged.program, judged.scalarsets);
  if (judged.has_symmetric_starts) {
    EXPECT_TRUE(judged.orbits.is_closed) << "a permutation of a reachable state is not reachable";
    EXPECT_TRUE(judged.orbits.has_equal_edges) << "states of one orbit have different numbers of edges";
  }
  ++tally.compared;
  tally.reduced += judged.orbits.orbits < judged.plain.states ? 1U : 0U;
  tally.violated += judged.plain.verdict == Verdict::kViolated ? 1U : 0U;
  tally.orbits += judged.orbits.orbits;
  InterpEngine interp(*judged.program);
  for (const unsigned threads : {1U, 2U}) {
    expect_agreement(judged, interp, threads, SymmetryMode::kOn);
    expect_sweep_agreement(judged, interp, threads, seed);
  }
  expect_agreement(judged, interp, 1, SymmetryMode::kExhaustive);
  expect_agreement(judged, interp, 1, SymmetryMode::kOn, SearchKind::kPartition);
  expect_agreement(judged, interp, 2, SymmetryMode::kOn, SearchKind::kAuto);
  if (seed % 16 == 0)
    expect_native_agreement(judged);
}

void check_program(std::uint64_t seed, Tally& tally) {
  const std::string text = random_symmetric(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  Diagnostics diagnostics("random.m", text);
  const std::unique_ptr<ir::Program> program = murphi::load("random.m", text, {}, diagnostics);
  ASSERT_NE(program, nullptr) << diagnostics.render();
  Judged judged;
  judged.program = program.get();
  judged.deadlock = static_cast<DeadlockMode>(seed % 3);
  SeenStates seen;
  judged.plain = explore_naively(*program, judged.deadlock, kStatesMax, &seen);
  if (judged.plain.too_large) {
    ++tally.too_large;
    return;
  }
  judged.scalarsets = permuted_scalarsets(*program);
  add_random_measure(*program, seed);
  std::mt19937_64 random(seed);
  EXPECT_TRUE(is_equivariant(*program, judged.scalarsets, seen, kRandomStates, random))
      << "a permuted state has other outcomes";
  const std::vector<ir::Interval> all = symmetry::scalarsets_of(*program);
  if (judged.scalarsets != all) {
    (judged.scalarsets.empty() ? tally.refused : tally.partial) += 1;
    tally.refused_symmetric += is_equivariant(*program, all, seen, kRandomStates, random) ? 1U : 0U;
  }
  if (!judged.scalarsets.empty() || seed % 8 == 0)
    compare(judged, seen, seed, tally);
}

TEST(Symmetry, AgreesWithNaiveOrbits) {
  const Seeds seeds = chosen_seeds();
  Tally tally;
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count && !HasFailure(); ++seed)
    check_program(seed, tally);
  const auto shown = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf("%llu compared: %llu reduced, %llu violated, %llu orbits\n", shown(tally.compared), shown(tally.reduced),
              shown(tally.violated), shown(tally.orbits));
  std::printf("%llu refused, %llu in part, %llu of these without need; %llu too large\n", shown(tally.refused),
              shown(tally.partial), shown(tally.refused_symmetric), shown(tally.too_large));
  if (HasFailure())
    return;
  EXPECT_GE(tally.compared * 4, seeds.count) << "too few programs can be compared";
  EXPECT_GE(tally.reduced * 8, seeds.count) << "too few programs are reduced";
}

}  // namespace
}  // namespace tideline::cross
