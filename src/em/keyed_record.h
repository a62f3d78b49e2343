// SPDX-License-Identifier: MIT
// How a state of a sweep is written to disk: its origin if one is wanted, the state, its key. In the order of states
// (em/state_order.h) the last word counts most: records are sorted by key, then by state, and records of the same
// state are neighbours whatever their origins.
#pragma once

#include <cstdint>
#include <cstring>

#include "model/next_state.h"

namespace tideline {

struct KeyedRecord {
  std::size_t state_words = 1;
  bool with_origin = false;

  [[nodiscard]] std::size_t words() const { return state_words + 1 + (with_origin ? 1 : 0); }
  [[nodiscard]] const Word* state(const Word* record) const { return record + (with_origin ? 1 : 0); }
  [[nodiscard]] std::uint64_t origin(const Word* record) const { return with_origin ? record[0] : 0; }
  [[nodiscard]] std::uint64_t key(const Word* record) const { return record[words() - 1]; }
  void write(Word* record, std::uint64_t key, const Word* state, std::uint64_t origin) const {
    if (with_origin)
      *record++ = origin;
    std::memcpy(record, state, state_words * sizeof(Word));
    record[state_words] = key;
  }
  [[nodiscard]] bool same_state(const Word* a, const Word* b) const {
    return std::memcmp(state(a), state(b), state_words * sizeof(Word)) == 0;
  }
  // Of state and key, whatever the origins.
  [[nodiscard]] int compare(const Word* a, const Word* b) const {
    for (std::size_t i = words(); i-- > (with_origin ? 1U : 0U);)
      if (a[i] != b[i])
        return a[i] < b[i] ? -1 : 1;
    return 0;
  }
};

}  // namespace tideline
