// SPDX-License-Identifier: MIT
// Zeroed memory that grows at its end and never moves: address space for the whole budget is reserved at once and made
// usable piece by piece as the budget allows; 2 MB pages where the system has them. Threads: one grows it, while no
// other looks at what is being added.
#pragma once

#include <cstdint>

#include "io/budget.h"

namespace tideline {

class GrowingPages {
 public:
  explicit GrowingPages(MemoryBudget& budget);
  ~GrowingPages();
  GrowingPages(const GrowingPages&) = delete;
  GrowingPages& operator=(const GrowingPages&) = delete;

  [[nodiscard]] std::uint8_t* data() const { return base_; }
  [[nodiscard]] std::uint64_t size() const { return usable_; }
  // At least `bytes` are usable afterwards. False, and nothing changes, if the budget or the system refuses.
  [[nodiscard]] bool extend_to(std::uint64_t bytes);

 private:
  MemoryBudget& budget_;
  std::uint8_t* base_ = nullptr;
  std::uint64_t reserved_ = 0;  // bytes of address space
  std::uint64_t usable_ = 0;    // bytes of it that may be touched
};

}  // namespace tideline
