// SPDX-License-Identifier: MIT
// Random DVE models: the whole front end behind the parser, both engines, 1 and 2 threads and two kinds of visited sets
// and the search by parts agree with the naive explorer of tests/dve on verdict, figures and lengths of paths, for both
// readings of stores outside a type, with and without the error state, with and without deadlocks. Every violation is
// replayed. TIDELINE_CROSS_SEEDS=FIRST:COUNT chooses other models, TIDELINE_CROSS_NATIVE=N every how many of them are
// compiled (0: none).
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "dve/naive_search.h"
#include "dve/print_model.h"
#include "dve/random_model.h"
#include "exec/interp/interpreter.h"
#include "exec/native/native.h"
#include "front/dve/lower.h"
#include "front/dve/narrow.h"
#include "front/dve/simplify.h"
#include "random_measure.h"
#include "report/replay.h"
#include "search/bfs.h"
#include "search/partition.h"
#include "sweep_agreement.h"

namespace tideline::cross {
namespace {

using dve::OnError;
using test::DveAnswer;
using test::DveQuestion;

constexpr std::size_t kStatesMax = 2000;

class FixedEngine final : public EngineSource {
 public:
  explicit FixedEngine(Engine& engine) : engine_(engine) {}
  Engine& current() override { return engine_; }
  Engine* poll() override { return nullptr; }

