// SPDX-License-Identifier: MIT
// Cells: the simple values of a state that a progress measure may read, and the groups of cells that play the same
// part: the elements of an array, the same variable of processes of equal structure. A group can be summed up.
//
// C1  no cell holds a member of a scalarset: members have no order.
// C2  a cell that symmetry reduction moves about (an element of an array over a permuted scalarset) or that has no
//     lasting place (a slot of a multiset) is not `alone`: only its group's sum means something.
// C3  the cells of a group have the same codes for the same values. Every cell is in one group.
// Cost: linear in the simple values of a state; at most `most` cells, arrays that would exceed it are left out.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace tideline::progress {

struct Cell {
  std::string path;
  const ir::Type* type = nullptr;  // simple; of an occupied bit: the multiset's
  std::uint64_t offset = 0;        // bits; of an occupied bit: the bit itself
  std::size_t group = 0;
  bool alone = true;  // C2
};

struct CellGroup {
  std::string text;                // "number[*]", "P_0.j + P_1.j", "|net|"
  const ir::Type* type = nullptr;  // of its cells
  std::vector<std::size_t> cells;
  const ir::Type* multiset = nullptr;  // not null: the group counts the elements of this multiset
  std::uint64_t multiset_offset = 0;

  // Codes are values of 0 .. codes() - 1.
  [[nodiscard]] std::uint64_t codes() const { return multiset != nullptr ? 2 : type->domain->codes(); }
  [[nodiscard]] unsigned bits() const { return multiset != nullptr ? 1 : type->domain->bits(); }
  [[nodiscard]] bool has_undefined() const { return multiset == nullptr && type->domain->has_undefined; }
};

struct Cells {
  std::vector<Cell> cells;
  std::vector<CellGroup> groups;
};

// `permuted`: the scalarsets that symmetry reduction permutes, by their values.
Cells find_cells(const ir::Program& program, const std::vector<ir::Interval>& permuted, std::size_t most);

}  // namespace tideline::progress
