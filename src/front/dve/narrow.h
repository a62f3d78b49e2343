// SPDX-License-Identifier: MIT
// Which values the variables of a DVE model can take: bits of a packed state are what memory and disk pay for.
#pragma once

#include <vector>

#include "front/dve/model.h"

namespace tideline::dve {

// They contain every value that a reachable state holds, and every value that a step stores last, even if the step
// fails after that; not what a step stores in a scalar and then overwrites.
struct Narrowing {
  std::vector<ir::Interval> variables;              // by VariableId; all elements of an array alike; constants too
  std::vector<std::vector<ir::Interval>> channels;  // by ChannelId, then item; for channels with a buffer
};

Narrowing narrow(const Model& model, OnError on_error);

}  // namespace tideline::dve
