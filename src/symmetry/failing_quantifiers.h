// SPDX-License-Identifier: MIT
// Quantifiers over scalarsets for which the order of evaluation can decide between a run-time error and none. An exists
// stops at the first member for which its condition is true; if the condition fails for another member, then whether
// that one is reached depends on the order, so a state may fail where a permutation of it does not. A search that looks
// at one state of an orbit then gives the verdict for that one. The same holds for a forall that is false, and for a
// loop that is left by a return.
//
// Left out are conditions that cannot fail, and quantifiers whose early end is a violation by itself: a forall that an
// invariant or assertion needs to be true, an exists that it needs to be false; and progress measures, where a failure
// is no error.
//
// These are no asymmetries: all tools with scalarsets read quantifiers like this, and protocols with queues are full of
// conditions that nobody can prove to be safe. They are worth a note (docs/design/symmetry_check.md).
#pragma once

#include <vector>

#include "ir/analysis.h"
#include "symmetry/asymmetry.h"

namespace tideline::symmetry {

// `analysis` is of the program; it finds fewer conditions that may fail if it knows what is undefined at the start.
std::vector<Asymmetry> find_failing_quantifiers(const ir::Program& program, const ir::Analysis& analysis);

}  // namespace tideline::symmetry
