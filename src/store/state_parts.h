// SPDX-License-Identifier: MIT
// The parts into which a state is divided for collapse compression: each is some segments of the state's bits, at most
// 64 bits together, read as one value.
//
// V1  the parts cover every bit of the state once.
// Cost: two loads and shifts for a part that is one run of bits, else one of each for each word that a segment
// touches. Threads: constant once made.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "model/next_state.h"
#include "store/bit_order.h"

namespace tideline {

using StatePart = std::vector<BitOrder::Segment>;

class StateParts {
 public:
  static constexpr std::uint64_t kPartBits = 64;

  StateParts(std::uint64_t state_bits, const std::vector<StatePart>& parts);

  [[nodiscard]] std::size_t size() const { return bits_.size(); }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] unsigned bits(std::size_t part) const { return bits_[part]; }

  // The value of a part. One word behind the state is read.
  [[nodiscard]] std::uint64_t get(const Word* state, std::size_t part) const {
    const Run& run = runs_[part];
    if (run.is_whole) [[likely]]
      return ((state[run.word] >> run.shift) | (state[run.word + 1] << 1 << (63 - run.shift))) & run.mask;
    return gather(state, part);
  }
  // Changes the bits of a part that are set in `difference`. One word behind the state is read and written unchanged.
  void flip(Word* state, std::size_t part, std::uint64_t difference) const {
    const Run& run = runs_[part];
    if (!run.is_whole) {
      scatter(state, part, difference);
      return;
    }
    state[run.word] ^= difference << run.shift;
    state[run.word + 1] ^= difference >> 1 >> (63 - run.shift);
  }
  // Calls `use` with every part in which the states differ, in states of many parts with some of them several times.
  template <typename Use>
  void differences(const Word* a, const Word* b, Use use) const {
    std::uint64_t differ = 0;  // a bit per part: which of a word's parts differ is hard to predict, and not asked for
    for (std::size_t word = 0; word < words_; ++word) {
      const Word difference = a[word] ^ b[word];
      if (difference == 0)
        continue;
      const Owner* const behind = owners_.data() + in_word_[word + 1];
      const Owner* owner = owners_.data() + in_word_[word];
      for (; !is_many_ && owner != behind; ++owner)
        differ |= std::uint64_t{(difference & owner->mask) != 0} << owner->part;
      for (; owner != behind; ++owner)
        if ((difference & owner->mask) != 0)
          use(owner->part);
    }
    for (; differ != 0; differ &= differ - 1)
      use(static_cast<std::size_t>(std::countr_zero(differ)));
  }

 private:
  // Bits of one word, and where they are in the part's value.
  struct Piece {
    Word mask = 0;
    std::uint32_t word = 0;
    std::uint8_t shift = 0;
    std::uint8_t to = 0;
  };
  // The part as a run of bits, if it is one.
  struct Run {
    Word mask = 0;
    std::uint32_t word = 0;
    std::uint8_t shift = 0;
    bool is_whole = false;
  };
  struct Owner {
    Word mask = 0;
    std::uint32_t part = 0;
  };

  [[nodiscard]] std::uint64_t gather(const Word* state, std::size_t part) const;
  void scatter(Word* state, std::size_t part, std::uint64_t difference) const;
  void add_part(const StatePart& part);
  void find_owners();

  std::size_t words_;
  std::vector<unsigned> bits_;      // by part
  std::vector<Run> runs_;           // by part
  std::vector<std::size_t> first_;  // by part: its first piece
  std::vector<Piece> pieces_;
  std::vector<std::size_t> in_word_;  // by word: its first owner
  std::vector<Owner> owners_;
  bool is_many_ = false;  // there are more than 64
};

}  // namespace tideline
