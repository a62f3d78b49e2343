// SPDX-License-Identifier: MIT
#include "store/run_tiers.h"

#include <algorithm>
#include <chrono>

#include "base/check.h"

namespace tideline {
namespace {

// Runs of similar size before they are merged.
constexpr std::size_t kMergeRuns = 6;
// Merges at once: each has buffers.
constexpr std::size_t kMergesMax = 2;
// A merge of this many states is waited for when one state has been expanded meanwhile; usually it is done long before.
constexpr std::uint64_t kMergedPerExpanded = 4;

}  // namespace

std::size_t first_to_merge(const std::vector<RunPointer>& runs, std::size_t not_before) {
  std::uint64_t together = 0;
  std::size_t first = runs.size();
  while (first > not_before && (together == 0 || runs[first - 1]->records() <= 2 * together))
    together += runs[--first]->records();
  return runs.size() - first < kMergeRuns ? runs.size() : first;
}

RunTiers::~RunTiers() {
  abandoned_ = true;  // merging_ waits for the threads
}

void RunTiers::begin_merge() {
  if (merging_.size() == kMergesMax)
    return;
  Merging merging;
  merging.first = first_to_merge(runs_, merging_.empty() ? 0 : merging_.back().end);
  merging.end = runs_.size();
  if (merging.first == merging.end)
    return;
  std::vector<RunPointer> some(runs_.begin() + static_cast<std::ptrdiff_t>(merging.first), runs_.end());
  for (const RunPointer& run : some)
    merging.records += run->records();
  merging.due = merging.records / kMergedPerExpanded;
  const auto policy = workdir_.env().allows_background() ? std::launch::async : std::launch::deferred;
  merging.merged = std::async(
      policy, [this, some = std::move(some)] { return merge_runs(some, workdir_, memory_, read_ahead_, &abandoned_); });
  merging_.push_back(std::move(merging));
}

// The youngest first, so that the places of the others stay.
Status RunTiers::note_expanded(std::uint64_t states) {
  for (std::size_t i = merging_.size(); i-- > 0;) {
    merging_[i].due -= std::min(states, merging_[i].due);
    if (merging_[i].due == 0 || merging_[i].merged.wait_for(std::chrono::seconds(0)) != std::future_status::timeout)
      if (Status status = take_over(i); !status.is_ok())
        return status;
  }
  return Status::ok();
}

Status RunTiers::load() {
  for (const RunPointer& run : runs_)
    if (Status status = run->load(memory_); !status.is_ok())
      return status;
  return Status::ok();
}

// The runs of a merge are being read: they cannot be moved before it is done.
Status RunTiers::shrink_to(std::uint64_t bytes) {
  while (!merging_.empty())
    if (Status status = take_over(merging_.size() - 1); !status.is_ok())
      return status;
  for (const RunPointer& run : runs_) {
    if (memory_.used() <= bytes)
      break;
    if (Status status = run->move_to_file(); !status.is_ok())
      return status;
  }
  return Status::ok();
}

Status RunTiers::take_over(std::size_t which) {
  Merging& merging = merging_[which];
  Result<RunPointer> merged = merging.merged.get();
  if (!merged.is_ok())
    return merged.status();
  CHECK(merged.value()->records() == merging.records);  // T2
  const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(merging.first);
  *begin = std::move(merged.value());
  runs_.erase(begin + 1, runs_.begin() + static_cast<std::ptrdiff_t>(merging.end));
  for (std::size_t i = which + 1; i < merging_.size(); ++i) {
    merging_[i].first -= merging.end - merging.first - 1;
    merging_[i].end -= merging.end - merging.first - 1;
  }
  const std::size_t first = merging.first;
  merging_.erase(merging_.begin() + static_cast<std::ptrdiff_t>(which));
  return runs_[first]->load(memory_);
}

}  // namespace tideline
