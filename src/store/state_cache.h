// SPDX-License-Identifier: MIT
// States seen lately, in a fixed piece of memory: says of most repeated states that they are old without a look at the
// disk. It forgets: a state that is not there may still be known. It never errs the other way: states are compared
// whole.
//
// Buckets of seven states with a byte of hash each; a new state takes the place of the one that came first.
// Cost: one to three cache misses per state; ceil(bits / 32) * 4 + 8/7 bytes per state. Threads: all at once.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/prefetch.h"
#include "io/budget.h"
#include "model/next_state.h"

namespace tideline {

class StateCache {
 public:
  // Uses all of `pages`.
  StateCache(std::uint64_t state_bits, bool one_thread, PageBuffer pages);

  [[nodiscard]] std::uint64_t capacity() const { return buckets_ * kWays; }
  [[nodiscard]] std::uint64_t bytes() const { return pages_.size(); }
  void prefetch(std::uint64_t hash) const {
    const std::uint8_t* bucket = bucket_of(hash);
    prefetch_line_to_write(bucket);
    prefetch_line_to_write(bucket + bucket_bytes_ / 2);
  }
  // Is the state here? If not, it is afterwards.
  bool test_and_set(std::uint64_t hash, const Word* state) {
    std::uint8_t* bucket = bucket_of(hash);
    const unsigned oldest = lock(bucket);
    const auto tag = static_cast<std::uint8_t>(1 + ((hash & 0xffff) * 255 >> 16));
    for (std::uint64_t found = ways_with(bucket, tag); found != 0; found &= found - 1) {
      const unsigned way = static_cast<unsigned>(std::countr_zero(found)) / 8;
      if (bucket[way] == tag && equals(cell(bucket, way), state)) {
        unlock(bucket, oldest);
        return true;
      }
    }
    bucket[oldest] = tag;
    std::memcpy(cell(bucket, oldest), state, cell_bytes_);
    unlock(bucket, oldest + 1 == kWays ? 0 : oldest + 1);
    return false;
  }

 private:
  static constexpr unsigned kWays = 7;
  static constexpr std::size_t kHeader = 8;  // a tag per way, and the way that is next in turn
  static constexpr std::uint8_t kLocked = 0x80;

  [[nodiscard]] std::uint8_t* bucket_of(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    return pages_.data() + static_cast<std::uint64_t>((static_cast<Wide>(hash) * buckets_) >> 64) * bucket_bytes_;
  }
  [[nodiscard]] std::uint8_t* cell(std::uint8_t* bucket, unsigned way) const {
    return bucket + kHeader + way * cell_bytes_;
  }
  // Bit 8 * way + 7 is set if the way has the tag, and perhaps for some above such a way: the caller compares tags
  // again, since a way that is empty has a cell of zeros, which may be equal to a state.
  static std::uint64_t ways_with(const std::uint8_t* bucket, std::uint8_t tag) {
    constexpr std::uint64_t kOnes = 0x01010101010101U;
    // Seven bytes in two overlapping loads: the eighth is the lock, which others may be trying.
    const std::uint64_t tags = load<std::uint32_t>(bucket) | std::uint64_t{load<std::uint32_t>(bucket + 3)} << 24;
    const std::uint64_t differ = tags ^ (kOnes * tag);
    return (differ - kOnes) & ~differ & (kOnes << 7);
  }
  [[nodiscard]] bool equals(const std::uint8_t* cell, const Word* state) const {
    const auto* other = reinterpret_cast<const std::uint8_t*>(state);
    std::size_t at = 0;
    for (; at + sizeof(Word) <= cell_bytes_; at += sizeof(Word))
      if (load<Word>(cell + at) != load<Word>(other + at))
        return false;
    return at == cell_bytes_ || load<std::uint32_t>(cell + at) == load<std::uint32_t>(other + at);
  }
  template <typename T>
  static T load(const std::uint8_t* from) {
    T value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  // The way that is next in turn.
  unsigned lock(std::uint8_t* bucket) const {
    std::uint8_t& turn = bucket[kWays];
    if (one_thread_)
      return turn;
    const std::atomic_ref<std::uint8_t> atomic(turn);
    for (;;) {
      const std::uint8_t before = atomic.fetch_or(kLocked, std::memory_order_acquire);
      if ((before & kLocked) == 0)
        return before;
    }
  }
  void unlock(std::uint8_t* bucket, unsigned turn) const {
    std::atomic_ref<std::uint8_t>(bucket[kWays]).store(static_cast<std::uint8_t>(turn), std::memory_order_release);
  }

  std::size_t cell_bytes_;
  std::size_t bucket_bytes_;
  bool one_thread_;
  PageBuffer pages_;
  std::uint64_t buckets_;
};

}  // namespace tideline
