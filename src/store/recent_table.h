// SPDX-License-Identifier: MIT
// The table M of the searches that keep their visited states on disk [stern.98.cav]: the keys (states or signatures)
// that came up since the last check against the disk. Keys lie in an array in the order of their insertion; a TagIndex
// finds them. It fills until it is full, is then compared with the disk, which removes keys, and is emptied.
//
// M1  a key is in the table once.    M2  numbers below claimed_ belong to keys, but for those that a thread has claimed
// and not used; close() marks these as removed.    M3  memory is charged at once and touched as the table fills;
// emptying costs as much as what was in it.
// Cost: the key, 7.2 bytes of index and a bit per entry. Threads: insert() by all at once, each with its own number;
// the rest alone, but for prefetch() and hash(), and
// remove() by several at once after close().
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "store/state_array.h"
#include "store/state_hash.h"
#include "store/tag_index.h"

namespace tideline {

class RecentTable {
 public:
  // Room for `entries_max` keys, or as many as the budget allows.
  RecentTable(std::uint64_t key_bits, unsigned threads, std::uint64_t entries_max, MemoryBudget& budget);

  // Entries that fit into `bytes`.
  static std::uint64_t entries_for(std::uint64_t bytes, std::uint64_t key_bits);
  [[nodiscard]] std::uint64_t entries_max() const { return entries_max_; }  // 0: there was no memory
  [[nodiscard]] std::size_t key_words() const { return keys_.words(); }
  [[nodiscard]] std::size_t key_bytes() const { return keys_.stride(); }

  [[nodiscard]] std::uint64_t hash(const Word* key) const { return index_hash(key, keys_.words()); }
  void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }

  enum class Added : std::uint8_t { kNew, kKnown, kNoRoom };
  Added insert(unsigned thread, const Word* key, std::uint64_t hash) {
    Run& run = runs_[thread];
    if (run.next == run.end && !claim(run))
      return Added::kNoRoom;
    const bool added = index_.insert(
        hash, static_cast<std::uint32_t>(run.next),
        [this, key](std::uint32_t number) { return keys_.equals(number, key); },
        [this, key, &run] { keys_.store(run.next, key); });
    if (!added)
      return Added::kKnown;
    ++run.next;
    return Added::kNew;
  }

  [[nodiscard]] bool has_room() const { return claimed_.load(std::memory_order_relaxed) < limit_; }
  // After kNoRoom: false if the table is as large as it can be.
  [[nodiscard]] bool grow();

  // No more insertions before clear(); the keys are counted.
  void close();
  // True if the key was in the table and had not been removed.
  bool remove(const Word* key, std::uint64_t hash) {
    const std::uint32_t number =
        index_.find(hash, [this, key](std::uint32_t candidate) { return keys_.equals(candidate, key); });
    if (number == TagIndex::kNone || is_removed(number))
      return false;
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    if ((removed_word(number).fetch_or(bit, std::memory_order_relaxed) & bit) != 0)
      return false;
    left_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }
  // Since close(): keys that were not removed.
  [[nodiscard]] std::uint64_t left() const { return left_.load(std::memory_order_relaxed); }
  // The next number from `from` on whose key was not removed; end() if there is none.
  [[nodiscard]] std::uint64_t next_left(std::uint64_t from) const {
    while (from < end() && is_removed(from))
      ++from;
    return from;
  }
  [[nodiscard]] std::uint64_t end() const { return claimed_.load(std::memory_order_relaxed); }
  void load(std::uint64_t number, Word* key) const { keys_.load(number, key); }
  void clear();

  [[nodiscard]] std::uint64_t peak_entries() const { return peak_.load(std::memory_order_relaxed); }
  // Memory that has been touched, about.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct alignas(64) Run {
    std::uint64_t next = 0;
    std::uint64_t end = 0;
  };

  bool allocate(std::uint64_t entries, MemoryBudget& budget);
  bool claim(Run& run);
  void restart_index(std::uint64_t buckets);
  void mark_unused(bool removed);
  [[nodiscard]] bool is_removed(std::uint64_t number) const {
    return (removed_word(number).load(std::memory_order_relaxed) >> (number % 64) & 1) != 0;
  }
  void set_removed(std::uint64_t number, bool removed) {
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    if (removed)
      removed_word(number).fetch_or(bit, std::memory_order_relaxed);
    else
      removed_word(number).fetch_and(~bit, std::memory_order_relaxed);
  }
  [[nodiscard]] std::atomic_ref<std::uint64_t> removed_word(std::uint64_t number) const {
    return std::atomic_ref(reinterpret_cast<std::uint64_t*>(removed_.data())[number / 64]);
  }

  StateArray keys_;
  TagIndex index_;
  PageBuffer removed_;  // a bit per number
  std::vector<Run> runs_;
  std::uint64_t entries_max_ = 0;
  std::uint64_t buckets_max_ = 0;
  std::uint64_t run_entries_ = 1;
  std::uint64_t limit_ = 0;                 // numbers that may be claimed with the index as it is
  std::atomic<std::uint64_t> claimed_ = 0;  // numbers given to threads
  std::atomic<std::uint64_t> peak_ = 0;
  std::atomic<std::uint64_t> left_ = 0;
};

}  // namespace tideline
