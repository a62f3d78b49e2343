// SPDX-License-Identifier: MIT
// DVE models through the real program: what a user types and reads.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.h"

namespace tideline::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kPingPong =
    "byte hits; channel ball;\n"
    "process Ping { state serve, wait; init serve;\n"
    "  trans serve -> wait { guard hits < 250; sync ball!hits + 1; }, wait -> serve { sync ball?hits; }; }\n"
    "process Pong { byte last; state ready, hit; init ready;\n"
    "  trans ready -> hit { sync ball?last; }, hit -> ready { sync ball!last + 9; }; }\n"
    "system async;\n";

Json run_json(const Sandbox& box, std::vector<std::string> arguments, int status) {
  arguments.insert(arguments.end(), {"--json", "-", "--quiet"});
  const RunResult result = box.run(arguments);
  EXPECT_EQ(result.status, status) << result.out << result.err;
  return Json::parse(result.out, nullptr, false);
}

TEST(Dve, StepsNameProcessesLinesAndValues) {
  const Sandbox box;
  const RunResult result = box.run({"check", box.write("game.dve", kPingPong), "--invariant", "Pong->last < 11"});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_NE(result.out.find("Ping: serve -> wait (line 3), Pong: ready -> hit (line 5), ball"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("ball!11"), std::string::npos) << result.out;
}

TEST(Dve, DeadlockMeansNothingIsEnabled) {
  const Sandbox box;
  const std::string model = box.write("game.dve", kPingPong);
  const Json on = run_json(box, {"check", model}, 1);
  EXPECT_EQ(on.at("reason"), "deadlock");
  const Json off = run_json(box, {"check", model, "--deadlock", "off"}, 0);
  EXPECT_EQ(off.at("deadlocks"), 1);
  EXPECT_EQ(off.at("states"), 51);
}

TEST(Dve, AByteOrderMarkIsNoPartOfTheModel) {
  const Sandbox box;
  const std::string model = box.write("game.dve", "\xef\xbb\xbf" + std::string(kPingPong));
  EXPECT_EQ(run_json(box, {"check", model, "--deadlock", "off"}, 0).at("states"), 51);
}

TEST(Dve, ErrorsStopCountOrWrap) {
  const Sandbox box;
  const std::string model =
      box.write("down.dve",
                "byte x = 2; process P { state p; init p; trans p -> p { guard x < 3; effect x = x - 1; }; } system "
                "async;");
  const Json stop = run_json(box, {"check", model, "--deadlock", "off"}, 1);
  EXPECT_EQ(stop.at("reason"), "error");
  const Json state = run_json(box, {"check", model, "--deadlock", "off", "--on-error", "state"}, 1);
  EXPECT_EQ(state.at("states"), 4);
  EXPECT_EQ(state.at("deadlocks"), 1);
  const Json wrap = run_json(box, {"check", model, "--deadlock", "off", "--on-error", "wrap"}, 0);
  EXPECT_EQ(wrap.at("states"), 4);
  EXPECT_EQ(wrap.at("edges"), 3);
}

TEST(Dve, AnIndexIsWrongWhereItStands) {
  const Sandbox box;
  for (const std::string array : {"const byte table[2] = {1, 2};", "byte table[2] = {1, 2};"}) {
    const std::string model = box.write("index.dve", array +
                                                         "\nbyte x;\nprocess P { state p; init p; trans\n"
                                                         "  p -> p { guard table[x] > 0; effect x = x + 1; },\n"
                                                         "  p -> p { guard x < 2 and table[x] < 3; }; }\n"
                                                         "system async;\n");
    for (const std::string engine : {"interp", "native"}) {
      const RunResult result = box.run({"check", model, "--engine", engine, "--quiet"});
      EXPECT_EQ(result.status, 1) << result.err;
      EXPECT_NE(result.out.find("index.dve:4:18"), std::string::npos) << result.out;
    }
  }
}

TEST(Dve, NamesMayHaveSignsInBothEngines) {
  const Sandbox box;
  const std::string model = box.write("signs.dve",
                                      "byte a$1, b#;\nprocess P$ { byte c#$; state p#, q$; init p#;\n"
                                      "  trans p# -> q$ { guard a$1 == 0and b# < 3; effect b# = b# + 1; },\\\n"
                                      "  q$ -> p# { effect c#$ = b#; }; }\nsystem async;\n");
  for (const std::string engine : {"interp", "native"})
    EXPECT_EQ(run_json(box, {"check", model, "--deadlock", "off", "--engine", engine}, 0).at("states"), 7);
}

TEST(Dve, InfoShowsProcessesAndNarrowedBits) {
  const Sandbox box;
  const RunResult result = box.run({"info", box.write("game.dve", kPingPong), "--json", "-"});
  EXPECT_EQ(result.status, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("components").size(), 2U);
  EXPECT_EQ(json.at("components").at(0).at("name"), "Ping");
  for (const Json& variable : json.at("variables"))
    if (variable.at("name") == "hits") {
      EXPECT_EQ(variable.at("declared_bits"), 8);
    }
}

TEST(Dve, OnErrorIsNotForMurphi) {
  const Sandbox box;
  const std::string model = box.write("one.m", "var x: 0..1; startstate begin x := 0; end;");
  const RunResult result = box.run({"check", model, "--on-error", "wrap"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("is for DVE models"), std::string::npos) << result.err;
}

TEST(Dve, BadInputHasAPlace) {
  const Sandbox box;
  const RunResult result =
      box.run({"check", box.write("bad.dve", "byte x;\nprocess P { state p; init q; }\nsystem async;")});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("bad.dve:2:"), std::string::npos) << result.err;
  const RunResult invariant = box.run({"check", box.write("game.dve", kPingPong), "--invariant", "balls > 0"});
  EXPECT_EQ(invariant.status, 2);
  EXPECT_NE(invariant.err.find("balls"), std::string::npos) << invariant.err;
}

}  // namespace
}  // namespace tideline::testing
