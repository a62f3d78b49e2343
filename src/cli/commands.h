// SPDX-License-Identifier: MIT
// One function per command; each gives the exit status.
#pragma once

#include "cli/command_line.h"

namespace tideline::cli {

int run_check(const CommandLine& line);
int run_info(const CommandLine& line);
int run_simulate(const CommandLine& line);
int run_progress(const CommandLine& line);
int run_resume(const CommandLine& line);

// The whole program: parses, runs, turns what goes wrong into an exit status.
int run_program(const std::vector<std::string>& words);

}  // namespace tideline::cli
