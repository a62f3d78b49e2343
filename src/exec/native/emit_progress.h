// SPDX-License-Identifier: MIT
// The C function that finds the keys of states under the program's progress measure (ir/progress.h). A component that
// reads a variable costs a shift and a mask: where its code differs from the packed one only by constants, the C
// compiler folds them.
#pragma once

#include "exec/native/emit_rule.h"

namespace tideline::native {

// Names: components m0, m1, ..., the entry point `progress`.
CFunction emit_progress(const Module& module);

}  // namespace tideline::native
