// SPDX-License-Identifier: MIT
#include "em/merge.h"

#include <cstring>
#include <utility>

namespace tideline {

Merge::Merge(std::vector<std::unique_ptr<SortedSource>> sources, std::size_t words, bool disjoint)
    : sources_(std::move(sources)), words_(words), disjoint_(disjoint), last_(words) {
  for (const auto& source : sources_)
    if (const Word* state = source->first())
      heap_.push_back({state[words_ - 1], state, source.get()});
  for (std::size_t i = heap_.size() / 2; i-- > 0;)
    sift_down(i);
}

void Merge::sift_down(std::size_t at) {
  for (;;) {
    std::size_t least = 2 * at + 1;
    if (least >= heap_.size())
      return;
    if (least + 1 < heap_.size() && above(heap_[least], heap_[least + 1]))
      ++least;
    if (!above(heap_[at], heap_[least]))
      return;
    std::swap(heap_[at], heap_[least]);
    at = least;
  }
}

void Merge::advance_all() {
  std::memcpy(last_.data(), state(), words_ * sizeof(Word));
  do
    advance();
  while (!at_end() && compare_states(state(), last_.data(), words_) == 0);
}

Status Merge::status() const {
  for (const auto& source : sources_)
    if (Status status = source->status(); !status.is_ok())
      return status;
  return Status::ok();
}

Difference::Difference(std::vector<std::unique_ptr<SortedSource>> sources, std::size_t words, std::span<Word> room,
                       Subtract subtract)
    : merge_(std::move(sources), words), words_(words), room_(room), subtract_(std::move(subtract)) {}

const Word* Difference::refill() {
  at_ = count_ = 0;
  while (count_ == 0 && !merge_.at_end() && status_.is_ok()) {
    for (; (count_ + 1) * words_ <= room_.size() && !merge_.at_end(); merge_.next())
      std::memcpy(room_.data() + count_++ * words_, merge_.state(), words_ * sizeof(Word));
    status_ = subtract_(room_.data(), count_);
  }
  if (!status_.is_ok())
    count_ = 0;
  return count_ == 0 ? nullptr : room_.data();
}

namespace {

Merge merge_of(const std::vector<RunPointer>& runs, std::size_t read_ahead_bytes, bool disjoint) {
  std::vector<std::unique_ptr<SortedSource>> sources;
  for (const RunPointer& run : runs)
    sources.push_back(std::make_unique<RunSource>(run, read_ahead_bytes));
  return {std::move(sources), runs.front()->words(), disjoint};
}

Status abandoned_status() {
  return Status::error("a merge was abandoned");
}

Result<RunPointer> make_run(Merge merge, const std::vector<RunPointer>& runs, Workdir& workdir, RunMemory& memory,
                            const std::atomic<bool>* abandoned) {
  std::uint64_t expected = 0;
  for (const RunPointer& run : runs)
    expected += run->records();
  RunBuilder builder(workdir, memory, runs.front()->words(), expected);
  for (; !merge.at_end(); merge.next()) {
    if (Status status = builder.add(merge.state()); !status.is_ok())
      return status;
    if (abandoned != nullptr && abandoned->load(std::memory_order_relaxed))
      return abandoned_status();
  }
  if (Status status = merge.status(); !status.is_ok())
    return status;
  return builder.finish();
}

}  // namespace

Result<RunPointer> merge_runs(const std::vector<RunPointer>& runs, Workdir& workdir, RunMemory& memory,
                              std::size_t read_ahead_bytes) {
  return make_run(merge_of(runs, read_ahead_bytes, false), runs, workdir, memory, nullptr);
}

Result<RunPointer> merge_disjoint_runs(const std::vector<RunPointer>& runs, Workdir& workdir, RunMemory& memory,
                                       std::size_t read_ahead_bytes, const std::atomic<bool>& abandoned) {
  return make_run(merge_of(runs, read_ahead_bytes, true), runs, workdir, memory, &abandoned);
}

Result<AutomatonMerge> merge_to_automaton(const std::vector<RunPointer>& runs, Workdir& workdir, RunMemory& memory,
                                          std::size_t read_ahead_bytes, std::uint64_t bytes_max,
                                          const std::atomic<bool>& abandoned) {
  Merge merge = merge_of(runs, read_ahead_bytes, true);
  StateAutomatonBuilder builder(memory, runs.front()->words(), bytes_max);
  AutomatonMerge result;
  for (; !merge.at_end() && builder.add(merge.state()); merge.next()) {
    ++result.added;
    if (abandoned.load(std::memory_order_relaxed))
      return abandoned_status();
  }
  if (Status status = merge.status(); !status.is_ok())
    return status;
  std::unique_ptr<StateAutomaton> automaton = builder.finish();
  std::uint64_t block_bytes = 0;
  for (const RunPointer& run : runs)
    block_bytes += run->block_bytes();
  if (automaton != nullptr)
    result.run = Run::from_automaton(workdir, memory, std::move(automaton), block_bytes);
  result.bytes = builder.bytes_taken();
  result.too_large = builder.too_large();
  return result;
}

}  // namespace tideline
