// SPDX-License-Identifier: MIT
// `tideline progress` as users meet it: the table, JSON, levels, what is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.h"

namespace tideline::testing {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kStages = R"(
type pid: scalarset(3);
var stage: array[pid] of enum {fresh, busy, done}; rounds: 0..20;
startstate begin for p: pid do stage[p] := fresh; end; rounds := 0; end;
ruleset p: pid do
  rule stage[p] = fresh ==> begin stage[p] := busy; end;
  rule stage[p] = busy ==> begin stage[p] := done; end;
end;
rule "again" rounds < 20 & forall p: pid do stage[p] = done end ==>
begin rounds := rounds + 1; for p: pid do stage[p] := fresh; end; end;
)";

TEST(Progress, TheTableHasTheBestFirstAndSaysHowToUseIt) {
  const Sandbox box;
  const RunResult result = box.run({"progress", box.write("stages.m", kStages)});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("the figures are exact"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("rounds"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("sum stage[*]"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("--progress auto:1"), std::string::npos) << result.out;
}

TEST(Progress, JsonHasTheFigures) {
  const Sandbox box;
  const RunResult result = box.run({"progress", box.write("stages.m", kStages), "--level", "1", "--json", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(json.at("sampled_states"), 210);  // 21 rounds, 10 multisets of three stages
  ASSERT_EQ(json.at("measures").size(), 1U);
  const Json& measure = json.at("measures").at(0);
  EXPECT_EQ(measure.at("level"), 1);
  EXPECT_EQ(measure.at("regress_share"), 0);
  EXPECT_EQ(measure.at("sweeps"), 1);
  EXPECT_EQ(measure.at("components").at(0), "rounds");
}

TEST(Progress, TheSameForEveryEngineAndRun) {
  const Sandbox box;
  const std::string model = box.write("stages.m", kStages);
  const RunResult interp = box.run({"progress", model, "--engine", "interp"});
  EXPECT_EQ(box.run({"progress", model}).out, interp.out);
}

TEST(Progress, AModelWithoutProgress) {
  const Sandbox box;
  const RunResult result = box.run(
      {"progress", box.write("one.m", "var x: boolean; startstate begin x := true; end; rule begin x := true; end;")});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("no progress measure was found"), std::string::npos) << result.out;
}

TEST(Progress, RefusesWhatItCannotDo) {
  const Sandbox box;
  EXPECT_EQ(box.run({"progress", box.write("stages.m", kStages), "--level", "7"}).status, 2);
  EXPECT_EQ(box.run({"progress", box.write("bad.m", "var x")}).status, 2);
  EXPECT_EQ(box.run({"progress", box.path("stages.m"), "--json", box.path("no/such/file")}).status, 2);
}

TEST(Progress, ALargeModelCanBeInterrupted) {
  const Sandbox box;
  RunOptions options;
  options.interrupt_after_seconds = 0.3;
  const RunResult result = box.run({"progress", box.write("large.m", kLargeModel)}, options);
  EXPECT_TRUE(result.status == 130 || result.status == 0) << result.status << result.err;
}

}  // namespace
}  // namespace tideline::testing
