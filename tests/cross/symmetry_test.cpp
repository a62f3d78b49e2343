// SPDX-License-Identifier: MIT
// Symmetry reduction against naive orbits on random programs: in programs that symmetry::find_asymmetries lets pass,
// permuting a state permutes what all commands do, and the reachable states are closed under permutations; a reduced
// search visits one state per orbit, fires the commands of one state per orbit, gives the verdict of the unreduced
// search, and its path is as short and replays. TIDELINE_CROSS_SEEDS=FIRST:COUNT chooses other programs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "exec/interp/interpreter.h"
#include "exec/native/native.h"
#include "front/murphi/murphi.h"
#include "naive_orbits.h"
#include "random_symmetric.h"
#include "report/replay.h"
#include "search/bfs.h"
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

SearchResult search(const ir::Program& program, Engine& engine, unsigned threads, DeadlockMode deadlock,
                    SymmetryMode symmetry) {
  FixedEngine engines(engine);
  SearchOptions options;
  options.threads = threads;
  options.deadlock = deadlock;
  options.memory_bytes = std::uint64_t{256} << 20;
  options.symmetry = symmetry;
  options.scalarsets = symmetry::scalarsets_of(program);
  return search_bfs(program, engines, options, {});
}

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

void expect_agreement(const ir::Program& program, Engine& engine, unsigned threads, DeadlockMode deadlock,
                      SymmetryMode symmetry, const NaiveResult& judge, const NaiveOrbits& orbits) {
  SCOPED_TRACE(std::string(engine.name()) + ", threads " + std::to_string(threads) + ", " + symmetry_name(symmetry));
  const SearchResult result = search(program, engine, threads, deadlock, symmetry);
  EXPECT_STREQ(verdict_name(result.verdict), verdict_name(judge.verdict));
  EXPECT_STREQ(reason_name(coarse(result.reason)), reason_name(coarse(judge.reason)));
  EXPECT_EQ(result.figures.states, orbits.orbits);
  EXPECT_EQ(result.figures.edges, orbits.edges);
  EXPECT_EQ(result.figures.levels, judge.levels);
  if (result.verdict != Verdict::kViolated || judge.verdict != Verdict::kViolated)
    return;
  const Violation& violation = result.violations.front();
  EXPECT_EQ(violation.path.size(), judge.path_states);
  const Result<Counterexample> replayed = replay(program, violation, deadlock);
  EXPECT_TRUE(replayed.is_ok()) << replayed.status().message();
}

void expect_native_agreement(const ir::Program& program, DeadlockMode deadlock, const NaiveResult& judge,
                             const NaiveOrbits& orbits) {
  auto build = NativeBuild::prepare(program, {});
  build->start();
  Result<std::unique_ptr<Engine>> native = build->take();
  ASSERT_TRUE(native.is_ok()) << native.status().message();
  expect_agreement(program, *native.value(), 2, deadlock, SymmetryMode::kOn, judge, orbits);
}

struct Tally {
  std::uint64_t too_large = 0;
  std::uint64_t refused = 0;            // by find_asymmetries
  std::uint64_t refused_symmetric = 0;  // of these: symmetric in all states tried
  std::uint64_t compared = 0;
  std::uint64_t reduced = 0;  // of these: fewer orbits than states
  std::uint64_t violated = 0;
  std::uint64_t orbits = 0;
};

void check_program(std::uint64_t seed, Tally& tally) {
  const std::string text = random_symmetric(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  Diagnostics diagnostics("random.m", text);
  const std::unique_ptr<ir::Program> program = murphi::load("random.m", text, {}, diagnostics);
  ASSERT_NE(program, nullptr) << diagnostics.render();
  const auto deadlock = static_cast<DeadlockMode>(seed % 3);
  SeenStates seen;
  const NaiveResult judge = explore_naively(*program, deadlock, kStatesMax, &seen);
  if (judge.too_large) {
    ++tally.too_large;
    return;
  }
  std::mt19937_64 random(seed);
  const bool is_symmetric = is_equivariant(*program, seen, kRandomStates, random);
  const std::vector<symmetry::Asymmetry> asymmetries = symmetry::find_asymmetries(*program);
  if (!asymmetries.empty()) {
    ++tally.refused;
    tally.refused_symmetric += is_symmetric ? 1U : 0U;
    return;
  }
  EXPECT_TRUE(is_symmetric) << "a permuted state has other outcomes";
  const NaiveOrbits orbits = count_orbits(*program, seen);
  EXPECT_TRUE(orbits.is_closed) << "a permutation of a reachable state is not reachable";
  EXPECT_TRUE(orbits.has_equal_edges) << "states of one orbit have different numbers of edges";
  ++tally.compared;
  tally.reduced += orbits.orbits < judge.states ? 1U : 0U;
  tally.violated += judge.verdict == Verdict::kViolated ? 1U : 0U;
  tally.orbits += orbits.orbits;
  InterpEngine interp(*program);
  for (const unsigned threads : {1U, 2U})
    expect_agreement(*program, interp, threads, deadlock, SymmetryMode::kOn, judge, orbits);
  expect_agreement(*program, interp, 1, deadlock, SymmetryMode::kExhaustive, judge, orbits);
  if (seed % 16 == 0)
    expect_native_agreement(*program, deadlock, judge, orbits);
}

TEST(Symmetry, AgreesWithNaiveOrbits) {
  const Seeds seeds = chosen_seeds();
  Tally tally;
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count && !HasFailure(); ++seed)
    check_program(seed, tally);
  const auto shown = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%llu compared (%llu reduced, %llu violated, %llu orbits), %llu refused (%llu without need), %llu too large\n",
      shown(tally.compared), shown(tally.reduced), shown(tally.violated), shown(tally.orbits), shown(tally.refused),
      shown(tally.refused_symmetric), shown(tally.too_large));
  if (HasFailure())
    return;
  EXPECT_GE(tally.compared * 4, seeds.count) << "too few programs can be compared";
  EXPECT_GE(tally.reduced * 8, seeds.count) << "too few programs are reduced";
}

}  // namespace
}  // namespace tideline::cross
