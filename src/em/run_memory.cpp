// SPDX-License-Identifier: MIT
#include "em/run_memory.h"

namespace tideline {

PageBuffer RunMemory::allocate(std::size_t bytes) {
  return allocate_within(bytes, blocks_max());
}

PageBuffer RunMemory::allocate_for_automaton(std::size_t bytes) {
  PageBuffer pages = allocate_within(bytes, bytes_max_);
  unfinished_.fetch_add(pages.size(), std::memory_order_relaxed);
  return pages;
}

PageBuffer RunMemory::allocate_within(std::size_t bytes, std::uint64_t bytes_max) {
  if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= bytes_max) {
    PageBuffer pages = PageBuffer::allocate(bytes, budget_);
    if (pages.data() != nullptr)
      return pages;
  }
  release(bytes);
  return {};
}

}  // namespace tideline
