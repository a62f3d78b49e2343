// SPDX-License-Identifier: MIT
// An index from hashes to 32-bit numbers of entries kept elsewhere, with lock-free insertion, after the shared hash
// table of [laarman.10.fmcad]; ours keeps numbers instead of states, so a slot is claimed in one step. Open addressing
// over 64-byte buckets (one cache line): twelve 8-bit tags, tested by one SIMD comparison, and twelve numbers plus one.
// A full bucket overflows into the next. A tag is a hint; the caller decides equality.
//
// X1  the slots of a bucket fill in order, and no slot is ever emptied.    X2  a slot belongs to whoever changes its
// number from 0; its tag follows. A slot with a number and no tag yet may hold anything: its entry is compared.
// X3  by X1 and X2 two threads that insert equal entries meet at the first slot that is free for both: one gets it, the
// other compares. So an entry is inserted once.    X4  there is always a free slot: the caller grows the index in time.
// Cost: one cache miss per probe, 64 / 12 / load bytes per entry. Threads: insert() may run at once, find() as
// well while nobody inserts; replace(), reserve() and restart() alone.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/check.h"
#include "base/prefetch.h"
#include "io/budget.h"

namespace tideline {

class TagIndex {
 public:
  static constexpr unsigned kSlots = 12;

  // With one thread a slot is claimed by a plain store.
  explicit TagIndex(bool one_thread) : one_thread_(one_thread) {}

  [[nodiscard]] std::uint64_t buckets() const { return bucket_count_; }
  [[nodiscard]] std::uint64_t slots() const { return bucket_count_ * kSlots; }
  static constexpr std::uint64_t bytes_for(std::uint64_t buckets) { return buckets * sizeof(Bucket); }

  // Becomes an empty index of `buckets` buckets without ever holding both. False if the budget refuses (nothing changes
  // then) or the system does (there are no buckets then).
  [[nodiscard]] bool replace(std::uint64_t buckets, MemoryBudget& budget) {
    const bool done = pages_.replace(bytes_for(buckets), budget);
    bucket_count_ = done ? buckets : pages_.data() == nullptr ? 0 : bucket_count_;
    return done;
  }

  // Pages that are read before they are written cost twice: the system exchanges a page of zeros, and interrupts the
  // other threads for that. So a new index is written to first, in pieces, by several threads at once.
  [[nodiscard]] std::uint64_t pieces_to_touch() const { return (pages_.size() + kTouchPiece - 1) / kTouchPiece; }
  void touch(std::uint64_t piece) {
    for (std::uint64_t at = piece * kTouchPiece; at < std::min(pages_.size(), (piece + 1) * kTouchPiece); at += kPage)
      *reinterpret_cast<volatile std::uint8_t*>(pages_.data() + at) = 0;
  }

  // Gives its memory back.
  void drop() {
    pages_.reset();
    bucket_count_ = 0;
  }

  // Pages for up to `buckets` buckets, none of which is in use before restart(). False if the budget refuses.
  [[nodiscard]] bool reserve(std::uint64_t buckets, MemoryBudget& budget) {
    bucket_count_ = 0;
    return pages_.replace(bytes_for(buckets), budget);
  }
  // Becomes an empty index of `buckets` of the buckets that are there; costs as much as those in use before.
  void restart(std::uint64_t buckets) {
    CHECK(bytes_for(buckets) <= pages_.size());
    if (bucket_count_ > 0)
      std::memset(pages_.data(), 0, bytes_for(bucket_count_));
    bucket_count_ = buckets;
  }

