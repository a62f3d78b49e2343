// SPDX-License-Identifier: MIT
// The order of states on disk: a state is one long number, its last word the most significant. Neighbours in this order
// share most of their bytes, which is what makes runs short (docs/design/runs.md).
//
// sort_states() is an in-place radix sort from the most significant digit on (American flag sort [mcilroy.93.cs]); ours
// looks for the highest bit in which the states of a bucket differ and takes the eight bits from there on as the digit,
// since packed states have many bits that hardly ever vary.
// Cost: about log2(count) / 5 passes. Threads: any, on different data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/next_state.h"

namespace tideline {

// Negative, zero or positive as a is below, equal to or above b.
inline int compare_states(const Word* a, const Word* b, std::size_t words) {
  for (std::size_t i = words; i-- > 0;)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

void sort_states(Word* states, std::size_t count, std::size_t words);

// Sorts, and drops repeated states; how many are left.
std::size_t sort_unique_states(Word* states, std::size_t count, std::size_t words);

}  // namespace tideline
