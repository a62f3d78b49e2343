// SPDX-License-Identifier: MIT
// `tideline check` as scripts see it: exit statuses, JSON fields, limits, interruption, output streams.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "cli/run_program.h"

namespace tideline::testing {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::set<std::string> keys(const Json& object) {
  std::set<std::string> result;
  for (const auto& item : object.items())
    result.insert(item.key());
  return result;
}

// Runs `check MODEL --json -` and parses what is on standard output.
Json check_json(const Sandbox& box, const std::string& model, std::vector<std::string> more, int status) {
  std::vector<std::string> arguments = {"check", model, "--json", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const RunResult result = box.run(arguments);
  EXPECT_EQ(result.status, status) << result.err;
  return Json::parse(result.out);
}

TEST(CheckJson, HasExactlyTheDocumentedFields) {
  const Sandbox box;
  const Json json = check_json(box, box.write("model.m", kCounterModel), {}, 0);
  EXPECT_EQ(keys(json), (std::set<std::string>{"tool",
                                               "version",
                                               "model",
                                               "search",
                                               "engine",
                                               "threads",
                                               "symmetry",
                                               "verdict",
                                               "reason",
                                               "property",
                                               "states",
                                               "visited",
                                               "deadlocks",
                                               "edges",
                                               "levels",
                                               "state_bits",
                                               "seconds",
                                               "compile_seconds",
                                               "peak_rss_bytes",
                                               "peak_states",
                                               "memory_budget_bytes",
                                               "omission_probability",
                                               "io",
                                               "sweep",
                                               "trace"}));
  EXPECT_EQ(keys(json.at("io")),
            (std::set<std::string>{"state_reads", "state_writes", "bytes_read", "bytes_written", "disk_peak_bytes"}));
  EXPECT_EQ(keys(json.at("sweep")), (std::set<std::string>{"sweeps", "layers", "persistent", "regress_edges",
                                                           "forward_edges", "stationary_edges", "largest_layer"}));
  EXPECT_EQ(json.at("tool"), "tideline");
  EXPECT_EQ(json.at("search"), "bfs");
  EXPECT_EQ(json.at("threads"), 1);
  EXPECT_EQ(json.at("verdict"), "holds");
  EXPECT_EQ(json.at("reason"), "complete");
  EXPECT_EQ(json.at("property"), nullptr);
  EXPECT_EQ(json.at("trace"), nullptr);
  EXPECT_EQ(json.at("states"), 6);
  EXPECT_EQ(json.at("visited"), 6);
  EXPECT_EQ(json.at("edges"), 6);
  EXPECT_EQ(json.at("levels"), 5);
  EXPECT_EQ(json.at("state_bits"), 3);
  EXPECT_EQ(json.at("omission_probability"), 0);
  EXPECT_LE(json.at("peak_rss_bytes"), json.at("memory_budget_bytes"));
}

TEST(CheckJson, TraceOfAViolatedInvariant) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  const Json json = check_json(box, model, {"--invariant", "x < 3"}, 1);
  EXPECT_EQ(json.at("verdict"), "violated");
  EXPECT_EQ(json.at("reason"), "invariant");
  EXPECT_TRUE(json.at("property").is_string());
  ASSERT_EQ(json.at("trace").size(), 4U);
  EXPECT_EQ(json.at("trace").at(0).at("rule"), "zero");
  EXPECT_EQ(json.at("trace").at(3), (Json{{"rule", "up"}, {"state", {{"x", 3}}}}));
}

TEST(CheckJson, ValuesByKind) {
  const Sandbox box;
  const std::string model = box.write("model.m", R"(
type color_t: enum {red, green}; pid_t: scalarset(2);
var flag: boolean; color: color_t; pid: pid_t; number: -2..2; nothing: 0..1;
  grid: array[color_t] of record a: boolean; b: 0..1; end; net: multiset[3] of 0..7;
startstate "s" begin flag := true; color := green; undefine pid; number := -2; undefine nothing;
  for c: color_t do grid[c].a := false; undefine grid[c].b; end; undefine net; multisetadd(5, net); end;
rule "stop" true ==> begin assert false "halt"; end;
)");
  const Json json = check_json(box, model, {}, 1);
  EXPECT_EQ(json.at("reason"), "assertion");
  EXPECT_EQ(json.at("property"), "halt");
  ASSERT_EQ(json.at("trace").size(), 1U);
  const Json expected = {{"flag", true},
                         {"color", "green"},
                         {"pid", nullptr},
                         {"number", -2},
                         {"nothing", nullptr},
                         {"grid[red].a", false},
                         {"grid[red].b", nullptr},
                         {"grid[green].a", false},
                         {"grid[green].b", nullptr},
                         {"net{0}", 5}};
  EXPECT_EQ(json.at("trace").at(0).at("state"), expected);
}

TEST(CheckJson, RunTimeErrorsHaveNames) {
  const Sandbox box;
  const std::string head = "var x: 0..3; a: array[0..3] of 0..3; u: 0..3; startstate begin x := 0; end; rule begin ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"x := x + 4;", "value out of range"},
      {"x := a[x + 4];", "index out of range"},
      {"x := u + 1;", "undefined value"},
      {"x := 1 / x;", "arithmetic error"},
      {"while true do x := 0; end;", "loop or recursion limit"}};
  for (const auto& [statement, property] : cases) {
    const Json json = check_json(box, box.write("model.m", head + statement + " end;"), {}, 1);
    EXPECT_EQ(json.at("reason"), "error") << statement;
    EXPECT_EQ(json.at("property"), property) << statement;
  }
}

