// SPDX-License-Identifier: MIT
// Parts of local variables that belong to one iteration of a loop: read nowhere else in their frame's code, and written
// before they are read on every way through the body. Variables declared inside the loop are of this sort (the front
// end undefines them where their block begins), the hidden ones of `switch`, and fields of a message that every
// iteration fills in.
#pragma once

#include <vector>

#include "ir/program.h"

namespace tideline::symmetry {

// References, without subscripts, to the private parts that the loop writes; `loop` is a statement of `code`.
std::vector<const ir::Ref*> private_parts(const ir::Block& code, const ir::Stmt& loop);

}  // namespace tideline::symmetry
