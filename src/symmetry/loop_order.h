// SPDX-License-Identifier: MIT
// Loops over scalarsets whose result may depend on the order of their iterations. The walk starts at every rule and
// property and follows calls with what their parameters are bound to, so aliases are known as places; it records the
// accesses of every loop that it is in (access.h) and judges a loop at its end. multisetremovepred is such a loop, too.
//
// Functions are walked once for each way in which their reference parameters are bound, and each time they are called
// inside of a loop over a scalarset; after kStepsMax statements in such loops it gives up and reports.
#pragma once

#include <vector>

#include "symmetry/asymmetry.h"
#include "symmetry/scalarsets.h"

namespace tideline::symmetry {

void find_ordered_loops(const ir::Program& program, const Scalarsets& scalarsets, std::vector<Asymmetry>& found);

}  // namespace tideline::symmetry
