// SPDX-License-Identifier: MIT
// Gives equal 64-bit values equal numbers, and a number's value back: the inner nodes of the compression tree. Values
// lie in an array in the order of their numbers; the index over it is an open-addressing table of 32-bit entries, a
// number and four bits of hash that spare most comparisons with other values.
//
// N1  a number, once given, keeps its value for ever.    N2  numbers are 1 .. 2^28 - 1; entry 0 is empty.
// N3  two threads that bring the same new value get the same number; the loser's own number is unused for ever, and the
//     index must never lead to it: it is remembered in holes_, since its value is in the array, too.
// Cost: 8 bytes of value and 4 / load of index, load 0.62 to 0.8. Threads: number_of() and value() by all at once,
// value() for numbers that came from number_of(); reserve() by one while no other is inside.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/prefetch.h"
#include "io/growing_pages.h"

namespace tideline {

class NodeTable {
 public:
  static constexpr unsigned kNumberBits = 28;

  explicit NodeTable(MemoryBudget& budget) : budget_(budget), values_(budget) {}

  [[nodiscard]] bool has_room(std::uint64_t more) const { return size() + more <= fill_limit_; }
  // Makes room for `more` values; false if memory or numbers ended.
  [[nodiscard]] bool reserve(std::uint64_t more);
  // The number of a value with its hash_word(), in three steps, so that those of several values can overlap: each
  // brings into the cache what the next one reads. number_of() gives a new number if the value has none; there must be
  // room.
  void prefetch(std::uint64_t hash) const { prefetch_line(entries() + start_of(hash)); }
  [[nodiscard]] std::uint64_t find_candidate(std::uint64_t hash) const;
  std::uint32_t number_of(std::uint64_t value, std::uint64_t hash, std::uint64_t candidate);
  [[nodiscard]] std::uint64_t value(std::uint32_t number) const { return values()[number]; }

  [[nodiscard]] std::uint64_t size() const { return next_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t kNumberMask = (std::uint32_t{1} << kNumberBits) - 1;

  [[nodiscard]] std::uint64_t* values() const { return reinterpret_cast<std::uint64_t*>(values_.data()); }
  [[nodiscard]] std::uint32_t* entries() const { return reinterpret_cast<std::uint32_t*>(index_.data()); }
  [[nodiscard]] std::uint64_t start_of(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(hash) * entry_count_) >> 64);
  }
  [[nodiscard]] bool grow(std::uint64_t entry_count);
  void fill_index();
  void add_hole(std::uint32_t number);

  MemoryBudget& budget_;
  GrowingPages values_;
  PageBuffer index_;
  std::uint64_t entry_count_ = 0;
  std::uint64_t fill_limit_ = 0;
  std::atomic<std::uint32_t> next_ = 1;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::mutex holes_mutex_;
  std::vector<std::uint32_t> holes_;
  bool index_lost_ = false;  // the system refused memory after the old index was dropped: no room any more
};

}  // namespace tideline
