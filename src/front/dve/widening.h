// SPDX-License-Identifier: MIT
// Bounds that grow: an interval that has grown a few times is widened to the next of a set of thresholds, so that a
// counter does not reach its limit one by one [cousot.77.popl]. Thresholds are the numbers near which models stop
// counting: those that are written in the model, sizes of arrays, powers of two. A bound that passes many of them goes
// on in powers of two.
#pragma once

#include <vector>

#include "front/dve/interval.h"

namespace tideline::dve {

struct Bound {
  Interval value;
  std::uint8_t lo_growths = 0;
  std::uint8_t hi_growths = 0;
};

class Widening {
 public:
  Widening() = default;  // never widens
  explicit Widening(const Model& model);

  // Makes `bound` contain `values`; true if it did not. `limit` is what the bound cannot leave.
  bool grow(Bound& bound, const Interval& values, const Interval& limit) const;

 private:
  [[nodiscard]] std::int64_t widened_down(std::int64_t lo, unsigned growths) const;
  [[nodiscard]] std::int64_t widened_up(std::int64_t hi, unsigned growths) const;

  std::vector<std::int64_t> fine_;    // increasing; all thresholds
  std::vector<std::int64_t> coarse_;  // increasing; powers of two
};

}  // namespace tideline::dve
