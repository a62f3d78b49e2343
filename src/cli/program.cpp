// SPDX-License-Identifier: MIT
// Dispatch, and the last line of defence: whatever goes wrong ends with a message and a status that is not a verdict.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "io/startup_pages.h"

namespace tideline::cli {

namespace {

// The exception being handled, as a message and an exit status.
int judge_exception() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    std::fputs("tideline: out of memory: the system refused an allocation\n", stderr);
    return kExitLimit;
  } catch (const std::exception& error) {
    print_err(fmt::format("tideline: internal error: {}\n", error.what()));
  } catch (...) {
    std::fputs("tideline: internal error: unknown exception\n", stderr);
  }
  return kExitBug;
}

// An exception left a thread, or a noexcept function.
[[noreturn]] void on_terminate() {
  int status = kExitBug;
  if (std::current_exception() != nullptr)
    status = judge_exception();
  else
    std::fputs("tideline: internal error: terminated\n", stderr);
  ::_exit(status);
}

int dispatch(const CommandLine& line) {
  switch (line.command) {
    case kForInfo:
      return run_info(line);
    case kForSimulate:
      return run_simulate(line);
    case kForProgress:
      return run_progress(line);
    case kForResume:
      return run_resume(line);
    default:
      return run_check(line);
  }
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
  std::set_terminate(on_terminate);
  hold_standard_streams();
  give_back_freed_buffers();
  int status = kExitBug;
  try {
    const ParsedLine parsed = parse_command_line(words);
    print_out(parsed.output);
    print_err(parsed.error);
    status = parsed.run ? dispatch(parsed.line) : parsed.exit_status;
  } catch (...) {
    status = judge_exception();
  }
  if (print_failed() && status != kExitBug) {
    std::fputs("tideline: cannot write to standard output\n", stderr);
    return kExitEnvironment;
  }
  return status;
}

}  // namespace tideline::cli
