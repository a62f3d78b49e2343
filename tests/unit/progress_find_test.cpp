// SPDX-License-Identifier: MIT
// Measures that are found: within the bounds of their level, the same for a seed, and what their expressions say.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "progress/find_measure.h"
#include "progress_support.h"
#include "symmetry/scalarsets.h"

namespace tideline::progress {
namespace {

FindOptions small_sample(std::uint64_t prefix = 20'000) {
  FindOptions options;
  options.sample.limits = {prefix, prefix, 1'000'000, 1'000'000};
  return options;
}

Findings find(ir::Program& program, FindOptions options) {
  if (options.sample.symmetry != SymmetryMode::kOff)
    options.sample.scalarsets = symmetry::scalarsets_of(program);
  InterpSource engines(program);
  return find_measures(program, engines, options);
}

std::vector<std::string> texts_of(const Measure& measure) {
  std::vector<std::string> texts;
  for (const ir::ProgressComponent& component : measure.components)
    texts.push_back(component.text);
  return texts;
}

// Recounts edges and layers with the keys that the components' expressions give.
void expect_same_figures(const ir::Program& program, const Measure& measure, const FindOptions& options) {
  InterpSource engines(program);
  const Sample sample = take_sample(program, engines, options.sample);
  std::vector<std::uint64_t> keys(sample.size());
  for (StateIndex s = 0; s < keys.size(); ++s)
    keys[s] = key_of(measure.components, sample.state(s));
  const Estimate again = estimate(sample, without_gaps(keys));
  EXPECT_EQ(again.edges.regress, measure.estimate.edges.regress);
  EXPECT_EQ(again.edges.forward, measure.estimate.edges.forward);
  EXPECT_EQ(again.layers, measure.estimate.layers);
  EXPECT_EQ(again.largest_layer, measure.estimate.largest_layer);
  EXPECT_EQ(again.sweeps, measure.estimate.sweeps);
}

constexpr const char* kCounter = R"(
var n: 0..50; pc: enum {idle, work, done}; k: 0..3;
startstate begin n := 0; pc := idle; k := 0; end;
rule pc = idle & n < 50 ==> begin pc := work; end;
rule pc = work & k < 3 ==> begin k := k + 1; end;
rule pc = work ==> begin pc := done; n := n + 1; end;
rule pc = done ==> begin pc := idle; k := 0; end;
)";

TEST(FindMeasure, ACounterIsFoundAndProved) {
  const auto program = load(kCounter);
  const Findings findings = find(*program, small_sample());
  ASSERT_FALSE(findings.measures.empty());
  EXPECT_TRUE(findings.complete);
  const Measure& best = findings.measures.front();
  EXPECT_EQ(best.components.front().text, "n");
  EXPECT_EQ(best.estimate.sweeps, 1U);
  EXPECT_EQ(best.estimate.edges.regress, 0);
  EXPECT_EQ(best.level, 1U);
  FindOptions only = small_sample();
  only.level = 1;
  EXPECT_EQ(texts_of(find(*program, only).measures.at(0)), texts_of(best));
}

TEST(FindMeasure, AMeasureOfACountersNaturalOrderIsProved) {
  const auto program = load(R"(var x, y: 0..9; startstate begin x := 0; y := 9; end;
rule x < 9 ==> begin x := x + 1; end; rule y > 0 ==> begin y := y - 1; end;)");
  const Findings findings = find(*program, small_sample());
  ASSERT_EQ(findings.measures.size(), 1U);
  EXPECT_TRUE(findings.measures[0].is_proved);
  EXPECT_EQ(findings.measures[0].estimate.largest_layer, 1U);
  std::vector<std::string> texts = texts_of(findings.measures[0]);
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (std::vector<std::string>{"down y", "x"}));
}

TEST(FindMeasure, NothingMakesProgressInACycleThatMustNotRegress) {
  const auto program = load(R"(var x: 0..4; startstate begin x := 0; end;
rule true ==> begin x := (x + 1) % 5; end; rule true ==> begin x := (x + 4) % 5; end;)");
  FindOptions options = small_sample();
  options.level = 1;
  EXPECT_TRUE(find(*program, options).measures.empty());
}

