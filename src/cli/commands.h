// SPDX-License-Identifier: MIT
// One function per command; each gives the exit status.
#pragma once

#include "cli/command_line.h"

namespace tideline::cli {

int run_check(const CommandLine& line);
int run_info(const CommandLine& line);
int run_simulate(const CommandLine& line);

// The whole program: parses, runs, turns what goes wrong into an exit status.
int run_program(const std::vector<std::string>& words);

// Prints to standard output; exit status 4 later if it cannot (print_failed()).
void print_out(const std::string& text);
// Flushes standard output; true if anything could not be written.
bool print_failed();

}  // namespace tideline::cli
