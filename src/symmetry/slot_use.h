// SPDX-License-Identifier: MIT
// Slot numbers of multisets that tell more than which element is meant. A slot's number depends on how the elements are
// sorted, and that depends on the numbers of scalarset members in them; so permuting members renumbers the slots of
// every multiset in its own way. That is no harm as long as a slot variable is used only to reach its element in the
// multiset it was chosen from. Reported are: uses for another multiset, other uses of the number, and elements reached
// by a slot that may have been emptied and filled again.
//
// Multisets whose elements contain no scalarset keep their order and are of no interest here.
#pragma once

#include <vector>

#include "symmetry/asymmetry.h"
#include "symmetry/scalarsets.h"

namespace tideline::symmetry {

void find_slot_uses(const ir::Program& program, const Scalarsets& scalarsets, std::vector<Asymmetry>& found);

}  // namespace tideline::symmetry
