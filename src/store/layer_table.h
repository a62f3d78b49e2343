// SPDX-License-Identifier: MIT
// The states of one layer of a sweep, in the order in which they came: a hash table that is a queue at the same time
// (H and U of [evangelista.12.spin]). It is emptied for every layer, of which there may be millions, so emptying costs
// what the layer held and not what the largest one did.
//
// H1  positions 0 .. size() - 1 are the states, each once. Cost: ceil(bits / 8) bytes per state and position_index.h's.
// Memory once taken is kept. Threads: one.
#pragma once

#include <cstdint>

#include "store/position_index.h"
#include "store/state_array.h"

namespace tideline {

class LayerTable {
 public:
  enum class Insert : std::uint8_t { kNew, kKnown, kFull };

  // `states_max` 0: what the budget allows.
  LayerTable(std::uint64_t state_bits, std::uint64_t states_max, MemoryBudget& budget)
      : states_(state_bits, budget), index_(budget), states_max_(states_max == 0 ? kStatesMax : states_max) {}

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t bytes() const { return states_.bytes() + index_.bytes(); }
  void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }
  // `hash`: index_hash() of the state.
  Insert insert(const Word* state, std::uint64_t hash) {
    if (index_.find(hash, [&](std::uint32_t at) { return states_.equals(at, state); }) != PositionIndex::kNone)
      return Insert::kKnown;
    if (size_ >= states_max_ || !index_.reserve_one() || !states_.reserve(size_ + 1))
      return Insert::kFull;
    states_.store(size_, state);
    index_.add(hash, static_cast<std::uint32_t>(size_++));
    return Insert::kNew;
  }
  // `out` has one word more than a state.
  void load(std::uint64_t position, Word* out) const { states_.load(position, out); }
  void clear();

 private:
  static constexpr std::uint64_t kStatesMax = std::uint64_t{1} << 31;

  StateArray states_;
  PositionIndex index_;
  std::uint64_t states_max_;
  std::uint64_t size_ = 0;
};

}  // namespace tideline
