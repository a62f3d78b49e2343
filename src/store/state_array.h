// SPDX-License-Identifier: MIT
// An array of packed states, ceil(bits / 8) bytes each. It never moves: address space for the whole budget is reserved
// at once and made usable piece by piece as the budget allows.
//
// A1  accesses to a cell touch its bytes and no others, so threads may write neighbouring cells at once.
// The cells may become longer (rewrite()), which needs all threads out.
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

  // Gives cells `bits` bits, not fewer bytes than now, and cells 0 .. count-1 new contents: `change(old, now)` with
  // the words of the old cell and zeroed ones for the new, and one more of each. False, and nothing changes, if the
  // budget refuses.
  template <typename Change>
  [[nodiscard]] bool rewrite(std::uint64_t count, std::uint64_t bits, Change change) {
    const std::uint64_t old_stride = stride_;
    const std::uint64_t stride = bytes_for(bits);
    if (count * stride > bytes() && !grow(count * stride))
      return false;
    std::vector<Word> old(words_ + 1);
    std::vector<Word> now(words_for(bits) + 1);
    for (std::uint64_t i = count; i-- > 0;) {  // from the end: a cell moves to where none is left that must be read
      copy(old.data(), base_ + i * old_stride, old_stride);
      for (Word& word : now)
        word = 0;
      change(old.data(), now.data());
      copy(base_ + i * stride, now.data(), stride);
    }
    stride_ = stride;
    words_ = words_for(bits);
    return true;
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
};

}  // namespace tideline
