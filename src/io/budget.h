// SPDX-License-Identifier: MIT
// The memory budget: one object owns `--memory`; every large structure asks it before it allocates. What the process
// used before the search (code, model, small objects) and a reserve for small allocations count against it, so that the
// resident size stays below the budget. Threads: all functions may be called at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tideline {

inline constexpr std::uint64_t kMemoryBudgetFloor = std::uint64_t{32} << 20;

class MemoryBudget {
 public:
  // `bytes` below the floor are raised to it. `in_use` is charged at once (resident_bytes() at the start).
  MemoryBudget(std::uint64_t bytes, std::uint64_t in_use);

  // True if `bytes` more fit; they are charged. False changes nothing.
  [[nodiscard]] bool charge(std::uint64_t bytes);
  void release(std::uint64_t bytes);

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t available() const { return total_ - used(); }

 private:
  std::uint64_t total_;
  std::atomic<std::uint64_t> used_;
};

// Resident size now, and the largest so far, of this process (0 if the system does not say, and under a sanitizer).
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();
// Default for --memory: three quarters of what the machine or its cgroup has free.
std::uint64_t default_memory_budget();

// Pages from the system, zeroed, charged to a budget; 2 MB pages where the system has them.
class PageBuffer {
 public:
  PageBuffer() = default;
  // An empty buffer (data() == nullptr) if the budget or the system refuses.
  static PageBuffer allocate(std::size_t bytes, MemoryBudget& budget);
  ~PageBuffer();
  PageBuffer(PageBuffer&& other) noexcept;
  PageBuffer& operator=(PageBuffer&& other) noexcept;
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;

  [[nodiscard]] std::uint8_t* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void reset();
  // Gives back the pages behind the first `bytes`.
  void shrink(std::size_t bytes);
  // Becomes a new, zeroed buffer of `bytes` (not fewer than now) without ever holding both; the contents are lost.
  // False if the budget refuses (nothing changes then) or the system does (the buffer is empty then).
  [[nodiscard]] bool replace(std::size_t bytes, MemoryBudget& budget);

 private:
  static std::uint8_t* map(std::size_t bytes);

  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  MemoryBudget* budget_ = nullptr;
};

}  // namespace tideline
