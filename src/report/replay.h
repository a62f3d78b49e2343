// SPDX-License-Identifier: MIT
// A violation is shown only after it was established again: the path is replayed, command by command, on a fresh
// interpreter, every state is compared, and the property is evaluated anew in the last one. A search that reports a
// path which does not replay has a bug; the caller ends with exit status 70 instead of giving a verdict.
//
// R1  steps[0] comes from a start command, steps[k] from steps[k-1] by an enabled command of the program.
// R2  the violation that is named holds for the last state (or for the command `failing_rule` in it).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/program.h"
#include "search/search.h"

namespace tideline {

struct ReplayedStep {
  std::string rule;  // with parameters
  std::vector<Word> state;
  std::string output;  // of put statements
};

struct Counterexample {
  Reason reason = Reason::kInvariant;       // refined: assertion and other run-time errors are told apart
  std::optional<std::string> property;      // name of what is violated
  std::string message;                      // one sentence
  Location where;                           // of the property, or of the statement that failed
  std::vector<ReplayedStep> steps;          // empty: the violation needs no path (cover), or a start rule failed
  std::optional<std::string> failing_rule;  // fails in the last state (or is a start rule that fails)
  bool path_is_known = true;                // false: none was recorded; the violation was established in its state
};

// The counterexample, or where the replay differs from what the search said.
Result<Counterexample> replay(const ir::Program& program, const Violation& violation, DeadlockMode deadlock);

// "index out of range", ...: what the report names as the property when a run-time error has no text of its own.
const char* failure_name(FailureKind kind);

}  // namespace tideline
