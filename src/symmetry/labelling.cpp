// SPDX-License-Identifier: MIT
#include "symmetry/labelling.h"

#include <algorithm>

#include "symmetry/mixing.h"

namespace tideline::symmetry {
namespace {

// By key(element). Insertion sort: cells are small and nearly sorted.
template <typename Key>
inline void sort_range(Element* begin, const Element* end, const Key& key_of) {
  for (Element* at = begin; at != end; ++at) {
    const Element moved = *at;
    const std::uint64_t key = key_of(moved);
    Element* to = at;
    for (; to != begin && key_of(to[-1]) > key; --to)
      *to = to[-1];
    *to = moved;
  }
}

}  // namespace

Labelling::Labelling(const Layout& layout) : layout_(layout) {}

void Labelling::begin(const Relations& relations) {
  colours_ = relations.colours();
  has_surroundings_ = false;
  order_.resize(layout_.elements());
  cells_.clear();
  split_.clear();
  for (const Scalarset& scalarset : layout_.scalarsets()) {
    for (Element k = 0; k < scalarset.count; ++k)
      order_[scalarset.first + k] = static_cast<Element>(scalarset.first + k);
    split_by_rank(relations, {scalarset.first, std::uint32_t{scalarset.first} + scalarset.count});
  }
  cells_.swap(split_);
}

// Sorts the elements of a scalarset by their data, then those with equal data by colour.
void Labelling::split_by_rank(const Relations& relations, Cell cell) {
  sort_range(order_.data() + cell.begin, order_.data() + cell.end,
             [&relations](Element element) { return relations.rank(element); });
  for (std::uint32_t begin = cell.begin; begin < cell.end;) {
    std::uint32_t end = begin + 1;
    while (end < cell.end && relations.rank(order_[end]) == relations.rank(order_[begin]))
      ++end;
    if (end - begin > 1)
      split_cell({begin, end});
    begin = end;
  }
}

// Sorts the cell by colour and adds the parts that are not single to split_.
void Labelling::split_cell(Cell cell) {
  sort_range(order_.data() + cell.begin, order_.data() + cell.end,
             [colours = colours_.data()](Element element) { return colours[element]; });
  std::uint32_t begin = cell.begin;
  for (std::uint32_t i = cell.begin + 1; i <= cell.end; ++i) {
    if (i < cell.end && colours_[order_[i]] == colours_[order_[begin]])
      continue;
    if (i - begin > 1)
      split_.push_back({begin, i});
    begin = i;
  }
}

bool Labelling::split_cells() {
  split_.clear();
  std::uint32_t before = 0;
  for (const Cell& cell : cells_) {
    before += cell.end - cell.begin - 1;
    split_cell(cell);
  }
  std::uint32_t after = 0;  // elements in excess of one per cell: falls with every split
  for (const Cell& cell : split_)
    after += cell.end - cell.begin - 1;
  cells_.swap(split_);
  return after < before;
}

void Labelling::refine(const Relations& relations) {
  if (relations.edges().empty() && relations.tuples().empty())
    return;
  // News travels from an element over a slot's vertex to another element in two rounds.
  const int patience = relations.has_slot_vertices() ? 2 : 1;
  for (int idle = 0; idle < patience && !cells_.empty();) {
    const bool linked = std::any_of(cells_.begin(), cells_.end(),
                                    [&](const Cell& cell) { return relations.is_linked(order_[cell.begin]); });
    if (!linked)
      return;
    update_colours(relations);
    idle = split_cells() ? 0 : idle + 1;
  }
}

void Labelling::update_colours(const Relations& relations) {
  news_.assign(relations.vertices(), 0);
  for (const Edge& edge : relations.edges()) {
    const std::uint64_t hash = mix(edge.base ^ colours_[edge.from], colours_[edge.to]);
    news_[edge.from] += hash;
    news_[edge.to] += hash * kOddC;
  }
  for (const Tuple& tuple : relations.tuples()) {
    const Element* members = relations.members(tuple);
    std::uint64_t hash = tuple.base;
    for (std::uint32_t i = 0; i < tuple.count; ++i)
      hash = mix(hash, colours_[members[i]]);
    for (std::uint32_t i = 0; i < tuple.count; ++i)
      news_[members[i]] += mix(hash, i);
  }
  for (std::size_t v = 0; v < news_.size(); ++v)
    if (news_[v] != 0)
      colours_[v] = mix(colours_[v], news_[v]);
}

// Two elements of one cell with equal surroundings are twins: swapping them turns each one's tuples into the other's.
void Labelling::find_surroundings(const Relations& relations) {
  has_surroundings_ = true;
  surroundings_.assign(relations.vertices(), 0);
  for (const Edge& edge : relations.edges()) {
    surroundings_[edge.from] += mix(edge.base, edge.to);
    surroundings_[edge.to] += mix(edge.base * kOddC, edge.from);
  }
  for (const Tuple& tuple : relations.tuples()) {
    const Element* members = relations.members(tuple);
    for (std::uint32_t i = 0; i < tuple.count; ++i) {
      if (std::find(members, members + i, members[i]) != members + i)
        continue;
      std::uint64_t hash = tuple.base;
      for (std::uint32_t k = 0; k < tuple.count; ++k)
        hash = mix(hash, members[k] == members[i] ? kNoElement : members[k]);
      surroundings_[members[i]] += mix(hash, i);
    }
  }
}

// One element of every class of twins in the cell, which is put into the order of their numbers.
void Labelling::find_candidates(const Relations& relations, Cell cell, std::vector<Element>& candidates) {
  candidates.clear();
  std::sort(order_.begin() + cell.begin, order_.begin() + cell.end);
  if (!relations.is_linked(order_[cell.begin]))
    return;
  if (!has_surroundings_)
    find_surroundings(relations);
  for (std::uint32_t i = cell.begin; i < cell.end; ++i) {
    const std::uint64_t own = surroundings_[order_[i]];
    const bool has_twin =
        std::any_of(candidates.begin(), candidates.end(), [&](Element other) { return surroundings_[other] == own; });
    if (!has_twin)
      candidates.push_back(order_[i]);
  }
  if (candidates.size() == 1)
    candidates.clear();
}

bool Labelling::choose_branch(const Relations& relations, std::size_t depth) {
  if (saved_.size() <= depth)
    saved_.emplace_back();
  while (!cells_.empty()) {
    find_candidates(relations, cells_.back(), saved_[depth].candidates);
    if (!saved_[depth].candidates.empty()) {
      Saved& saved = saved_[depth];
      saved.order = order_;
      saved.cells = cells_;
      saved.colours = colours_;
      return true;
    }
    cells_.pop_back();
  }
  return false;
}

// Makes a candidate of the last cell a cell of its own, in front of the others.
void Labelling::individualise(std::size_t depth, std::size_t candidate) {
  const Saved& saved = saved_[depth];
  order_ = saved.order;
  cells_ = saved.cells;
  colours_ = saved.colours;
  const Element chosen = saved.candidates[candidate];
  Cell& cell = cells_.back();
  const auto begin = order_.begin() + cell.begin;
  std::rotate(begin, std::find(begin, order_.end(), chosen), std::find(begin, order_.end(), chosen) + 1);
  colours_[chosen] = mix(colours_[chosen], kOddC);
  if (++cell.begin + 1 == cell.end)
    cells_.pop_back();
}

}  // namespace tideline::symmetry
