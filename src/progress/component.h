// SPDX-License-Identifier: MIT
// From a term to a component of a program's progress measure: an expression that both engines evaluate, and a text.
// A natural order is the value itself; a table becomes a balanced tree of comparisons, since most tables have runs of
// neighbouring values with the same rank. Texts of natural orders of single cells can be given to --progress.
#pragma once

#include <string>

#include "progress/columns.h"

namespace tideline::progress {

// "x", "down x", "P: idle < wait, trying < cs", "sum a[*]: 2 < 0".
std::string term_text(const Cells& cells, const Columns& columns, const Term& term);

// Types that the expression needs are added to the program.
ir::ProgressComponent make_component(ir::Program& program, const Cells& cells, const Columns& columns,
                                     const Term& term);

}  // namespace tideline::progress
