// SPDX-License-Identifier: MIT
#include "store/bit_order.h"

#include <algorithm>

#include "ir/bits.h"

namespace tideline {
namespace {

constexpr std::uint64_t kMoveBits = 56;

}  // namespace

BitOrder::BitOrder(const std::vector<Segment>& segments) {
  std::uint64_t to = 0;
  bool moves = false;
  for (const Segment& segment : segments) {
    moves = moves || segment.bit != to;
    for (std::uint64_t done = 0; done < segment.width; done += kMoveBits)
      moves_.push_back({segment.bit + done, to + done, std::min(kMoveBits, segment.width - done)});
    to += segment.width;
  }
  if (!moves)
    moves_.clear();
}

void BitOrder::apply(const Word* in, Word* out, std::size_t words) const {
  std::fill_n(out, words, 0);
  for (const Move& move : moves_)
    ir::put_bits(out, move.to, move.width, ir::get_bits(in, move.from, move.width));
}

void BitOrder::undo(const Word* in, Word* out, std::size_t words) const {
  std::fill_n(out, words, 0);
  for (const Move& move : moves_)
    ir::put_bits(out, move.from, move.width, ir::get_bits(in, move.to, move.width));
}

}  // namespace tideline
