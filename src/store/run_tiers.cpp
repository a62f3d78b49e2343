// SPDX-License-Identifier: MIT
#include "store/run_tiers.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.h"

namespace tideline {
namespace {

// Runs of similar size before they are merged.
constexpr std::size_t kMergeRuns = 6;
// Merges at once: each has buffers.
constexpr std::size_t kMergesMax = 2;
// A merge of this many states is waited for when one state has been expanded meanwhile; usually it is done long before.
constexpr std::uint64_t kMergedPerExpanded = 4;
// So many states are merged before a search goes on with them: it takes a few seconds.
constexpr std::uint64_t kSettledAtOnce = std::uint64_t{1} << 25;
// An automaton has at most the bytes of the runs divided by this: it is made more slowly, and beside them.
constexpr std::uint64_t kBlocksPerAutomaton = 2;
// So many states are merged into one; if it came out larger than that, so many times more are next.
constexpr std::uint64_t kAutomatonRecords = std::uint64_t{1} << 16;
constexpr std::uint64_t kAutomatonAgain = 2;
// An automaton is attempted where there is room for 4/5 of what it may need: it grows less and less with the states.
constexpr std::uint64_t kRoomParts = 4;
constexpr std::uint64_t kWantedParts = 5;
// Before the first is made, this part of the memory is reserved for it; then
// half more than what the largest took.
constexpr std::uint64_t kFirstReservedPart = 3;

}  // namespace

std::size_t first_to_merge(const std::vector<RunPointer>& runs, std::size_t not_before) {
  std::uint64_t together = 0;
  std::size_t first = runs.size();
  while (first > not_before && (together == 0 || runs[first - 1]->records() <= 2 * together))
    together += runs[--first]->records();
  return runs.size() - first < kMergeRuns ? runs.size() : first;
}

RunTiers::RunTiers(Workdir& workdir, RunMemory& memory, std::uint64_t automaton_states_min)
    : workdir_(workdir), memory_(memory), always_automata_(automaton_states_min != 0) {
  attempts_.records_min = always_automata_ ? automaton_states_min : kAutomatonRecords;
}

RunTiers::~RunTiers() {
  abandoned_ = true;  // merging_ waits for the threads
}

Status RunTiers::settle() {
  memory_.reserve_for_automata(memory_.bytes_max() / kFirstReservedPart);
  // The rest of a set that came in equal pieces does not keep them from being merged.
  if (!runs_.empty())
    std::iter_swap(runs_.begin(), std::min_element(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) {
                     return a->records() < b->records();
                   }));
  std::uint64_t states = 0;
  for (const RunPointer& run : runs_)
    states += run->records();
  if (states <= kSettledAtOnce)
    begin_merge();
  while (!merging_.empty())
    if (Status status = take_over(merging_.size() - 1); !status.is_ok())
      return status;
  for (const RunPointer& run : runs_)
    if (Status status = bring_into_ram(run); !status.is_ok())
      return status;
  return Status::ok();
}

std::vector<RunPointer> RunTiers::release() {
  CHECK(merging_.empty());
  waiting_.clear();
  return std::exchange(runs_, {});
}

// What has no room as blocks waits to become an automaton.
Status RunTiers::bring_into_ram(const RunPointer& run) {
  if (Status status = run->load(memory_); !status.is_ok() || run->in_ram())
    return status;
  const std::lock_guard lock(attempts_.mutex);
  if (run->records() >= attempts_.records_min)
    waiting_.push_back({run, attempts_.bytes_wanted(run->records())});
  return Status::ok();
}

// Runs of a merge are being read, and will be gone.
Status RunTiers::bring_back() {
  std::size_t i = 0;
  const auto load_until = [&](std::size_t end) {
    Status status;
    for (; i < end && status.is_ok(); ++i)
      status = runs_[i]->load(memory_);
    return status;
  };
  for (const Merging& merging : merging_) {
    if (Status status = load_until(merging.first); !status.is_ok())
      return status;
    i = merging.end;
  }
  return load_until(runs_.size());
}

void RunTiers::begin_merge() {
  if (merging_.size() == kMergesMax)
    return;
  const std::size_t first = first_to_merge(runs_, merging_.empty() ? 0 : merging_.back().end);
  if (first < runs_.size())
    begin(first, runs_.size());
  else if (merging_.empty())
    begin_waiting();
}

void RunTiers::begin_waiting() {
  const auto next = std::find_if(waiting_.begin(), waiting_.end(),
                                 [this](const Waiting& waiting) { return has_room_for_automaton(waiting.bytes); });
  if (next == waiting_.end())
    return;
  const auto first = static_cast<std::size_t>(std::find(runs_.begin(), runs_.end(), next->run) - runs_.begin());
  waiting_.erase(next);
  begin(first, first + 1);
}

