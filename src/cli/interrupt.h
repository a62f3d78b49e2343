// SPDX-License-Identifier: MIT
// Ctrl-C (SIGINT) and SIGTERM: the first sets a flag that searches poll, the second ends the process at once.
// Too large a file (SIGXFSZ) is left to the write that meets it.
#pragma once

#include <atomic>

namespace tideline::cli {

// Installs the handlers (once) and gives the flag.
const std::atomic<bool>& watch_interrupts();

}  // namespace tideline::cli
