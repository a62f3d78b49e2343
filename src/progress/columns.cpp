// SPDX-License-Identifier: MIT
#include "progress/columns.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "ir/bits.h"

namespace tideline::progress {
namespace {

std::vector<std::uint64_t> codes_of(const Cell& cell, unsigned bits, const Sample& sample) {
  std::vector<std::uint64_t> codes(sample.size());
  for (std::size_t s = 0; s < codes.size(); ++s)
    codes[s] = ir::get_bits(sample.state(static_cast<StateIndex>(s)), cell.offset, bits);
  return codes;
}

void sort_unique(std::vector<std::uint64_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::uint32_t position(const std::vector<std::uint64_t>& list, std::uint64_t value) {
  return static_cast<std::uint32_t>(std::lower_bound(list.begin(), list.end(), value) - list.begin());
}

// M1; the codes that were seen are known.
void list_codes(const CellGroup& group, const std::vector<std::uint64_t>& seen, Columns& columns) {
  std::vector<std::uint64_t> codes = seen;
  if (group.codes() <= kGraphValuesMax) {
    codes.resize(group.codes());
    std::iota(codes.begin(), codes.end(), 0);
  }
  std::vector<bool> was_seen(codes.size(), false);
  for (const std::uint64_t code : seen)
    was_seen[position(codes, code)] = true;
  columns.codes.push_back(std::move(codes));
  columns.seen.push_back(std::move(was_seen));
}

}  // namespace

std::vector<std::uint32_t> without_gaps(const std::vector<std::uint64_t>& values) {
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 16;  // most values are: then without sorting
  std::vector<std::uint32_t> ranks(values.size());
  const std::uint64_t last = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  if (last >= kSmall) {
    std::vector<std::uint64_t> list = values;
    sort_unique(list);
    for (std::size_t i = 0; i < values.size(); ++i)
      ranks[i] = position(list, values[i]);
    return ranks;
  }
  std::vector<std::uint32_t> rank_of(last + 1, 0);
  for (const std::uint64_t value : values)
    rank_of[value] = 1;
  std::uint32_t next = 0;
  for (std::uint32_t& rank : rank_of)
    rank = rank == 0 ? 0 : next++;
  for (std::size_t i = 0; i < values.size(); ++i)
    ranks[i] = rank_of[values[i]];
  return ranks;
}

std::vector<std::size_t> Columns::changing(const CellGroup& group) const {
  std::vector<std::size_t> list;
  for (const std::size_t cell : group.cells)
    if (!of_cell[cell].empty())
      list.push_back(cell);
  return list;
}

Columns make_columns(const Cells& cells, const Sample& sample) {
  Columns columns;
  columns.of_cell.resize(cells.cells.size());
  for (const CellGroup& group : cells.groups) {
    std::unordered_set<std::uint64_t> seen;
    for (const std::size_t cell : group.cells)
      for (const std::uint64_t code : codes_of(cells.cells[cell], group.bits(), sample))
        seen.insert(code);
    std::vector<std::uint64_t> list(seen.begin(), seen.end());
    sort_unique(list);
    list_codes(group, list, columns);
    for (const std::size_t cell : group.cells) {
      const std::vector<std::uint64_t> codes = codes_of(cells.cells[cell], group.bits(), sample);
      if (std::all_of(codes.begin(), codes.end(), [&codes](std::uint64_t code) { return code == codes.front(); }))
        continue;
      for (const std::uint64_t code : codes)
        columns.of_cell[cell].push_back(position(columns.codes.back(), code));
    }
  }
  return columns;
}

std::size_t group_of(const Cells& cells, const Term& term) {
  return term.is_sum ? term.index : cells.cells[term.index].group;
}

std::vector<std::uint64_t> value_ranks(const Cells& cells, const Columns& columns, const Term& term) {
  const std::size_t group = group_of(cells, term);
  const std::vector<std::uint64_t>& codes = columns.codes[group];
  if (term.kind == OrderKind::kTable)
    return {term.ranks.begin(), term.ranks.end()};
  std::vector<std::uint64_t> ranks = codes;
  if (term.kind == OrderKind::kDescending && !term.is_sum)
    for (std::uint64_t& rank : ranks)
      rank = cells.groups[group].has_undefined() && rank == 0 ? 0 : codes.back() - rank + 1;
  return ranks;
}

std::vector<std::uint32_t> term_column(const Cells& cells, const Columns& columns, const Term& term) {
  const std::vector<std::uint64_t> ranks = value_ranks(cells, columns, term);
  std::vector<std::uint64_t> sums;
  const std::vector<std::size_t> list =
      term.is_sum ? columns.changing(cells.groups[term.index]) : std::vector<std::size_t>{term.index};
  for (const std::size_t cell : list) {
    const std::vector<std::uint32_t>& column = columns.of_cell[cell];
    sums.resize(column.size(), 0);
    for (std::size_t s = 0; s < column.size(); ++s)
      sums[s] += ranks[column[s]];
  }
  if (term.is_sum && term.kind == OrderKind::kDescending && !sums.empty()) {
    const std::uint64_t last = *std::max_element(sums.begin(), sums.end());
    for (std::uint64_t& sum : sums)
      sum = last - sum;
  }
  return without_gaps(sums);
}

}  // namespace tideline::progress
