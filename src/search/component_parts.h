// SPDX-License-Identifier: MIT
// How the states of a program are divided for collapse compression: a part for each component (process), or what stands
// for one: the elements of arrays over the same indices (src/search/component_order.h); then the other variables.
#pragma once

#include "ir/program.h"
#include "store/state_parts.h"

namespace tideline {

std::vector<StatePart> parts_by_component(const ir::Program& program);

}  // namespace tideline
