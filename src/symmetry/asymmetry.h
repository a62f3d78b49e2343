// SPDX-License-Identifier: MIT
// Does a program treat the members of its scalarsets alike? Symmetry reduction is sound if it does [ip.96.fmsd]: then
// permuting the members of a scalarset in a state permutes its successors and leaves every property as it is. What the
// language cannot forbid is found here: loops whose iterations do not commute, `clear`, effects in quantifiers, slot
// numbers of multisets that survive their meaning; and, for front ends other than Murphi's, what a type checker should
// have found: constants, order and arithmetic (docs/design/symmetry_check.md has the argument).
//
// Everything that cannot be shown to be symmetric is reported.
// Cost: a walk over the code of every rule and what it calls, the square of the accesses in a loop over a scalarset.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace tideline::symmetry {

struct Asymmetry {
  const ir::Domain* scalarset = nullptr;
  Location where;
  std::string what;      // a message for users
  bool certain = false;  // the members are told apart for sure
};

// Ordered by place. Scalarsets with one member are never reported.
std::vector<Asymmetry> find_asymmetries(const ir::Program& program);

}  // namespace tideline::symmetry
