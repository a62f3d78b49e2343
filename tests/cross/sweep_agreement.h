// SPDX-License-Identifier: MIT
// A sweep with little room, whatever its measure, against what a judge has found.
#pragma once

#include <cstdint>

#include "search/search.h"

namespace tideline::cross {

struct SweepJudge {
  Verdict verdict = Verdict::kHolds;
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
};

// The same verdict; if it is "holds", all states, and each once if progress is monotone. Paths are replayed. `options`
// has the question: threads, deadlocks, symmetry; `seed` chooses the room.
void expect_sweep_agrees(const ir::Program& program, Engine& engine, SearchOptions options, std::uint64_t seed,
                         const SweepJudge& judge);

}  // namespace tideline::cross
