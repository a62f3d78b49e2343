// SPDX-License-Identifier: MIT
// Every model under models/murphi and models/dve through the real program: each expectation in its comment is one test,
// which runs the program over engine x threads, and over the searches on disk, and compares verdict, reason, property,
// states, edges, levels, deadlocks, length of the trace and exit status. The runs of the selected tests are made ahead
// by two workers; a test waits for its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <exception>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/run_program.h"
#include "models/expectation.h"

namespace tideline::testing {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kWorkers = 2;
constexpr double kTimeoutSeconds = 300;
// The interpreter takes part up to this size.
constexpr std::uint64_t kInterpStatesMax = 30000;
// Above this size: native only, with one thread and with two.
constexpr std::uint64_t kAllThreadsStatesMax = 500000;

fs::path models_folder() {
  return fs::path(TIDELINE_SOURCE_DIR) / "models";
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Paths below models, sorted.
std::vector<fs::path> model_files() {
  std::vector<fs::path> result;
  for (const char* language : {"murphi", "dve"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(models_folder() / language))
      if (entry.is_regular_file())
        result.push_back(entry.path().lexically_relative(models_folder()));
  std::sort(result.begin(), result.end());
  return result;
}

struct Configuration {
  std::string engine;
  unsigned threads = 1;
  std::string symmetry = "off";
  std::string search = "bfs";
  std::string progress = "none";
};

bool is_sweep(const Configuration& configuration) {
  return configuration.progress != "none";
}

// States in RAM of a search on disk: few, so that the disk is used.
constexpr const char* kRecentStates = "500";
constexpr const char* kQueueStates = "50";

// `is_first`: of its model.
std::vector<Configuration> configurations(const Expectation& expectation, bool is_first) {
  const std::uint64_t states = expectation.states.value_or(0);
  std::vector<Configuration> result;
  for (const unsigned threads : {1U, 2U, 4U}) {
    if (states <= kInterpStatesMax)
      result.push_back({"interp", threads});
    if (states <= kAllThreadsStatesMax || threads <= 2)
      result.push_back({"native", threads});
  }
  if (expectation.orbits)
    for (const char* symmetry : {"on", "exhaustive"})
      for (const unsigned threads : {1U, 2U})
        result.push_back({threads == 1 ? "interp" : "native", threads, symmetry});
  if (states <= kInterpStatesMax)
    for (const char* search : {"disk-bfs", "cloud", "partition"})
      for (const unsigned threads : {1U, 2U})
        result.push_back({"native", threads, "off", search});
  if (states <= kInterpStatesMax) {  // native code with a measure is another run of the compiler
    const char* engine = is_first ? "native" : "interp";
    result.push_back({engine, 1, "off", "sweep", "auto"});
    result.push_back({engine, 2, "off", "disk-sweep", "auto:6"});
  }
  return result;
}

struct Observation {
  Configuration configuration;
  RunResult result;
  std::string json;
};

// One expectation of one model: all its runs.
struct Case {
  fs::path model;
  Expectation expectation;
  bool is_first = false;  // of its model
  std::promise<std::vector<Observation>> runs;
};

// Makes the runs of the given cases in their order, each worker in a folder of its own; compiled code is shared.
class Workers {
 public:
  explicit Workers(std::vector<Case*> cases) : cases_(std::move(cases)) {
    for (unsigned i = 0; i < kWorkers; ++i)
      threads_.emplace_back([this] { work(); });
  }

 private:
  void work() {
    const Sandbox sandbox;
    for (std::size_t i = next_++; i < cases_.size(); i = next_++) {
      try {
        cases_[i]->runs.set_value(run(*cases_[i], sandbox));
      } catch (...) {
        cases_[i]->runs.set_exception(std::current_exception());
      }
    }
  }

  std::vector<Observation> run(const Case& test, const Sandbox& sandbox) const {
    std::vector<Observation> runs;
    for (const Configuration& configuration : configurations(test.expectation, test.is_first)) {
      const std::string report = sandbox.write("report.json", "");
      std::vector<std::string> arguments = {"check",
                                            (models_folder() / test.model).string(),
                                            "--json",
                                            report,
                                            "--quiet",
                                            "--engine",
                                            configuration.engine,
                                            "--threads",
                                            std::to_string(configuration.threads),
                                            "--symmetry",
                                            configuration.symmetry,
                                            "--search",
                                            configuration.search,
                                            "--progress",
                                            configuration.progress,
                                            "--queue-states",
                                            kQueueStates,
                                            "--recent-states",
                                            kRecentStates,
                                            "--cloud-block-min",
                                            "100"};
      const std::vector<std::string>& more = test.expectation.options;
      arguments.insert(arguments.end(), more.begin(), more.end());
      RunOptions options;
      options.timeout_seconds = kTimeoutSeconds;
      options.environment["TIDELINE_CACHE"] = shared_.path("cache");
      runs.push_back({configuration, sandbox.run(arguments, options), ""});
      runs.back().json = sandbox.read("report.json");
    }
    return runs;
  }

  Sandbox shared_;
  std::vector<Case*> cases_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::jthread> threads_;  // last: they end before the rest goes
};

void compare_figure(const nlohmann::json& report, const char* name, const std::optional<std::uint64_t>& expected) {
  if (expected) {
    EXPECT_EQ(report.at(name), *expected) << "wrong number: " << name;
  }
}

// A sweep visits states again if there are steps back, and its paths need not be shortest.
void compare_sweep(const nlohmann::json& report, const Expectation& expectation) {
  const bool is_complete = expectation.verdict == "holds" || expectation.reason == "cover";
  if (is_complete && expectation.states) {
    EXPECT_GE(report.at("visited"), *expectation.states);
  }
  if (is_complete && report.at("sweep").at("regress_edges") == 0) {
    compare_figure(report, "states", expectation.states);
    compare_figure(report, "edges", expectation.edges);
    compare_figure(report, "deadlocks", expectation.deadlocks);
  }
  if (!is_complete && expectation.trace) {
    ASSERT_TRUE(report.at("trace").is_array());
    EXPECT_GE(report.at("trace").size(), *expectation.trace + 1);
  }
}

void compare(const Observation& run, const Expectation& expectation) {
  const bool holds = expectation.verdict == "holds";
  ASSERT_EQ(run.result.status, holds ? 0 : 1) << run.result.out << run.result.err;
  const nlohmann::json report = nlohmann::json::parse(run.json, nullptr, false);
  ASSERT_TRUE(report.is_object()) << "the report is no JSON object: " << run.json;
  EXPECT_EQ(report.at("engine"), run.configuration.engine);
  EXPECT_EQ(report.at("threads"), run.configuration.threads);
  EXPECT_EQ(report.at("verdict"), expectation.verdict);
  if (!is_sweep(run.configuration)) {  // which may find another violation first
    EXPECT_EQ(report.at("reason"), expectation.reason.value_or("complete"));
  }
  EXPECT_EQ(report.at("search"), run.configuration.search);
  if (is_sweep(run.configuration)) {
    compare_sweep(report, expectation);
    return;
  }
  if (expectation.property) {
    EXPECT_EQ(report.at("property"), *expectation.property);
  }
  if (run.configuration.search == "cloud" && report.at("states").is_null()) {
    if (holds && expectation.states) {
      EXPECT_GE(report.at("visited"), *expectation.states);
    }
    EXPECT_TRUE(report.at("levels").is_null());
  } else if (run.configuration.symmetry == "off") {
    compare_figure(report, "states", expectation.states);
    compare_figure(report, "edges", expectation.edges);
    if ((holds || expectation.reason == "cover") && run.configuration.search == "partition") {
      EXPECT_TRUE(report.at("levels").is_null());
    } else {
      compare_figure(report, "levels", expectation.levels);
    }
    compare_figure(report, "deadlocks", expectation.deadlocks);
  } else {
    EXPECT_EQ(report.at("symmetry"), run.configuration.symmetry);
    compare_figure(report, "states", expectation.orbits);
  }
  const nlohmann::json& trace = report.at("trace");
  if (holds || expectation.reason == "cover") {
    EXPECT_TRUE(trace.is_null());
  } else if (expectation.trace) {
    ASSERT_TRUE(trace.is_array());
    EXPECT_EQ(trace.size(), *expectation.trace + 1) << "the trace has one entry per state";
  }
}

class ModelTest : public ::testing::Test {
 public:
  explicit ModelTest(Case& test) : case_(test) {}

  void TestBody() override {
    for (const Observation& run : case_.runs.get_future().get()) {
      SCOPED_TRACE(case_.model.string() + ":" + std::to_string(case_.expectation.line) + ", engine " +
                   run.configuration.engine + ", threads " + std::to_string(run.configuration.threads) + ", symmetry " +
                   run.configuration.symmetry + ", search " + run.configuration.search);
      compare(run, case_.expectation);
    }
  }

 private:
  Case& case_;
};

// A model whose comment cannot be read fails as a test of its own.
class UnreadableTest : public ::testing::Test {
 public:
  explicit UnreadableTest(std::string why) : why_(std::move(why)) {}
  void TestBody() override { FAIL() << why_; }

 private:
  std::string why_;
};

std::string test_name(const fs::path& model, const std::string& suffix) {
  std::string name = fs::path(model).replace_extension().string() + suffix;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

// All cases, by the name of their test.
std::map<std::string, Case> register_models() {
  std::map<std::string, Case> cases;
  for (const fs::path& model : model_files()) {
    try {
      const std::string text = read_file(models_folder() / model);
      bool is_first = true;
      for (Expectation& expectation : read_expectations(text, model.string())) {
        const std::string name = test_name(model, "_line" + std::to_string(expectation.line));
        Case& test = cases[name];
        test.model = model;
        test.expectation = std::move(expectation);
        test.is_first = std::exchange(is_first, false);
        ::testing::RegisterTest("Models", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                [&test]() -> ::testing::Test* { return new ModelTest(test); });
      }
    } catch (const std::exception& error) {
      ::testing::RegisterTest(
          "Models", test_name(model, "_unreadable").c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [why = std::string(error.what())]() -> ::testing::Test* { return new UnreadableTest(why); });
    }
  }
  return cases;
}

// Starts the workers when it is known which tests were selected.
class StartWorkers : public ::testing::EmptyTestEventListener {
 public:
  explicit StartWorkers(std::map<std::string, Case>& cases) : cases_(cases) {}

  void OnTestIterationStart(const ::testing::UnitTest& all, int /*iteration*/) override {
    std::vector<Case*> selected;
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
      const ::testing::TestSuite& suite = *all.GetTestSuite(i);
      for (int k = 0; k < suite.total_test_count(); ++k) {
        const ::testing::TestInfo& info = *suite.GetTestInfo(k);
        const auto found = cases_.find(info.name());
        if (!info.should_run() || found == cases_.end())
          continue;
        found->second.runs = {};
        selected.push_back(&found->second);
      }
    }
    workers_.reset();
    workers_ = std::make_unique<Workers>(std::move(selected));
  }

  void OnTestIterationEnd(const ::testing::UnitTest& /*all*/, int /*iteration*/) override { workers_.reset(); }

 private:
  std::map<std::string, Case>& cases_;
  std::unique_ptr<Workers> workers_;
};

// The message of the error that the comment gives, or "none".
std::string complaint(const std::string& expectation) {
  try {
    read_expectations("-- figures: none\n-- expect: " + expectation + "\n", "m");
    return "none";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(Expectations, AreRead) {
  const std::vector<Expectation> read = read_expectations(
      "-- A model.\n-- figures: by hand\n"
      "-- expect: verdict=holds states=12 edges=30 levels=4 options=\"--define N=3 --invariant 'x < 3'\"\n"
      "-- expect: verdict=violated reason=invariant property=\"mutual exclusion\" trace=7\n\nconst N: 1;\n",
      "m");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].line, 3U);
  EXPECT_EQ(read[0].states, 12U);
  EXPECT_EQ(read[0].edges, 30U);
  EXPECT_EQ(read[0].levels, 4U);
  EXPECT_EQ(read[0].options, (std::vector<std::string>{"--define", "N=3", "--invariant", "x < 3"}));
  EXPECT_EQ(read[1].reason, "invariant");
  EXPECT_EQ(read[1].property, "mutual exclusion");
  EXPECT_EQ(read[1].trace, 7U);
}

TEST(Expectations, StandInTheCommentsOfTheLanguage) {
  const std::string text = "// figures: none\n// expect: verdict=holds states=1 edges=0 levels=0 deadlocks=1\n";
  const std::vector<Expectation> read = read_expectations(text, "m.dve");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].deadlocks, 1U);
  EXPECT_THROW(read_expectations(text, "m.m"), std::runtime_error);
}

TEST(Expectations, BadLinesAreErrors) {
  EXPECT_EQ(complaint("verdict=holds states=1 edges=0 levels=0"), "none");
  EXPECT_EQ(complaint("verdict=fine"), "m:2: 'fine' is no value of 'verdict'");
  EXPECT_EQ(complaint("states=1"), "m:2: 'verdict' is missing");
  EXPECT_EQ(complaint("verdict=holds state=1"), "m:2: unknown key 'state'");
  EXPECT_EQ(complaint("verdict=holds states=1e3"), "m:2: '1e3' is no number, in 'states'");
  EXPECT_EQ(complaint("verdict=holds states=1"), "m:2: a model that holds has 'states', 'edges' and 'levels'");
  EXPECT_EQ(complaint("verdict=holds verdict=holds"), "m:2: 'verdict' is given twice");
  EXPECT_EQ(complaint("verdict=violated"), "m:2: a violation has a 'reason'");
  EXPECT_EQ(complaint("verdict=violated reason=cover trace=1"), "m:2: a cover that is never reached has no trace");
  EXPECT_EQ(complaint("verdict=violated property=\"x"), "m:2: the value of 'property' lacks its closing quote");
  EXPECT_EQ(complaint("verdict"), "m:2: expected key=value, not 'verdict'");
  EXPECT_EQ(complaint("verdict="), "m:2: 'verdict' has no value");
  EXPECT_EQ(complaint("verdict=violated reason=\"error\"trace=1"),
            "m:2: a blank is missing behind the value of 'reason'");
  EXPECT_THROW(read_expectations("-- figures: none\n", "m"), std::runtime_error);
  EXPECT_THROW(read_expectations("-- expect: verdict=violated reason=error\n", "m"), std::runtime_error);
  EXPECT_THROW(read_expectations("-- figures: none\nvar x: boolean;\n-- expect: verdict=violated reason=error\n", "m"),
               std::runtime_error);
}

TEST(Readme, NamesEveryModel) {
  const std::string readme = read_file(models_folder() / "README.md");
  for (const fs::path& model : model_files()) {
    const std::string below = model.lexically_relative(*model.begin()).string();  // the tables are one per language
    EXPECT_NE(readme.find("`" + below + "`"), std::string::npos) << model << " is not in models/README.md";
  }
}

}  // namespace
}  // namespace tideline::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  std::map<std::string, tideline::testing::Case> cases = tideline::testing::register_models();
  ::testing::UnitTest::GetInstance()->listeners().Append(new tideline::testing::StartWorkers(cases));
  return RUN_ALL_TESTS();
}