void RunTiers::begin(std::size_t first, std::size_t end) {
  Merging merging;
  merging.first = first;
  merging.end = end;
  std::vector<RunPointer> some(runs_.begin() + static_cast<std::ptrdiff_t>(first),
                               runs_.begin() + static_cast<std::ptrdiff_t>(end));
  for (const RunPointer& run : some)
    merging.records += run->records();
  merging.due = merging.records / kMergedPerExpanded;
  const auto policy = workdir_.env().allows_background() ? std::launch::async : std::launch::deferred;
  merging.merged = std::async(policy, [this, some = std::move(some)] { return merge(some); });
  merging_.push_back(std::move(merging));
}

// In a thread of its own. One run alone stays as it is if it cannot be an automaton.
Result<RunPointer> RunTiers::merge(const std::vector<RunPointer>& runs) {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  for (const RunPointer& run : runs) {
    records += run->records();
    bytes += run->block_bytes();
  }
  if (is_worth_an_attempt(records)) {
    const std::uint64_t bytes_max = always_automata_ ? ~std::uint64_t{0} : bytes / kBlocksPerAutomaton;
    Result<AutomatonMerge> attempt = merge_to_automaton(runs, workdir_, memory_, read_ahead_, bytes_max, abandoned_);
    if (!attempt.is_ok())
      return attempt.status();
    note_attempt(records, attempt.value());
    if (attempt.value().run != nullptr)
      return attempt.value().run;
  }
  return runs.size() == 1 ? runs.front() : merge_disjoint_runs(runs, workdir_, memory_, read_ahead_, abandoned_);
}

bool RunTiers::is_worth_an_attempt(std::uint64_t records) {
  const std::lock_guard lock(attempts_.mutex);
  return records >= attempts_.records_min && has_room_for_automaton(attempts_.bytes_wanted(records));
}

bool RunTiers::has_room_for_automaton(std::uint64_t bytes) const {
  const std::uint64_t room = memory_.bytes_max() - std::min(memory_.bytes_max(), memory_.used());
  return room / kRoomParts >= bytes / kWantedParts;
}

void RunTiers::note_attempt(std::uint64_t records, const AutomatonMerge& attempt) {
  const std::lock_guard lock(attempts_.mutex);
  if (attempt.too_large) {
    attempts_.records_min = kAutomatonAgain * records;
    memory_.reserve_for_automata(0);
  } else if (attempt.run == nullptr) {
    attempts_.records_refused = records;
    attempts_.bytes_refused = attempt.bytes * records / std::max<std::uint64_t>(1, attempt.added);
  } else {
    attempts_.largest = std::max(attempts_.largest, attempt.bytes);
    memory_.reserve_for_automata(std::min(attempts_.largest * 3 / 2, memory_.bytes_max() / 2));
    if (records >= attempts_.records_refused)
      attempts_.records_refused = ~std::uint64_t{0};
  }
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

// The runs of a merge are being read: they cannot be moved before it is done.
Status RunTiers::shrink_to(std::uint64_t bytes) {
  while (!merging_.empty())
    if (Status status = take_over(merging_.size() - 1); !status.is_ok())
      return status;
  for (const bool automata : {false, true}) {
    for (const RunPointer& run : runs_) {
      if (memory_.used() <= bytes)
        return Status::ok();
      if (run->is_automaton() == automata)
        if (Status status = run->move_to_file(); !status.is_ok())
          return status;
    }
  }
  return Status::ok();
}

Status RunTiers::take_over(std::size_t which) {
  Merging merging = std::move(merging_[which]);
  merging_.erase(merging_.begin() + static_cast<std::ptrdiff_t>(which));
  Result<RunPointer> merged = merging.merged.get();
  if (!merged.is_ok())
    return merged.status();
  CHECK(merged.value()->records() == merging.records);  // T2
  const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(merging.first);
  const auto end = runs_.begin() + static_cast<std::ptrdiff_t>(merging.end);
  std::erase_if(waiting_, [&](const Waiting& waiting) { return std::find(begin, end, waiting.run) != end; });
  *begin = std::move(merged.value());
  runs_.erase(begin + 1, end);
  for (std::size_t i = which; i < merging_.size(); ++i) {
    merging_[i].first -= merging.end - merging.first - 1;
    merging_[i].end -= merging.end - merging.first - 1;
  }
  return bring_into_ram(runs_[merging.first]);
}

}  // namespace tideline
