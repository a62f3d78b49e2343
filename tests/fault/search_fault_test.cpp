// SPDX-License-Identifier: MIT
// Searches on disk on a file system that fails: for every step n of a small search the disk is full, fails, tears a
// write or loses its power at step n; then the search is resumed, and its counts are those of one that nothing happened
// to.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "exec/interp/interpreter.h"
#include "fault/faulty_env.h"
#include "front/murphi/murphi.h"
#include "search/bfs.h"
#include "search/manifest.h"
#include "search/partition.h"
#include "search/sweep.h"

namespace tideline {
namespace {

// Of the bits of w few combinations occur: keys are shorter than states.
constexpr const char* kModel = R"(var x: 0..7; y: 0..7; z: 0..3; w: 0..1000000;
startstate begin x := 0; y := 0; z := 0; w := 0; end;
rule x < 7 ==> begin x := x + 1; w := x * 12345; end;
rule y < 7 ==> begin y := y + 1; end;
rule z < 3 & x > 2 ==> begin z := z + 1; end;
rule x = 7 & y = 7 ==> begin x := 0; w := 0; end;
)";
constexpr const char* kDirectory = "/var/tmp/work";

class FixedEngine final : public EngineSource {
 public:
  explicit FixedEngine(Engine& engine) : engine_(engine) {}
  Engine& current() override { return engine_; }
  Engine* poll() override { return nullptr; }

 private:
  Engine& engine_;
};

struct Configuration {
  SearchKind search;
  unsigned compact_bits = 0;
  std::uint64_t run_bytes_max = 1;
  const char* progress = "y, z";  // of sweeps
  std::uint64_t automaton_states_min = 0;
  std::uint64_t key_state_bits_min = 97;
};

class SearchFaultTest : public testing::TestWithParam<Configuration> {
 protected:
  SearchFaultTest() {
    Diagnostics diagnostics("cube.m", kModel);
    murphi::Options model;
    model.progress = GetParam().progress;
    program_ = murphi::load("cube.m", kModel, model, diagnostics);
  }

  SearchOptions options(Workdir& workdir) {
    SearchOptions options;
    options.search = GetParam().search;
    options.compact_bits = GetParam().compact_bits;
    options.limits = {30, 20, GetParam().run_bytes_max, GetParam().automaton_states_min, GetParam().key_state_bits_min};
    options.recent_states_max = 20;
    options.cloud.blocks_max = 8;
    options.cloud.block_entries_min = 4;
    options.sweep.queue = {8, 4, 3, 2};
    options.sweep.found_states_max = 4;
    options.memory_bytes = std::uint64_t{64} << 20;
    if (GetParam().search == SearchKind::kSweep)  // which takes a share of what is left, and sanitizers leave little
      options.memory_bytes = std::uint64_t{1} << 30;
    options.deadlock = DeadlockMode::kOff;
    options.workdir = &workdir;
    options.settings = &settings_;
    options.checkpoint_seconds = 0;
    return options;
  }

  // Begins, or goes on if there is a manifest.
  SearchResult run(FaultyEnv& env) {
    InterpEngine interp(*program_);
    FixedEngine engines(interp);
    Workdir workdir(env, kDirectory, 0);
    SearchOptions search = options(workdir);
    Result<Manifest> manifest = Status::error("none");
    if (env.exists(std::string(kDirectory) + "/" + kManifestName)) {
      manifest = read_manifest(env, kDirectory);
      EXPECT_TRUE(manifest.is_ok()) << manifest.status().message();
      if (!manifest.is_ok())
        return {};
      const Status reopened = reopen_workdir(manifest.value(), workdir);
      if (!reopened.is_ok()) {
        EXPECT_TRUE(env.crashed()) << reopened.message();
        return {};
      }
      search.resume = &manifest.value();
      if (GetParam().search == SearchKind::kAuto)
        search.search = SearchKind::kRuns;
    }
    SearchResult result = search_with(search, engines);
    workdir.keep(result.verdict == Verdict::kUnknown);
    return result;
  }

  SearchResult search_with(const SearchOptions& search, EngineSource& engines) {
    switch (search.search) {
      case SearchKind::kPartition:
        return search_partition(*program_, engines, search, {});
      case SearchKind::kSweep:
      case SearchKind::kDiskSweep:
        return search_sweep(*program_, engines, search, {});
      default:
        return search_bfs(*program_, engines, search, {});
    }
  }

