// SPDX-License-Identifier: MIT
// Where the numbers of a state's parts are in its key: fields of some bits each, one behind the other, across words,
// and free bits behind them. A field that becomes wider takes free bits, wherever they are, so that keys stay as they
// are: the field's high bits are then in further pieces.
//
// K1  keys that functions read or change have one readable word behind their bits.    K2  free bits are 0 in all keys.
// Threads: constant while keys are in use.
#pragma once

#include <cstdint>
#include <vector>

#include "model/next_state.h"

namespace tideline {

class KeyLayout {
 public:
  KeyLayout() = default;
  // At most 32 bits each, in `bits` bits or what they need, rounded up to bytes.
  explicit KeyLayout(const std::vector<unsigned>& widths, std::uint64_t bits = 0);

  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  [[nodiscard]] std::uint64_t bits() const { return bits_; }
  [[nodiscard]] std::uint64_t free_bits() const { return bits_ - used_bits_; }
  [[nodiscard]] std::size_t pieces() const { return pieces_.size(); }
  // Of a key, with the one behind it (K1).
  [[nodiscard]] std::size_t words() const { return bits_ / 64 + 2; }
  [[nodiscard]] unsigned width(std::size_t field) const { return fields_[field].width; }
  [[nodiscard]] std::vector<unsigned> widths() const;
  // Where a bit of a field is.
  [[nodiscard]] std::uint64_t place(std::size_t field, unsigned bit) const;

  // Gives a field the first free bit, which there must be.
  void widen(std::size_t field);

  // kPieces = false: for a layout that has none; the test for them costs some models a seventh of their time.
  template <bool kPieces = true>
  [[nodiscard]] std::uint32_t get(const Word* key, std::size_t field) const {
    const Field& at = fields_[field];
    const Word low = key[at.word] >> at.shift;
    const Word high = key[at.word + 1] << 1 << (63 - at.shift);
    const auto bits = static_cast<std::uint32_t>((low | high) & at.mask);
    return kPieces && at.piece != 0 ? bits | get_pieces(key, at.piece) : bits;
  }
  // Changes the bits of a field that are set in `difference`.
  template <bool kPieces = true>
  void flip(Word* key, std::size_t field, std::uint32_t difference) const {
    const Field& at = fields_[field];
    const Word low = kPieces ? difference & at.mask : difference;
    key[at.word] ^= low << at.shift;
    key[at.word + 1] ^= low >> 1 >> (63 - at.shift);
    if (kPieces && low != difference)
      flip_pieces(key, at.piece, difference);
  }

 private:
  struct Field {
    Word mask = 0;  // of its bits that are together
    std::uint32_t word = 0;
    std::uint8_t shift = 0;
    std::uint8_t width = 0;   // of all its pieces
    std::uint16_t piece = 0;  // the first further one, plus one; 0: none
  };
  // Bits of a field from bit `place` on, in one word.
  struct Piece {
    std::uint32_t mask = 0;
    std::uint32_t word = 0;
    std::uint8_t shift = 0;
    std::uint8_t place = 0;
    std::uint16_t next = 0;  // as in Field
  };
  [[nodiscard]] std::uint32_t get_pieces(const Word* key, std::uint16_t first) const;
  void flip_pieces(Word* key, std::uint16_t first, std::uint32_t difference) const;

  std::vector<Field> fields_;
  std::vector<Piece> pieces_;
  std::uint64_t bits_ = 0;
  std::uint64_t used_bits_ = 0;  // those before the free ones
};

// Makes keys of another layout with the same fields out of keys; a field that becomes narrower loses bits that must be
// 0.
class KeyMoves {
 public:
  KeyMoves(const KeyLayout& from, const KeyLayout& to);

  // Does every bit stay in its place?
  [[nodiscard]] bool is_identity() const;

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
