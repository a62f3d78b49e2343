// SPDX-License-Identifier: MIT
// Another order for the bits of a state: segments of it, one behind the other. Tree compression cuts a state into runs
// of bits, so what belongs together should stand together.
//
// B1  the segments cover every bit once; undo() is the inverse of apply().
// Cost: two loads and stores for each 56 bits of a segment; nothing if the order is the old one.
#pragma once

#include <cstdint>
#include <vector>

#include "model/next_state.h"

namespace tideline {

class BitOrder {
 public:
  struct Segment {
    std::uint64_t bit = 0;
    std::uint64_t width = 0;
  };

  // The order as it is.
  BitOrder() = default;
  explicit BitOrder(const std::vector<Segment>& segments);

  [[nodiscard]] bool is_identity() const { return moves_.empty(); }
  // `in` and `out` have `words` words and do not overlap.
  void apply(const Word* in, Word* out, std::size_t words) const;
  void undo(const Word* in, Word* out, std::size_t words) const;

 private:
  struct Move {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint64_t width = 0;  // at most kMoveBits
  };

  std::vector<Move> moves_;  // empty: nothing moves
};

}  // namespace tideline
