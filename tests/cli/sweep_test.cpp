// SPDX-License-Identifier: MIT
// Sweeps as users meet them: measures from the model, the command line and found ones; figures, profile, paths, limits,
// going on.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.h"

namespace tideline::testing {
namespace {

using Json = nlohmann::json;

// 8 x 8 points and a way back from the last to (0, 1): with the measure x that is a step back.
constexpr std::string_view kGrid = R"(var x: 0..7; y: 0..7;
startstate begin x := 0; y := 0; end;
rule "right" x < 7 ==> begin x := x + 1; end;
rule "up" y < 7 ==> begin y := y + 1; end;
rule "back" x = 7 & y = 7 ==> begin x := 0; y := 1; end;
)";

Json report_of(const Sandbox& box, std::vector<std::string> arguments, int status = 0) {
  arguments.insert(arguments.begin(), "check");
  arguments.insert(arguments.end(), {"--json", box.path("report.json")});
  const RunResult result = box.run(arguments);
  EXPECT_EQ(result.status, status) << result.out << result.err;
  return Json::parse(box.read("report.json"));
}

std::string bundled(const std::string& name) {
  return std::string(TIDELINE_SOURCE_DIR) + "/models/murphi/" + name;
}

// The example of the survey by Jensen, Kristensen and Mailund.
TEST(Sweep, TwoPhaseCommitTakesTwoSweepsAndThirteenStates) {
  const Sandbox box;
  for (const char* search : {"auto", "sweep", "disk-sweep"}) {
    const Json report = report_of(box, {bundled("commit_phases.m"), "--search", search});
    EXPECT_EQ(report.at("search"), search == std::string("auto") ? "sweep" : search);
    EXPECT_EQ(report.at("verdict"), "holds");
    EXPECT_EQ(report.at("states"), nullptr);
    EXPECT_EQ(report.at("visited"), 38);
    EXPECT_EQ(report.at("peak_states"), 13);
    const Json& sweep = report.at("sweep");
    EXPECT_EQ(sweep.at("sweeps"), 2);
    EXPECT_EQ(sweep.at("layers"), 6);
    EXPECT_EQ(sweep.at("largest_layer"), 9);
    EXPECT_EQ(sweep.at("persistent"), 1);
    EXPECT_EQ(sweep.at("regress_edges"), 8);
    EXPECT_EQ(sweep.at("forward_edges"), 10);
    EXPECT_EQ(sweep.at("stationary_edges"), 36);
  }
}

TEST(Sweep, AMonotoneMeasureVisitsEveryStateOnceAndSaysSo) {
  const Sandbox box;
  const RunResult result = box.run({"check", bundled("connection.m"), "--deadlock", "off"});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("1,259 reachable states, each visited once: progress is monotone"), std::string::npos)
      << result.out;
  const Json report = report_of(box, {bundled("connection.m"), "--deadlock", "off"});
  EXPECT_EQ(report.at("states"), 1259);
  EXPECT_LE(report.at("peak_states"), 1259 / 5);
}

TEST(Sweep, MeasuresOfTheCommandLineOverrideTheModels) {
  const Sandbox box;
  const std::string model = bundled("commit_phases.m");
  EXPECT_EQ(report_of(box, {model, "--progress", "none"}).at("search"), "bfs");
  const Json down = report_of(box, {model, "--progress", "down coordinator"});
  EXPECT_EQ(down.at("search"), "sweep");
  EXPECT_GT(down.at("sweep").at("sweeps"), 2);
  const Json found = report_of(box, {box.write("grid.m", kGrid), "--progress", "auto", "--search", "disk-sweep"});
  EXPECT_EQ(found.at("verdict"), "holds");
  EXPECT_GE(found.at("visited"), 64);
}

TEST(Sweep, AutoKeepsToATableThatWasAskedFor) {
  const Sandbox box;
  EXPECT_EQ(report_of(box, {bundled("commit_phases.m"), "--compact", "40"}).at("search"), "bfs");
  EXPECT_EQ(report_of(box, {bundled("commit_phases.m"), "--table", "plain"}).at("states"), 19);
}

TEST(Sweep, NeedsAMeasure) {
  const Sandbox box;
  const RunResult result = box.run({"check", box.write("grid.m", kGrid), "--search", "sweep"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("--progress auto"), std::string::npos) << result.err;
  EXPECT_EQ(box.run({"check", box.write("grid.m", kGrid), "--search", "bfs", "--profile", box.path("p.csv")}).status,
            2);
  EXPECT_EQ(box.run({"check", box.write("grid.m", kGrid), "--search", "sweep", "--compact", "40"}).status, 2);
}

TEST(Sweep, TheProfileHasALinePerLayer) {
  const Sandbox box;
  const Json report = report_of(box, {box.write("grid.m", kGrid), "--progress", "x", "--profile", box.path("p.csv")});
  const std::string profile = box.read("p.csv");
  EXPECT_TRUE(profile.starts_with("sweep,key,states,levels,waiting,persistent\n1,1,8,8,")) << profile;
  EXPECT_EQ(std::count(profile.begin(), profile.end(), '\n'), report.at("sweep").at("layers").get<int>() + 1);
}

TEST(Sweep, ViolationsHaveAPathUnlessNoneIsWanted) {
  const Sandbox box;
  const std::string model = box.write("grid.m", kGrid);
  const std::vector<std::string> arguments = {model, "--progress", "x", "--invariant", "x + y < 14"};
  const Json report = report_of(box, arguments, 1);
  EXPECT_EQ(report.at("reason"), "invariant");
  EXPECT_EQ(report.at("trace").size(), 15);
  std::vector<std::string> without = arguments;
  without.insert(without.end(), {"--trace", "none"});
  const Json bare = report_of(box, without, 1);
  EXPECT_EQ(bare.at("reason"), "invariant");
  EXPECT_EQ(bare.at("trace"), nullptr);
  without.insert(without.begin(), "check");
  EXPECT_NE(box.run(without).out.find("no path was recorded"), std::string::npos);
}

TEST(Sweep, GoesOnAfterALimit) {
  const Sandbox box;
  const std::vector<std::string> arguments = {
      "check",     bundled("connection.m"), "--deadlock",   "off",       "--define",     "SEGMENTS=400",
      "--define",  "CAPACITY=10",           "--define",     "RETRIES=8", "--checkpoint", "0",
      "--workdir", box.path("work"),        "--time-limit", "1ms",       "--engine",     "interp"};
  const RunResult stopped = box.run(arguments);
  ASSERT_EQ(stopped.status, 3) << stopped.out << stopped.err;
  EXPECT_NE(stopped.err.find("tideline resume"), std::string::npos) << stopped.err;
  const RunResult rest = box.run({"resume", box.path("work"), "--time-limit", "0", "--checkpoint", "10", "--engine",
                                  "native", "--json", box.path("report.json")});
  ASSERT_EQ(rest.status, 0) << rest.err;
  const Json report = Json::parse(box.read("report.json"));
  EXPECT_EQ(report.at("states"), 1872241);
  EXPECT_EQ(report.at("edges"), 20009208);
  EXPECT_EQ(report.at("sweep").at("sweeps"), 1);
}

}  // namespace
}  // namespace tideline::testing
