// SPDX-License-Identifier: MIT
// Canonical labelling of a relational structure by colour refinement and individualisation, the scheme of McKay's nauty
// [mckay.81.cn] cut down to structures of a few dozen vertices. The elements of every scalarset are kept as an ordered
// partition; refinement splits a cell by what its elements' tuples say about the colours of other elements; when
// nothing splits any more, a cell with several elements is split by individualising each of its elements in turn, and
// the caller compares the complete orders (leaves) that come out.
//
// Elements that can be swapped without changing the structure (*twins*) need no branching: unlinked elements of one
// cell, and linked ones whose tuples are the same but for themselves.
//
// O1  everything that steers the search (colours, order of cells, the cell that is branched on) is equivariant, so the
//     set of leaves of two states of one orbit is the same up to the permutation between them.
// O2  leaves that are left out are images of others under a permutation that keeps the state.
// Cost: a round visits every tuple once. Leaves: one, unless there are indistinguishable elements that are no twins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "symmetry/relations.h"

namespace tideline::symmetry {

class Labelling {
 public:
  explicit Labelling(const Layout& layout);

  // Calls leaves.visit(order) for each leaf; `order` lists the elements of every scalarset, one scalarset behind the
  // other: the element at position p is to be renamed p. Twins are listed by their number. Between visits,
  // leaves.keep(d) puts the state of the last leaf aside under number d, and leaves.is_kept(d) says whether the last
  // leaf's state equals the one put aside.
  template <typename Leaves>
  void search(const Relations& relations, Leaves& leaves) {
    begin(relations);
    descend(relations, 0, 0, leaves);
  }

 private:
  struct Cell {
    std::uint32_t begin = 0;  // positions in order_
    std::uint32_t end = 0;
  };
  // What a branch must restore.
  struct Saved {
    std::vector<Element> order;
    std::vector<Cell> cells;
    std::vector<std::uint64_t> colours;
    std::vector<Element> candidates;
  };

  // Below depth `first` only first candidates have been taken so far. True if the first leaf below has the same state
  // as the first leaf below the first candidate of depth first - 1: then there is a permutation that keeps the state
  // and takes one candidate to the other, and the rest of this branch brings nothing new.
  template <typename Leaves>
  bool descend(const Relations& relations, std::size_t depth, std::size_t first, Leaves& leaves) {
    refine(relations);
    if (!choose_branch(relations, depth)) {
      leaves.visit(std::span<const Element>(order_));
      for (std::size_t d = first; d < depth; ++d)
        leaves.keep(d);
      return first > 0 && leaves.is_kept(first - 1);
    }
    for (std::size_t i = 0; i < saved_[depth].candidates.size(); ++i) {
      individualise(depth, i);
      const bool repeats = descend(relations, depth + 1, i == 0 ? first : depth + 1, leaves);
      if (i == 0 && repeats)
        return true;
    }
    return false;
  }

  void begin(const Relations& relations);
  void split_by_rank(const Relations& relations, Cell cell);
  void refine(const Relations& relations);
  void update_colours(const Relations& relations);
  // Splits the cells by colour. True if there are more of them than before.
  bool split_cells();
  void split_cell(Cell cell);
  // Drops cells of twins; if another one is left, saves the state of the search at `depth` with the candidates.
  bool choose_branch(const Relations& relations, std::size_t depth);
  void find_candidates(const Relations& relations, Cell cell, std::vector<Element>& candidates);
  void find_surroundings(const Relations& relations);
  void individualise(std::size_t depth, std::size_t candidate);

  const Layout& layout_;
  std::vector<Element> order_;
  std::vector<Cell> cells_;  // with more than one element
  std::vector<Cell> split_;
  std::vector<std::uint64_t> colours_;
  std::vector<std::uint64_t> news_;          // per vertex: what the tuples say in this round
  std::vector<std::uint64_t> surroundings_;  // per element: hash of its tuples with the names of the other members
  bool has_surroundings_ = false;
  std::vector<Saved> saved_;  // per depth
};

}  // namespace tideline::symmetry
