// SPDX-License-Identifier: MIT
#include "store/key_layout.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/check.h"

namespace tideline {

KeyLayout::KeyLayout(const std::vector<unsigned>& widths, std::uint64_t bits) {
  for (const unsigned width : widths) {
    CHECK(width <= 32);
    fields_.push_back({(Word{1} << width) - 1, static_cast<std::uint32_t>(used_bits_ / 64),
                       static_cast<std::uint8_t>(used_bits_ % 64), static_cast<std::uint8_t>(width), 0});
    used_bits_ += width;
  }
  bits_ = (std::max(bits, used_bits_) + 7) / 8 * 8;
}

std::vector<unsigned> KeyLayout::widths() const {
  std::vector<unsigned> widths;
  for (const Field& field : fields_)
    widths.push_back(field.width);
  return widths;
}

std::uint64_t KeyLayout::place(std::size_t field, unsigned bit) const {
  const Field& at = fields_[field];
  CHECK(bit < at.width);
  if (at.mask >> bit != 0)
    return std::uint64_t{64} * at.word + at.shift + bit;
  const Piece* piece = &pieces_[at.piece - 1U];
  while (std::uint64_t{piece->mask} << piece->place >> bit == 0)
    piece = &pieces_[piece->next - 1U];
  return std::uint64_t{64} * piece->word + piece->shift + bit - piece->place;
}

void KeyLayout::widen(std::size_t field) {
  Field& at = fields_[field];
  CHECK(free_bits() > 0 && at.width < 32 && pieces_.size() < std::numeric_limits<std::uint16_t>::max());
  std::uint16_t* last = &at.piece;
  while (*last != 0 && pieces_[*last - 1U].next != 0)
    last = &pieces_[*last - 1U].next;
  const auto word = static_cast<std::uint32_t>(used_bits_ / 64);
  const auto shift = static_cast<std::uint8_t>(used_bits_ % 64);
  Piece* before = *last == 0 ? nullptr : &pieces_[*last - 1U];
  if (before != nullptr && before->word == word && before->shift + std::bit_width(before->mask) == shift) {
    before->mask = before->mask << 1U | 1U;
  } else {
    (before == nullptr ? *last : before->next) = static_cast<std::uint16_t>(pieces_.size() + 1);
    pieces_.push_back({1, word, shift, at.width, 0});
  }
  ++used_bits_;
  ++at.width;
}

std::uint32_t KeyLayout::get_pieces(const Word* key, std::uint16_t first) const {
  std::uint32_t bits = 0;
  for (std::uint16_t next = first; next != 0;) {
    const Piece& piece = pieces_[next - 1U];
    bits |= (static_cast<std::uint32_t>(key[piece.word] >> piece.shift) & piece.mask) << piece.place;
    next = piece.next;
  }
  return bits;
}

void KeyLayout::flip_pieces(Word* key, std::uint16_t first, std::uint32_t difference) const {
  for (std::uint16_t next = first; next != 0;) {
    const Piece& piece = pieces_[next - 1U];
    key[piece.word] ^= Word{difference >> piece.place & piece.mask} << piece.shift;
    next = piece.next;
  }
}

// Neighbouring bits that move by the same distance go together.
KeyMoves::KeyMoves(const KeyLayout& from, const KeyLayout& to) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
  for (std::size_t field = 0; field < from.size(); ++field)
    for (unsigned bit = 0; bit < std::min(from.width(field), to.width(field)); ++bit)
      places.emplace_back(from.place(field, bit), to.place(field, bit));
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size();) {
    const auto [begin, target] = places[i];
    std::uint64_t width = 0;
    while (i < places.size() && places[i] == std::pair(begin + width, target + width) && width < 64) {
      ++i;
      ++width;
    }
    add(begin, target, width);
  }
}

void KeyMoves::add(std::uint64_t from, std::uint64_t to, std::uint64_t width) {
  moves_.push_back({~Word{0} >> (64 - width), static_cast<std::uint32_t>(from / 64),
                    static_cast<std::uint32_t>(to / 64), static_cast<std::uint8_t>(from % 64),
                    static_cast<std::uint8_t>(to % 64)});
}

bool KeyMoves::is_identity() const {
  return std::all_of(moves_.begin(), moves_.end(), [](const Move& move) {
    return move.from_word == move.to_word && move.from_shift == move.to_shift;
  });
}

}  // namespace tideline
