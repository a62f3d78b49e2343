// SPDX-License-Identifier: MIT
// The text of a progress measure: components with commas between them, each an expression (P.S and P->x included) or
// the name of a process, which stands for the number of its state in the order of declaration; `down` before one of
// them makes smaller values further. `down` is a word of its own only before an operand: it may be a variable's name.
#pragma once

#include <string_view>

#include "base/diagnostics.h"
#include "front/dve/model.h"
#include "front/dve/names.h"

namespace tideline::dve {

// Appends the components to the model's; `where` is the place of the text's first byte. Errors are in `diagnostics`.
void parse_measure(std::string_view text, Location where, const Names& names, Model& model, Diagnostics& diagnostics);

}  // namespace tideline::dve
