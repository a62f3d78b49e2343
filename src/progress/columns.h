// SPDX-License-Identifier: MIT
// A sample by columns: for each cell, the value that every sampled state has in it, as an index into the group's list
// of codes. And terms: a cell, or the sum of a group, with an order of its values; what a measure is made from.
//
// M1  the codes of a group are increasing: all of them if there are at most kGraphValuesMax, else those that were seen.
// M2  a cell that has one value in the whole sample has no column.
// M3  the rank of an undefined value in a natural order is the least, in both directions (ir/progress.h, K1).
#pragma once

#include <cstdint>
#include <vector>

#include "progress/cells.h"
#include "progress/sample.h"
#include "progress/value_order.h"

namespace tideline::progress {

struct Columns {
  std::vector<std::vector<std::uint32_t>> of_cell;
  std::vector<std::vector<std::uint64_t>> codes;  // by group, M1
  std::vector<std::vector<bool>> seen;            // by group: was this one in a sampled state?

  // Cells of the group that have a column.
  [[nodiscard]] std::vector<std::size_t> changing(const CellGroup& group) const;
};

Columns make_columns(const Cells& cells, const Sample& sample);

enum class OrderKind : std::uint8_t { kAscending, kDescending, kTable };

struct Term {
  std::size_t index = 0;  // of a cell, or of a group
  bool is_sum = false;
  OrderKind kind = OrderKind::kAscending;
  Ranks ranks;             // kTable: by index into the group's codes
  bool is_proved = false;  // the program's text shows that no step lowers it
  bool operator==(const Term&) const = default;
};

// Ranks 0, 1, 2 ... in place of values, in the same order.
std::vector<std::uint32_t> without_gaps(const std::vector<std::uint64_t>& values);

std::size_t group_of(const Cells& cells, const Term& term);

// Ranks of the values of a term's cells, by index into the group's codes; of a natural sum, their codes.
std::vector<std::uint64_t> value_ranks(const Cells& cells, const Columns& columns, const Term& term);

// The rank of every sampled state, without gaps.
std::vector<std::uint32_t> term_column(const Cells& cells, const Columns& columns, const Term& term);

}  // namespace tideline::progress
