// SPDX-License-Identifier: MIT
// What the text of a program shows about its cells, without running it: which no step ever lowers (counters, clocks,
// flags that stay set), which none ever raises, and, for cells that are only ever given constants, the graph of their
// changes (the control flow of a process: guards `pc = a`, assignments `pc := b`), from which progress can be computed
// [kristensen.02.forte, section 5].
//
// An assignment `x := e` does not lower x if e is x, x plus something that is not negative, or something that is never
// below what the guard and the conditions around the assignment leave for x. Whatever is not understood (copies,
// clears, aliases, values that may be undefined) counts as lowering and raising.
//
// F1  the claims hold for every step of the program, in states with no error.
// F2  if a cell is assigned twice in a step, only what holds for each assignment by itself is claimed.
// Cost: one walk over the rules; an assignment with a variable index is looked at for each cell it may mean.
#pragma once

#include <vector>

#include "progress/cells.h"
#include "progress/value_order.h"

namespace tideline::progress {

struct CellFacts {
  bool may_fall = false;
  bool may_rise = false;
  bool is_control = true;  // all assignments are of constants; meaningful if it may fall or rise
  std::vector<std::pair<ir::Interval, std::int64_t>> changes;  // of a control cell: from one of these to this value
};

// By cell.
std::vector<CellFacts> program_facts(const ir::Program& program, const Cells& cells);

// The changes of a control cell, by code; nothing if it has too many values or is no control cell.
ValueGraph control_graph(const CellFacts& facts, const CellGroup& group);

}  // namespace tideline::progress
