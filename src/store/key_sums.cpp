// SPDX-License-Identifier: MIT
#include "store/key_sums.h"

namespace tideline {

void KeySums::set(const KeyLayout& layout, std::span<const std::uint64_t> factors) {
  tables_.clear();
  const std::uint64_t bytes = (layout.bits() + 7) / 8;
  if (bytes > kBytesMost)
    return;
  tables_.resize(bytes);
  for (std::size_t field = 0; field < layout.size(); ++field)
    for (unsigned bit = 0; bit < layout.width(field); ++bit) {
      const std::uint64_t place = layout.place(field, bit);
      tables_[place / 8][std::size_t{1} << (place % 8)] = factors[field] << bit;
    }
  for (Table& table : tables_)
    for (std::size_t value = 3; value < table.size(); ++value)
      table[value] = table[value & (value - 1)] + table[value & (~value + 1)];
}

}  // namespace tideline
