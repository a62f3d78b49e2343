// SPDX-License-Identifier: MIT
// An exact set of numbers of T bits in little more room than log2(2^T / size) bits each, by quotienting
// [cleary.84.tc]: what a bucket's place says about the numbers in it is not stored.
//
// A number's home is bucket floor(number * buckets / 2^T). This is monotone in the number, so the numbers at home in a
// bucket are consecutive, at most 2^rest_bits, and their low rest_bits tell them apart. A bucket is a cache line of as
// many slots as fit. A number that finds its home full tries a few buckets above it, at offsets that follow from its
// rest; a slot is the rest and the number of the attempt. If all tries fail, the number goes to a small stash.
//
// Since homes are monotone, the table grows in place, by an eighth, two fifths or all of its size: numbers move up
// only, so the highest buckets, whose numbers all go above the end of the old table, are emptied first, then those
// whose numbers go above these, and so on. There is never room needed for two tables, and the buckets of such a round
// are emptied by all threads at once, a piece each. As buckets become more, the rests become shorter and the slots
// more.
//
// We differ from Cleary: no ordering and no virgin bits, but buckets of a cache line and two to four bits of attempt
// per slot. Offsets are scattered because full buckets cluster: with the next bucket as the next try the table would
// have to grow at a load that is lower by a tenth (docs/design/tables.md).
//
// C1  2^(T - rest_bits) <= buckets.    C2  a number is at attempt k: the places of its attempts before k are full.
// C3  a number is in the table or the stash once: who inserts holds the lock of its home.
// C4  no place is more than kOffsetMost buckets above its home; so many buckets lie behind the last home.
// C5  in a round, buckets are read below and written above sources_end_; those written are empty but for numbers that
//     have been moved.
// Cost: 64 / (slots * load) bytes per number; load 0.73 to 0.92 and eight moves per insertion in the mean, in order, or
// (roomy) load 0.57 to 0.80 and two and a half moves; up to 32 MiB, load 0.40 to 0.80 and one move.
// Threads: insert() by all at once, and move_piece() by all at once; the rest by one, while no other is inside.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/prefetch.h"
#include "io/growing_pages.h"
#include "store/bit_bucket.h"

namespace tideline {

class CompactTable {
 public:
  static constexpr unsigned kKeyBitsMin = 16;
  static constexpr unsigned kKeyBitsMax = 64;

  // How the table grows while the budget allows it: by an eighth and filled as far as goes, or by two fifths (to the
  // double while it is small) and filled less, which costs up to so much more memory and half the time. Where the
  // budget ends, both are tight.
  enum class Growth : std::uint8_t { kTight, kRoomy };

  CompactTable(unsigned key_bits, Growth growth, unsigned threads, MemoryBudget& budget);
  ~CompactTable();
  CompactTable(const CompactTable&) = delete;
  CompactTable& operator=(const CompactTable&) = delete;

  // Is there room for `more` numbers?
  [[nodiscard]] bool has_room(std::uint64_t more) const {
    return size() + more <= fill_limit_ && stash_size_.load(std::memory_order_relaxed) <= stash_limit_;
  }
  // Makes room for `more` numbers; false if memory ended.
  [[nodiscard]] bool reserve(std::uint64_t more);
  // The same by several threads. Returns a number of pieces: when move_piece() has been called for each, by anybody, it
  // is to be called again. 0: done; if there is no room now, memory has ended.
  [[nodiscard]] std::uint64_t prepare_growth(std::uint64_t more);
  void move_piece(std::uint64_t piece);
  // Inserts the numbers begin .. end-1 of `keys`, evenly spread and below 2^T; appends to `fresh` the positions of
  // those that were not in the set, plus `first_position`. There must be room. Those behind `end` come next: their
  // places are fetched meanwhile.
  void insert(std::span<const std::uint64_t> keys, std::size_t begin, std::size_t end, std::uint32_t first_position,
              std::vector<std::uint32_t>& fresh);
  // Calls visit(number) for all numbers, in no particular order.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    if (layout_.buckets == 0)
      return;
    Reader reader(layout_, 0);
    for (std::uint64_t b = 0; b < layout_.buckets_used(); ++b)
      reader.read(bucket(b), visit);
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
    Layout(unsigned key_bits, std::uint64_t buckets, Growth growth);
    [[nodiscard]] std::uint64_t home(std::uint64_t key) const {
      return static_cast<std::uint64_t>((static_cast<Wide>(key << (64 - key_bits)) * buckets) >> 64);
    }
    [[nodiscard]] std::uint64_t rest(std::uint64_t slot) const { return slot & ~(~std::uint64_t{0} << rest_bits); }
    [[nodiscard]] std::uint64_t slot(std::uint64_t key, unsigned attempt) const {
      return std::uint64_t{attempt} << rest_bits | rest(key);
    }
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

