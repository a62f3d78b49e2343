// SPDX-License-Identifier: MIT
// A search with symmetry reduction finds a path from representative to representative: each step is a step of the
// program followed by a permutation. The real path is found by walking along: from a real state, some successor has the
// next representative, since permutations commute with steps.
#pragma once

#include <vector>

#include "search/search.h"

namespace tideline {

// A path of the program whose states have the representatives `path` names, with the program's own commands.
std::vector<PathStep> real_path(NextState& model, symmetry::Representative& representative,
                                const std::vector<PathStep>& path);

// A command of the same rule as `command` that fails in `state`, where `command` fails in its representative.
ir::CommandId real_failing_command(const ir::Program& program, NextState& model, const std::vector<Word>& state,
                                   ir::CommandId command);

}  // namespace tideline
