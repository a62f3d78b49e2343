// SPDX-License-Identifier: MIT
#include "store/recent_table.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace tideline {
namespace {

constexpr std::uint64_t kLoadPercent = 75;
constexpr std::uint64_t kEntriesMost = (std::uint64_t{1} << 32) - 2;  // numbers of the index
constexpr std::uint64_t kRunEntries = 64;                             // numbers that a thread claims at once
constexpr std::uint64_t kBucketsMin = 64;
constexpr std::uint64_t kPiece = std::uint64_t{256} << 10;  // the array grows by multiples of this

std::uint64_t buckets_for(std::uint64_t entries) {
  return std::max(kBucketsMin, entries * 100 / (kLoadPercent * TagIndex::kSlots) + 1);
}

std::uint64_t removed_bytes_for(std::uint64_t entries) {
  return (entries + 63) / 64 * sizeof(std::uint64_t);
}

}  // namespace

RecentTable::RecentTable(std::uint64_t key_bits, unsigned threads, std::uint64_t entries_max, MemoryBudget& budget)
    : keys_(key_bits, budget), index_(threads == 1), runs_(threads) {
  std::uint64_t entries = std::clamp<std::uint64_t>(entries_max, threads, kEntriesMost);
  while (entries >= threads && !allocate(entries, budget))
    entries /= 2;
  run_entries_ = std::clamp<std::uint64_t>(entries_max_ / (8 * threads), 1, kRunEntries);
  if (entries_max_ > 0)
    restart_index(kBucketsMin);
}

std::uint64_t RecentTable::entries_for(std::uint64_t bytes, std::uint64_t key_bits) {
  const std::uint64_t key_bytes = key_bits == 0 ? 1 : (key_bits + 7) / 8;
  const std::uint64_t bits = key_bytes * 8 + 1 + 64 * 8 * 100 / (TagIndex::kSlots * kLoadPercent) + 1;
  const std::uint64_t rounding = kPiece + TagIndex::bytes_for(kBucketsMin);
  return bytes <= rounding ? 0 : (bytes - rounding) / bits * 8 + (bytes - rounding) % bits * 8 / bits;
}

bool RecentTable::allocate(std::uint64_t entries, MemoryBudget& budget) {
  const std::uint64_t buckets = buckets_for(entries);
  if (removed_.data() == nullptr)
    removed_ = PageBuffer::allocate(removed_bytes_for(entries), budget);
  if (removed_.data() == nullptr || !keys_.reserve(entries) || !index_.reserve(buckets, budget))
    return false;
  entries_max_ = entries;
  buckets_max_ = buckets;
  return true;
}

bool RecentTable::claim(Run& run) {
  std::uint64_t at = claimed_.load(std::memory_order_relaxed);
  do {
    if (at >= limit_)
      return false;
  } while (!claimed_.compare_exchange_weak(at, std::min(limit_, at + run_entries_), std::memory_order_relaxed));
  run = {at, std::min(limit_, at + run_entries_)};
  return true;
}

void RecentTable::restart_index(std::uint64_t buckets) {
  index_.restart(std::min(buckets, buckets_max_));
  limit_ = std::min(entries_max_, index_.slots() * kLoadPercent / 100);
}

bool RecentTable::grow() {
  if (limit_ >= entries_max_)
    return false;
  restart_index(2 * index_.buckets());
  mark_unused(true);
  std::vector<Word> key(keys_.words());
  for (std::uint64_t i = next_left(0); i < end(); i = next_left(i + 1)) {
    keys_.load(i, key.data());
    const bool added = index_.insert(
        hash(key.data()), static_cast<std::uint32_t>(i), [](std::uint32_t) { return false; }, [] {});
    CHECK(added);
  }
  mark_unused(false);
  return true;
}

// The numbers that threads have claimed and not used (M2).
void RecentTable::mark_unused(bool removed) {
  for (const Run& run : runs_)
    for (std::uint64_t i = run.next; i < run.end; ++i)
      set_removed(i, removed);
}

void RecentTable::close() {
  mark_unused(true);
  std::uint64_t used = end();
  for (const Run& run : runs_)
    used -= run.end - run.next;
  left_.store(used, std::memory_order_relaxed);
  peak_.store(std::max(peak_.load(std::memory_order_relaxed), used), std::memory_order_relaxed);
}

// The index begins with the size that the last filling needed, so that it does not grow step by step each time.
void RecentTable::clear() {
  const std::uint64_t entries = end();
  std::memset(removed_.data(), 0, removed_bytes_for(entries));
  std::fill(runs_.begin(), runs_.end(), Run());
  claimed_.store(0, std::memory_order_relaxed);
  left_ = 0;
  restart_index(buckets_for(entries + entries / 4));
}

std::uint64_t RecentTable::bytes() const {
  const std::uint64_t entries = std::max(peak_entries(), end());
  return std::min(entries_max_, entries) * keys_.stride() +
         TagIndex::bytes_for(std::min(buckets_max_, buckets_for(entries))) + removed_bytes_for(entries);
}

}  // namespace tideline
