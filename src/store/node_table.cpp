// SPDX-License-Identifier: MIT
#include "store/node_table.h"

#include <algorithm>

#include "base/prefetch.h"
#include "store/state_hash.h"

namespace tideline {
namespace {

constexpr std::uint64_t kFirstEntries = 4096;
constexpr std::uint64_t kLoadPercent = 80;
constexpr std::uint64_t kNumbersEnd = std::uint64_t{1} << NodeTable::kNumberBits;

std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash) << NodeTable::kNumberBits;
}

}  // namespace

bool NodeTable::reserve(std::uint64_t more) {
  while (!has_room(more)) {
    if (index_lost_ || size() + more > kNumbersEnd)
      return false;
    const std::uint64_t now = entry_count_;
    if (!grow(std::max({kFirstEntries, now + now * 3 / 10, (size() + more) * 100 / kLoadPercent + 1})) &&
        (now < kFirstEntries || !grow(now + now / 16)))
      return false;
  }
  return true;
}

bool NodeTable::grow(std::uint64_t entry_count) {
  const std::uint64_t limit = std::min(kNumbersEnd, entry_count * kLoadPercent / 100);
  if (index_lost_ || !values_.extend_to(limit * sizeof(std::uint64_t)))
    return false;
  if (!index_.replace(entry_count * sizeof(std::uint32_t), budget_)) {
    index_lost_ = entry_count_ != 0 && index_.data() == nullptr;
    fill_limit_ = index_lost_ ? 0 : fill_limit_;
    return false;
  }
  entry_count_ = entry_count;
  fill_limit_ = limit;
  bytes_.store(values_.size() + index_.size(), std::memory_order_relaxed);
  fill_index();
  return true;
}

void NodeTable::fill_index() {
  const std::uint32_t end = next_.load(std::memory_order_relaxed);
  std::sort(holes_.begin(), holes_.end());
  auto hole = holes_.begin();
  for (std::uint32_t number = 1; number < end; ++number) {
    if (hole != holes_.end() && *hole == number) {
      ++hole;
      continue;
    }
    const std::uint64_t hash = hash_word(value(number));
    std::uint64_t at = start_of(hash);
    while (entries()[at] != 0)
      at = at + 1 == entry_count_ ? 0 : at + 1;
    entries()[at] = tag_of(hash) | number;
  }
}

// The first entry that is empty or may be the value's: none before it can become so, since entries never change.
std::uint64_t NodeTable::find_candidate(std::uint64_t hash) const {
  const std::uint32_t tag = tag_of(hash);
  for (std::uint64_t at = start_of(hash);; at = at + 1 == entry_count_ ? 0 : at + 1) {
    const std::uint32_t seen = std::atomic_ref(entries()[at]).load(std::memory_order_relaxed);
    if (seen != 0 && (seen & ~kNumberMask) != tag)
      continue;
    prefetch_line(values() + (seen & kNumberMask));
    return at;
  }
}

std::uint32_t NodeTable::number_of(std::uint64_t value, std::uint64_t hash, std::uint64_t candidate) {
  const std::uint32_t tag = tag_of(hash);
  std::uint32_t own = 0;  // the number that this value gets if nobody else gives it one
  for (std::uint64_t at = candidate;; at = at + 1 == entry_count_ ? 0 : at + 1) {
    const std::atomic_ref entry(entries()[at]);
    std::uint32_t seen = entry.load(std::memory_order_acquire);
    if (seen == 0) {
      if (own == 0) {
        own = next_.fetch_add(1, std::memory_order_relaxed);
        values()[own] = value;
      }
      if (entry.compare_exchange_strong(seen, tag | own, std::memory_order_acq_rel))
        return own;
    }
    if ((seen & ~kNumberMask) != tag || this->value(seen & kNumberMask) != value)
      continue;
    if (own != 0)
      add_hole(own);
    return seen & kNumberMask;
  }
}

void NodeTable::add_hole(std::uint32_t number) {
  const std::lock_guard lock(holes_mutex_);
  holes_.push_back(number);
}

}  // namespace tideline
