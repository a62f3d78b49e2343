// SPDX-License-Identifier: MIT
#include "store/dictionary.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tideline {
namespace {

// 2 KB of values and as much of entries are a page.
constexpr std::uint64_t kFirstCapacity = 256;
// Values of so few bits are always their own places.
constexpr unsigned kDirectBits = 14;
constexpr std::uint64_t kNumbersMax = (std::uint64_t{1} << 28) - 1;

}  // namespace

std::uint32_t Dictionary::add(std::uint64_t value) {
  const std::lock_guard lock(add_mutex_);
  const std::uint32_t found = find(value);
  if (found != kRefused)
    return found;
  const auto number = static_cast<std::uint32_t>(size());
  if (number >= std::min(limit_, capacity_)) {
    wants_more_.store(true, std::memory_order_relaxed);
    return kRefused;
  }
  values_[number] = value;
  enter(number);
  size_.store(number + 1, std::memory_order_relaxed);
  return number;
}

void Dictionary::enter(std::uint32_t number) {
  std::uint64_t at = start_of(values_[number]);
  while (entries_[at] != 0)
    at = (at + 1) & entry_mask_;
  std::atomic_ref(entries_[at]).store(number + 1, std::memory_order_release);
}

bool Dictionary::make_room(unsigned width) {
  limit_ = std::min(kNumbersMax, std::uint64_t{1} << width);
  if (!wants_more())
    return true;
  if (size() >= limit_ || (size() == capacity_ && !grow(std::max(kFirstCapacity, 2 * capacity_))))
    return false;
  wants_more_.store(false, std::memory_order_relaxed);
  return true;
}

bool Dictionary::grow(std::uint64_t capacity) {
  std::uint64_t entry_count = 2 * capacity;
  const bool is_direct =
      value_bits_ < 64 && (std::uint64_t{1} << value_bits_) <= std::max(entry_count, std::uint64_t{1} << kDirectBits);
  if (is_direct)
    entry_count = std::uint64_t{1} << value_bits_;
  const std::uint64_t value_bytes = capacity * sizeof(std::uint64_t);
  PageBuffer pages = PageBuffer::allocate(value_bytes + entry_count * sizeof(std::uint32_t), budget_);
  if (pages.data() == nullptr)
    return false;
  if (size() > 0)
    std::memcpy(pages.data(), values_, size() * sizeof(std::uint64_t));
  pages_ = std::move(pages);
  values_ = reinterpret_cast<std::uint64_t*>(pages_.data());
  entries_ = reinterpret_cast<std::uint32_t*>(pages_.data() + value_bytes);
  entry_mask_ = entry_count - 1;
  capacity_ = capacity;
  is_direct_ = is_direct;
  for (std::uint32_t number = 0; number < size(); ++number)
    enter(number);
  return true;
}

}  // namespace tideline