TEST(CheckJson, IsWrittenWholeOrNotAtAll) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  const RunResult result = box.run({"check", model, "--json", box.path("result.json")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "HOLDS"));
  EXPECT_EQ(Json::parse(box.read("result.json")).at("verdict"), "holds");
  for (const auto& entry : std::filesystem::directory_iterator(box.path("")))
    EXPECT_FALSE(contains(entry.path().filename().string(), "result.json.")) << "a temporary file is left";
}

TEST(CheckTrace, FileHasEveryVariableOfEveryStep) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  const RunResult result = box.run({"check", model, "--invariant", "x < 3", "--trace", box.path("trace.json")});
  EXPECT_EQ(result.status, 1) << result.err;
  const Json json = Json::parse(box.read("trace.json"));
  EXPECT_EQ(keys(json), (std::set<std::string>{"tool", "version", "model", "verdict", "reason", "property", "message",
                                               "where", "failing_rule", "trace"}));
  EXPECT_EQ(json.at("trace").size(), 4U);
  EXPECT_EQ(json.at("trace").at(2).at("state").at("x"), 2);
}

TEST(CheckText, VerdictComesFirstAndStepsAreNumbered) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  const RunResult holds = box.run({"check", model});
  EXPECT_TRUE(holds.out.starts_with("HOLDS")) << holds.out;
  EXPECT_TRUE(contains(holds.out, "states")) << holds.out;
  EXPECT_EQ(holds.err, "");
  const RunResult violated = box.run({"check", model, "--invariant", "x < 2"});
  EXPECT_EQ(violated.status, 1);
  EXPECT_TRUE(violated.out.starts_with("VIOLATED")) << violated.out;
  EXPECT_TRUE(contains(violated.out, "    0  zero\n")) << violated.out;
  EXPECT_TRUE(contains(violated.out, "    2  up\n        x  1 -> 2\n")) << violated.out;
}

