// SPDX-License-Identifier: MIT
// States that one thread has met lately, in memory that stays in its core's cache: says of many repeated states that
// they are known before anything shared is touched. It forgets: a state that is not there may still be known. It never
// errs the other way: states are compared whole.
//
// Direct-mapped: a cell is a hash and a state, and a new state takes the place of whatever is there. Successors that a
// breadth-first search meets again are mostly siblings and cousins of those just met, so half a megabyte knows a third
// to two thirds of them in most models (docs/design/bfs.md), and next to none in some; there it rests most of the time.
//
// R1  a state is said to be here only if it was looked up here before.
// Cost: a hash and a look at a cell; 8 bytes and the state's words per cell. Threads: one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/prefetch.h"
#include "io/budget.h"
#include "model/next_state.h"

namespace tideline {

class RecentStates {
 public:
  // Uses all of `pages`, which are zeroed and have room for one cell at least.
  RecentStates(std::size_t words, PageBuffer pages)
      : words_(words), cell_words_(words + 1), pages_(std::move(pages)), cells_(pages_.size() / bytes_for(1, words)) {}

  static constexpr std::uint64_t bytes_for(std::uint64_t states, std::size_t words) {
    return states * (words + 1) * sizeof(Word);
  }

  // Asked before `count` states are looked up: false if states have been found too seldom for that to pay. Then it is
  // tried again after a while.
  [[nodiscard]] bool pays(std::uint64_t count) {
    if (looked_up_ >= kTrial) {
      resting_ = found_ * 100 < looked_up_ * percent_min() ? kRest : 0;
      looked_up_ = found_ = 0;
    }
    const bool rests = resting_ > 0;
    resting_ -= std::min(resting_, count);
    return !rests;
  }

  void prefetch(std::uint64_t hash) const { prefetch_line_to_write(cell_of(hash)); }
  // Is the state, of index_hash() `hash`, here? It is afterwards.
  bool test_and_set(std::uint64_t hash, const Word* state) {
    Word* cell = cell_of(hash);
    const Word mark = hash | 1U;  // no cell that is empty has it
    ++looked_up_;
    if (cell[0] == mark && std::equal(state, state + words_, cell + 1)) {
      ++found_;
      return true;
    }
    cell[0] = mark;
    std::copy_n(state, words_, cell + 1);
    return false;
  }

 private:
  static constexpr std::uint64_t kTrial = std::uint64_t{1} << 15;  // states that are looked up before it is judged
  static constexpr std::uint64_t kRest = 15 * kTrial;              // states that pass before it is tried again
  // Short states are cheap to look up in any set; of longer ones a set may have to make keys first.
  static constexpr std::size_t kShortWords = 2;
  static constexpr std::uint64_t kFoundPercentMin = 30;
  static constexpr std::uint64_t kFoundPercentMinOfShort = 50;
  [[nodiscard]] std::uint64_t percent_min() const {
    return words_ <= kShortWords ? kFoundPercentMinOfShort : kFoundPercentMin;
  }

  [[nodiscard]] Word* cell_of(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    const auto at = static_cast<std::uint64_t>((static_cast<Wide>(hash) * cells_) >> 64);
    return reinterpret_cast<Word*>(pages_.data()) + at * cell_words_;
  }

  std::size_t words_;
  std::size_t cell_words_;
  PageBuffer pages_;
  std::uint64_t cells_;
  std::uint64_t looked_up_ = 0;  // in this trial
  std::uint64_t found_ = 0;      // of these
  std::uint64_t resting_ = 0;    // states that pass until the next trial
};

}  // namespace tideline
