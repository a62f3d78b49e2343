// SPDX-License-Identifier: MIT
// Sends for what the next states of a batch will look up in dictionaries that the cache does not hold. A lookup reads
// an entry and then the value that it names, each from anywhere in megabytes: the entry is sent for some states ahead,
// the value half as many.
//
// Cost: nothing while all dictionaries are small; else a hash and two prefetches per state and large dictionary.
// Threads: from() by all at once; choose() by one while no other is inside.
#pragma once

#include <memory>
#include <vector>

#include "store/dictionary.h"
#include "store/state_parts.h"

namespace tideline {

class LookAhead {
 public:
  // After dictionaries, one for each part, have grown.
  void choose(const std::vector<std::unique_ptr<Dictionary>>& dictionaries) {
    large_.clear();
    for (std::size_t part = 0; part < dictionaries.size(); ++part)
      if (dictionaries[part]->bytes() >= kLargeBytes)
        large_.push_back({part, dictionaries[part].get()});
  }

  // The next state to be encoded is `state`; the batch ends at `end`.
  void from(const StateParts& parts, const Word* state, const Word* end) const {
    if (large_.empty())
      return;
    const auto left = static_cast<std::size_t>(end - state);
    const std::size_t entry = kEntryAhead * parts.words();
    const std::size_t value = kValueAhead * parts.words();
    for (const Large& one : large_) {
      if (entry < left)
        one.dictionary->prefetch_entry(parts.get(state + entry, one.part));
      if (value < left)
        one.dictionary->prefetch_value(parts.get(state + value, one.part));
    }
  }

 private:
  static constexpr std::uint64_t kLargeBytes = std::uint64_t{1} << 20;
  static constexpr std::size_t kEntryAhead = 12;
  static constexpr std::size_t kValueAhead = 6;

  struct Large {
    std::size_t part;
    const Dictionary* dictionary;
  };

  std::vector<Large> large_;
};

}  // namespace tideline
