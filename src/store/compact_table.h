// SPDX-License-Identifier: MIT
// An exact set of numbers of T bits in little more room than log2(2^T / size) bits each, by quotienting
// [cleary.84.tc]: what a bucket's place says about the numbers in it is not stored.
//
// A number's home is bucket floor(number * buckets / 2^T). This is monotone in the number, so the numbers at home in a
// bucket are consecutive, at most 2^rest_bits, and their low rest_bits tell them apart. A bucket is a cache line of as
// many slots as fit. A number that finds its home full tries a few buckets above it, at offsets that follow from its
// rest; a slot is the rest and the number of the attempt. If all tries fail, the number goes to a small stash.
//
// Since homes are monotone, the table grows in place, by an eighth: it moves up to the end of the larger table and is
// emptied from below, bucket by bucket, into the new places; there is never room needed for two tables. As buckets
// become more, the rests become shorter and the slots more.
//
// We differ from Cleary: no ordering and no virgin bits, but buckets of a cache line and two to four bits of attempt
// per slot. Offsets are scattered because full buckets cluster: with the next bucket as the next try the table would
// have to grow at a load that is lower by a tenth (docs/design/tables.md).
//
// C1  2^(T - rest_bits) <= buckets.    C2  a number is at attempt k: the places of its attempts before k are full.
// C3  a number is in the table or the stash once: who inserts holds the lock of its home.
// C4  no place is more than kOffsetMost buckets above its home; twice as many buckets lie behind the last home.
// Cost: 64 / (slots * load) bytes per number, load 0.73 to 0.92; an insertion moves eight others in the mean, in order.
// Threads: insert() by all at once; reserve() and for_each() by one, while no other is inside.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "io/growing_pages.h"
#include "store/bit_bucket.h"

namespace tideline {

class CompactTable {
 public:
  static constexpr unsigned kKeyBitsMin = 16;
  static constexpr unsigned kKeyBitsMax = 64;

  CompactTable(unsigned key_bits, MemoryBudget& budget);
  ~CompactTable();
  CompactTable(const CompactTable&) = delete;
  CompactTable& operator=(const CompactTable&) = delete;

  // Is there room for `more` numbers?
  [[nodiscard]] bool has_room(std::uint64_t more) const {
    return size() + more <= fill_limit_ && stash_size_.load(std::memory_order_relaxed) <= stash_limit_;
  }
  // Makes room for `more` numbers; false if memory ended.
  [[nodiscard]] bool reserve(std::uint64_t more);
  // Inserts evenly spread numbers below 2^T; appends to `fresh` the positions of those that were not in the set, plus
  // `first_position`. There must be room.
  void insert(const std::uint64_t* keys, std::size_t count, std::uint32_t first_position,
              std::vector<std::uint32_t>& fresh);
  // Calls visit(number) for all numbers, in no particular order.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t b = 0; b < layout_.buckets_used(); ++b) {
      keys.clear();
      read_bucket(layout_, b, bucket(b), keys);
      for (const std::uint64_t key : keys)
        visit(key);
    }
    for (const std::uint64_t key : stash_)
      visit(key);
  }

  [[nodiscard]] std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t stash_size() const { return stash_size_.load(std::memory_order_relaxed); }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t kOffsetMost = 64;
  // How numbers lie in a table of so many buckets.
  struct Layout {
    Layout() = default;
    Layout(unsigned key_bits, std::uint64_t buckets);
    [[nodiscard]] std::uint64_t home(std::uint64_t key) const {
      return static_cast<std::uint64_t>((static_cast<Wide>(key << (64 - key_bits)) * buckets) >> 64);
    }
    [[nodiscard]] std::uint64_t rest(std::uint64_t slot) const { return slot & ~(~std::uint64_t{0} << rest_bits); }
    [[nodiscard]] std::uint64_t slot(std::uint64_t key, unsigned attempt) const {
      return std::uint64_t{attempt} << rest_bits | rest(key);
    }
    // The least number at home in a bucket.
    [[nodiscard]] std::uint64_t first(std::uint64_t home) const;
    // How far above its home a number lies at an attempt.
    static std::uint64_t offset(std::uint64_t rest, unsigned attempt) {
      if (attempt == 0)
        return 0;
      return 1 + std::rotl(rest * 0x9e3779b97f4a7c15U, static_cast<int>(7 * attempt)) % kOffsetMost;
    }
    [[nodiscard]] std::uint64_t place(std::uint64_t key, unsigned attempt) const {
      return home(key) + offset(rest(key), attempt);
    }
    // Buckets in which numbers may lie: with those behind the last home.
    [[nodiscard]] std::uint64_t buckets_used() const { return buckets == 0 ? 0 : buckets + kOffsetMost; }
    // And kOffsetMost more, so that move_all() reads ahead of where it writes.
    [[nodiscard]] std::uint64_t buckets_all() const { return buckets_used() + kOffsetMost; }

    unsigned key_bits = 0;
    std::uint64_t buckets = 0;
    unsigned rest_bits = 0;
    unsigned tries = 0;  // buckets in which a number may lie
    BitBucket::Shape shape;
    std::uint64_t fill_wanted = 0;  // numbers at which the table grows
    std::uint64_t fill_most = 0;    // numbers it can take if it cannot grow
  };
  // Where a number is, or the first attempt that finds room (tries: none).
  struct Place {
    bool found = false;
    unsigned attempt = 0;
    unsigned filled = 0;  // slots in use there
  };
  [[nodiscard]] BitBucket& bucket(std::uint64_t index) const {
    return reinterpret_cast<BitBucket*>(pages_.data())[index];
  }
  [[nodiscard]] Place look(std::uint64_t key) const;
  bool insert(std::uint64_t key);
  bool insert_locked(BitBucket& home, std::uint64_t key);
  bool insert_in_stash(std::uint64_t key);
  [[nodiscard]] bool grow(std::uint64_t buckets);
  void move_all(const Layout& old);
  void place(std::uint64_t key);
  static void read_bucket(const Layout& layout, std::uint64_t index, const BitBucket& from,
                          std::vector<std::uint64_t>& out);

  MemoryBudget& budget_;
  GrowingPages pages_;
  Layout layout_;
  std::uint64_t fill_limit_ = 0;
  std::uint64_t stash_limit_ = 0;
  std::uint64_t stash_bytes_ = 0;  // charged
  std::atomic<std::uint64_t> size_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::mutex stash_mutex_;
  std::unordered_set<std::uint64_t> stash_;
  std::atomic<std::uint64_t> stash_size_ = 0;
};

}  // namespace tideline
