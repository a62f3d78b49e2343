// SPDX-License-Identifier: MIT
// A model is data: no name, string or path of it may end up as code in the C file that the native engine compiles, or
// as a format or an escape on the terminal.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_program.h"

namespace tideline::testing {
namespace {

using Json = nlohmann::json;

// Texts that would do harm if they reached C (or a shell, or printf) unescaped, as they are spelt in the model.
std::vector<std::string> hostile_texts(const std::string& canary) {
  return {
      "*/ system(\\\"touch " + canary + "\\\"); /*",
      "%s%s%s%s%n",
      "trailing backslash \\\\",
      "\\n\\0\\x41\\\\",
      "?\?/ ?\?' ?\?< trigraphs ?\?>",
      "`touch " + canary + "` $(touch " + canary + ")",
      "#include </etc/passwd>",
      "}; int main(void) { return 0; } {",
      "// comment",
      "\x1b[31m escape",
      "\xff\xfe not utf-8",
      "\xe2\x98\x83 snowman",
      std::string(5000, 'a'),
  };
}

// What a spelling in the model means: \n and \t, otherwise the character after the backslash.
std::string meaning(const std::string& spelling) {
  std::string text;
  for (std::size_t i = 0; i < spelling.size(); ++i) {
    const bool escaped = spelling[i] == '\\' && i + 1 < spelling.size();
    i += escaped ? 1 : 0;
    text += escaped && spelling[i] == 'n' ? '\n' : escaped && spelling[i] == 't' ? '\t' : spelling[i];
  }
  return text;
}

// The text as rule name, start name, invariant name, assert and error message, put text.
std::string model_with(const std::string& text) {
  static constexpr std::string_view kModel = R"(var x: 0..3;
startstate "@" begin x := 0; end;
rule "@" x < 2 ==> begin x := x + 1; put "@"; assert x < 4 "@"; end;
rule "@" x = 3 ==> begin error "@"; end;
rule x = 2 ==> begin x := 0; end;
invariant "@" x < 3;
)";
  std::string model;
  for (const char c : kModel)
    model += c == '@' ? text : std::string(1, c);
  return model;
}

TEST(Injection, StringsAreData) {
  const Sandbox box;
  const std::string canary = box.path("canary");
  for (const std::string& text : hostile_texts(canary)) {
    const std::string model = box.write("model.m", model_with(text));
    for (const char* engine : {"native", "interp"}) {
      const RunResult holds = box.run({"check", model, "--engine", engine, "--json", box.path("result.json")});
      EXPECT_EQ(holds.status, 0) << text << "\n" << holds.err;
      EXPECT_EQ(Json::parse(box.read("result.json")).at("states"), 3) << text;
    }
    const RunResult violated =
        box.run({"check", model, "--engine", "native", "--invariant", "x < 2", "--json", box.path("result.json")});
    EXPECT_EQ(violated.status, 1) << text << "\n" << violated.err;
    EXPECT_EQ(violated.out.find('\x1b'), std::string::npos) << "an escape reaches the terminal";
    const Json trace = Json::parse(box.read("result.json")).at("trace");
    ASSERT_EQ(trace.size(), 3U);
    if (text.find('\xff') == std::string::npos) {
      EXPECT_EQ(trace.at(1).at("rule"), meaning(text));
    }
  }
  EXPECT_FALSE(std::filesystem::exists(canary));
}

TEST(Injection, ErrorMessagesAreData) {
  const Sandbox box;
  const std::string canary = box.path("canary");
  for (const std::string& text : hostile_texts(canary)) {
    const std::string model =
        box.write("model.m", "var x: 0..1;\nstartstate begin x := 0; end;\nrule begin error \"" + text + "\"; end;\n");
    const RunResult result = box.run({"check", model, "--engine", "native", "--json", box.path("result.json")});
    EXPECT_EQ(result.status, 1) << text << "\n" << result.err;
    const Json json = Json::parse(box.read("result.json"));
    EXPECT_EQ(json.at("reason"), "error");
    if (text.find('\xff') == std::string::npos) {
      EXPECT_EQ(json.at("property"), meaning(text));
    }
  }
  EXPECT_FALSE(std::filesystem::exists(canary));
}

// Identifiers that are keywords, macros or functions of C.
TEST(Injection, IdentifiersDoNotMeetC) {
  const Sandbox box;
  const std::string model = box.write("model.m", R"(
const NULL: 3; main: 2;
type int: 0..NULL; struct: enum {static, void, EOF, stdin, TL_FAILED, uint64_t}; double: scalarset(2);
var return_: int; for_: struct; memcpy: array[double] of boolean; __builtin_trap: 0..main; tl_buffer: 0..1;
function printf(volatile: int): int; var goto: int; begin goto := volatile; return goto; end;
startstate "s" begin return_ := 0; for_ := static; for long: double do memcpy[long] := false; end;
  __builtin_trap := 0; tl_buffer := 0; end;
ruleset register: double do rule "r" !memcpy[register] ==>
  begin memcpy[register] := true; return_ := printf(return_); end; end;
rule "t" for_ = static ==> begin for_ := TL_FAILED; end;
)");
  for (const char* engine : {"native", "interp"}) {
    const RunResult result = box.run(
        {"check", model, "--deadlock", "off", "--symmetry", "off", "--engine", engine, "--json", box.path("r")});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(Json::parse(box.read("r")).at("states"), 8);
  }
}

TEST(Injection, PathsAndOptionsAreData) {
  const Sandbox box;
  const std::string canary = box.path("canary");
  for (const std::string& name : {std::string("a\"; system(\"touch canary\"); \".m"), std::string("new\nline.m"),
                                  std::string("$(touch canary).m"), std::string("-x.m"), std::string("%s%n.m"),
                                  std::string("\xff.m"), std::string("a\\.m")}) {
    const std::string model = box.write(name, kCounterModel);
    const RunResult result = box.run({"check", model, "--engine", "native", "--json", box.path("result.json")});
    EXPECT_EQ(result.status, 0) << name << result.err;
    EXPECT_EQ(Json::parse(box.read("result.json")).at("states"), 6) << name;
  }
  const std::string model = box.write("model.m", kCounterModel);
  const RunResult result = box.run({"check", model, "--engine", "native", "--define", "N=5; */ #error"});
  EXPECT_EQ(result.status, 2) << result.err;
  RunOptions compiler;
  compiler.environment["CC"] = "cc; touch " + canary;
  EXPECT_EQ(box.run({"check", model, "--engine", "native", "--define", "N=9"}, compiler).status, 4);
  EXPECT_FALSE(std::filesystem::exists(canary));
}

}  // namespace
}  // namespace tideline::testing
