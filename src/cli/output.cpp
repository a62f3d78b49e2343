// SPDX-License-Identifier: MIT
// Standard output and standard error, by plain stdio: fmt::print would throw when they are full.
#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace tideline::cli {

namespace {

bool output_failed = false;

}  // namespace

void hold_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) == -1)
      (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // takes the lowest free number: fd
  }
}

void print_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    output_failed = true;
}

bool print_failed() {
  if (std::fflush(stdout) != 0)
    output_failed = true;
  return output_failed;
}

void print_err(const std::string& text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace tideline::cli
