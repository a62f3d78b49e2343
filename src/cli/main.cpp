// SPDX-License-Identifier: MIT
// The program `tideline`; everything is in the library.
#include "cli/commands.h"

int main(int argc, char** argv) {
  return tideline::cli::run_program({argv + (argc > 0 ? 1 : 0), argv + argc});
}
