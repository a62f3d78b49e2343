// SPDX-License-Identifier: MIT
// A state as a relational structure over scalarset elements: what refinement needs to know of it. One pass over the
// packed state yields, for every element, a colour (a hash of everything said about it alone), and the *tuples* that
// relate two or more elements: an array element that names another, an entry of a matrix, a multiset's slot.
//
// Colours and tuples are equivariant: permuting the state permutes them in the same way. Their hashes are sums or
// ordered folds over data that does not depend on the names of elements.
//
// R1  an element without a tuple (not linked) is described by its colour alone: two such of equal colour can be swapped
//     without changing the state.
// R2  elements of equal colour are both linked or both not.
// R3  a matrix entry with its usual value relates nothing: it is the same for all pairs that have no tuple.
// Cost: one visit per chunk instance; no allocation after warming up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "symmetry/layout.h"

namespace tideline::symmetry {

// Two distinct vertices related; the commonest tuple.
struct Edge {
  std::uint64_t base = 0;  // hash of the relation's name and plain data
  Element from = 0;
  Element to = 0;
};

// Three or more places, of which at least two are distinct; `base` contains which places are equal.
struct Tuple {
  std::uint64_t base = 0;
  std::uint32_t begin = 0;  // in members()
  std::uint32_t count = 0;
};

class Relations {
 public:
  explicit Relations(const Layout& layout);

  // The state is followed by one readable word.
  void collect(const Word* state);

  // Vertices are the elements and, behind them, the slots of multisets that need a vertex of their own.
  [[nodiscard]] std::size_t vertices() const { return colours_.size(); }
  [[nodiscard]] bool has_slot_vertices() const { return colours_.size() > elements_; }
  [[nodiscard]] const std::vector<std::uint64_t>& colours() const { return colours_; }
  // Per element: the first 64 bits of the data stored for it alone. Elements of equal colour have equal ranks. Sorting
  // by rank first makes representatives that differ little from each other, which is what compression lives on.
  [[nodiscard]] std::uint64_t rank(Element element) const { return facts_[element].rank; }
  [[nodiscard]] bool is_linked(Element element) const { return facts_[element].linked != 0; }
  [[nodiscard]] std::span<const Edge> edges() const { return {edges_.data(), edge_count_}; }
  [[nodiscard]] const std::vector<Tuple>& tuples() const { return tuples_; }
  [[nodiscard]] const Element* members(const Tuple& tuple) const { return members_.data() + tuple.begin; }

 private:
  // A reference with what can be computed beforehand. What it says is chosen by table, not by branches, which would be
  // foretold wrongly half of the time.
  struct Name {
    unsigned shift = 0;
    std::uint64_t mask = 0;
    const Element* elements = nullptr;
    std::uint64_t base = 0;      // of the edge to what is named
    std::uint64_t plain[2];      // bits that stay plain: names nothing, names something
    std::uint64_t sums[3] = {};  // said about the one that names: nothing, itself, another
  };
  // A chunk with what can be computed beforehand.
  struct Plan {
    const Chunk* chunk = nullptr;
    std::uint64_t bit = 0;
    std::uint64_t mask = 0;
    std::uint64_t salt = 0;       // the chunk's name
    bool has_usual = false;       // chunk->usual relates nothing
    unsigned rank_width = 0;      // bits that it adds to the elements' ranks
    std::uint64_t rank_mask = 0;  // and which of its plain bits
    Dimension first;              // the first two dimensions, if there are any
    Dimension second;
    std::vector<Name> names;  // per reference
  };
  // What is known about one element.
  struct Facts {
    std::uint64_t ordered = 0;  // fold over chunks in their order
    std::uint64_t rank = 0;
    std::uint64_t sum = 0;  // over facts without an order
    std::uint64_t linked = 0;
  };

  static Plan plan_of(const Chunk& chunk, std::uint64_t number);
  void choose_ranked();
  static void add_plain(const Plan& plan, std::uint64_t plain, Facts& facts);
  void add_edge(std::uint64_t base, Element from, Element to);
  void collect_fixed(const Plan& plan, const Word* state);
  void collect_vector(const Plan& plan, const Word* state);
  template <bool kSeveral>
  void collect_vector_references(const Plan& plan, const Word* state);
  void collect_matrix(const Plan& plan, const Word* state);
  void collect_general(const Plan& plan, const Word* state);
  void collect_entry(const Plan& plan, std::uint64_t value);
  void collect_multiset(std::size_t site, const Word* state);
  void collect_slot(std::size_t site, const Word* state, std::uint64_t bit);
  void collect_slot_vertex(std::size_t site, const Word* state, std::uint64_t bit);
  // Relates the vertices in place_.
  void relate(std::uint64_t base);
  // Calls visit(bit) for every instance, with the instance's elements appended to place_.
  template <typename Visit>
  void for_each_instance(const std::vector<Dimension>& dimensions, std::uint64_t bit, Visit&& visit);

  const Layout& layout_;
  std::size_t elements_;
  std::vector<Plan> fixed_;               // no dimension: only references
  std::vector<Plan> vectors_;             // one dimension, plain bits
  std::vector<Plan> vector_references_;   // one dimension, with references
  std::vector<Plan> matrices_;            // two dimensions, plain bits
  std::vector<Plan> general_;             // anything else
  std::vector<std::vector<Plan>> slots_;  // per multiset
  std::vector<std::uint64_t> initial_;    // colours of elements about which nothing is known
  std::vector<Facts> facts_;              // per element
  std::vector<std::uint64_t> colours_;    // per vertex
  std::vector<Edge> edges_;               // the first edge_count_, then room; always enough for vector_references_
  std::size_t edge_count_ = 0;
  std::vector<Tuple> tuples_;
  std::vector<Element> members_;
  std::vector<Element> place_;
};

}  // namespace tideline::symmetry
