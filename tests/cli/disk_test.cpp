// SPDX-License-Identifier: MIT
// Searches on disk through the real program: memory that ends, a full disk, kill -9, resuming, damaged files,
// directories that are in use or hold something else.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>

#include "cli/run_program.h"

namespace tideline::testing {
namespace {

namespace fs = std::filesystem;

// N^3 states of 70 bytes in 3N - 2 layers; with BAD < N a violation after 3 * BAD steps.
constexpr std::string_view kCube = R"(const N: 60; BAD: 1000;
type axis: 0..2; line: 0..63; value: 0..255;
var at: array[axis] of 0..1000; pad: array[line] of value;
startstate "origin" begin
  for a: axis do at[a] := 0; end;
  for l: line do pad[l] := 0; end;
end;
ruleset a: axis do
  rule "step" at[a] < N - 1 ==> begin
    at[a] := at[a] + 1;
    pad[(at[0] + at[1] + at[2]) % 64] := (at[0] * 7 + at[1] * 3 + at[2]) % 256;
    for l: line do if l != (at[0] + at[1] + at[2]) % 64 then pad[l] := 0; end; end;
  end;
end;
invariant "below" at[0] + at[1] + at[2] < 3 * BAD;
)";

struct Counts {
  std::uint64_t states;
  std::uint64_t edges;
  std::uint64_t levels;
  bool operator==(const Counts&) const = default;
};

Counts cube(std::uint64_t n) {
  return {n * n * n, 3 * n * n * (n - 1), 3 * (n - 1)};
}

class DiskTest : public ::testing::Test {
 protected:
  DiskTest() : model_(sandbox_.write("cube.m", kCube)), workdir_(sandbox_.path("work")) {}

