// SPDX-License-Identifier: MIT
// --progress and the annotation of a model through the real program: what a user types and reads.
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

Json components(const Sandbox& box, const std::string& model, const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments = {"info", model, "--json", "-"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const RunResult result = box.run(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return Json::parse(result.out, nullptr, false).at("progress");
}

TEST(Measure, InfoShowsTextRangeAndBits) {
  const Sandbox box;
  const std::string model = box.write("model.m",
                                      "-- tideline: progress p, down x\n"
                                      "var x: 0..5; p: enum {idle, busy};\n"
                                      "startstate x := 0; p := idle; end; rule p = idle ==> p := busy; end;\n");
  const RunResult shown = box.run({"info", model});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_TRUE(contains(shown.out,
                       "\nprogress measure: 2 components, a key of 5 bits\n"
                       "  p             2 bits  idle..busy\n"
                       "  down x        3 bits  0..5\n"))
      << shown.out;
  EXPECT_EQ(components(box, model), (Json{{{"text", "p"}, {"bits", 2}, {"descending", false}},
                                          {{"text", "x"}, {"bits", 3}, {"descending", true}}}));
}

TEST(Measure, TheOptionChooses) {
  const Sandbox box;
  const std::string model = box.write("model.m", "-- tideline: progress x\n" + std::string(kCounterModel));
  EXPECT_EQ(components(box, model).size(), 1U);
  EXPECT_EQ(components(box, model, {"--progress", "none"}), Json::array());
  EXPECT_EQ(components(box, model, {"--progress", "x < N, N - x"}).at(1).at("text"), "N - x");
  EXPECT_TRUE(contains(box.run({"info", model, "--progress", "none"}).out, "\nprogress measure: none\n"));
  EXPECT_EQ(box.run({"check", model, "--progress", "down x", "--quiet"}).status, 0);
}

TEST(Measure, DveModelsHaveThemToo) {
  const Sandbox box;
  const std::string model =
      box.write("model.dve",
                "// tideline: progress P, down x\n"
                "byte x; process P { state s, t; init s; trans s -> t { effect x = 1; }; } system async;\n");
  EXPECT_EQ(components(box, model).size(), 2U);
  EXPECT_TRUE(contains(box.run({"info", model}).out, "  P             2 bits  s..t\n"));
}

TEST(Measure, ErrorsSayWhere) {
  const Sandbox box;
  const std::string model = box.write("model.m", std::string(kCounterModel) + "-- tideline: progress x + y\n");
  const RunResult annotated = box.run({"check", model});
  EXPECT_EQ(annotated.status, 2);
  EXPECT_TRUE(contains(annotated.err, "model.m:8:27: error: unknown name 'y'\n")) << annotated.err;
  const RunResult given = box.run({"check", model, "--progress", "x, y"});
  EXPECT_EQ(given.status, 2);
  EXPECT_TRUE(contains(given.err, "--progress: unknown name 'y'\n    x, y\n       ^\n")) << given.err;
  EXPECT_EQ(box.run({"check", model, "--progress", ""}).status, 2);
  EXPECT_EQ(box.run({"simulate", model, "--progress", "x"}).status, 2);
  const RunResult level = box.run({"check", model, "--progress", "auto:7"});
  EXPECT_EQ(level.status, 2);
  EXPECT_TRUE(contains(level.err, "--progress auto:7: the level is a number from 1 to 6\n")) << level.err;
}

}  // namespace
}  // namespace tideline::testing
