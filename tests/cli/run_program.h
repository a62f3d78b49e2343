// SPDX-License-Identifier: MIT
// Runs the real program in a child process, without a shell, with a time limit, and collects what it said.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tideline::testing {

struct RunOptions {
  std::string input;                               // standard input
  std::map<std::string, std::string> environment;  // changes to ours
  std::string out_path;                            // standard output goes there; "closed": it is closed
  std::string err_path;                            // the same for standard error
  double timeout_seconds = 60;
  double interrupt_after_seconds = 0;  // > 0: send SIGINT then
  double kill_after_seconds = 0;       // > 0: send SIGKILL then
  std::uint64_t file_bytes_max = 0;    // > 0: no file may grow beyond this (RLIMIT_FSIZE)
};

struct RunResult {
  int status = -1;  // exit status; 128 + signal if one ended it; -1 if it ran into the time limit
  std::string out;
  std::string err;
  double seconds = 0;
};

// A fresh directory for the files of one test, removed at the end. Native code is cached there, too.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (root_ / name).string(); }
  // Writes a file and gives its path.
  std::string write(const std::string& name, std::string_view text) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] RunResult run(const std::vector<std::string>& arguments, const RunOptions& options = {}) const;

 private:
  std::filesystem::path root_;
};

// A correct model with N + 1 states.
inline constexpr std::string_view kCounterModel = R"(-- counts up to N and starts again
const N: 5;
var x: 0..N;
startstate "zero" begin x := 0; end;
rule "up" x < N ==> begin x := x + 1; end;
rule "again" x = N ==> begin x := 0; end;
invariant "in range" x <= N;
)";

// 2^N states: more than any test waits for.
inline constexpr std::string_view kLargeModel = R"(const N: 50;
type index_t: 1..N;
var bits: array[index_t] of boolean;
startstate "zero" begin for i: index_t do bits[i] := false; end; end;
ruleset i: index_t do rule "flip" true ==> begin bits[i] := !bits[i]; end; end;
)";

}  // namespace tideline::testing