 private:
  Engine& engine_;
};

struct Choice {
  std::uint64_t first = 1;
  std::uint64_t count = 400;
  std::uint64_t native_every = 12;
};

Choice chosen_models() {
  Choice choice;
  if (const char* text = std::getenv("TIDELINE_CROSS_SEEDS")) {
    const std::string pair = text;
    choice.first = std::stoull(pair);
    choice.count = std::stoull(pair.substr(pair.find(':') + 1));
  }
  if (const char* text = std::getenv("TIDELINE_CROSS_NATIVE"))
    choice.native_every = std::stoull(text);
  return choice;
}

struct Configuration {
  unsigned threads;
  TableKind table;
  SearchKind search = SearchKind::kBfs;
};
// The tree is the set of short states for programs of at most 64 bits.
constexpr Configuration kConfigurations[] = {{1, TableKind::kPlain},
                                             {2, TableKind::kPlain},
                                             {1, TableKind::kTree},
                                             {2, TableKind::kTree},
                                             {1, TableKind::kAuto, SearchKind::kPartition}};
// These take turns.
constexpr Configuration kRunsOfKeys[] = {{2, TableKind::kAuto, SearchKind::kRuns},
                                         {1, TableKind::kAuto, SearchKind::kAuto}};

std::string describe(const DveQuestion& question) {
  return std::string(question.on_error == OnError::kFail ? "fail" : "wrap") +
         (question.error_is_state ? ", error state" : "") +
         (question.deadlock == DeadlockMode::kStuck ? ", deadlocks" : "");
}

void expect_agreement(const ir::Program& program, Engine& engine, Configuration configuration,
                      const DveQuestion& question, const DveAnswer& judge) {
  const bool by_parts = configuration.search == SearchKind::kPartition;
  const bool on_disk = configuration.search != SearchKind::kBfs;
  SCOPED_TRACE(std::string(engine.name()) + ", threads " + std::to_string(configuration.threads) +
               (configuration.table == TableKind::kTree ? ", tree, " : ", plain, ") +
               (by_parts  ? "by parts, "
                : on_disk ? "runs of keys, "
                          : "") +
               describe(question));
  FixedEngine engines(engine);
  SearchOptions options;
  options.threads = configuration.threads;
  options.table = configuration.table;
  options.deadlock = question.deadlock;
  options.error_is_state = question.error_is_state;
  options.memory_bytes = std::uint64_t{2} << 30;
  options.search = configuration.search;
  const std::unique_ptr<Env> env = make_real_env(false);
  Workdir workdir(*env, "", 0);
  if (on_disk) {
    options.workdir = &workdir;
    options.memory_bytes = std::uint64_t{64} << 20;
    options.recent_states_max = 40;
    options.limits = {20, 30, 2000, 0, 1};
  }
  const SearchResult result =
      by_parts ? search_partition(program, engines, options, {}) : search_bfs(program, engines, options, {});
  EXPECT_STREQ(verdict_name(result.verdict), verdict_name(judge.verdict));
  EXPECT_STREQ(reason_name(result.reason), reason_name(judge.reason));
  EXPECT_EQ(result.figures.states, judge.states);
  EXPECT_EQ(result.figures.edges, judge.edges);
  EXPECT_EQ(result.figures.deadlocks, judge.deadlocks);
  if (!by_parts || result.verdict == Verdict::kViolated) {
    EXPECT_EQ(result.figures.levels, judge.levels);
  }
  if (result.verdict != Verdict::kViolated || judge.verdict != Verdict::kViolated)
    return;
  const Violation& violation = result.violations.front();
  EXPECT_TRUE(judge.path_states.contains(violation.path.size())) << violation.path.size() << " states on the path";
  const auto shown = replay(program, violation, question.deadlock);
  EXPECT_TRUE(shown.is_ok()) << shown.status().message();
}

void expect_agreement(const ir::Program& program, Engine& engine, const DveQuestion& question, const DveAnswer& judge) {
  for (const Configuration& configuration : kConfigurations)
    expect_agreement(program, engine, configuration, question, judge);
  if (judge.edges % 4 < 2)
    expect_agreement(program, engine, kRunsOfKeys[judge.edges % 4], question, judge);
  SearchOptions options;
  options.deadlock = question.deadlock;
  options.error_is_state = question.error_is_state;
  options.threads = 1 + static_cast<unsigned>(judge.edges % 2);
  expect_sweep_agrees(program, engine, options, judge.states, {judge.verdict, judge.states, judge.edges});
}

std::unique_ptr<ir::Program> lowered(dve::Model model, OnError on_error) {
  dve::simplify(model);
  Diagnostics diagnostics("random.dve", "");
  std::unique_ptr<ir::Program> program =
      dve::lower(model, dve::narrow(model, on_error), on_error, "random.dve", diagnostics);
  EXPECT_NE(program, nullptr) << diagnostics.render();
  return program;
}

// All four questions about one reading of stores. Returns the number of states with an error state and without
// deadlocks, which is all there are; 0 if those are too many.
std::uint64_t check_reading(const dve::Model& model, OnError on_error, bool with_native) {
  const std::unique_ptr<ir::Program> program = lowered(model, on_error);
  if (program == nullptr)
    return 0;
  add_random_measure(*program, program->state_bits);
  std::unique_ptr<NativeBuild> build = with_native ? NativeBuild::prepare(*program, {}) : nullptr;
  if (build != nullptr)
    build->start();
  InterpEngine interp(*program);
  std::unique_ptr<Engine> native;
  std::uint64_t states = 0;
  for (const bool error_is_state : {false, true}) {
    for (const DeadlockMode deadlock : {DeadlockMode::kStuck, DeadlockMode::kOff}) {
      const DveQuestion question{on_error, deadlock, error_is_state};
      const DveAnswer judge = test::answer_naively(model, question, kStatesMax);
      states = judge.too_large ? 0 : judge.states;
      if (judge.too_large)
        continue;
      expect_agreement(*program, interp, question, judge);
      if (build != nullptr && native == nullptr) {
        Result<std::unique_ptr<Engine>> taken = build->take();
        EXPECT_TRUE(taken.is_ok()) << taken.status().message();
        if (!taken.is_ok())
          return 0;
        native = std::move(taken.value());
      }
      if (native != nullptr)
        expect_agreement(*program, *native, question, judge);
    }
  }
  return states;
}

struct Totals {
  std::uint64_t readings = 0;  // compared in full
  std::uint64_t sizeable = 0;  // of them with more than 10 states
  std::uint64_t native = 0;    // models that were compiled
};

void check_model(std::uint64_t seed, bool with_native, Totals& totals) {
  const dve::Model model = test::random_dve_model(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + test::print_model(model));
  for (const OnError on_error : {OnError::kFail, OnError::kWrap}) {
    const std::uint64_t states = check_reading(model, on_error, with_native);
    totals.readings += states > 0 ? 1 : 0;
    totals.sizeable += states > 10 ? 1 : 0;
  }
  totals.native += with_native ? 1 : 0;
}

TEST(CrossDve, EveryConfigurationAgreesWithTheNaiveExplorer) {
  const Choice choice = chosen_models();
  Totals totals;
  for (std::uint64_t i = 0; i < choice.count && !HasFailure(); ++i)
    check_model(choice.first + i, choice.native_every != 0 && i % choice.native_every == 0, totals);
  std::printf(
      "%llu models in 2 readings: %llu compared in full, %llu of them with more than 10 states; %llu compiled\n",
      static_cast<unsigned long long>(choice.count), static_cast<unsigned long long>(totals.readings),
      static_cast<unsigned long long>(totals.sizeable), static_cast<unsigned long long>(totals.native));
  EXPECT_GE(totals.readings * 2, choice.count * 3) << "too many generated models are too large to compare";
  EXPECT_GE(totals.sizeable * 6, totals.readings) << "too many generated models are trivial";
}

}  // namespace
}  // namespace tideline::cross
