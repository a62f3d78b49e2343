// SPDX-License-Identifier: MIT
// Standard output and standard error of the program. A verdict that cannot be written is an environment error (exit
// status 4); what cannot be said on standard error is lost without further harm.
#pragma once

#include <string>

namespace tideline::cli {

// Makes sure that descriptors 0 to 2 are open, so that no file of ours is taken for a standard stream: reading from or
// writing to one that was closed fails as it should.
void hold_standard_streams();

// To standard output.
void print_out(const std::string& text);
// Flushes standard output; true if anything of it could not be written.
bool print_failed();
// To standard error.
void print_err(const std::string& text);

}  // namespace tideline::cli
