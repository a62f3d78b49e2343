// SPDX-License-Identifier: MIT
// Signal handlers: only what is safe inside one.
#include "cli/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "cli/exit_status.h"

namespace tideline::cli {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int /*signal*/) {
  if (interrupted.exchange(true))
    ::_exit(kExitInterrupted);
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;  // without SA_RESTART: a blocked read for an interactive choice returns
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;  // a file-size limit is an error of write(), not our end
  ::sigaction(SIGXFSZ, &action, nullptr);
  return interrupted;
}

}  // namespace tideline::cli