    unsigned key_bits = 0;
    std::uint64_t buckets = 0;
    Growth growth = Growth::kTight;
    unsigned rest_bits = 0;
    unsigned tries = 0;  // buckets in which a number may lie
    BitBucket::Shape shape;
    std::uint64_t fill_wanted = 0;  // numbers at which the table grows
    std::uint64_t fill_most = 0;    // numbers it can take if it cannot grow
  };
  // Reads buckets of a table one after the other, upwards. The least number at home in bucket h is
  // ceil(h * 2^T / buckets), which is counted up without dividing, and remembered for the last buckets: there the
  // numbers read are at home (C4).
  class Reader {
   public:
    Reader(const Layout& layout, std::uint64_t begin);
    // Calls visit(number) for the numbers in the next bucket.
    template <typename Visit>
    void read(const BitBucket& from, const Visit& visit) {
      const std::uint64_t index = index_;
      advance();
      for (unsigned i = 0, count = from.count(); i < count; ++i) {
        const std::uint64_t slot = from.slot(i, layout_.shape);
        const std::uint64_t rest = layout_.rest(slot);
        const std::uint64_t offset = Layout::offset(rest, static_cast<unsigned>(slot >> layout_.rest_bits));
        const std::uint64_t first = firsts_[(index - offset) % kKept];
        visit(first + layout_.rest(rest - first));
      }
    }

   private:
    static constexpr std::uint64_t kKept = 2 * kOffsetMost;
    void advance();

    Layout layout_;
    std::uint64_t index_;     // of the next bucket
    std::uint64_t quotient_;  // of index_ * 2^T / buckets
    std::uint64_t remainder_;
    std::uint64_t quotient_step_;
    std::uint64_t remainder_step_;
    std::uint64_t firsts_[kKept] = {};
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
  void prefetch_home(std::uint64_t key) const { prefetch_line_to_write(&bucket(layout_.home(key))); }
  void prefetch_next(std::uint64_t key) const;
  [[nodiscard]] Place look(std::uint64_t key) const;
  bool insert_shared(std::uint64_t key);
  bool insert_alone(std::uint64_t key);
  bool insert_locked(BitBucket& home, std::uint64_t key);
  bool insert_in_stash(std::uint64_t key);
  [[nodiscard]] bool start_growth();
  [[nodiscard]] bool start_growth(std::uint64_t buckets, Growth growth);
  [[nodiscard]] std::uint64_t next_round();
  void move_rest();
  // Buckets into which no other thread places numbers: begin .. end-1.
  struct OwnBuckets {
    std::uint64_t begin = 0;
    std::uint64_t end = ~std::uint64_t{0};
  };
  void move_buckets(std::uint64_t begin, std::uint64_t end, OwnBuckets own);
  // Where numbers of a bucket of the old table go if they lie in their homes and at the beginning of these.
  [[nodiscard]] std::uint64_t scaled(std::uint64_t old_bucket) const {
    return static_cast<std::uint64_t>(static_cast<Wide>(old_bucket) * layout_.buckets / old_.buckets);
  }
  void touch_fresh(std::uint64_t begin, std::uint64_t end);
  void place(std::uint64_t key, OwnBuckets own);

  MemoryBudget& budget_;
  GrowingPages pages_;
  Growth growth_;
  bool alone_;  // there is one thread: no lock is taken
  Layout layout_;
  Layout old_;                       // while the table grows: how the buckets below sources_end_ are to be read
  std::uint64_t sources_begin_ = 0;  // the round's buckets
  std::uint64_t sources_end_ = 0;
  std::uint64_t piece_buckets_ = 0;  // of it that move_piece() moves
  bool growing_ = false;
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
