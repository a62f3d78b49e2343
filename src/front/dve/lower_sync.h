// SPDX-License-Identifier: MIT
// `system sync`: in each step every process takes one of its enabled transitions. Guards and effects see the state
// before the step, and two processes that write the same global variable at once are a run-time error, as in DiVinE.
//
// One rule; its parameters are the processes' choices. A global variable (or location) that one process may change and
// another one reads is copied before the step; a transition reads the copy unless it writes the variable itself, in
// which case no other process does.
#pragma once

#include "front/dve/layout.h"
#include "front/dve/lower_step.h"

namespace tideline::dve {

void lower_synchronous(const Model& model, const Layout& layout, ir::Program& program, ExprLowering& exprs,
                       StepLowering& steps);

}  // namespace tideline::dve