TEST(FindMeasure, AModelWithOneState) {
  const auto program = load("var x: 0..4; startstate begin x := 0; end; rule x > 9 ==> begin x := 1; end;");
  const Findings findings = find(*program, small_sample());
  EXPECT_TRUE(findings.complete);
  EXPECT_TRUE(findings.measures.empty());
}

TEST(FindMeasure, UndefinedValuesAndMultisets) {
  const auto program = load(R"(
var x: 0..3; box: multiset[4] of 0..1; a: array[0..2] of boolean;
startstate begin undefine x; undefine a; end;
rule isundefined(x) ==> begin x := 3; end;
rule !isundefined(x) & x > 0 ==> begin x := x - 1; end;
rule "put" multisetcount(i: box, true) < 4 ==> begin multisetadd(0, box); end;
ruleset i: 0..2 do
  rule isundefined(a[i]) ==> begin a[i] := false; end;
  rule !isundefined(a[i]) & !a[i] ==> begin a[i] := true; end;
end;
)");
  const FindOptions options = small_sample();
  const Findings findings = find(*program, options);
  ASSERT_FALSE(findings.measures.empty());
  for (const Measure& measure : findings.measures)
    expect_same_figures(*program, measure, options);
  EXPECT_EQ(findings.measures.front().estimate.edges.regress, 0);
}

TEST(FindMeasure, ScalarsetsAreSummedUp) {
  const auto program = load(R"(
type pid: scalarset(4); role: enum {idle, voted, done};
var state: array[pid] of role; who: pid;
startstate begin for p: pid do state[p] := idle; end; undefine who; end;
ruleset p: pid do
  rule state[p] = idle ==> begin state[p] := voted; who := p; end;
  rule state[p] = voted ==> begin state[p] := done; end;
end;)");
  FindOptions options = small_sample();
  options.sample.symmetry = SymmetryMode::kOn;
  const Findings findings = find(*program, options);
  ASSERT_FALSE(findings.measures.empty());
  EXPECT_EQ(findings.measures.front().components.front().text, "sum state[*]");
  for (const Measure& measure : findings.measures)
    for (const std::string& text : texts_of(measure))
      EXPECT_TRUE(text.find("sum state[*]") != std::string::npos) << text;
}

TEST(FindMeasure, IsDeterministicForASeed) {
  const auto program = load(kCounter);
  FindOptions options = small_sample(40);  // a sample in which walks matter
  const Findings first = find(*program, options);
  const Findings second = find(*program, options);
  EXPECT_FALSE(first.complete);
  ASSERT_EQ(first.measures.size(), second.measures.size());
  for (std::size_t i = 0; i < first.measures.size(); ++i) {
    EXPECT_EQ(texts_of(first.measures[i]), texts_of(second.measures[i]));
    EXPECT_EQ(first.measures[i].score, second.measures[i].score);
  }
}

// Our own models: bounds hold, keys fit, expressions say what the figures say.
TEST(FindMeasure, BundledModelsKeepTheirBounds) {
  namespace fs = std::filesystem;
  std::vector<fs::path> paths;
  for (const char* folder : {"murphi", "dve"})
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(TIDELINE_SOURCE_DIR) / "models" / folder))
      if (entry.is_regular_file())
        paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.filename().string());
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const auto program = load(text.str(), path.extension() == ".dve");
    ASSERT_NE(program, nullptr);
    const FindOptions options = small_sample(1'000);
    const Findings findings = find(*program, options);
    for (const Measure& measure : findings.measures) {
      EXPECT_LE(measure.estimate.worst_regress, kRegressBounds.at(measure.level - 1));
      EXPECT_LE(measure.key_bits, ir::kProgressBitsMax);
      EXPECT_TRUE(measure.level > 1 || measure.estimate.sweeps == 1);
      expect_same_figures(*program, measure, options);
    }
  }
}

}  // namespace
}  // namespace tideline::progress
