// SPDX-License-Identifier: MIT
// Whatever the user hands over, the program answers with a message and the documented status, in bounded time.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "cli/run_program.h"

namespace tideline::testing {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Refused with exit status 2 and a short message that contains `part`; nothing on standard output.
void expect_refused(const RunResult& result, const std::string& part) {
  EXPECT_EQ(result.status, 2) << result.err.substr(0, 2000);
  EXPECT_TRUE(contains(result.err, part)) << result.err.substr(0, 2000);
  EXPECT_LT(result.err.size(), 20000U);
  EXPECT_EQ(result.out, "");
  EXPECT_LT(result.seconds, 20);
}

RunResult check_text(std::string_view text) {
  const Sandbox box;
  return box.run({"check", box.write("model.m", text)});
}

TEST(BadFile, Empty) {
  expect_refused(check_text(""), "model.m");
}

TEST(BadFile, OnlyAComment) {
  expect_refused(check_text("-- nothing here"), "model.m");
}

TEST(BadFile, BinaryGarbage) {
  std::string garbage;
  std::uint64_t x = 88172645463325252U;
  for (int i = 0; i < 100000; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    garbage += static_cast<char>(x);
  }
  const RunResult result = check_text(garbage);
  expect_refused(result, "model.m:1:");
  for (const char c : result.err)
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << "a control character reaches the terminal";
}

TEST(BadFile, ZeroBytes) {
  std::string text(kCounterModel);
  text.insert(20, std::string(3, '\0'));
  const RunResult result = check_text(text);
  EXPECT_TRUE(result.status == 0 || result.status == 2) << result.err;  // inside a comment: harmless
  text.insert(60, std::string(3, '\0'));
  expect_refused(check_text(text), "model.m:");
}

TEST(BadFile, LineOfTenMegabytes) {
  expect_refused(check_text(std::string(10'000'000, 'x')), "model.m:1:");
  expect_refused(check_text("var x: 0.." + std::string(10'000'000, '9') + ";"), "model.m:1:");
  const RunResult comment = check_text("-- " + std::string(10'000'000, 'y') + "\n" + std::string(kCounterModel));
  EXPECT_EQ(comment.status, 0) << comment.err.substr(0, 2000);
}

TEST(BadFile, Huge) {
  const Sandbox box;
  const std::string path = box.write("model.m", "");
  std::filesystem::resize_file(path, std::uint64_t{1} << 31);
  expect_refused(box.run({"check", path}), "larger than");
}

TEST(BadFile, UnterminatedCommentAndString) {
  expect_refused(check_text(std::string(kCounterModel) + "/* never ends"), "model.m:8:");
  expect_refused(check_text("rule \"never ends"), "model.m:1:");
}

TEST(BadFile, DeeplyNestedExpressions) {
  constexpr int kDepth = 100'000;
  const std::string head = "var x: 0..1; startstate begin x := 0; end; rule begin x := 0; end; invariant ";
  const std::string open(kDepth, '(');
  const std::string close(kDepth, ')');
  expect_refused(check_text(head + open + "x = 0" + close + ";"), "nest");
  std::string negations;
  for (int i = 0; i < kDepth; ++i)
    negations += "!";
  expect_refused(check_text(head + negations + "(x = 0);"), "nest");
  std::string ifs = "var x: 0..1; startstate begin x := 0; end; rule begin ";
  for (int i = 0; i < kDepth; ++i)
    ifs += "if x = 0 then ";
  expect_refused(check_text(ifs), "nest");
}

TEST(BadFile, LongFlatExpressionIsNoNesting) {
  std::string sum = "x";
  for (int i = 0; i < 500; ++i)
    sum += " + 0";
  const RunResult result = check_text(std::string(kCounterModel) + "invariant " + sum + " <= N;");
  EXPECT_EQ(result.status, 0) << result.err.substr(0, 2000);
}

TEST(BadFile, TooLargeAState) {
  const std::string rest = "startstate begin end; rule begin end;";
  expect_refused(check_text("var a: array[0..1099511627775] of boolean; " + rest), "model.m:1:");
  expect_refused(check_text("type t: array[0..99999] of array[0..99999] of array[0..99999] of 0..9; var a: t; " + rest),
                 "model.m:1:");
  expect_refused(check_text("var a: 0..99999999999999999999; " + rest), "model.m:1:");
}

TEST(BadFile, SeveralErrorsAreReportedAtOnce) {
  const RunResult result =
      check_text("var x: 0..1;\nstartstate begin x := yy; end;\nrule z = 1 ==> begin x := 0; end;\n");
  expect_refused(result, "model.m:2:");
  EXPECT_TRUE(contains(result.err, "model.m:3:")) << result.err;
  EXPECT_TRUE(contains(result.err, "yy")) << result.err;
}

TEST(BadFile, TheCaretCountsCharacters) {
  const RunResult result = check_text("var x: 0..3; startstate x := 0; end;\nrule x ≤ 3 ∧ qq ≠ 1 ⇒ x ≔ 0; end;\n");
  expect_refused(result, "model.m:2:18: error: unknown name 'qq'");
  EXPECT_TRUE(contains(result.err, "\n    " + std::string(13, ' ') + "^\n")) << result.err;
}

TEST(BadFile, MisspeltNameGetsAHint) {
  expect_refused(check_text("var counter: 0..1;\nstartstate begin countr := 0; end;\nrule begin counter := 0; end;\n"),
                 "did you mean");
}

TEST(BadPath, MissingDirectoryAndSuffix) {
  const Sandbox box;
  expect_refused(box.run({"check", box.path("no_such.m")}), "No such file");
  std::filesystem::create_directory(box.path("folder.m"));
  expect_refused(box.run({"check", box.path("folder.m")}), "directory");
  expect_refused(box.run({"check", "/dev/zero"}), "not a regular file");
  expect_refused(box.run({"check", box.write("model.pnml", "")}), "not in this version");
  expect_refused(box.run({"check", box.write("model.mdve", "")}), "templates are not read");
  expect_refused(box.run({"check", box.write("model", "")}), "suffix");
  expect_refused(box.run({"check", ""}), "");
}

TEST(BadPath, Unreadable) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "root can read everything";
  const Sandbox box;
  const std::string path = box.write("model.m", kCounterModel);
  ::chmod(path.c_str(), 0);
  expect_refused(box.run({"check", path}), "Permission denied");
}

