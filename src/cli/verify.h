// SPDX-License-Identifier: MIT
// The run behind `tideline check` and `tideline resume`.
#pragma once

#include "cli/command_line.h"
#include "search/manifest.h"

namespace tideline::cli {

// Verifies line.model; with a manifest, from where the search was stopped. The exit status.
int verify(const CommandLine& line, const Manifest* resume);

}  // namespace tideline::cli
