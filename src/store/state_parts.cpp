// SPDX-License-Identifier: MIT
#include "store/state_parts.h"

#include <algorithm>

#include "base/check.h"

namespace tideline {

StateParts::StateParts(std::uint64_t state_bits, const std::vector<StatePart>& parts)
    : words_(state_bits == 0 ? 1 : (state_bits + 63) / 64), first_{0} {
  std::uint64_t covered = 0;
  for (const StatePart& part : parts) {
    add_part(part);
    covered += bits_.back();
  }
  CHECK(covered == state_bits);  // V1
  find_owners();
}

void StateParts::add_part(const StatePart& part) {
  std::uint64_t to = 0;
  for (const BitOrder::Segment& segment : part) {
    std::uint64_t width = 0;
    for (std::uint64_t done = 0; done < segment.width; done += width) {
      const std::uint64_t bit = segment.bit + done;
      width = std::min(segment.width - done, 64 - bit % 64);
      CHECK(bit / 64 < words_ && to + width <= kPartBits);
      const Word ones = ~Word{0} >> (64 - width);
      pieces_.push_back({ones << (bit % 64), static_cast<std::uint32_t>(bit / 64), static_cast<std::uint8_t>(bit % 64),
                         static_cast<std::uint8_t>(to)});
      to += width;
    }
  }
  CHECK(to > 0);
  const bool is_whole = std::adjacent_find(part.begin(), part.end(), [](const auto& a, const auto& b) {
                          return a.bit + a.width != b.bit;
                        }) == part.end();
  const std::uint64_t bit = part.front().bit;
  runs_.push_back(
      {~Word{0} >> (64 - to), static_cast<std::uint32_t>(bit / 64), static_cast<std::uint8_t>(bit % 64), is_whole});
  bits_.push_back(static_cast<unsigned>(to));
  first_.push_back(pieces_.size());
}

std::uint64_t StateParts::gather(const Word* state, std::size_t part) const {
  std::uint64_t value = 0;
  for (std::size_t i = first_[part]; i < first_[part + 1]; ++i)
    value |= ((state[pieces_[i].word] & pieces_[i].mask) >> pieces_[i].shift) << pieces_[i].to;
  return value;
}

void StateParts::scatter(Word* state, std::size_t part, std::uint64_t difference) const {
  for (std::size_t i = first_[part]; i < first_[part + 1]; ++i)
    state[pieces_[i].word] ^= ((difference >> pieces_[i].to) << pieces_[i].shift) & pieces_[i].mask;
}

void StateParts::find_owners() {
  is_many_ = size() > 64;
  for (std::size_t word = 0; word < words_; ++word) {
    in_word_.push_back(owners_.size());
    Word taken = 0;
    for (std::size_t part = 0; part < size(); ++part)
      for (std::size_t i = first_[part]; i < first_[part + 1]; ++i) {
        if (pieces_[i].word != word)
          continue;
        CHECK((taken & pieces_[i].mask) == 0);  // V1
        taken |= pieces_[i].mask;
        owners_.push_back({pieces_[i].mask, static_cast<std::uint32_t>(part)});
      }
  }
  in_word_.push_back(owners_.size());
}

}  // namespace tideline
