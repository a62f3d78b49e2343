// SPDX-License-Identifier: MIT
// Folds constants and gives equal expressions the same number (hash consing). Models that were expanded from templates
// repeat large conditions and compare constants with constants: of the 1.9 MB of guards of BEEM's plc, a few percent
// are left. Variables that nobody writes become constants. What can fail is neither dropped nor evaluated in another
// order.
//
// S1  after simplify(), two expressions of a model are equal trees exactly if they have the same number.
#pragma once

#include <vector>

#include "front/dve/model.h"

namespace tideline::dve {

void simplify(Model& model);

// Does it always yield 0 or 1?
bool is_boolean(const Model& model, ExprId id);
// For each expression: can evaluating it fail (an index out of bounds, a division by zero)?
std::vector<bool> failing_expressions(const Model& model);

}  // namespace tideline::dve
