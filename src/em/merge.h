// SPDX-License-Identifier: MIT
// Several sorted sequences of states as one: a k-way merge by a binary heap. A state that is in several sequences comes
// out once.
//
// Cost: log2(sequences) comparisons per state. Threads: one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "em/run.h"
#include "em/state_order.h"

namespace tideline {

// A sorted sequence of states.
class SortedSource {
 public:
  virtual ~SortedSource() = default;
  // The first state; null if there is none, or after an error.
  [[nodiscard]] virtual const Word* first() = 0;
  // The next state; null at the end, or after an error.
  virtual const Word* next() = 0;
  [[nodiscard]] virtual Status status() const { return Status::ok(); }
};

class RunSource final : public SortedSource {
 public:
  RunSource(RunPointer run, std::size_t read_ahead_bytes) : cursor_(std::move(run), read_ahead_bytes) {}
  [[nodiscard]] const Word* first() override {
    cursor_.begin();
    return cursor_.at_end() ? nullptr : cursor_.state();
  }
  const Word* next() override {
    cursor_.next();
    return cursor_.at_end() ? nullptr : cursor_.state();
  }
  [[nodiscard]] Status status() const override { return cursor_.status(); }

 private:
  RunCursor cursor_;
};

class ArraySource final : public SortedSource {
 public:
  ArraySource(const Word* states, std::size_t count, std::size_t words)
      : at_(states), end_(states + count * words), words_(words) {}
  [[nodiscard]] const Word* first() override { return at_ == end_ ? nullptr : at_; }
  const Word* next() override {
    at_ += words_;
    return at_ == end_ ? nullptr : at_;
  }

 private:
  const Word* at_;
  const Word* end_;
  std::size_t words_;
};

class Merge {
 public:
  // `disjoint`: no state is in two sequences.
  Merge(std::vector<std::unique_ptr<SortedSource>> sources, std::size_t words, bool disjoint = false);
  // Also after an error: see status().
  [[nodiscard]] bool at_end() const { return heap_.empty(); }
  [[nodiscard]] const Word* state() const { return heap_.front().state; }
  // To the next different state.
  void next() {
    if (disjoint_ || heap_.size() == 1)  // within a sequence no state comes twice
      advance();
    else
      advance_all();
  }
  [[nodiscard]] Status status() const;

 private:
  struct Item {
    Word top;  // the state's most significant word
    const Word* state;
    SortedSource* source;
  };
  [[nodiscard]] bool above(const Item& a, const Item& b) const {
    return a.top != b.top ? a.top > b.top : words_ > 1 && compare_states(a.state, b.state, words_ - 1) > 0;
  }
  void sift_down(std::size_t at);
  void advance_all();
  void advance() {
    Item& least = heap_.front();
    least.state = least.source->next();
    if (least.state == nullptr) {
      least = heap_.back();
      heap_.pop_back();
    } else {
      least.top = least.state[words_ - 1];
    }
    sift_down(0);
  }

  std::vector<std::unique_ptr<SortedSource>> sources_;
  std::size_t words_;
  bool disjoint_;
  std::vector<Item> heap_;  // those that are not at their end; the least state first
  std::vector<Word> last_;
};

// A merged sequence without those of its states that `subtract` drops from a sorted piece of it (which it shortens).
class Difference final : public SortedSource {
 public:
  using Subtract = std::function<Status(Word* states, std::size_t& count)>;
  // `room` is where the pieces are made.
  Difference(std::vector<std::unique_ptr<SortedSource>> sources, std::size_t words, std::span<Word> room,
             Subtract subtract);
  [[nodiscard]] const Word* first() override { return refill(); }
  const Word* next() override { return ++at_ == count_ ? refill() : room_.data() + at_ * words_; }
  [[nodiscard]] Status status() const override { return status_.is_ok() ? merge_.status() : status_; }

 private:
  const Word* refill();

  Merge merge_;
  std::size_t words_;
  std::span<Word> room_;
  Subtract subtract_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
  Status status_;
};

// All states of some runs, as one run.
Result<RunPointer> merge_runs(const std::vector<RunPointer>& runs, Workdir& workdir, RunMemory& memory,
                              std::size_t read_ahead_bytes);
// Of runs that have no states in common; an error once `abandoned` is set by another thread.
Result<RunPointer> merge_disjoint_runs(const std::vector<RunPointer>& runs, Workdir& workdir, RunMemory& memory,
                                       std::size_t read_ahead_bytes, const std::atomic<bool>& abandoned);
// The same as an automaton in RAM.
struct AutomatonMerge {
  RunPointer run;           // null if it would take more than `bytes_max`, or more than there is
  std::uint64_t added = 0;  // states (until then),
  std::uint64_t bytes = 0;  // and what they took
  bool too_large = false;   // it was not for want of memory
};
Result<AutomatonMerge> merge_to_automaton(const std::vector<RunPointer>& runs, Workdir& workdir, RunMemory& memory,
                                          std::size_t read_ahead_bytes, std::uint64_t bytes_max,
                                          const std::atomic<bool>& abandoned);

}  // namespace tideline
