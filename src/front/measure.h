// SPDX-License-Identifier: MIT
// What the front ends say alike about a progress measure, whatever its language.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "ir/program.h"

namespace tideline {

// An error, at the largest component, if the program's measure does not fit into a key (K3 of ir/progress.h). `places`
// are those of the components: an expression may have got another one on its way.
void check_progress_bits(const ir::Program& program, const std::vector<Location>& places, Diagnostics& diagnostics);

}  // namespace tideline
