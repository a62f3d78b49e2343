// SPDX-License-Identifier: MIT
// Numbers for the values that one part of the states takes: 0, 1, 2, ... in the order of their first occurrence, and
// back. The table of collapse compression [holzmann.97.spin] for one part; ours is exact, as it compares whole values.
//
// Values lie in an array by their numbers; open addressing over 32-bit entries (number plus one, 0: none) finds them.
// Where there are as many entries as possible values, the value itself is its place. A value is looked up without a
// lock; a new one, which is rare, is added under a mutex.
//
// D1  a number, once given, keeps its value.
// D2  numbers are below 2^width and 2^28 - 1; a value for which there is no number or no room is refused, and that is
//     remembered (wants_more()).
// D3  entries are at most half full, or one for each possible value, so that a probe ends.
// Cost: 16 bytes per number that there is room for (half to all of it in use), at least a page; 4 bytes per possible
// value where that is the place, at most 64 KB for 14 bits.
// Threads: number_of() and value() by all at once; make_room() by one while no other is inside.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/prefetch.h"
#include "io/budget.h"
#include "store/state_hash.h"

namespace tideline {

class alignas(64) Dictionary {
 public:
  static constexpr std::uint32_t kRefused = ~std::uint32_t{0};

  // For values below 2^value_bits, value_bits 1..64. There is no room at first.
  Dictionary(unsigned value_bits, MemoryBudget& budget) : value_bits_(value_bits), budget_(budget) {}

  // The number of a value, a new one if it has none; kRefused if it needs one and there is no room.
  std::uint32_t number_of(std::uint64_t value) {
    const std::uint32_t found = find(value);
    return found != kRefused ? found : add(value);
  }
  // What number_of() will read: an entry and then, unless the entry is all it needs, a value.
  void prefetch_entry(std::uint64_t value) const { prefetch_line(&entries_[start_of(value)]); }
  void prefetch_value(std::uint64_t value) const {
    const std::uint32_t number = entry(start_of(value)) - 1;
    if (!is_direct_ && number != kRefused)
      prefetch_line(&values_[number]);
  }
  [[nodiscard]] std::uint64_t value(std::uint32_t number) const { return values_[number]; }

  [[nodiscard]] unsigned value_bits() const { return value_bits_; }
  [[nodiscard]] std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool wants_more() const { return wants_more_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return pages_.size(); }

  // Numbers have up to `width` bits from now on, not fewer than before, and there is room for another value if one was
  // refused. False if memory or numbers ended.
  [[nodiscard]] bool make_room(unsigned width);

 private:
  [[nodiscard]] std::uint64_t start_of(std::uint64_t value) const {
    return is_direct_ ? value : mix(value ^ 0x2d358dccaa6c78a5U, 0x8bb84b93962eacc9U) & entry_mask_;
  }
  [[nodiscard]] std::uint32_t entry(std::uint64_t at) const {
    return std::atomic_ref(entries_[at]).load(std::memory_order_acquire);
  }
  // kRefused (0 - 1) if there is none.
  [[nodiscard]] std::uint32_t find(std::uint64_t value) const {
    if (is_direct_)
      return entry(value) - 1;
    for (std::uint64_t at = start_of(value);; at = (at + 1) & entry_mask_) {
      const std::uint32_t number = entry(at) - 1;
      if (number == kRefused || values_[number] == value)
        return number;
    }
  }
  std::uint32_t add(std::uint64_t value);
  void enter(std::uint32_t number);
  [[nodiscard]] bool grow(std::uint64_t capacity);

  std::uint32_t no_entry_ = 0;
  std::uint32_t* entries_ = &no_entry_;
  std::uint64_t entry_mask_ = 0;
  std::uint64_t* values_ = nullptr;
  bool is_direct_ = false;
  unsigned value_bits_;
  std::uint64_t capacity_ = 0;
  std::uint64_t limit_ = 0;                          // numbers are below it
  alignas(64) std::atomic<std::uint64_t> size_ = 0;  // what is written is not among what all read
  std::atomic<bool> wants_more_ = false;
  std::mutex add_mutex_;
  MemoryBudget& budget_;
  PageBuffer pages_;  // values, then entries
};

}  // namespace tideline