TEST(CheckText, QuietSaysOnlyTheVerdict) {
  const Sandbox box;
  const RunResult result = box.run({"check", box.write("model.m", kCounterModel), "--quiet"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
  EXPECT_EQ(result.err, "");
}

TEST(CheckDeadlock, ThreeModes) {
  const Sandbox box;
  const std::string stuck =
      box.write("stuck.m", "var x: 0..1; startstate begin x := 0; end; rule x = 0 ==> begin x := 1; end;");
  const std::string loop =
      box.write("loop.m", "var x: 0..1; startstate begin x := 0; end; rule true ==> begin x := 1; end;");
  EXPECT_EQ(check_json(box, stuck, {}, 1).at("reason"), "deadlock");
  EXPECT_EQ(check_json(box, loop, {}, 1).at("reason"), "deadlock");
  EXPECT_EQ(check_json(box, stuck, {"--deadlock", "stuck"}, 1).at("reason"), "deadlock");
  EXPECT_EQ(check_json(box, loop, {"--deadlock", "stuck"}, 0).at("reason"), "complete");
  EXPECT_EQ(check_json(box, stuck, {"--deadlock", "off"}, 0).at("reason"), "complete");
  EXPECT_EQ(check_json(box, loop, {"--deadlock", "off"}, 0).at("reason"), "complete");
}

TEST(CheckLimits, Time) {
  const Sandbox box;
  const std::string model = box.write("model.m", kLargeModel);
  const RunResult result = box.run({"check", model, "--time-limit", "500ms", "--json", box.path("result.json")});
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_TRUE(result.out.starts_with("UNKNOWN")) << result.out;
  EXPECT_LT(result.seconds, 10);
  const Json json = Json::parse(box.read("result.json"));
  EXPECT_EQ(json.at("verdict"), "unknown");
  EXPECT_EQ(json.at("reason"), "time");
  EXPECT_GT(json.at("states"), 0);
}

TEST(CheckLimits, Memory) {
  const Sandbox box;
  const std::string model = box.write("model.m", kLargeModel);
  const std::pair<const char*, const char*> settings[] = {{"native", "1"}, {"native", "4"}, {"interp", "1"}};
  for (const auto& [engine, threads] : settings) {
    const RunResult result = box.run({"check", model, "--search", "bfs", "--memory", "64M", "--engine", engine,
                                      "--threads", threads, "--json", box.path("result.json")});
    EXPECT_EQ(result.status, 3) << result.err;
    const Json json = Json::parse(box.read("result.json"));
    EXPECT_EQ(json.at("reason"), "memory");
    EXPECT_EQ(json.at("memory_budget_bytes"), 64U << 20);
#ifndef TIDELINE_SANITIZED
    EXPECT_LE(json.at("peak_rss_bytes"), 64U << 20);
#endif
  }
#ifndef TIDELINE_SANITIZED  // a sanitizer needs more than the least budget for itself
  const RunResult raised = box.run({"check", box.write("small.m", kCounterModel), "--memory", "1M"});
  EXPECT_EQ(raised.status, 0) << raised.err;
  EXPECT_TRUE(contains(raised.err, "32 MiB")) << raised.err;
#endif
}

TEST(CheckInterrupt, EndsCleanlyWithTheFiguresSoFar) {
  const Sandbox box;
  RunOptions options;
  options.interrupt_after_seconds = 0.6;
  const RunResult result =
      box.run({"check", box.write("model.m", kLargeModel), "--json", box.path("result.json")}, options);
  EXPECT_EQ(result.status, 130) << result.err;
  EXPECT_TRUE(contains(result.out, "interrupted")) << result.out;
  EXPECT_LT(result.seconds, 10);
  const Json json = Json::parse(box.read("result.json"));
  EXPECT_EQ(json.at("reason"), "interrupted");
  EXPECT_GT(json.at("states"), 0);
}

TEST(CheckProgress, PlainLinesWhenNotOnATerminal) {
  const Sandbox box;
  const std::string model = box.write("model.m", kLargeModel);
  const RunResult result = box.run({"check", model, "--time-limit", "6", "--memory", "4G", "--threads", "1"});
  EXPECT_TRUE(contains(result.err, " states  ")) << result.err;
  EXPECT_EQ(result.err.find('\r'), std::string::npos);
  const RunResult quiet = box.run({"check", model, "--time-limit", "6", "--memory", "4G", "--threads", "1", "--quiet"});
  EXPECT_EQ(quiet.err, "");
}

TEST(CheckThreads, CountsDoNotDependOnThem) {
  const Sandbox box;
  const std::string model = box.write("model.m", kLargeModel);
  for (const char* threads : {"1", "2", "4"}) {
    const Json json = check_json(box, model, {"--define", "N=12", "--threads", threads}, 0);
    EXPECT_EQ(json.at("states"), 4096) << threads;
    EXPECT_EQ(json.at("edges"), 4096 * 12) << threads;
    EXPECT_EQ(json.at("levels"), 12) << threads;
  }
}

// The options that choose how visited states are kept.
const std::vector<std::vector<std::string>> kSets = {
    {"--table", "auto"}, {"--table", "plain"}, {"--table", "collapse"}, {"--table", "tree"}, {"--compact", "40"}};

// The counter with states of at most 64 bits, and with longer ones, which `auto` and `tree` keep otherwise.
std::vector<std::string> short_and_long(const Sandbox& box) {
  const std::string counter(kCounterModel);
  return {box.write("short.m", counter), box.write("long.m", "var filler: array[1..70] of boolean;\n" + counter)};
}

TEST(CheckSets, AgreeOnCounts) {
  const Sandbox box;
  const std::string model = box.write("model.m", kLargeModel);
  for (std::vector<std::string> options : kSets) {
    options.insert(options.end(), {"--define", "N=14", "--threads", "2"});
    const Json json = check_json(box, model, options, 0);
    EXPECT_EQ(json.at("states"), 16384) << options[1];
    EXPECT_EQ(json.at("edges"), 16384 * 14) << options[1];
    EXPECT_EQ(json.at("levels"), 14) << options[1];
    EXPECT_EQ(json.at("omission_probability") > 0, options[0] == "--compact");
    EXPECT_LT(json.at("omission_probability"), 1e-9);
  }
}

TEST(CheckSets, FindShortestPaths) {
  const Sandbox box;
  for (const std::string& model : short_and_long(box)) {
    for (std::vector<std::string> options : kSets) {
      options.insert(options.end(), {"--invariant", "x != 4", "--threads", "2"});
      const Json json = check_json(box, model, options, 1);
      EXPECT_EQ(json.at("reason"), "invariant") << model << options[1];
      EXPECT_EQ(json.at("trace").size(), 5U) << model << options[1];
    }
  }
}

// A state of 600,001 bits has thousands of parts: keys made of them would take a minute for each.
TEST(CheckSets, LongStatesAreNotDivided) {
  const Sandbox box;
  const std::string model = box.write("model.m",
                                      "var x: array[1..300000] of boolean; y: boolean;\n"
                                      "startstate clear x; y := false; end;\nrule true ==> y := !y; end;\n");
  for (const char* search : {"auto", "bfs", "runs"}) {
    const Json json = check_json(box, model, {"--engine", "interp", "--search", search, "--memory", "1G"}, 0);
    EXPECT_EQ(json.at("states"), 2) << search;
  }
}

TEST(CheckSets, StayWithinTheBudget) {
  const Sandbox box;
  const std::string model = box.write("model.m", kLargeModel);
  for (std::vector<std::string> options : kSets) {
    // A set does not know its engine: the slower one fills the first.
    const char* engine = options[1] == "auto" ? "interp" : "native";
    options.insert(options.end(), {"--search", "bfs", "--memory", "64M", "--engine", engine, "--threads", "2"});
    const Json json = check_json(box, model, options, 3);
    EXPECT_EQ(json.at("reason"), "memory") << options[1];
#ifndef TIDELINE_SANITIZED
    EXPECT_LE(json.at("peak_rss_bytes"), json.at("memory_budget_bytes")) << options[1];
#endif
  }
}

TEST(CheckCompact, TheVerdictGivesTheProbability) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  const RunResult result = box.run({"check", model, "--compact", "32", "--seed", "7"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(contains(result.out, "HOLDS (probability of a missed state <= 1.9e-14)")) << result.out;
  EXPECT_TRUE(contains(result.out, "in 6 reachable states")) << result.out;
  EXPECT_EQ(box.run({"check", model, "--compact", "31"}).status, 2);
  EXPECT_EQ(box.run({"check", model, "--compact", "65"}).status, 2);
  EXPECT_EQ(box.run({"check", model, "--compact", "40", "--table", "tree"}).status, 2);
}

TEST(CheckStart, AnswersWithinASecond) {
  const Sandbox box;
  const RunResult result = box.run({"check", box.write("model.m", kCounterModel)});
  EXPECT_EQ(result.status, 0);
  EXPECT_LT(result.seconds, 1);
}

TEST(CheckOutput, WhatCannotBeWrittenIsAnEnvironmentError) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  EXPECT_EQ(box.run({"check", model, "--trace", "/dev/full"}).status, 4);
  for (const char* path : {"/dev/full", "closed"}) {
    RunOptions options;
    options.out_path = path;
    const RunResult result = box.run({"check", model, "--json", box.path("result.json")}, options);
    EXPECT_EQ(result.status, 4) << path;
    EXPECT_TRUE(contains(result.err, "standard output")) << result.err;
    EXPECT_EQ(Json::parse(box.read("result.json")).at("states"), 6) << path;  // and no text of ours in it
    EXPECT_EQ(box.run({"--help"}, options).status, 4) << path;
  }
}

TEST(CheckOutput, LosingStandardErrorDoesNoHarm) {
  const Sandbox box;
  for (const char* path : {"/dev/full", "closed"}) {
    RunOptions options;
    options.err_path = path;
    EXPECT_EQ(box.run({"check", box.write("model.m", kCounterModel)}, options).status, 0) << path;
    EXPECT_EQ(box.run({"check", box.write("bad.m", "nonsense")}, options).status, 2) << path;
    EXPECT_EQ(box.run({"nonsense"}, options).status, 2) << path;
  }
}

}  // namespace
}  // namespace tideline::testing
