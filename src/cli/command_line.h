// SPDX-License-Identifier: MIT
// The command line: which command, which model, which options. CLI11 splits the words; names, ranges, defaults and help
// come from the table in base/options.h.
#pragma once

#include <string>
#include <vector>

#include "base/options.h"

namespace tideline::cli {

struct CommandLine {
  unsigned command = 0;  // kForCheck, kForInfo, kForSimulate, kForProgress or kForResume
  std::string model;     // of `resume`: the working directory
  Options options;
  std::vector<std::string> given;  // names of the options that were on the command line
};

// Either a command to run, or what to print and how to end.
struct ParsedLine {
  bool run = false;
  CommandLine line;
  std::string output;  // for standard output: help or version
  std::string error;   // for standard error, several lines possible
  int exit_status = 0;
};

// `words` without the program's name.
ParsedLine parse_command_line(const std::vector<std::string>& words);

// --help of the program (command 0) or of a command; with `all`, --help-all: the options for experiments, too.
std::string help_text(unsigned command, bool all);

}  // namespace tideline::cli
