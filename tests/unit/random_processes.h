// SPDX-License-Identifier: MIT
// Random programs that look like models made of processes: a program counter each, rules whose guards begin with a test
// of it, handshakes of two processes as one rule per pair of transitions, conditions shared by neighbouring rules. Some
// guards and bodies fail, and a few rules have parameters or another shape, so that the rules of a process are not
// always side by side.
#pragma once

#include <cstdint>
#include <memory>

#include "ir/program.h"

namespace tideline::test {

struct ProcessShape {
  unsigned processes = 3;
  unsigned locations = 4;
  unsigned transitions = 2;   // of a location
  unsigned channels = 2;      // a sixth of the transitions sends on one, another sixth receives
  unsigned globals = 4;       // variables
  unsigned odd_percent = 25;  // guards and bodies that can fail, rules of other shapes
  bool has_undefined = true;  // can counters be undefined?
};

// The same seed and shape give the same program. Its commands are numbered.
std::unique_ptr<ir::Program> random_processes(std::uint64_t seed, const ProcessShape& shape);

}  // namespace tideline::test
