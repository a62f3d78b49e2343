// SPDX-License-Identifier: MIT
// From the hash of a state to the position at which somebody else keeps it: open addressing with linear probing, from
// which entries can be removed without leaving marks (the entries behind move up [knuth.98.taocp3]). An entry has 32
// bits of the hash beside the position, so states are looked at only when those are equal, and entries can be moved
// without looking at states at all.
//
// X1  positions are below kNone.    X2  at most kFullEighths of the cells are in use.
// Cost: 8 bytes per cell, so 13 to 26 bytes per state. Threads: one.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/prefetch.h"
#include "io/budget.h"

namespace tideline {

class PositionIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  explicit PositionIndex(MemoryBudget& budget) : budget_(budget) {}

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t capacity() const { return cells_.data() == nullptr ? 0 : mask_ + 1; }
  [[nodiscard]] std::uint64_t bytes() const { return cells_.size(); }

  void prefetch(std::uint64_t hash) const {
    if (capacity() != 0)
      prefetch_line(cells() + home(hash));
  }
  // The position that has this hash and for which same(position) holds; kNone: there is none.
  template <typename Same>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Same& same) const {
    if (capacity() == 0)
      return kNone;
    for (std::uint64_t at = home(hash); cells()[at] != 0; at = (at + 1) & mask_) {
      const std::uint64_t cell = cells()[at];
      const std::uint32_t position = static_cast<std::uint32_t>(cell) - 1;
      if ((cell ^ hash) >> 32 == 0 && same(position))
        return position;
    }
    return kNone;
  }
  // Sees to it that one more fits. False if the budget refuses; then nothing changes.
  [[nodiscard]] bool reserve_one() { return (size_ + 1) * 8 <= capacity() * kFullEighths || grow(); }
  // After reserve_one(); the position must not be there.
  void add(std::uint64_t hash, std::uint32_t position) {
    std::uint64_t at = home(hash);
    while (cells()[at] != 0)
      at = (at + 1) & mask_;
    cells()[at] = (hash & kHashMask) | (position + 1);
    ++size_;
  }
  // The position must be there with this hash.
  void remove(std::uint64_t hash, std::uint32_t position);
  void clear();

 private:
  static constexpr std::uint64_t kFullEighths = 5;
  static constexpr std::uint64_t kHashMask = 0xffffffff00000000U;

  [[nodiscard]] std::uint64_t* cells() const { return reinterpret_cast<std::uint64_t*>(cells_.data()); }
  [[nodiscard]] std::uint64_t home(std::uint64_t hash) const { return (hash >> 32) & mask_; }
  bool grow();

  MemoryBudget& budget_;
  PageBuffer cells_;  // (32 bits of the hash, position + 1), or 0
  std::uint64_t mask_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace tideline
