// SPDX-License-Identifier: MIT
// An append-only array of packed states, ceil(bits / 8) bytes each, in the order of discovery. It never moves: address
// space for the whole budget is reserved at once and made usable piece by piece as the budget allows. Breadth-first
// layers are contiguous, so the array is the queue as well.
//
// Cost: ceil(bits / 8) bytes per state, rounded up to one piece per array. Threads: one writer; readers of states below
// size() need the writer's synchronisation.
#pragma once

#include <cstdint>
#include <cstring>

#include "io/budget.h"
#include "model/next_state.h"

namespace tideline {

class StateArray {
 public:
  StateArray(std::uint64_t state_bits, MemoryBudget& budget);
  ~StateArray();
  StateArray(const StateArray&) = delete;
  StateArray& operator=(const StateArray&) = delete;

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::uint64_t bytes() const { return usable_; }

  // Room for one more state? Asks the budget when a new piece is needed.
  [[nodiscard]] bool reserve_one() { return (size_ + 1) * stride_ + sizeof(Word) <= usable_ || grow(); }
  // Appends a state (words() words); the caller has called reserve_one().
  void append(const Word* state) {
    std::memcpy(base_ + size_ * stride_, state, words_ * sizeof(Word));
    ++size_;
  }
  // Copies state `index` to `out`.
  void load(std::uint64_t index, Word* out) const {
    std::memcpy(out, base_ + index * stride_, words_ * sizeof(Word));
    out[words_ - 1] &= last_mask_;
  }
  [[nodiscard]] bool equals(std::uint64_t index, const Word* state) const {
    const std::uint8_t* stored = base_ + index * stride_;
    for (std::size_t i = 0; i + 1 < words_; ++i) {
      if (word_at(stored + i * sizeof(Word)) != state[i])
        return false;
    }
    return (word_at(stored + (words_ - 1) * sizeof(Word)) & last_mask_) == state[words_ - 1];
  }
  void prefetch(std::uint64_t index) const { __builtin_prefetch(base_ + index * stride_); }

 private:
  static Word word_at(const std::uint8_t* bytes) {
    Word word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }
  bool grow();

  std::size_t words_;
  std::uint64_t stride_;  // bytes per state
  Word last_mask_;        // bits of the last word that belong to the state
  MemoryBudget& budget_;
  std::uint8_t* base_ = nullptr;
  std::uint64_t reserved_ = 0;  // bytes of address space
  std::uint64_t usable_ = 0;    // bytes of it that may be touched
  std::uint64_t size_ = 0;
};

}  // namespace tideline
