// SPDX-License-Identifier: MIT
#include "store/key_layout.h"

#include <algorithm>

#include "base/check.h"

namespace tideline {

KeyLayout::KeyLayout(const std::vector<unsigned>& widths) {
  for (const unsigned width : widths) {
    CHECK(width <= 32);
    fields_.push_back({(Word{1} << width) - 1, static_cast<std::uint32_t>(bits_ / 64),
                       static_cast<std::uint8_t>(bits_ % 64), static_cast<std::uint8_t>(width)});
    bits_ += width;
  }
}

std::vector<unsigned> KeyLayout::widths() const {
  std::vector<unsigned> widths;
  for (const Field& field : fields_)
    widths.push_back(field.width);
  return widths;
}

// Neighbouring fields that move by the same distance go together.
KeyMoves::KeyMoves(const KeyLayout& from, const KeyLayout& to) {
  std::uint64_t begin = 0;
  std::uint64_t target = 0;
  std::uint64_t width = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::uint64_t kept = std::min(from.width(i), to.width(i));
    const bool joins = from.place(i) == begin + width && to.place(i) == target + width && width + kept <= 64;
    if (!joins) {
      add(begin, target, width);
      begin = from.place(i);
      target = to.place(i);
      width = 0;
    }
    width += kept;
  }
  add(begin, target, width);
}

void KeyMoves::add(std::uint64_t from, std::uint64_t to, std::uint64_t width) {
  if (width > 0)
    moves_.push_back({~Word{0} >> (64 - width), static_cast<std::uint32_t>(from / 64),
                      static_cast<std::uint32_t>(to / 64), static_cast<std::uint8_t>(from % 64),
                      static_cast<std::uint8_t>(to % 64)});
}

}  // namespace tideline