TEST(BadPath, UnwritableReports) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  expect_refused(box.run({"check", model, "--json", box.path("no_such/result.json")}), "cannot write");
  expect_refused(box.run({"check", model, "--trace", box.path("no_such/trace.json")}), "cannot write");
  const RunResult full = box.run({"check", model, "--json", "/dev/full"});
  EXPECT_EQ(full.status, 4) << full.err;
  EXPECT_TRUE(contains(full.err, "No space left")) << full.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device was replaced by a file";
}

TEST(BadPath, OneFileForTwoReports) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  expect_refused(box.run({"check", model, "--json", box.path("x"), "--trace", box.path("x")}), "cannot both write to");
}

TEST(BadDefine, UnknownOrMalformed) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  expect_refused(box.run({"check", model, "--define", "M=3"}), "M");
  expect_refused(box.run({"check", model, "--define", "N=three"}), "three");
  expect_refused(box.run({"check", model, "--define", "N="}), "NAME=VALUE");
  expect_refused(box.run({"check", model, "--define", "N=99999999999999999999999"}), "N");
  EXPECT_EQ(box.run({"check", model, "--define", "N=7"}).status, 0);
}

TEST(BadInvariant, SyntaxAndNames) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  expect_refused(box.run({"check", model, "--invariant", "x <"}), "x <");
  expect_refused(box.run({"check", model, "--invariant", "y < 3"}), "y");
  expect_refused(box.run({"check", model, "--invariant", "x"}), "");
  expect_refused(box.run({"check", model, "--invariant", "true; rule begin end"}), "");
}

// No cache, no space, no compiler: `auto` verifies all the same.
TEST(BadEnvironment, CacheAndCompiler) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  const std::string file = box.write("a_file", "");
  for (const std::string& cache : {std::string("/dev/null/cache"), std::string("/proc/cache"), file}) {
    RunOptions options;
    options.environment["TIDELINE_CACHE"] = cache;
    EXPECT_EQ(box.run({"check", model}, options).status, 0) << cache;
    const RunResult native = box.run({"check", model, "--engine", "native"}, options);
    EXPECT_EQ(native.status, 0) << cache << native.err;
  }
  RunOptions no_compiler;
  no_compiler.environment["CC"] = box.path("no_such_compiler");
  EXPECT_EQ(box.run({"check", model}, no_compiler).status, 0);
  const RunResult native = box.run({"check", model, "--engine", "native"}, no_compiler);
  EXPECT_EQ(native.status, 4) << native.err;
  EXPECT_TRUE(contains(native.err, "compiler")) << native.err;
}

// Every file is cut at 2 KiB, as on a full disk.
TEST(BadEnvironment, NoSpaceInTheCache) {
  const Sandbox box;
  const std::string model = box.write("model.m", kCounterModel);
  RunOptions options;
  options.file_bytes_max = 2048;
  EXPECT_EQ(box.run({"check", model, "--quiet"}, options).status, 0);
  const RunResult native = box.run({"check", model, "--engine", "native", "--quiet"}, options);
  EXPECT_EQ(native.status, 4) << native.err;
  // What was cut must not be taken for a finished program later.
  const RunResult again = box.run({"check", model, "--engine", "native", "--quiet"});
  EXPECT_EQ(again.status, 0) << again.err;
}

// The compiler is away only after the search has begun: said once, and the search goes on.
TEST(BadEnvironment, AutoSaysOnceThatItInterprets) {
  const Sandbox box;
  RunOptions options;
  options.environment["CC"] = box.path("no_such_compiler");
  const RunResult result =
      box.run({"check", box.write("model.m", kLargeModel), "--time-limit", "1", "--memory", "256M"}, options);
  EXPECT_EQ(result.status, 3) << result.err;
  const std::size_t first = result.err.find("interpreter");
  EXPECT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("going on with the interpreter", first), std::string::npos) << result.err;
}

}  // namespace
}  // namespace tideline::testing
