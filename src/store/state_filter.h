// SPDX-License-Identifier: MIT
// A Bloom filter [bloom.70.cacm] over the hashes of states, each with its bits in one cache line [putze.07.wea]: says
// of most new states that they are new, so that they need not be looked up anywhere.
//
// F1  a state that was added is never said to be new.
// Cost: one cache miss per query; six bits are set per state, so at 8 bits of memory per state 3% of the new states are
// not recognised as such, at 4 bits 20%. Threads: queries by all at once; add() by one, while nobody queries.
#pragma once

#include <cstdint>

#include "base/prefetch.h"
#include "io/budget.h"

namespace tideline {

class StateFilter {
 public:
  // Uses all of `pages`, which may be empty: then nothing is known to be new.
  explicit StateFilter(PageBuffer pages = {}) : pages_(std::move(pages)), lines_(pages_.size() / kLineBytes) {}

  [[nodiscard]] std::uint64_t bytes() const { return pages_.size(); }
  [[nodiscard]] bool is_on() const { return lines_ > 0; }
  void prefetch(std::uint64_t hash) const { prefetch_line(line(hash)); }
  void add(std::uint64_t hash) {
    std::uint64_t* words = line(hash);
    const Bits bits(hash);
    words[bits.first_word] |= bits.first;
    words[bits.second_word] |= bits.second;
  }
  // True: the state was never added.
  [[nodiscard]] bool is_new(std::uint64_t hash) const {
    const std::uint64_t* words = line(hash);
    const Bits bits(hash);
    return (words[bits.first_word] & bits.first) != bits.first ||
           (words[bits.second_word] & bits.second) != bits.second;
  }
  // With so many states in it, does it still recognise most new ones?
  [[nodiscard]] bool is_useful(std::uint64_t states) const { return states < pages_.size() * 8 / kLeastBitsPerState; }

 private:
  static constexpr std::size_t kLineBytes = 64;
  static constexpr std::uint64_t kLeastBitsPerState = 3;

  // Three bits each in two of a line's eight words, from a hash of the hash (the line comes from its high bits).
  struct Bits {
    explicit Bits(std::uint64_t hash) {
      const std::uint64_t more = hash * 0x9fb21c651e98df25U;
      const std::uint64_t mixed = more ^ (more >> 32);
      first_word = mixed & 7;
      second_word = (mixed >> 3) & 7;
      first = one(mixed >> 6) | one(mixed >> 12) | one(mixed >> 18);
      second = one(mixed >> 24) | one(mixed >> 30) | one(mixed >> 36);
    }
    static std::uint64_t one(std::uint64_t position) { return std::uint64_t{1} << (position & 63); }
    std::uint64_t first_word;
    std::uint64_t second_word;
    std::uint64_t first;
    std::uint64_t second;
  };

  [[nodiscard]] std::uint64_t* line(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    const auto number = static_cast<std::uint64_t>((static_cast<Wide>(hash) * lines_) >> 64);
    return reinterpret_cast<std::uint64_t*>(pages_.data() + number * kLineBytes);
  }

  PageBuffer pages_;
  std::uint64_t lines_ = 0;
};

}  // namespace tideline
