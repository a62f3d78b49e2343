// SPDX-License-Identifier: MIT
// Where the numbers of a state's parts are in its key: fields of some bits each, one behind the other, across words.
//
// K1  keys that functions read or change have one readable word behind their bits.    Threads: constant once made.
#pragma once

#include <cstdint>
#include <vector>

#include "model/next_state.h"

namespace tideline {

class KeyLayout {
 public:
  KeyLayout() = default;
  explicit KeyLayout(const std::vector<unsigned>& widths);  // at most 32 bits each

  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  [[nodiscard]] std::uint64_t bits() const { return bits_; }
  // Of a key, with the one behind it (K1).
  [[nodiscard]] std::size_t words() const { return bits_ / 64 + 2; }
  [[nodiscard]] unsigned width(std::size_t field) const { return fields_[field].width; }
  [[nodiscard]] std::vector<unsigned> widths() const;

  [[nodiscard]] std::uint32_t get(const Word* key, std::size_t field) const {
    const Field& at = fields_[field];
    const Word low = key[at.word] >> at.shift;
    const Word high = key[at.word + 1] << 1 << (63 - at.shift);
    return static_cast<std::uint32_t>((low | high) & at.mask);
  }
  // Changes the bits of a field that are set in `difference`.
  void flip(Word* key, std::size_t field, std::uint32_t difference) const {
    const Field& at = fields_[field];
    key[at.word] ^= Word{difference} << at.shift;
    key[at.word + 1] ^= Word{difference} >> 1 >> (63 - at.shift);
  }

  // The bit at which a field begins.
  [[nodiscard]] std::uint64_t place(std::size_t field) const {
    return std::uint64_t{64} * fields_[field].word + fields_[field].shift;
  }

 private:
  struct Field {
    Word mask = 0;
    std::uint32_t word = 0;
    std::uint8_t shift = 0;
    std::uint8_t width = 0;
  };
  std::vector<Field> fields_;
  std::uint64_t bits_ = 0;
};

// Makes keys of another layout with the same fields out of keys; a field that becomes narrower loses bits that must be
// 0.
class KeyMoves {
 public:
  KeyMoves(const KeyLayout& from, const KeyLayout& to);

  // `to` is zero at first.
  void apply(const Word* from, Word* to) const {
    for (const Move& move : moves_) {
      const Word low = from[move.from_word] >> move.from_shift;
      const Word high = from[move.from_word + 1] << 1 << (63 - move.from_shift);
      const Word bits = (low | high) & move.mask;
      to[move.to_word] |= bits << move.to_shift;
      to[move.to_word + 1] |= bits >> 1 >> (63 - move.to_shift);
    }
  }

 private:
  struct Move {
    Word mask = 0;
    std::uint32_t from_word = 0;
    std::uint32_t to_word = 0;
    std::uint8_t from_shift = 0;
    std::uint8_t to_shift = 0;
  };
  void add(std::uint64_t from, std::uint64_t to, std::uint64_t width);

  std::vector<Move> moves_;
};

}  // namespace tideline
