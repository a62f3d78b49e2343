// SPDX-License-Identifier: MIT
// `tideline simulate` and `tideline info` as users see them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.h"

namespace tideline::testing {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Simulate, TheSeedDecides) {
  const Sandbox box;
  const std::string model = box.write("model.m", kLargeModel);
  const auto walk = [&](const char* seed) {
    const RunResult result = box.run({"simulate", model, "--seed", seed, "--steps", "20"});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  };
  EXPECT_EQ(walk("7"), walk("7"));
  EXPECT_NE(walk("7"), walk("8"));
  EXPECT_TRUE(contains(walk("7"), "   20  flip, i = ")) << walk("7");
  EXPECT_FALSE(contains(walk("7"), "   21  "));
}

TEST(Simulate, StopsAtAViolation) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  const RunResult result = box.run({"simulate", model, "--invariant", "x < 3", "--trace", box.path("walk.json")});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(contains(result.out, "VIOLATED  after 3 steps")) << result.out;
  const Json json = Json::parse(box.read("walk.json"));
  EXPECT_EQ(json.at("trace").size(), 4U);
  EXPECT_TRUE(json.at("message").is_string());
}

TEST(Simulate, StopsAtADeadlockAndAtAFailure) {
  const Sandbox box;
  const RunResult deadlock = box.run({"simulate", box.write("a.m",
                                                            "var x: 0..1; startstate begin x := 0; end; "
                                                            "rule x = 0 ==> begin x := 1; end;")});
  EXPECT_EQ(deadlock.status, 1);
  EXPECT_TRUE(contains(deadlock.out, "deadlock")) << deadlock.out;
  const RunResult failure =
      box.run({"simulate", box.write("b.m", "var x: 0..1; startstate begin x := 0; end; rule begin x := x + 1; end;")});
  EXPECT_EQ(failure.status, 1);
  EXPECT_TRUE(contains(failure.out, "b.m:1:")) << failure.out;
}

TEST(Simulate, PrintsWhatTheModelPuts) {
  const Sandbox box;
  const RunResult result = box.run({"simulate",
                                    box.write("a.m",
                                              "var x: 0..9; startstate begin x := 4; end; "
                                              "rule begin put \"x is \"; put x; x := 4; end;"),
                                    "--deadlock", "off", "--steps", "1"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "x is 4")) << result.out;
}

TEST(Simulate, Interactive) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  RunOptions options;
  options.input = "?\n1\n1\n1\nu\n9\nnonsense\n\nr\ns\nq\n";
  const RunResult result = box.run({"simulate", model, "--interactive"}, options);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "undo one step")) << result.out;
  EXPECT_TRUE(contains(result.out, "start states:\n    1  zero\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "enabled rules:\n    1  up\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "x  0 -> 1")) << result.out;
  EXPECT_TRUE(contains(result.out, "undone")) << result.out;
  EXPECT_TRUE(contains(result.out, "'nonsense' is no choice")) << result.out;
}

TEST(Simulate, InteractiveEndsWithItsInput) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  EXPECT_EQ(box.run({"simulate", model, "--interactive"}).status, 0);
  RunOptions options;
  options.input = "1\n1\n1";
  const RunResult violated = box.run({"simulate", model, "--interactive", "--invariant", "x < 2"}, options);
  EXPECT_EQ(violated.status, 1) << violated.out;
  EXPECT_TRUE(contains(violated.out, "VIOLATED")) << violated.out;
}

TEST(Info, ShowsWhatTheModelConsistsOf) {
  const Sandbox box;
  const std::string model = box.write("model.m", kLargeModel);
  const RunResult result = box.run({"info", model, "--define", "N=7"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "14 bits")) << result.out;
  EXPECT_TRUE(contains(result.out, "7 instances")) << result.out;
  EXPECT_TRUE(contains(result.out, "the language has no processes")) << result.out;
  const RunResult json_run = box.run({"info", model, "--json", "-"});
  EXPECT_EQ(json_run.status, 0);
  const Json json = Json::parse(json_run.out);
  EXPECT_EQ(json.at("state_bits"), 100);
  EXPECT_EQ(json.at("rules").at(0).at("instances"), 50);
  EXPECT_EQ(json.at("variables").at(0).at("name"), "bits");
}

}  // namespace
}  // namespace tideline::testing
