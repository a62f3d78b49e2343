// SPDX-License-Identifier: MIT
// Memory for runs in RAM, up to a share of the budget. Threads: all at once.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "io/budget.h"

namespace tideline {

class RunMemory {
 public:
  RunMemory(MemoryBudget& budget, std::uint64_t bytes_max) : budget_(budget), bytes_max_(bytes_max) {}

  // For blocks: leaves alone what is reserved for automata. Empty if the share or the budget does not allow it.
  PageBuffer allocate(std::size_t bytes);
  // For an automaton that is being made.
  PageBuffer allocate_for_automaton(std::size_t bytes);
  // Of either.
  void release(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  // So many bytes belong to an automaton that is finished, or have been released.
  void note_finished(std::uint64_t bytes) { unfinished_.fetch_sub(bytes, std::memory_order_relaxed); }

  [[nodiscard]] bool has_room(std::uint64_t bytes) const { return used() + bytes <= blocks_max(); }
  [[nodiscard]] std::uint64_t bytes_max() const { return bytes_max_; }
  void set_bytes_max(std::uint64_t bytes) { bytes_max_ = bytes; }
  // An automaton is made beside what it is made from: so many bytes are not for blocks.
  void reserve_for_automata(std::uint64_t bytes) { reserved_ = bytes; }
  // Of the index of one run, which is in RAM in any case.
  [[nodiscard]] std::uint64_t index_bytes_max() const { return budget_.total() / kIndexPart; }
  [[nodiscard]] std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t kIndexPart = 64;
  PageBuffer allocate_within(std::size_t bytes, std::uint64_t bytes_max);
  // All but what is reserved and not yet used for that.
  [[nodiscard]] std::uint64_t blocks_max() const {
    const std::uint64_t reserved = reserved_;
    const std::uint64_t bytes_max = bytes_max_;
    return bytes_max - std::min(bytes_max, reserved - std::min(reserved, unfinished_.load()));
  }

  MemoryBudget& budget_;
  std::atomic<std::uint64_t> bytes_max_;
  std::atomic<std::uint64_t> reserved_ = 0;
  std::atomic<std::uint64_t> used_ = 0;
  std::atomic<std::uint64_t> unfinished_ = 0;  // of them
};

}  // namespace tideline
