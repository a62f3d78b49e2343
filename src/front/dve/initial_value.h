// SPDX-License-Identifier: MIT
// The value of an initialiser. Variables have their initial values in it, arithmetic is 32-bit, as in a run.
#pragma once

#include <cstdint>
#include <optional>

#include "front/dve/model.h"

namespace tideline::dve {

// The value of the expression `root`, whose nodes are those from `first` on. Nothing if it has none: a division by 0,
// an index outside the array, or a number beyond 32 bits.
std::optional<std::int64_t> initial_value(const Model& model, ExprId first, ExprId root);

}  // namespace tideline::dve
