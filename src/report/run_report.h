// SPDX-License-Identifier: MIT
// Everything that is said about one run of `check`; text.h and json.h render it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"
#include "report/replay.h"
#include "search/search.h"

namespace tideline {

struct RunReport {
  const ir::Program* program = nullptr;
  std::string model;        // path as given
  std::string_view source;  // its text
  std::string search;
  std::string engine;
  unsigned threads = 1;
  SymmetryMode symmetry = SymmetryMode::kOff;
  DeadlockMode deadlock = DeadlockMode::kStuttering;
  double time_limit_seconds = 0;
  Verdict verdict = Verdict::kUnknown;
  Reason reason = Reason::kInterrupted;
  Figures figures;
  std::vector<Counterexample> counterexamples;  // replayed; empty unless violated
  std::string trouble;                          // what happened to the disk
  std::string options;                          // those that differ from their defaults
};

}  // namespace tideline
