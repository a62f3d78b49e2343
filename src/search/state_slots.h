// SPDX-License-Identifier: MIT
// The simple values in a state, as runs of bits: what a partition of the state space is made from.
#pragma once

#include <vector>

#include "ir/program.h"
#include "store/part_tree.h"

namespace tideline {

// In the order of the state, at most `most`; one that lies in two words is two slots.
std::vector<StateSlot> state_slots(const ir::Program& program, std::size_t most);

}  // namespace tideline
