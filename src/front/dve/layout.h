// SPDX-License-Identifier: MIT
// Where the parts of a DVE model are in a packed state: for each process its location and its local variables, then the
// global variables, then the buffers of channels. A part that can only have one value takes no room.
//
// A buffer is a count and an array of records; slots at and beyond the count hold zeros, so equal buffers are equal
// bits.
#pragma once

#include <vector>

#include "front/dve/model.h"
#include "front/dve/narrow.h"
#include "ir/program.h"

namespace tideline::dve {

struct BufferParts {
  std::uint32_t count = kNothing;  // numbers in Program::variables
  std::uint32_t items = kNothing;
};

// Numbers in Program::variables; kNothing: not in the state.
struct Layout {
  std::vector<std::uint32_t> variables;  // by VariableId
  std::vector<std::uint32_t> locations;  // by ProcessId; a process with one state has none
  std::vector<BufferParts> buffers;      // by ChannelId
  std::vector<const ir::Type*> types;    // by VariableId: of what is not a constant, whether stored or not
};

// Adds the variables to the program. False if the state would be too large.
[[nodiscard]] bool lay_out(const Model& model, const Narrowing& narrowing, ir::Program& program, Layout& layout);

}  // namespace tideline::dve
