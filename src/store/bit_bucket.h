// SPDX-License-Identifier: MIT
// One cache line as a bucket of the compact table: a byte of lock bit and count, then a tag byte per slot, then the
// rest of each slot, packed to the bit. A slot of 9 to 64 bits is its tag (low eight bits) and its rest. A look-up
// compares the tags of eight slots at once, in a word, and reads a rest only where the tag fits.
//
// B1  slots below the count do not change until the bucket is overwritten as a whole; all bits of other slots are zero.
// B2  word 0, which has the count, is written last and with release order: who reads a count finds its slots.
// Threads: find() by anyone; append() by who holds the lock.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <thread>

namespace tideline {

class BitBucket {
 public:
  static constexpr unsigned kWords = 8;
  static constexpr unsigned kBytes = kWords * sizeof(std::uint64_t);
  static constexpr unsigned kSlotsMax = 31;
  static constexpr unsigned kTagBits = 8;
  static constexpr unsigned kBitsForSlots = kBytes * 8 - 8;

  // How a bucket is divided: slots * slot_bits <= kBitsForSlots.
  struct Shape {
    unsigned slots = 0;
    unsigned slot_bits = 0;
    [[nodiscard]] unsigned tag_words() const { return slots / 8 + 1; }
    [[nodiscard]] unsigned rest_bits() const { return slot_bits - kTagBits; }
    [[nodiscard]] unsigned rest_at(unsigned slot) const { return 8 + slots * kTagBits + slot * rest_bits(); }
  };

  static unsigned count(std::uint64_t word0) { return static_cast<unsigned>(word0 >> 1) & kSlotsMax; }
  [[nodiscard]] unsigned count() const { return count(load(0, std::memory_order_acquire)); }

  // Is the value in one of the slots? Sets `filled` to the count that was seen.
  [[nodiscard]] bool find(std::uint64_t value, Shape shape, unsigned& filled) const {
    std::uint64_t word = load(0, std::memory_order_acquire);
    filled = count(word);
    const std::uint64_t pattern = (value & 0xff) * kEachByte;
    std::uint64_t fits = zero_bytes(word ^ pattern) & ~std::uint64_t{0xff};
    for (unsigned w = 0;;) {
      for (; fits != 0; fits &= fits - 1) {
        const unsigned slot = w * 8 + static_cast<unsigned>(std::countr_zero(fits)) / 8 - 1;
        if (slot < filled && rest(slot, shape) == value >> kTagBits)
          return true;
      }
      if (++w * 8 > filled)
        return false;
      word = load(w, std::memory_order_relaxed);
      fits = zero_bytes(word ^ pattern);
    }
  }
  [[nodiscard]] std::uint64_t slot(unsigned slot, Shape shape) const {
    const unsigned byte = slot + 1;
    const std::uint64_t tag = (load(byte / 8, std::memory_order_relaxed) >> (byte % 8 * 8)) & 0xff;
    return rest(slot, shape) << kTagBits | tag;
  }

  void lock() {
    const std::atomic_ref word(words_[0]);
    while ((word.fetch_or(1, std::memory_order_acquire) & 1) != 0)
      std::this_thread::yield();
  }
  // Writes what is there, whoever else is here.
  void touch() { std::atomic_ref(words_[0]).fetch_or(0, std::memory_order_relaxed); }
  void unlock() { std::atomic_ref(words_[0]).fetch_and(~std::uint64_t{1}, std::memory_order_release); }
  // Appends to a bucket that has room. The lock, if held, is given back.
  void append(std::uint64_t value, Shape shape) {
    const std::uint64_t word0 = load(0, std::memory_order_relaxed);
    const unsigned slot = count(word0);
    const unsigned at = shape.rest_at(slot);
    const std::uint64_t rest = value >> kTagBits;
    std::uint64_t own = 0;  // what falls into word 0
    put(at / 64, rest << (at % 64), own);
    if (at % 64 + shape.rest_bits() > 64)
      put(at / 64 + 1, rest >> (64 - at % 64), own);
    put((slot + 1) / 8, (value & 0xff) << ((slot + 1) % 8 * 8), own);
    std::atomic_ref(words_[0]).store(((word0 | own) + 2) & ~std::uint64_t{1}, std::memory_order_release);
  }

 private:
  static constexpr std::uint64_t kEachByte = 0x0101010101010101U;
  // The high bit of each byte that is zero.
  static std::uint64_t zero_bytes(std::uint64_t word) {
    constexpr std::uint64_t low = 0x7f * kEachByte;
    return ~(((word & low) + low) | word | low);
  }

  // std::atomic_ref wants an object that is not const, even to read it.
  [[nodiscard]] std::uint64_t load(unsigned word, std::memory_order order) const {
    return std::atomic_ref(const_cast<std::uint64_t&>(words_[word])).load(order);
  }
  [[nodiscard]] std::uint64_t rest(unsigned slot, Shape shape) const {
    const unsigned at = shape.rest_at(slot);
    const unsigned offset = at % 64;
    std::uint64_t bits = load(at / 64, std::memory_order_relaxed) >> offset;
    if (offset + shape.rest_bits() > 64)
      bits |= load(at / 64 + 1, std::memory_order_relaxed) << (64 - offset);
    return bits & ~(~std::uint64_t{0} << shape.rest_bits());
  }
  void put(unsigned word, std::uint64_t bits, std::uint64_t& own) {
    if (word == 0) {
      own |= bits;
      return;
    }
    const std::atomic_ref to(words_[word]);
    to.store(to.load(std::memory_order_relaxed) | bits, std::memory_order_relaxed);
  }

  std::uint64_t words_[kWords] = {};
};

static_assert(sizeof(BitBucket) == BitBucket::kBytes);

}  // namespace tideline
