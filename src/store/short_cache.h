// SPDX-License-Identifier: MIT
// The cache of recent states (state_cache.h) for states of at most 64 bits, in less than two thirds of the memory by
// quotienting [cleary.84.tc]: the hash of a state is a bijection of it (KeyMix), the bucket is its upper part, and only
// its lowest 40 bits are stored.
//
// A bucket is a cache line: twelve states, each with 32 bits in one place and 8 in another, filled and replaced in
// turn.
//
// Q1  no state is taken for another one: the keys of a bucket follow each other, there are at most 2^40 of them
//     (fits()), so their lowest 40 bits differ.    Q2  a way that was never filled is not compared.
// Cost: one cache miss per state; 5.3 bytes per state. Threads: all at once.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/check.h"
#include "base/prefetch.h"
#include "io/budget.h"
#include "model/next_state.h"
#include "store/key_mix.h"

namespace tideline {

class ShortCache {
 public:
  static constexpr unsigned kStateBitsMax = 64;
  static constexpr unsigned kStateBitsMin = 16;  // KeyMix's

  // Whether states of so many bits are told apart in so much memory.
  static bool fits(std::uint64_t state_bits, std::uint64_t bytes) {
    const std::uint64_t buckets = bytes / kBucketBytes;
    if (buckets == 0 || state_bits > kStateBitsMax)
      return false;
    return state_bits <= kStoredBits || buckets >> (state_bits - kStoredBits) != 0;
  }
  // Uses all of `pages`.
  ShortCache(std::uint64_t state_bits, bool one_thread, PageBuffer pages)
      : one_thread_(one_thread),
        unused_bits_(64 - static_cast<unsigned>(std::max<std::uint64_t>(state_bits, kStateBitsMin))),
        mix_(64 - unused_bits_),
        pages_(std::move(pages)),
        buckets_(pages_.size() / kBucketBytes) {
    CHECK(fits(state_bits, pages_.size()));
  }

  [[nodiscard]] std::uint64_t capacity() const { return buckets_ * kWays; }
  [[nodiscard]] std::uint64_t bytes() const { return pages_.size(); }
  [[nodiscard]] std::uint64_t hash(const Word* state) const { return mix_.mix(*state) << unused_bits_; }
  void prefetch(std::uint64_t hash) const { prefetch_line_to_write(bucket_of(hash)); }
  // Is the state here? If not, it is afterwards.
  bool test_and_set(std::uint64_t hash, const Word* /*state*/) {
    Bucket& bucket = *bucket_of(hash);
    const std::uint64_t key = hash >> unused_bits_;
    const auto low = static_cast<std::uint32_t>(key);
    const auto high = static_cast<std::uint8_t>(key >> 32);
    const std::uint8_t turn = lock(bucket);
    const unsigned oldest = turn & kTurn;
    if (holds(bucket, low, high, (turn & kFull) != 0 ? kWays : oldest)) {
      unlock(bucket, turn);
      return true;
    }
    bucket.low[oldest] = low;
    bucket.high[oldest] = high;
    const bool is_last = oldest + 1 == kWays;
    unlock(bucket, static_cast<std::uint8_t>(is_last ? kFull : turn + 1));
    return false;
  }

 private:
  static constexpr unsigned kWays = 12;
  static constexpr unsigned kStoredBits = 40;
  static constexpr std::uint8_t kTurn = 0x0f;  // the way that is next in turn
  static constexpr std::uint8_t kFull = 0x40;  // all ways have been filled
  static constexpr std::uint8_t kLocked = 0x80;
  struct alignas(64) Bucket {
    std::uint32_t low[kWays];
    std::uint8_t high[kWays];
    std::uint8_t turn;
  };
  static constexpr std::size_t kBucketBytes = sizeof(Bucket);
  static_assert(kBucketBytes == 64);

  [[nodiscard]] Bucket* bucket_of(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    return reinterpret_cast<Bucket*>(pages_.data()) +
           static_cast<std::uint64_t>((static_cast<Wide>(hash) * buckets_) >> 64);
  }
  static bool holds(const Bucket& bucket, std::uint32_t low, std::uint8_t high, unsigned ways) {
    std::uint32_t same = 0;
    for (unsigned way = 0; way < kWays; ++way)
      same |= static_cast<std::uint32_t>(bucket.low[way] == low && bucket.high[way] == high) << way;
    return (same & ((1U << ways) - 1)) != 0;
  }
  std::uint8_t lock(Bucket& bucket) const {
    if (one_thread_)
      return bucket.turn;
    const std::atomic_ref<std::uint8_t> atomic(bucket.turn);
    for (;;) {
      const std::uint8_t before = atomic.fetch_or(kLocked, std::memory_order_acquire);
      if ((before & kLocked) == 0)
        return before;
    }
  }
  static void unlock(Bucket& bucket, std::uint8_t turn) {
    std::atomic_ref<std::uint8_t>(bucket.turn).store(turn, std::memory_order_release);
  }

  bool one_thread_;
  unsigned unused_bits_;
  KeyMix mix_;
  PageBuffer pages_;
  std::uint64_t buckets_;
};

}  // namespace tideline
