// SPDX-License-Identifier: MIT
#include "em/state_order.h"

#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace tideline {
namespace {

constexpr std::size_t kInsertionMost = 24;
constexpr unsigned kDigitBits = 8;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

// States of kWords words; 0: of `words`, which is known at run time only.
template <std::size_t kWords>
class Sorter {
 public:
  explicit Sorter(std::size_t words) : words_(words), held_(words), other_(words) {}

  // Sorts states that are equal in all words above `top`.
  void sort(Word* states, std::size_t count, std::size_t top) {
    if (count <= kInsertionMost) {
      insertion_sort(states, count, top);
      return;
    }
    Word differ = 0;
    while ((differ = differences(states, count, top)) == 0) {
      if (top == 0)
        return;
      --top;
    }
    const unsigned width = static_cast<unsigned>(std::bit_width(differ));
    const unsigned shift = width > kDigitBits ? width - kDigitBits : 0;
    std::array<std::size_t, kDigits + 1> begins{};
    distribute(states, count, top, shift, begins);
    for (std::size_t digit = 0; digit < kDigits; ++digit)
      if (begins[digit + 1] - begins[digit] > 1)
        sort(at(states, begins[digit]), begins[digit + 1] - begins[digit], top);
  }

 private:
  [[nodiscard]] std::size_t words() const { return kWords == 0 ? words_ : kWords; }
  Word* at(Word* states, std::size_t i) const { return states + i * words(); }
  void copy(Word* to, const Word* from) const { std::memcpy(to, from, words() * sizeof(Word)); }

  // The bits of a word in which the states differ.
  Word differences(const Word* states, std::size_t count, std::size_t word) const {
    Word differ = 0;
    const Word first = states[word];
    for (std::size_t i = 1; i < count; ++i)
      differ |= states[i * words() + word] ^ first;
    return differ;
  }

  void insertion_sort(Word* states, std::size_t count, std::size_t top) {
    for (std::size_t i = 1; i < count; ++i) {
      if (compare_states(at(states, i - 1), at(states, i), top + 1) <= 0)
        continue;
      copy(held_.data(), at(states, i));
      std::size_t to = i;
      do {
        copy(at(states, to), at(states, to - 1));
        --to;
      } while (to > 0 && compare_states(at(states, to - 1), held_.data(), top + 1) > 0);
      copy(at(states, to), held_.data());
    }
  }

  // Brings the states with the same digit together, in the digits' order; begins[d] is where those with digit d begin.
  void distribute(Word* states, std::size_t count, std::size_t word, unsigned shift,
                  std::array<std::size_t, kDigits + 1>& begins) {
    const auto digit = [word, shift](const Word* state) { return (state[word] >> shift) & (kDigits - 1); };
    for (std::size_t i = 0; i < count; ++i)
      ++begins[digit(at(states, i)) + 1];
    for (std::size_t d = 0; d < kDigits; ++d)
      begins[d + 1] += begins[d];
    std::array<std::size_t, kDigits> next{};
    for (std::size_t d = 0; d < kDigits; ++d)
      next[d] = begins[d];
    for (std::size_t d = 0; d < kDigits; ++d)
      while (next[d] < begins[d + 1])
        follow_cycle(states, d, next, digit);
  }

  // Puts the state at next[home] in its place, the one that was there in its own, and so on.
  template <typename Digit>
  void follow_cycle(Word* states, std::size_t home, std::array<std::size_t, kDigits>& next, const Digit& digit) {
    Word* hole = at(states, next[home]);
    std::size_t belongs = digit(hole);
    if (belongs == home) {
      ++next[home];
      return;
    }
    copy(held_.data(), hole);
    while (belongs != home) {
      Word* place = at(states, next[belongs]++);
      copy(other_.data(), place);
      copy(place, held_.data());
      copy(held_.data(), other_.data());
      belongs = digit(held_.data());
    }
    copy(hole, held_.data());
    ++next[home];
  }

  std::size_t words_;
  std::vector<Word> held_;
  std::vector<Word> other_;
};

template <std::size_t kWords>
void sort_with(Word* states, std::size_t count, std::size_t words) {
  Sorter<kWords>(words).sort(states, count, words - 1);
}

}  // namespace

void sort_states(Word* states, std::size_t count, std::size_t words) {
  switch (words) {
    case 1:
      return sort_with<1>(states, count, words);
    case 2:
      return sort_with<2>(states, count, words);
    case 3:
      return sort_with<3>(states, count, words);
    case 4:
      return sort_with<4>(states, count, words);
    default:
      return sort_with<0>(states, count, words);
  }
}

std::size_t sort_unique_states(Word* states, std::size_t count, std::size_t words) {
  sort_states(states, count, words);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (kept > 0 && compare_states(states + (kept - 1) * words, states + i * words, words) == 0)
      continue;
    if (kept != i)
      std::memcpy(states + kept * words, states + i * words, words * sizeof(Word));
    ++kept;
  }
  return kept;
}

}  // namespace tideline
