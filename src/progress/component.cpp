// SPDX-License-Identifier: MIT
#include "progress/component.h"

#include <algorithm>
#include <span>
#include <utility>

#include "ir/build.h"

namespace tideline::progress {
namespace {

using ir::ExprOp;
using ir::ExprPtr;

constexpr std::size_t kTextMax = 100;

// Values from `first` on have this rank, up to the next run.
struct Run {
  std::int64_t first = 0;
  std::uint32_t rank = 0;
};

ir::Ref ref_of(const Cell& cell) {
  ir::Ref ref;
  ref.offset = cell.offset;
  ref.type = cell.type;
  ref.text = cell.path;
  return ref;
}

ExprPtr read(const Cell& cell) {
  return ir::make_read(ref_of(cell), true, {});
}

ExprPtr defined_or_least(const Cell& cell, ExprPtr value, std::uint32_t least) {
  if (!cell.type->domain->has_undefined)
    return value;
  return ir::make_conditional(ir::make_is_undefined(ref_of(cell), {}), ir::make_constant(least), std::move(value), {});
}

// Its code, for sums.
ExprPtr code_of(const Cell& cell) {
  const ir::Domain& domain = *cell.type->domain;
  const std::int64_t origin = domain.hull().lo - (domain.has_undefined ? 1 : 0);
  return defined_or_least(cell, ir::make_binary(ExprOp::kSubtract, read(cell), ir::make_constant(origin), {}), 0);
}

// Runs of equal rank, over the whole domain; codes that are not in the list have the rank behind the last.
std::vector<Run> runs_of(const ir::Domain& domain, const std::vector<std::uint64_t>& codes, const Ranks& ranks) {
  const std::uint32_t behind = *std::max_element(ranks.begin(), ranks.end()) + 1;
  std::vector<Run> runs;
  const auto add = [&runs](std::int64_t first, std::uint32_t rank) {
    if (runs.empty() || runs.back().rank != rank)
      runs.push_back({first, rank});
  };
  std::int64_t next = domain.hull().lo;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::int64_t value = domain.decode(codes[i]);
    if (value == ir::kUndefined)
      continue;
    if (value > next)
      add(next, behind);
    add(value, ranks[i]);
    next = value + 1;
  }
  if (next <= domain.hull().hi)
    add(next, behind);
  return runs;
}

ExprPtr choose_run(const Cell& cell, std::span<const Run> runs) {  // NOLINT(misc-no-recursion): logarithmic
  if (runs.size() == 1)
    return ir::make_constant(runs.front().rank);
  const std::size_t half = runs.size() / 2;
  return ir::make_conditional(ir::make_binary(ExprOp::kLess, read(cell), ir::make_constant(runs[half].first), {}),
                              choose_run(cell, runs.first(half)), choose_run(cell, runs.subspan(half)), {});
}

ExprPtr rank_of(const Cell& cell, const std::vector<std::uint64_t>& codes, const Ranks& ranks) {
  const std::vector<Run> runs = runs_of(*cell.type->domain, codes, ranks);
  const bool lists_undefined = cell.type->domain->has_undefined && !codes.empty() && codes.front() == 0;
  return defined_or_least(cell, choose_run(cell, runs), lists_undefined ? ranks.front() : 0);
}

ExprPtr sum_of(std::span<ExprPtr> parts) {  // NOLINT(misc-no-recursion): logarithmic
  if (parts.size() == 1)
    return std::move(parts.front());
  const std::size_t half = parts.size() / 2;
  ExprPtr left = sum_of(parts.first(half));
  return ir::make_binary(ExprOp::kAdd, std::move(left), sum_of(parts.subspan(half)), {});
}

ExprPtr count_of(ir::Program& program, const CellGroup& group, ir::Frame& frame) {
  ir::Ref ref;
  ref.offset = group.multiset_offset;
  ref.type = group.multiset;
  ref.text = group.text;
  frame.locals.push_back({"slot", ir::add_simple_type(program, group.multiset->domain), ir::LocalKind::kValue});
  return ir::make_multiset_count(std::move(ref), 0, ir::make_constant(1), {});
}

std::string table_text(const CellGroup& group, const std::vector<std::uint64_t>& codes, const std::vector<bool>& seen,
                       const Ranks& ranks) {
  std::string text;
  const std::uint32_t last = *std::max_element(ranks.begin(), ranks.end());
  for (std::uint32_t rank = 0; rank <= last; ++rank) {
    std::string same;
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (ranks[i] == rank && seen[i])
        same += (same.empty() ? "" : ", ") + group.type->domain->show(group.type->domain->decode(codes[i]));
    if (!same.empty())
      text += (text.empty() ? "" : " < ") + same;
    if (text.size() > kTextMax)
      return text.substr(0, text.rfind(' ', kTextMax)) + " ...";
  }
  return text;
}

}  // namespace

std::string term_text(const Cells& cells, const Columns& columns, const Term& term) {
  const std::size_t g = group_of(cells, term);
  const CellGroup& group = cells.groups[g];
  const std::string& name = term.is_sum ? group.text : cells.cells[term.index].path;
  if (term.kind != OrderKind::kTable)
    return (term.kind == OrderKind::kDescending ? "down " : "") + name;
  return name + ": " + table_text(group, columns.codes[g], columns.seen[g], term.ranks);
}

ir::ProgressComponent make_component(ir::Program& program, const Cells& cells, const Columns& columns,
                                     const Term& term) {
  const std::size_t g = group_of(cells, term);
  const CellGroup& group = cells.groups[g];
  ir::ProgressComponent component;
  component.text = term_text(cells, columns, term);
  component.descending = term.kind == OrderKind::kDescending;
  const bool is_table = term.kind == OrderKind::kTable;
  if (!term.is_sum) {
    const Cell& cell = cells.cells[term.index];
    component.value = is_table ? rank_of(cell, columns.codes[g], term.ranks) : ir::make_read(ref_of(cell), false, {});
  } else if (group.multiset != nullptr) {
    component.value = count_of(program, group, component.frame);
  } else {
    std::vector<ExprPtr> parts;
    for (const std::size_t cell : group.cells)
      parts.push_back(is_table ? rank_of(cells.cells[cell], columns.codes[g], term.ranks) : code_of(cells.cells[cell]));
    component.value = sum_of(parts);
  }
  return component;
}

}  // namespace tideline::progress
