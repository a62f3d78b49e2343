// SPDX-License-Identifier: MIT
// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tideline {

// 1234567 -> 1,234,567
std::string show_count(std::uint64_t count);
// 1610612736 -> 1.5 GiB
std::string show_bytes(std::uint64_t bytes);
// 0.0123 -> 12 ms, 75.2 -> 1:15 min
std::string show_seconds(double seconds);
// 812345 -> 812 k/s
std::string show_rate(double per_second);
// "1 state", "2,000 states"
std::string show_plural(std::uint64_t count, std::string_view singular);
// Control characters as \n, \t or \xNN; bytes that are no UTF-8 as \xNN.
std::string printable(std::string_view text);

}  // namespace tideline
