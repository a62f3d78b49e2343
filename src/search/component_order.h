// SPDX-License-Identifier: MIT
// An order for the bits of a state in which the elements of arrays over the same indices stand together: all that
// process 1 has, all that process 2 has, and so on, then the rest. What one process has depends on what else it has,
// and symmetry reduction sorts processes by their data, so the halves of a state in this order take few different
// values: n_peterson-7 up to symmetry has 0.04 halves per state in this order, 0.44 in the order of declaration.
#pragma once

#include "ir/program.h"
#include "store/bit_order.h"

namespace tideline {

using Segments = std::vector<BitOrder::Segment>;

// The components: for each index, the elements of arrays over the same indices. Their variables become `placed`; what
// was placed before is left alone.
std::vector<Segments> array_components(const ir::Program& program, std::vector<bool>& placed);

BitOrder order_by_component(const ir::Program& program);

}  // namespace tideline
