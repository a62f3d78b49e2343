// SPDX-License-Identifier: MIT
// The visited set that keeps whole states: ceil(bits / 8) bytes each, and the index (src/store/array_set.h).
#pragma once

#include "store/array_set.h"
#include "store/state_array.h"
#include "store/state_hash.h"

namespace tideline {

// Every state is its own cell.
class WholeStates {
 public:
  using Source = std::uint64_t;  // bits of a state
  static constexpr std::uint64_t kMoreBytes = 0;

  WholeStates(std::uint64_t state_bits, unsigned /*threads*/, MemoryBudget& budget) : cells_(state_bits, budget) {}

  [[nodiscard]] std::size_t words() const { return cells_.words(); }
  [[nodiscard]] std::size_t cell_words() const { return cells_.words(); }
  [[nodiscard]] const StateArray& cells() const { return cells_; }
  [[nodiscard]] StateArray& cells() { return cells_; }
  [[nodiscard]] std::uint64_t bytes() const { return cells_.bytes(); }

  [[nodiscard]] std::uint64_t version() const { return 0; }

  [[nodiscard]] const Word* encode(unsigned /*thread*/, const Word* states, std::size_t count, std::uint64_t* hashes) {
    for (std::size_t i = 0; i < count; ++i)
      hashes[i] = index_hash(states + i * words(), words());
    return states;
  }
  void decode(unsigned, NumberRange range, Word* out) const {
    for (std::uint64_t number = range.begin; number < range.end; ++number, out += words())
      cells_.load(number, out);
  }
  void hash(NumberRange range, std::uint64_t* out) const {
    std::vector<Word> state(words() + 1);
    for (std::uint64_t number = range.begin; number < range.end; ++number) {
      cells_.load(number, state.data());
      *out++ = index_hash(state.data(), words());
    }
  }
  [[nodiscard]] bool make_room(std::uint64_t /*used*/) { return true; }
  void put_in_order(std::uint64_t /*used*/) {}
  [[nodiscard]] std::uint64_t next_pieces() { return 0; }
  void do_piece(std::uint64_t /*piece*/) {}

 private:
  StateArray cells_;
};

using PlainSet = ArraySet<WholeStates>;
extern template class ArraySet<WholeStates>;

}  // namespace tideline
