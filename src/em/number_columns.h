// SPDX-License-Identifier: MIT
// Numbers of eight bytes before they are compressed: each as its difference from the one before, and of these first all
// lowest bytes, then all second ones, and so on. Numbers that grow slowly leave columns of zeros, over which LZ4 goes
// at once; as they are, they cost it several times that (docs/design/sweep.md).
//
// A difference is stored so that small negative ones are small, too: 0, -1, 1, -2 as 0, 1, 2, 3.
// Cost: about 1.5 ns per number there, 3 back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tideline {

// `numbers`: their bytes, little-endian.
void to_columns(std::span<const std::uint8_t> numbers, std::vector<std::uint8_t>& columns);
void from_columns(std::span<const std::uint8_t> columns, std::vector<std::uint8_t>& numbers);

}  // namespace tideline
