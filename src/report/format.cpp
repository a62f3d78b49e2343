// SPDX-License-Identifier: MIT
// Numbers as people read them.
#include "report/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tideline {

namespace {

// Length of the UTF-8 sequence that begins with `lead`, 0 if none can.
std::size_t utf8_length(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if (lead >= 0xc2 && lead <= 0xdf)
    return 2;
  if (lead >= 0xe0 && lead <= 0xef)
    return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

bool is_utf8_at(std::string_view text, std::size_t at, std::size_t length) {
  if (length == 0 || at + length > text.size())
    return false;
  for (std::size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[at + k]) & 0xc0) != 0x80)
      return false;
  }
  return true;
}

}  // namespace

std::string show_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

std::string show_bytes(std::uint64_t bytes) {
  static constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.{}f} {}", value, value < 10 ? 1 : 0, kUnits[unit]);
}

std::string show_seconds(double seconds) {
  if (seconds < 0.9995)
    return fmt::format("{:.{}f} ms", seconds * 1000, seconds < 0.00995 ? 1 : 0);
  if (seconds < 99.95)
    return fmt::format("{:.{}f} s", seconds, seconds < 9.995 ? 2 : 1);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600)
    return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string show_rate(double per_second) {
  if (per_second < 1e4)
    return fmt::format("{:.0f}/s", per_second);
  if (per_second < 1e6)
    return fmt::format("{:.0f} k/s", per_second / 1e3);
  return fmt::format("{:.2f} M/s", per_second / 1e6);
}

std::string show_plural(std::uint64_t count, std::string_view singular) {
  return fmt::format("{} {}{}", show_count(count), singular, count == 1 ? "" : "s");
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(byte);
    if (byte == '\n') {
      result += "\\n";
    } else if (byte == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7f || !is_utf8_at(text, at, length)) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text.substr(at, length);
      at += length;
      continue;
    }
    ++at;
  }
  return result;
}

}  // namespace tideline
