// SPDX-License-Identifier: MIT
// A program as one self-contained C11 text, which exports `tl_model` (exec/runtime/tideline_runtime.h).
#pragma once

#include <string>

#include "ir/program.h"

namespace tideline {

// The text depends on the program only; nothing in it is text of the model.
std::string emit_c(const ir::Program& program);

}  // namespace tideline
