// SPDX-License-Identifier: MIT
// Where scalarset members occur in a packed state. A permutation of scalarset members acts on a state by moving array
// elements (arrays indexed by a scalarset or a union of them) and by renaming values. The layout cuts the packed state
// into chunks that move and rename as a whole:
//
// - a *chunk* is a run of at most kChunkBits bits, repeated along `dimensions` (the scalarset-indexed arrays around
//   it), that holds plain bits and *references* (values that name scalarset members);
// - a *multiset* is repeated along dimensions, too; its slots are unordered and consist of chunks;
// - all other bits are fixed: no permutation changes them.
//
// Members of all scalarsets that are permuted are numbered through: they are the *elements* 0..elements()-1. Arrays
// over other index types are written out, element by element, if there are references inside.
//
// L1  every bit of the state is fixed, in exactly one instance of one chunk, or in exactly one multiset.
// L2  codes of one scalarset's members are consecutive, so renaming element a to b adds b - a to the code.
// L3  a chunk's first bit and dimensions are relative to the slot if it is part of a multiset.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/program.h"
#include "model/next_state.h"
#include "symmetry/scalarsets.h"

namespace tideline::symmetry {

using Element = std::uint16_t;
inline constexpr Element kNoElement = 0xffff;
inline constexpr std::uint64_t kChunkBits = 56;

// The members of one scalarset, as values and as elements.
struct Scalarset {
  ir::Interval values;
  Element first = 0;
  Element count = 0;
};

struct Dimension {
  Element first = 0;
  Element count = 0;
  std::uint64_t stride = 0;  // bits from one element to the next
};

// A value inside a chunk: code = (bits >> shift) & mask; elements[code] is the element it names, or kNoElement.
struct Reference {
  unsigned shift = 0;
  std::uint64_t mask = 0;
  const std::vector<Element>* elements = nullptr;
};

struct Chunk {
  std::vector<Dimension> dimensions;
  std::uint64_t bit = 0;  // of the instance whose dimensions are all at their first element
  unsigned width = 0;
  std::uint64_t usual = 0;  // plain bits in the example state: what most instances hold
  std::vector<Reference> references;
};

struct MultisetSite {
  std::vector<Dimension> dimensions;
  std::uint64_t bit = 0;
  std::uint64_t slots = 0;
  std::uint64_t stride = 0;     // bits of a slot; the highest one says that it is occupied
  std::vector<Chunk> chunks;    // of one slot, the occupied bit left out
  bool has_dimensions = false;  // some chunk has dimensions of its own
};

class Layout {
 public:
  // `scalarsets`: those to permute, as intervals of values (scalarsets_of() or some of them: they are small enough).
  // `example`: a typical state (the first initial one), which only guides what is worth looking at. The program must
  // outlive the layout.
  Layout(const ir::Program& program, const std::vector<ir::Interval>& scalarsets, const Word* example);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  [[nodiscard]] const std::vector<Scalarset>& scalarsets() const { return scalarsets_; }
  [[nodiscard]] std::size_t elements() const { return elements_; }
  [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }
  [[nodiscard]] const std::vector<MultisetSite>& multisets() const { return multisets_; }
  // The bits that no permutation changes.
  [[nodiscard]] const std::vector<Word>& fixed() const { return fixed_; }
  [[nodiscard]] std::size_t words() const { return fixed_.size(); }

 private:
  class Builder;

  std::vector<Scalarset> scalarsets_;
  std::size_t elements_ = 0;
  std::vector<Chunk> chunks_;
  std::vector<MultisetSite> multisets_;
  std::vector<Word> fixed_;
  std::vector<std::unique_ptr<std::vector<Element>>> tables_;  // of references, one per domain
};

}  // namespace tideline::symmetry
