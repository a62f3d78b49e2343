// SPDX-License-Identifier: MIT
#include "ir/progress.h"

#include <bit>

namespace tideline::ir {

unsigned progress_bits(const ProgressComponent& component) {
  const std::uint64_t last = component.value->range.size();  // 0: all of 64 bits
  return last == 0 ? kProgressBitsMax + 1 : static_cast<unsigned>(std::bit_width(last));
}

unsigned progress_bits(const Program& program) {
  unsigned bits = 0;
  for (const ProgressComponent& component : program.progress)
    bits += progress_bits(component);
  return bits;
}

std::uint64_t progress_code(const ProgressComponent& component, std::int64_t value) {
  if (value == kUndefined)
    return 0;
  const Interval& range = component.value->range;
  const auto from = static_cast<std::uint64_t>(component.descending ? range.hi : range.lo);
  const auto at = static_cast<std::uint64_t>(value);
  return (component.descending ? from - at : at - from) + 1;
}

}  // namespace tideline::ir