  RunResult check(std::vector<std::string> more) {
    std::vector<std::string> words = {"check", model_, "--deadlock", "off", "--json", sandbox_.path("report.json")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  // How a search that was killed goes on; one without a checkpoint begins anew.
  std::vector<std::string> after_kill(const std::vector<std::string>& first) const {
    if (fs::exists(workdir_ + "/manifest.json"))
      return {"resume", workdir_};
    fs::remove_all(workdir_);
    return first;
  }
  RunResult resume(std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"resume", workdir_, "--json", sandbox_.path("report.json")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  RunResult run(const std::vector<std::string>& words, double kill_after_seconds = 0) {
    RunOptions options;
    options.timeout_seconds = 300;
    options.environment["TMPDIR"] = sandbox_.path("");
    options.kill_after_seconds = kill_after_seconds;
    return sandbox_.run(words, options);
  }
  nlohmann::json report() { return nlohmann::json::parse(sandbox_.read("report.json")); }
  Counts counts() {
    const nlohmann::json json = report();
    return {json.at("states"), json.at("edges"), json.at("levels")};
  }
  // A search by parts does not know levels.
  void expect_parts_counted(std::uint64_t n) {
    const nlohmann::json json = report();
    EXPECT_EQ(json.at("search"), "partition");
    EXPECT_EQ(json.at("states"), cube(n).states);
    EXPECT_EQ(json.at("visited"), cube(n).states);
    EXPECT_EQ(json.at("edges"), cube(n).edges);
    EXPECT_TRUE(json.at("levels").is_null());
  }
  // A search that the bound of the working directory has stopped.
  void stop_by_disk() {
    const RunResult result =
        check({"--search", "runs", "--memory", "32M", "--workdir", workdir_, "--disk", "200K", "--checkpoint", "0"});
    ASSERT_EQ(result.status, 3) << result.err;
    EXPECT_NE(result.err.find("tideline resume " + workdir_), std::string::npos) << result.err;
    EXPECT_EQ(report().at("reason"), "disk");
    EXPECT_LE(report().at("io").at("disk_peak_bytes"), 200 << 10);
  }

  Sandbox sandbox_;
  std::string model_;
  std::string workdir_;
};

TEST_F(DiskTest, AutoGoesOnOnDiskWhenMemoryEnds) {
  const RunResult result = check({"--memory", "32M", "--define", "N=100"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("goes on with the visited states on disk"), std::string::npos) << result.err;
  EXPECT_EQ(counts(), cube(100));
  EXPECT_EQ(report().at("visited"), cube(100).states);
  EXPECT_EQ(report().at("search"), "runs");
  EXPECT_LE(report().at("peak_rss_bytes"), 32 << 20);
  EXPECT_GT(report().at("io").at("bytes_written"), 0);
  for (const fs::directory_entry& entry : fs::directory_iterator(sandbox_.path("")))
    EXPECT_FALSE(entry.path().filename().string().starts_with("tideline-")) << "left behind: " << entry.path();
}

TEST_F(DiskTest, AutoStaysInRamWhenThereIsEnough) {
  ASSERT_EQ(check({"--memory", "200M", "--define", "N=20"}).status, 0);
  EXPECT_EQ(report().at("search"), "bfs");
  EXPECT_EQ(report().at("io").at("bytes_written"), 0);
}

TEST_F(DiskTest, AViolationOnDiskHasAShortestPath) {
  for (const char* threads : {"1", "2"}) {
    const RunResult result = check({"--search", "runs", "--memory", "32M", "--define", "BAD=25", "--threads", threads});
    ASSERT_EQ(result.status, 1) << result.err;
    EXPECT_EQ(report().at("trace").size(), 76U);
  }
  ASSERT_EQ(check({"--memory", "32M", "--define", "N=120", "--define", "BAD=90"}).status, 1);
  EXPECT_EQ(report().at("search"), "runs");
  EXPECT_EQ(report().at("trace").size(), 271U);
}

TEST_F(DiskTest, AStoppedSearchIsResumedWithMoreDisk) {
  stop_by_disk();
  EXPECT_EQ(resume().status, 3) << "the bound is still the same";
  const RunResult result = resume({"--disk", "0", "--threads", "2"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(counts(), cube(60));
  EXPECT_FALSE(fs::exists(workdir_));
}

// With a budget of its own: most of the machine's memory is a large cache, which takes half a minute to clear.
TEST_F(DiskTest, ASearchStoppedByTimeOrBeforeTheDiskIsResumed) {
  const RunResult stopped =
      check({"--workdir", workdir_, "--time-limit", "1ms", "--search", "runs", "--memory", "200M"});
  ASSERT_EQ(stopped.status, 3) << stopped.err;
  ASSERT_EQ(resume({"--time-limit", "0"}).status, 0);
  EXPECT_EQ(counts(), cube(60));
}

// Many kill -9 at moments that differ from run to run; what counts is that the end is the same.
TEST_F(DiskTest, ThirtyKillsChangeNothing) {
  std::mt19937_64 random(std::random_device{}());
  const std::vector<std::string> first = {
      "check",    model_, "--deadlock", "off", "--workdir", workdir_, "--json",       sandbox_.path("report.json"),
      "--search", "runs", "--memory",   "32M", "--define",  "N=145",  "--checkpoint", "0"};
  int kills = 0;
  RunResult result = run(first, 0.3);
  while (result.status == 128 + 9 && ++kills < 30)
    result = run(after_kill(first), 0.03 + static_cast<double>(random() % 120) / 1000);
  if (result.status == 128 + 9)
    result = run(after_kill(first));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(counts(), cube(145));
  std::printf("%d kills\n", kills);
}

TEST_F(DiskTest, PartsStayWithinMemory) {
  for (const char* threads : {"1", "2"}) {
    const RunResult result =
        check({"--search", "partition", "--memory", "32M", "--define", "N=100", "--threads", threads});
    ASSERT_EQ(result.status, 0) << result.err;
    expect_parts_counted(100);
    EXPECT_LE(report().at("peak_rss_bytes"), 32 << 20);
    EXPECT_LT(report().at("peak_states"), cube(100).states / 2);
    EXPECT_GT(report().at("io").at("bytes_written"), 0);
  }
}

TEST_F(DiskTest, PartsLeaveTheShortestPathToAuto) {
  const RunResult result = check({"--search", "partition", "--memory", "32M", "--define", "BAD=25"});
  ASSERT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(report().at("search"), "partition");
  EXPECT_EQ(report().at("trace").size(), 76U);
}

TEST_F(DiskTest, KillsBetweenPartsChangeNothing) {
  std::mt19937_64 random(std::random_device{}());
  const std::vector<std::string> first = {
      "check",    model_,      "--deadlock", "off", "--workdir", workdir_, "--json",       sandbox_.path("report.json"),
      "--search", "partition", "--memory",   "32M", "--define",  "N=120",  "--checkpoint", "0"};
  int kills = 0;
  RunResult result = run(first, 1);
  while (result.status == 128 + 9 && ++kills < 8)
    result = run(after_kill(first), 0.3 + static_cast<double>(random() % 1000) / 1000);
  if (result.status == 128 + 9)
    result = run(after_kill(first));
  ASSERT_EQ(result.status, 0) << result.err;
  expect_parts_counted(120);
  std::printf("%d kills\n", kills);
}

TEST_F(DiskTest, AChangedBitInAnyFileIsFoundAndNamed) {
  stop_by_disk();
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(workdir_))
    files.push_back(entry.path());
  ASSERT_GE(files.size(), 2U);
  for (const fs::path& file : files) {
    const std::uint64_t bytes = fs::file_size(file);
    for (const std::uint64_t offset : {std::uint64_t{5}, bytes / 2, bytes - 5}) {
      SCOPED_TRACE(file.filename().string() + " at " + std::to_string(offset));
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(offset));
      const int byte = stream.get();
      stream.seekp(static_cast<std::streamoff>(offset));
      stream.put(static_cast<char>(byte ^ 16));
      stream.close();
      // A file that the manifest does not name is removed, and its bits do not matter.
      const bool is_named = sandbox_.read("work/manifest.json").find(file.filename()) != std::string::npos;
      const RunResult result = resume({"--disk", "0"});
      if (file.filename() == "manifest.json" || is_named) {
        EXPECT_EQ(result.status, 4) << result.err;
        EXPECT_NE((result.out + result.err).find(file.filename()), std::string::npos) << result.out << result.err;
      }
      if (!fs::exists(file))
        return;
      stream.open(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekp(static_cast<std::streamoff>(offset));
      stream.put(static_cast<char>(byte));
    }
  }
  ASSERT_EQ(resume({"--disk", "0"}).status, 0);
  EXPECT_EQ(counts(), cube(60));
}

TEST_F(DiskTest, ADirectoryInUseOrWithSomethingInItIsRefused) {
  fs::create_directory(workdir_);
  const int fd = ::open(workdir_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  RunResult result = check({"--workdir", workdir_});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("in use by another run"), std::string::npos) << result.err;
  ::close(fd);

  sandbox_.write("work/note.txt", "mine");
  result = check({"--workdir", workdir_});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("note.txt"), std::string::npos) << result.err;
  EXPECT_EQ(sandbox_.read("work/note.txt"), "mine");
  result = resume();
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("no search that can be resumed"), std::string::npos) << result.err;
  fs::remove_all(workdir_);
  EXPECT_EQ(resume().status, 2);

  stop_by_disk();
  result = check({"--workdir", workdir_});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("tideline resume " + workdir_), std::string::npos) << result.err;
}

TEST_F(DiskTest, AChangedModelIsNotResumed) {
  stop_by_disk();
  sandbox_.write("cube.m", std::string(kCube) + "-- changed\n");
  const RunResult result = resume();
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("has changed"), std::string::npos) << result.err;
  EXPECT_TRUE(fs::exists(workdir_ + "/manifest.json"));
}

TEST_F(DiskTest, WhatAnotherBuildSavedIsNotResumed) {
  stop_by_disk();
  const std::string text = sandbox_.read("work/manifest.json");
  const std::string head = text.substr(0, text.find('\n') + 1);
  nlohmann::json manifest = nlohmann::json::parse(text.substr(head.size()));
  manifest.at("settings").at("build") = "another";
  const std::string body = manifest.dump();
  const std::string version = head.substr(0, head.rfind(' ') + 1);
  std::ostringstream changed;
  changed << version << std::hex << std::setfill('0') << std::setw(16) << XXH3_64bits(body.data(), body.size()) << '\n'
          << body;
  sandbox_.write("work/manifest.json", changed.str());
  const RunResult result = resume();
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("another build"), std::string::npos) << result.err;
  EXPECT_TRUE(fs::exists(workdir_ + "/manifest.json"));
}

TEST_F(DiskTest, DirectInputAndOutputChangeNothing) {
  ASSERT_EQ(check({"--search", "runs", "--memory", "32M", "--direct-io", "--workdir", workdir_}).status, 0);
  EXPECT_EQ(counts(), cube(60));
}

}  // namespace
}  // namespace tideline::testing
