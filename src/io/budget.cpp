// SPDX-License-Identifier: MIT
#include "io/budget.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

#include "base/check.h"

namespace tideline {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
// A sanitizer's own memory is several times the program's: the resident size says nothing then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kKnowsResident = false;
#else
constexpr bool kKnowsResident = true;
#endif

// First number in a small file of /proc or /sys, or `otherwise`.
std::uint64_t number_in(const char* path, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : otherwise;
}

// "MemAvailable" of /proc/meminfo in bytes, or 0.
std::uint64_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::uint64_t kib = 0;
  std::string unit;
  while (file >> key >> kib) {
    std::getline(file, unit);
    if (key == "MemAvailable:")
      return kib << 10;
  }
  return 0;
}

}  // namespace

MemoryBudget::MemoryBudget(std::uint64_t bytes, std::uint64_t in_use)
    : total_(std::max(bytes, kMemoryBudgetFloor)), used_(std::min(in_use, total_)) {}

bool MemoryBudget::charge(std::uint64_t bytes) {
  std::uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > total_ - used)
      return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

void MemoryBudget::release(std::uint64_t bytes) {
  const std::uint64_t before = used_.fetch_sub(bytes, std::memory_order_relaxed);
  CHECK(before >= bytes);
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  if (!kKnowsResident || !(file >> size >> resident))
    return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  if (!kKnowsResident || getrusage(RUSAGE_SELF, &usage) != 0)
    return 0;
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
}

std::uint64_t default_memory_budget() {
  std::uint64_t free = available_bytes();
  const std::uint64_t unlimited = ~std::uint64_t{0};
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max", unlimited);
  if (limit != unlimited) {
    const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current", 0);
    free = std::min(free, limit - std::min(used, limit));
  }
  return std::max(free / 4 * 3, kMemoryBudgetFloor);
}

// What is large begins at a multiple of 2 MB, so that it has large pages from its beginning on.
std::uint8_t* PageBuffer::map(std::size_t bytes) {
  const bool large = bytes >= 2 * kHugePage;
  const std::size_t slack = large ? kHugePage : 0;
  void* pages = mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return nullptr;
  auto* begin = static_cast<std::uint8_t*>(pages);
  if (!large)
    return begin;
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t used = (bytes + page - 1) / page * page;
  if (before > 0)
    munmap(begin, before);
  begin += before;
  if (before + used < bytes + slack)
    munmap(begin + used, bytes + slack - before - used);
  (void)madvise(begin, bytes, MADV_HUGEPAGE);  // a wish: without it the search is only slower
  return begin;
}

PageBuffer PageBuffer::allocate(std::size_t bytes, MemoryBudget& budget) {
  PageBuffer buffer;
  (void)buffer.replace(bytes, budget);
  return buffer;
}

bool PageBuffer::replace(std::size_t bytes, MemoryBudget& budget) {
  CHECK(bytes >= size_);
  if (!budget.charge(bytes - size_))
    return false;
  if (data_ != nullptr)
    munmap(data_, size_);
  data_ = map(bytes);
  size_ = bytes;
  budget_ = &budget;
  if (data_ != nullptr)
    return true;
  budget.release(bytes);
  size_ = 0;
  return false;
}

PageBuffer::~PageBuffer() {
  reset();
}

PageBuffer::PageBuffer(PageBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      budget_(std::exchange(other.budget_, nullptr)) {}

PageBuffer& PageBuffer::operator=(PageBuffer&& other) noexcept {
  if (this != &other) {
    reset();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    budget_ = std::exchange(other.budget_, nullptr);
  }
  return *this;
}

void PageBuffer::shrink(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t kept = (bytes + page - 1) / page * page;
  if (kept == 0)
    return reset();
  if (kept >= size_)
    return;
  munmap(data_ + kept, size_ - kept);
  budget_->release(size_ - kept);
  size_ = kept;
}

void PageBuffer::reset() {
  if (data_ == nullptr)
    return;
  munmap(data_, size_);
  budget_->release(size_);
  data_ = nullptr;
  size_ = 0;
}

}  // namespace tideline