  void expect_whole(const SearchResult& result) {
    ASSERT_EQ(result.verdict, Verdict::kHolds) << result.trouble;
    if (GetParam().search == SearchKind::kCloud) {
      EXPECT_GE(*result.figures.visited, kStates);
      return;
    }
    if (result.figures.regress_edges.value_or(0) > 0) {
      EXPECT_EQ(result.figures.visited, kStates + kVisitedAgain);
      EXPECT_EQ(result.figures.sweeps, 2U);
      EXPECT_EQ(result.figures.persistent, 4U);
      return;
    }
    EXPECT_EQ(result.figures.states, kStates);
    EXPECT_EQ(result.figures.visited, kStates);
    EXPECT_EQ(result.figures.edges, kEdges);
    if (GetParam().search != SearchKind::kPartition && GetParam().search != SearchKind::kSweep) {
      EXPECT_EQ(result.figures.levels, kLevels);
    }
  }

  // Removes what a search that never came to its first manifest has left behind: the user would.
  static void clear(FaultyEnv& env) {
    if (!env.exists(kDirectory) || env.exists(std::string(kDirectory) + "/" + kManifestName))
      return;
    const Result<std::vector<std::string>> names = env.list(kDirectory);
    ASSERT_TRUE(names.is_ok());
    for (const std::string& name : names.value())
      ASSERT_TRUE(env.remove(std::string(kDirectory) + "/" + name).is_ok());
  }

  static constexpr std::uint64_t kStates = 193;
  static constexpr std::uint64_t kEdges = 446;
  static constexpr std::uint64_t kLevels = 20;
  static constexpr std::uint64_t kVisitedAgain = 23;  // by a sweep along x
  std::unique_ptr<ir::Program> program_;
  Settings settings_;
};

TEST_P(SearchFaultTest, EveryStepMayFail) {
  FaultyEnv whole;
  expect_whole(run(whole));
  const std::uint64_t steps = whole.steps();
  EXPECT_GT(steps, 100U);
  const std::uint64_t stride = std::max<std::uint64_t>(1, steps / 200);
  for (const Fault fault : {Fault::kNoSpace, Fault::kIoError, Fault::kTear, Fault::kCrash}) {
    for (std::uint64_t step = 1; step <= steps; step += stride) {
      SCOPED_TRACE("fault " + std::to_string(static_cast<int>(fault)) + " at step " + std::to_string(step));
      FaultyEnv env;
      env.plan(step, fault);
      SearchResult result = run(env);
      if (env.crashed())
        step % 2 == 0 ? env.reboot(step) : env.restart();
      if (result.verdict == Verdict::kUnknown) {
        clear(env);
        result = run(env);
      }
      expect_whole(result);
      if (HasFailure())
        return;
    }
  }
}

std::string name_of(const testing::TestParamInfo<Configuration>& info) {
  const char* search = info.param.search == SearchKind::kAuto      ? "Auto"
                       : info.param.search == SearchKind::kRuns    ? "Runs"
                       : info.param.search == SearchKind::kDiskBfs ? "DiskBfs"
                       : info.param.search == SearchKind::kCloud   ? "Cloud"
                       : info.param.search == SearchKind::kSweep   ? "Sweep"
                                                                   : "Partition";
  const bool regresses = info.param.search == SearchKind::kSweep && info.param.progress[0] == 'x';
  return search + std::string(regresses ? "Regress" : "") + std::string(info.param.compact_bits == 0 ? "" : "Compact") +
         (info.param.run_bytes_max > 1 ? "InRam" : "") + (info.param.automaton_states_min > 0 ? "Automata" : "") +
         (info.param.key_state_bits_min == 1 ? "Keys" : "");
}

INSTANTIATE_TEST_SUITE_P(
    Searches, SearchFaultTest,
    testing::Values(Configuration{SearchKind::kRuns}, Configuration{SearchKind::kRuns, 0, 1000000},
                    Configuration{SearchKind::kRuns, 0, 1000000, "y, z", 1}, Configuration{SearchKind::kAuto, 0, 10000},
                    Configuration{SearchKind::kAuto, 0, 1000000, "y, z", 1},
                    Configuration{SearchKind::kRuns, 0, 1, "y, z", 0, 1},
                    Configuration{SearchKind::kAuto, 0, 10000, "y, z", 0, 1}, Configuration{SearchKind::kDiskBfs},
                    Configuration{SearchKind::kDiskBfs, 64}, Configuration{SearchKind::kCloud},
                    Configuration{SearchKind::kPartition}, Configuration{SearchKind::kPartition, 0, 1000000},
                    Configuration{SearchKind::kSweep}, Configuration{SearchKind::kSweep, 0, 1, "x"}),
    name_of);

}  // namespace
}  // namespace tideline
