// SPDX-License-Identifier: MIT
// An array of packed states, ceil(bits / 8) bytes each. It never moves: address space for the whole budget is reserved
// at once and made usable piece by piece as the budget allows.
//
// A1  accesses to a cell touch its bytes and no others, so threads may write neighbouring cells at once.
// The cells may become longer (begin_rewriting()); nothing else may happen meanwhile.
// Cost: ceil(bits / 8) bytes per state, rounded up to one piece per array. Threads: reserve() one at a time; a cell is
// written by one thread before others get to know its number (by release and acquire) and never again after that.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/prefetch.h"
#include "io/budget.h"
#include "model/next_state.h"
#include "store/layer_ranges.h"

namespace tideline {

class StateArray {
 public:
  StateArray(std::uint64_t state_bits, MemoryBudget& budget);
  ~StateArray();
  StateArray(const StateArray&) = delete;
  StateArray& operator=(const StateArray&) = delete;

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::uint64_t stride() const { return stride_; }  // bytes per state
  [[nodiscard]] std::uint64_t bytes() const { return usable_.load(std::memory_order_relaxed); }

  // Makes cells 0 .. count-1 usable. False if the budget refuses.
  [[nodiscard]] bool reserve(std::uint64_t count) { return count * stride_ <= bytes() || grow(count * stride_); }

  void store(std::uint64_t index, const Word* state) { copy(cell(index), state, stride_); }
  void load(std::uint64_t index, Word* out) const {
    out[words_ - 1] = 0;
    copy(out, cell(index), stride_);
  }
  [[nodiscard]] bool equals(std::uint64_t index, const Word* state) const {
    const std::uint8_t* left = cell(index);
    const auto* right = reinterpret_cast<const std::uint8_t*>(state);
    if (stride_ < sizeof(Word))
      return equals_short(left, right);
    // Whole words, then the last eight bytes, which overlap with the word before.
    const std::uint64_t last = stride_ - sizeof(Word);
    for (std::uint64_t at = 0; at < last; at += sizeof(Word))
      if (get<Word>(left + at) != get<Word>(right + at))
        return false;
    return get<Word>(left + last) == get<Word>(right + last);
  }
  void prefetch(std::uint64_t index) const { prefetch_line(cell(index)); }

  // Gives cells `bits` bits, not fewer bytes than now, and cells 0 .. count-1 new contents, in rounds: next_round()
  // until it is empty, and rewrite() for all cells of each round. False, and nothing changes, if the budget refuses.
  [[nodiscard]] bool begin_rewriting(std::uint64_t count, std::uint64_t bits);
  // Cells that can be rewritten next, by several threads at once: they move behind all cells that are still to be read.
  // The last few, from cell 0 on, are for one thread, as they move over each other.
  [[nodiscard]] NumberRange next_round();
  [[nodiscard]] bool keeps_length() const { return bytes_for(next_bits_) == stride_; }
  // `change(old, now)` with the words of the old cell and zeroed ones for the new, and one more of each.
  template <typename Change>
  void rewrite(NumberRange cells, const Change& change) {
    std::vector<Word> old(words_ + 1);
    std::vector<Word> now(words_for(next_bits_) + 1);
    const std::uint64_t next_stride = bytes_for(next_bits_);
    for (std::uint64_t i = cells.end; i-- > cells.begin;) {  // from the end, as cells move up
      copy(old.data(), base_ + i * stride_, stride_);
      for (Word& word : now)
        word = 0;
      change(old.data(), now.data());
      copy(base_ + i * next_stride, now.data(), next_stride);
    }
  }

 private:
  template <typename T>
  static T get(const std::uint8_t* from) {
    T value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  [[nodiscard]] std::uint8_t* cell(std::uint64_t index) const { return base_ + index * stride_; }
  [[nodiscard]] bool equals_short(const std::uint8_t* left, const std::uint8_t* right) const {
    if (stride_ < sizeof(std::uint32_t))
      return left[0] == right[0] && left[stride_ / 2] == right[stride_ / 2] && left[stride_ - 1] == right[stride_ - 1];
    const std::uint64_t last = stride_ - sizeof(std::uint32_t);
    return get<std::uint32_t>(left) == get<std::uint32_t>(right) &&
           get<std::uint32_t>(left + last) == get<std::uint32_t>(right + last);
  }
  static void copy(void* to, const void* from, std::uint64_t bytes) {
    auto* target = static_cast<std::uint8_t*>(to);
    const auto* source = static_cast<const std::uint8_t*>(from);
    if (bytes < sizeof(Word)) {
      for (std::uint64_t at = 0; at < bytes; ++at)
        target[at] = source[at];
      return;
    }
    const std::uint64_t last = bytes - sizeof(Word);
    for (std::uint64_t at = 0; at < last; at += sizeof(Word))
      std::memcpy(target + at, source + at, sizeof(Word));
    std::memcpy(target + last, source + last, sizeof(Word));
  }
  static std::size_t words_for(std::uint64_t bits) { return bits == 0 ? 1 : (bits + 63) / 64; }
  static std::uint64_t bytes_for(std::uint64_t bits) { return bits == 0 ? 1 : (bits + 7) / 8; }
  bool grow(std::uint64_t bytes_needed);

  std::size_t words_;
  std::uint64_t stride_;
  MemoryBudget& budget_;
  std::uint8_t* base_ = nullptr;
  std::uint64_t reserved_ = 0;             // bytes of address space
  std::atomic<std::uint64_t> usable_ = 0;  // bytes of it that may be touched
  std::uint64_t next_bits_ = 0;            // of a cell, when all are rewritten
  std::uint64_t to_rewrite_ = 0;           // cells 0 .. to_rewrite_-1
};

}  // namespace tideline