  void prefetch(std::uint64_t hash) const { prefetch_line_to_write(bucket(bucket_of(hash))); }
  // Calls `use` with the number of the first entry that has the hash's tag in its bucket, if there is one.
  template <typename Use>
  void first_candidate(std::uint64_t hash, Use use) const {
    Bucket& home = *bucket(bucket_of(hash));
    const unsigned found = load_tags(home).equal_to(tag_of(hash));
    if (found != 0)
      use(number_at(home, static_cast<unsigned>(std::countr_zero(found))) - 1);
  }
  // The number for which `equals`, or kNone. By X1 a free slot ends the search. Not while others insert.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  template <typename Equals>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, Equals equals) const {
    for (std::uint64_t at = bucket_of(hash);; at = at + 1 == bucket_count_ ? 0 : at + 1) {
      Bucket& here = *bucket(at);
      const Tags tags = load_tags(here);
      for (unsigned found = tags.equal_to(tag_of(hash)); found != 0; found &= found - 1) {
        const std::uint32_t number = number_at(here, static_cast<unsigned>(std::countr_zero(found))) - 1;
        if (equals(number))
          return number;
      }
      if (tags.equal_to(0) != 0)
        return kNone;
    }
  }
  // Inserts entry `number` unless `equals(n)` for some n in the index. `prepare()` is called before the number can be
  // seen by others. True if it was inserted.
  template <typename Equals, typename Prepare>
  bool insert(std::uint64_t hash, std::uint32_t number, Equals equals, Prepare prepare) {
    const std::uint8_t tag = tag_of(hash);
    for (std::uint64_t at = bucket_of(hash);; at = at + 1 == bucket_count_ ? 0 : at + 1) {
      Bucket& here = *bucket(at);
      const Tags tags = load_tags(here);
      for (unsigned found = tags.equal_to(tag); found != 0; found &= found - 1)
        if (equals(number_at(here, static_cast<unsigned>(std::countr_zero(found))) - 1))
          return false;
      for (unsigned open = tags.equal_to(0); open != 0; open &= open - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(open));
        std::uint32_t other = number_at(here, slot);
        if (other == 0) {
          prepare();
          if (claim(here, slot, other, number + 1, tag))
            return true;
        }
        if (equals(other - 1))
          return false;
      }
    }
  }

 private:
  static constexpr std::uint64_t kTouchPiece = std::uint64_t{1} << 21;
  static constexpr std::uint64_t kPage = 4096;

  struct alignas(64) Bucket {
    std::uint64_t tags[2];  // bytes 0 .. 11; 0: none yet
    std::uint32_t numbers[kSlots];
  };
  static_assert(sizeof(Bucket) == 64);

  // The tags of a bucket at one moment.
  class Tags {
   public:
    Tags(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}
    // Bit k is set if tag k is `tag`.
    [[nodiscard]] unsigned equal_to(std::uint8_t tag) const {
      constexpr unsigned kAll = (1U << kSlots) - 1;
#if defined(__SSE2__)
      const __m128i tags = _mm_set_epi64x(static_cast<long long>(high_), static_cast<long long>(low_));
      const __m128i wanted = _mm_set1_epi8(static_cast<char>(tag));
      return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(tags, wanted))) & kAll;
#else
      unsigned found = 0;
      for (unsigned k = 0; k < kSlots; ++k)
        found |=
            static_cast<unsigned>(static_cast<std::uint8_t>((k < 8 ? low_ >> (8 * k) : high_ >> (8 * k - 64))) == tag)
            << k;
      return found & kAll;
#endif
    }

   private:
    std::uint64_t low_;
    std::uint64_t high_;
  };

  static std::uint8_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint8_t>(1 + ((hash & 0xffff) * 255 >> 16));
  }
  [[nodiscard]] std::uint64_t bucket_of(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(hash) * bucket_count_) >> 64);
  }
  [[nodiscard]] Bucket* bucket(std::uint64_t at) const {
    return reinterpret_cast<Bucket*>(pages_.data()) + at;
  }
  static Tags load_tags(Bucket& bucket) {
    return {std::atomic_ref(bucket.tags[0]).load(std::memory_order_acquire),
            std::atomic_ref(bucket.tags[1]).load(std::memory_order_acquire)};
  }
  static std::uint32_t number_at(Bucket& bucket, unsigned slot) {
    return std::atomic_ref(bucket.numbers[slot]).load(std::memory_order_acquire);
  }
  // Changes a slot from free to `value`; else `found` is what another thread has put there.
  [[nodiscard]] bool claim(Bucket& bucket, unsigned slot, std::uint32_t& found, std::uint32_t value,
                           std::uint8_t tag) const {
    const std::atomic_ref number(bucket.numbers[slot]);
    if (one_thread_)
      number.store(value, std::memory_order_relaxed);
    else if (!number.compare_exchange_strong(found, value, std::memory_order_acq_rel))
      return false;
    std::atomic_ref(reinterpret_cast<std::uint8_t*>(bucket.tags)[slot]).store(tag, std::memory_order_release);
    return true;
  }

  bool one_thread_;
  PageBuffer pages_;
  std::uint64_t bucket_count_ = 0;
};

}  // namespace tideline
