// SPDX-License-Identifier: MIT
// The code that must treat members of scalarsets alike: rules and properties, and the functions that they can call.
// Start rules, and functions that only they call, may choose members as they like: a reduced search begins with the
// representatives of the start states there are, and from there on everything is symmetric. So may a progress measure:
// it is evaluated in representatives, and any order of them will do.
#pragma once

#include <set>

#include "ir/program.h"

namespace tideline::symmetry {

// The functions that rules and properties can call, directly or not.
std::set<const ir::Function*> step_functions(const ir::Program& program);

}  // namespace tideline::symmetry
