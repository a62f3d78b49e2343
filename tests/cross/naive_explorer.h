// SPDX-License-Identifier: MIT
// The judge of the cross tests: a breadth-first search with std::set that tries every command of the program with the
// interpreter's step(), one by one. It shares nothing with the searches under test but the interpreter.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "search/search.h"

namespace tideline::cross {

struct NaiveResult {
  bool too_large = false;  // more than the allowed number of states: nothing else is meaningful
  Verdict verdict = Verdict::kHolds;
  Reason reason = Reason::kComplete;
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t levels = 0;
  std::uint64_t path_states = 0;  // on a shortest path to a violation
};

// The states seen, each with the number of its edges (0 if it was not expanded because a violation ended the search).
using SeenStates = std::map<std::vector<Word>, std::uint64_t>;

// Like the searches, it finishes the layer in which it finds a violation. `seen` may be null.
NaiveResult explore_naively(const ir::Program& program, DeadlockMode deadlock, std::uint64_t states_max,
                            SeenStates* seen = nullptr);

}  // namespace tideline::cross
