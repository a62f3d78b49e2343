// SPDX-License-Identifier: MIT
// How a visited set hands its states over to another one (VisitedSet::hand_over): collects them in pieces, in memory
// that is there for that. With two buffers a piece is filled while the receiver works with the one before it.
//
// H1  a piece stays as the receiver leaves it until the receiver's next call has returned, or finish(): with one
// buffer, until this call has. Cost: the memory. Threads: one.
#pragma once

#include <cstdint>
#include <utility>

#include "base/status.h"
#include "io/budget.h"
#include "store/visited_set.h"

namespace tideline {

class HandOverPieces {
 public:
  // Of states of `words`, in `buffers` (1 or 2) equal parts of `room`.
  HandOverPieces(PageBuffer room, std::size_t words, unsigned buffers, const HandOver& to)
      : room_(std::move(room)), words_(words), to_(to) {
    const std::size_t part_words = room_.size() / sizeof(Word) / buffers;
    most_ = part_words < words_ + 1 ? 0 : (part_words - 1) / words_;  // what fills it may touch one word more
    pieces_[0] = reinterpret_cast<Word*>(room_.data());
    pieces_[1] = pieces_[0] + (buffers - 1) * part_words;
  }

  // Is there room for a state?
  [[nodiscard]] bool has_room() const { return most_ > 0; }
  // Where the next states belong, and how many: one at least.
  [[nodiscard]] Word* place() const { return pieces_[now_] + count_ * words_; }
  [[nodiscard]] std::uint64_t free() const { return most_ - count_; }
  // So many have been put there.
  Status added(Known what, std::uint64_t states) {
    count_ += states;
    return count_ < most_ ? Status::ok() : flush(what);
  }
  // Hands over what there is of them.
  Status flush(Known what) {
    if (count_ == 0)
      return Status::ok();
    now_ ^= 1U;
    return to_(what, pieces_[now_ ^ 1U], static_cast<std::size_t>(std::exchange(count_, 0)));
  }
  // The receiver is done with all pieces.
  Status finish() { return to_(Known::kNext, nullptr, 0); }

 private:
  PageBuffer room_;
  std::size_t words_;
  const HandOver& to_;
  std::uint64_t most_ = 0;  // states of a piece
  Word* pieces_[2] = {};
  unsigned now_ = 0;  // which of them is being filled
  std::uint64_t count_ = 0;
};

}  // namespace tideline
