// SPDX-License-Identifier: MIT
// Which values the variables of a DVE model can take: bits of a packed state are what memory and disk pay for.
#pragma once

#include <vector>

#include "front/dve/model.h"

namespace tideline::dve {

struct Narrowing {
  std::vector<ir::Interval> variables;              // by VariableId; all elements of an array alike; constants too
  std::vector<std::vector<ir::Interval>> channels;  // by ChannelId, then item; for channels with a buffer
};

Narrowing narrow(const Model& model, OnError on_error);

}  // namespace tideline::dve
