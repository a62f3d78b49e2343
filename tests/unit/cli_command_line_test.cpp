// SPDX-License-Identifier: MIT
// The command line: what is accepted, what is refused and with which words.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/command_line.h"

namespace tideline::cli {
namespace {

using Words = std::vector<std::string>;

ParsedLine parse(const Words& words) {
  return parse_command_line(words);
}

// The words are refused with exit status 2 and a message that contains `part`.
void expect_refused(const Words& words, const std::string& part) {
  const ParsedLine parsed = parse(words);
  EXPECT_FALSE(parsed.run) << part;
  EXPECT_EQ(parsed.exit_status, 2) << part;
  EXPECT_NE(parsed.error.find(part), std::string::npos) << parsed.error;
  EXPECT_TRUE(parsed.output.empty());
}

TEST(CommandLine, ReadsAllKindsOfOptions) {
  const ParsedLine parsed =
      parse({"check", "--memory", "64M", "a.m", "--threads=2", "--quiet", "--define", "N=3", "--invariant", "x < 3",
             "--define", "M=4", "--json", "-", "--deadlock", "stuck", "--time-limit", "5m"});
  ASSERT_TRUE(parsed.run) << parsed.error;
  const Options& options = parsed.line.options;
  EXPECT_EQ(parsed.line.command, kForCheck);
  EXPECT_EQ(parsed.line.model, "a.m");
  EXPECT_EQ(options.memory, 64U << 20);
  EXPECT_EQ(options.threads, 2U);
  EXPECT_TRUE(options.quiet);
  EXPECT_EQ(options.define, (Words{"N=3", "M=4"}));
  EXPECT_EQ(options.invariant, (Words{"x < 3"}));
  EXPECT_EQ(options.json, "-");
  EXPECT_EQ(options.deadlock, "stuck");
  EXPECT_EQ(options.time_limit, 300);
}

TEST(CommandLine, AListOptionTakesOneWordAtATime) {
  const ParsedLine parsed = parse({"check", "--define", "N=3", "a.m"});
  ASSERT_TRUE(parsed.run) << parsed.error;
  EXPECT_EQ(parsed.line.model, "a.m");
}

TEST(CommandLine, RefusesCommands) {
  expect_refused({}, "no command");
  expect_refused({"chek", "a.m"}, "did you mean 'check'");
  expect_refused({"a.m"}, "tideline check a.m");
  expect_refused({"resume"}, "no working directory given");
  expect_refused({"resume", "dir", "--define", "N=3"}, "not an option of 'resume'");
  expect_refused({"--quiet", "check", "a.m"}, "the command comes first");
}

TEST(CommandLine, RefusesOptions) {
  expect_refused({"check", "a.m", "--memroy", "4G"}, "did you mean '--memory'");
  expect_refused({"check", "--memroy", "4G", "a.m"}, "did you mean '--memory'");
  expect_refused({"check", "a.m", "--threds=2"}, "did you mean '--threads'");
  expect_refused({"check", "a.m", "-x"}, "unknown option '-x'");
  expect_refused({"check", "a.m", "--steps", "3"}, "not an option of 'check'");
  expect_refused({"check", "a.m", "--search", "columns"}, "not in this version; it has auto, bfs");
  expect_refused({"check", "a.m", "--search", "bsf"}, "not one of auto, bfs");
  expect_refused({"check", "a.m", "--memory"}, "--memory");
  expect_refused({"check", "a.m", "--cloud-speedup", "15%"}, "a number such as 0.15");
  expect_refused({"check", "a.m", "--cloud-reset", "1.5"}, "the largest value is 1");
  expect_refused({"check", "a.m", "--memory", "1", "--memory", "2"}, "given 2 times");
  expect_refused({"check", "a.m", "--threads", "-1"}, "--threads");
  expect_refused({"check", "a.m", "--quiet=maybe"}, "quiet");
  expect_refused({"check", "a.m", "b.m"}, "unexpected 'b.m'");
  expect_refused({"check"}, "no model");
  expect_refused({"check", "a.m", "--define", "N"}, "NAME=VALUE");
  expect_refused({"check", "a.m", "--define", "=3"}, "NAME=VALUE");
  expect_refused({"check", "a.m", "--json", "-", "--trace", "-"}, "standard output");
}

TEST(CommandLine, HelpFitsOneScreen) {
  for (const char* command : {"check", "info", "simulate", "progress"}) {
    const ParsedLine parsed = parse({command, "--help"});
    EXPECT_FALSE(parsed.run);
    EXPECT_EQ(parsed.exit_status, 0);
    EXPECT_LE(std::count(parsed.output.begin(), parsed.output.end(), '\n'), 50) << command;
    EXPECT_EQ(parsed.output.find("--cloud-"), std::string::npos);
    EXPECT_NE(parsed.output.find("Examples:"), std::string::npos);
    std::istringstream lines(parsed.output);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(CommandLine, EveryOptionIsInTheHelpOfItsCommands) {
  for (const OptionInfo& option : option_table()) {
    for (const unsigned command : {kForCheck, kForInfo, kForSimulate, kForProgress}) {
      const bool shown = help_text(command, true).find("--" + option.name + " ") != std::string::npos;
      EXPECT_EQ(shown, (option.commands & command) != 0) << option.name;
    }
  }
}

TEST(CommandLine, AllHelpHasTheOptionsForExperiments) {
  const ParsedLine parsed = parse({"check", "--help-all"});
  EXPECT_FALSE(parsed.run);
  EXPECT_NE(parsed.output.find("--cloud-speedup X     cloud: growth when it misses most [0.15]"), std::string::npos);
}

TEST(CommandLine, VersionAndProgramHelp) {
  EXPECT_EQ(parse({"--version"}).output, std::string("tideline ") + TIDELINE_VERSION + "\n");
  EXPECT_NE(parse({"--help"}).output.find("Exit status"), std::string::npos);
}

}  // namespace
}  // namespace tideline::cli
