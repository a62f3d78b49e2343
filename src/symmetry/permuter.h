// SPDX-License-Identifier: MIT
// Applies a permutation of scalarset elements to a packed state: moves array elements, renames references, and puts
// multisets into canonical order.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "symmetry/layout.h"

namespace tideline::symmetry {

class Permuter {
 public:
  explicit Permuter(const Layout& layout);

  // The element at position p of `order` is renamed p. `state` and `out` do not overlap; each has layout.words() words
  // and a readable (for `out` writable) word behind them, which is zero in `out` afterwards.
  void permute(const Word* state, std::span<const Element> order, Word* out);
  // True if `order` renames nothing.
  static bool is_identity(std::span<const Element> order);

 private:
  // A reference: change_[changes[code]] is what renaming adds to the code, also where it names nothing.
  struct Name {
    unsigned shift = 0;
    std::uint64_t mask = 0;
    const Element* changes = nullptr;
  };
  // A chunk with what can be computed beforehand.
  struct Part {
    const Chunk* chunk = nullptr;
    std::uint64_t mask = 0;
    std::vector<Name> names;
  };

  Part part_of(const Chunk& chunk);
  [[nodiscard]] std::uint64_t rename(const Part& part, std::uint64_t value) const;
  // All instances of a chunk with one dimension.
  void move_vector(const Part& part, const Word* state, std::span<const Element> order, Word* out) const;
  void move_chunk(const Part& part, const Word* state, std::uint64_t from, std::uint64_t to, Word* out) const;
  void move_multiset(std::size_t number, const Word* state, std::uint64_t from, std::uint64_t to, Word* out);
  void move_narrow_slots(std::size_t number, const Word* state, std::uint64_t from, std::uint64_t to, Word* out);
  // Calls visit(from, to) with the first bits of every instance before and after.
  template <typename Visit>
  void for_each_move(std::span<const Dimension> dimensions, std::uint64_t from, std::uint64_t to, Visit&& visit) const;

  const Layout& layout_;
  std::map<const std::vector<Element>*, std::vector<Element>> changes_;  // per domain: code to a place in change_
  std::vector<Part> parts_;                                              // of chunks
  std::vector<std::vector<Part>> slot_parts_;                            // per multiset
  std::vector<Element> renamed_;                                         // per element: its new number
  std::vector<std::uint64_t> change_;  // per element: new number - old number, modulo 2^64; the last is 0
  std::vector<std::uint64_t> slots_;   // of the multiset being moved
};

}  // namespace tideline::symmetry
