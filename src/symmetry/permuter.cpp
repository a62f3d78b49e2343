// SPDX-License-Identifier: MIT
#include "symmetry/permuter.h"

#include <algorithm>
#include <functional>

#include "ir/bits.h"
#include "ir/multiset.h"
#include "symmetry/mixing.h"

namespace tideline::symmetry {
namespace {

std::uint64_t mask_of(std::uint64_t width) {
  return width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
}

// Into bits that are zero. Whole words, since the next such write often meets the same word.
inline void put(Word* words, std::uint64_t bit, std::uint64_t value) {
  Word* at = words + (bit >> 6);
  const std::uint64_t shift = bit & 63;
  at[0] |= value << shift;
  at[1] |= value >> 1 >> (63 - shift);
}

}  // namespace

Permuter::Permuter(const Layout& layout)
    : layout_(layout), renamed_(layout.elements()), change_(layout.elements() + 1) {
  for (const Chunk& chunk : layout.chunks())
    parts_.push_back(part_of(chunk));
  for (const MultisetSite& site : layout.multisets()) {
    slot_parts_.emplace_back();
    for (const Chunk& chunk : site.chunks)
      slot_parts_.back().push_back(part_of(chunk));
  }
}

Permuter::Part Permuter::part_of(const Chunk& chunk) {
  Part part{.chunk = &chunk, .mask = mask_of(chunk.width), .names = {}};
  for (const Reference& reference : chunk.references) {
    std::vector<Element>& changes = changes_[reference.elements];
    if (changes.empty())
      for (const Element named : *reference.elements)
        changes.push_back(named == kNoElement ? static_cast<Element>(layout_.elements()) : named);
    part.names.push_back({.shift = reference.shift, .mask = reference.mask, .changes = changes.data()});
  }
  return part;
}

bool Permuter::is_identity(std::span<const Element> order) {
  for (std::size_t p = 0; p < order.size(); ++p)
    if (order[p] != p)
      return false;
  return true;
}

void Permuter::permute(const Word* state, std::span<const Element> order, Word* out) {
  for (std::size_t p = 0; p < order.size(); ++p) {
    renamed_[order[p]] = static_cast<Element>(p);
    change_[order[p]] = p - order[p];
  }
  const std::vector<Word>& fixed = layout_.fixed();
  for (std::size_t i = 0; i < fixed.size(); ++i)
    out[i] = state[i] & fixed[i];
  out[fixed.size()] = 0;
  for (const Part& part : parts_) {
    const Chunk& chunk = *part.chunk;
    if (chunk.dimensions.size() == 1)
      move_vector(part, state, order, out);
    else
      for_each_move(chunk.dimensions, chunk.bit, chunk.bit,
                    [&](std::uint64_t from, std::uint64_t to) { move_chunk(part, state, from, to, out); });
  }
  for (std::size_t number = 0; number < slot_parts_.size(); ++number) {
    const MultisetSite& site = layout_.multisets()[number];
    for_each_move(site.dimensions, site.bit, site.bit,
                  [&](std::uint64_t from, std::uint64_t to) { move_multiset(number, state, from, to, out); });
  }
}

inline std::uint64_t Permuter::rename(const Part& part, std::uint64_t value) const {
  std::uint64_t renamed = value;
  for (const Name& name : part.names)
    renamed += change_[name.changes[(value >> name.shift) & name.mask]] << name.shift;
  return renamed;
}

// In the order of where they go: what falls into one word is put together first and written once.
void Permuter::move_vector(const Part& part, const Word* state, std::span<const Element> order, Word* out) const {
  const Chunk& chunk = *part.chunk;
  const Dimension dimension = chunk.dimensions.front();
  const std::uint64_t mask = part.mask;
  const std::uint64_t width = chunk.width;
  const Element* const elements = order.data() + dimension.first;
  const std::uint64_t origin = chunk.bit - dimension.first * dimension.stride;
  Word* at = out + (chunk.bit >> 6);
  Word collected = 0;
  std::uint64_t to = chunk.bit;
  for (Element p = 0; p < dimension.count; ++p, to += dimension.stride) {
    const std::uint64_t value = rename(part, peek(state, origin + elements[p] * dimension.stride, mask));
    const std::uint64_t shift = to & 63;
    if (out + (to >> 6) != at) {
      *at |= collected;
      at = out + (to >> 6);
      collected = 0;
    }
    collected |= value << shift;
    if (shift + width > 64) {
      *at++ |= collected;
      collected = value >> (64 - shift);
    }
  }
  *at |= collected;
}

template <typename Visit>
void Permuter::for_each_move(std::span<const Dimension> dimensions, std::uint64_t from, std::uint64_t to,
                             Visit&& visit) const {
  if (dimensions.empty()) {
    visit(from, to);
    return;
  }
  const Dimension& dimension = dimensions.front();
  for (Element k = 0; k < dimension.count; ++k, from += dimension.stride) {
    const std::uint64_t target = to + (renamed_[dimension.first + k] - dimension.first) * dimension.stride;
    if (dimensions.size() == 1)
      visit(from, target);
    else
      for_each_move(dimensions.subspan(1), from, target, visit);
  }
}

inline void Permuter::move_chunk(const Part& part, const Word* state, std::uint64_t from, std::uint64_t to,
                                 Word* out) const {
  put(out, to, rename(part, peek(state, from, part.mask)));
}

void Permuter::move_multiset(std::size_t number, const Word* state, std::uint64_t from, std::uint64_t to, Word* out) {
  const MultisetSite& site = layout_.multisets()[number];
  if (site.chunks.size() == 1 && !site.has_dimensions) {
    move_narrow_slots(number, state, from, to, out);
    return;
  }
  for (std::uint64_t slot = 0; slot < site.slots; ++slot, from += site.stride) {
    const std::uint64_t target = to + slot * site.stride;
    const std::uint64_t occupied = peek(state, from + site.stride - 1, 1);
    if (occupied == 0)
      break;
    put(out, target + site.stride - 1, occupied);
    for (const Part& part : slot_parts_[number])
      for_each_move(part.chunk->dimensions, part.chunk->bit, part.chunk->bit,
                    [&](std::uint64_t part_from, std::uint64_t part_to) {
                      move_chunk(part, state, from + part_from, target + part_to, out);
                    });
  }
  ir::sort_slots(out, to, site.stride, site.slots);
}

// Slots of one chunk: sorted as integers.
void Permuter::move_narrow_slots(std::size_t number, const Word* state, std::uint64_t from, std::uint64_t to,
                                 Word* out) {
  slots_.clear();
  const MultisetSite& site = layout_.multisets()[number];
  const Part& part = slot_parts_[number].front();
  const std::uint64_t occupied = std::uint64_t{1} << (site.stride - 1);
  for (std::uint64_t slot = 0; slot < site.slots; ++slot, from += site.stride) {
    const std::uint64_t value = peek(state, from, mask_of(site.stride));
    if (value == 0)
      break;
    slots_.push_back(rename(part, value & ~occupied) | occupied);
  }
  std::sort(slots_.begin(), slots_.end(), std::greater<>());
  for (const std::uint64_t value : slots_) {
    put(out, to, value);
    to += site.stride;
  }
}

}  // namespace tideline::symmetry
