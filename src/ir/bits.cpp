// SPDX-License-Identifier: MIT
#include "ir/bits.h"

#include <algorithm>

namespace tideline::ir {

void clear_bits(std::uint64_t* words, std::uint64_t at, std::uint64_t width) {
  for (std::uint64_t done = 0; done < width; done += 64)
    put_bits(words, at + done, std::min<std::uint64_t>(64, width - done), 0);
}

void copy_bits(std::uint64_t* to, std::uint64_t to_at, const std::uint64_t* from, std::uint64_t from_at,
               std::uint64_t width) {
  for (std::uint64_t done = 0; done < width; done += 64) {
    const std::uint64_t some = std::min<std::uint64_t>(64, width - done);
    put_bits(to, to_at + done, some, get_bits(from, from_at + done, some));
  }
}

bool equal_bits(const std::uint64_t* a, std::uint64_t a_at, const std::uint64_t* b, std::uint64_t b_at,
                std::uint64_t width) {
  for (std::uint64_t done = 0; done < width; done += 64) {
    const std::uint64_t some = std::min<std::uint64_t>(64, width - done);
    if (get_bits(a, a_at + done, some) != get_bits(b, b_at + done, some))
      return false;
  }
  return true;
}

int compare_bits(const std::uint64_t* a, std::uint64_t a_at, const std::uint64_t* b, std::uint64_t b_at,
                 std::uint64_t width) {
  std::uint64_t rest = width;
  while (rest > 0) {
    const std::uint64_t some = (rest - 1) % 64 + 1;
    rest -= some;
    const std::uint64_t x = get_bits(a, a_at + rest, some);
    const std::uint64_t y = get_bits(b, b_at + rest, some);
    if (x != y)
      return x < y ? -1 : 1;
  }
  return 0;
}

}  // namespace tideline::ir
