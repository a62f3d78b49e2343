// SPDX-License-Identifier: MIT
#include "store/persistent_states.h"

#include <algorithm>

#include "base/check.h"
#include "em/merge.h"
#include "em/state_order.h"

namespace tideline {
namespace {

// Parts of the memory that there is at the beginning.
constexpr std::uint64_t kFoundPart = 24;
constexpr std::uint64_t kFoundMin = 16;
constexpr std::uint64_t kFoundBytesMax = std::uint64_t{64} << 20;
constexpr std::size_t kReadAhead = std::size_t{32} << 10;
// Runs of AP, and of a level of P, before they are merged.
constexpr std::size_t kRunsMax = 16;
constexpr std::size_t kSortedMax = 64;

std::vector<std::unique_ptr<SortedSource>> sources_of(const std::vector<RunPointer>& runs) {
  std::vector<std::unique_ptr<SortedSource>> sources;
  for (const RunPointer& run : runs)
    sources.push_back(std::make_unique<RunSource>(run, kReadAhead));
  return sources;
}

std::uint64_t records_of(const std::vector<RunPointer>& runs) {
  std::uint64_t records = 0;
  for (const RunPointer& run : runs)
    records += run->records();
  return records;
}

}  // namespace

PersistentStates::PersistentStates(std::uint64_t state_bits, bool with_origins, std::uint64_t found_max,
                                   Workdir& workdir, MemoryBudget& budget)
    : record_{std::max<std::size_t>(1, (state_bits + 63) / 64), with_origins},
      workdir_(workdir),
      no_memory_(budget, 0),
      found_max_(found_max),
      index_(budget),
      old_(kReadAhead) {
  const std::uint64_t record_bytes = record_.words() * sizeof(Word);
  if (found_max_ == 0)
    found_max_ = std::max(kFoundMin, std::min(budget.available() / kFoundPart, kFoundBytesMax) / record_bytes);
  room_ = PageBuffer::allocate(found_max_ * record_bytes, budget);
}

Status PersistentStates::add(const Word* state, std::uint64_t hash, std::uint64_t key, std::uint64_t origin) {
  auto* room = reinterpret_cast<Word*>(room_.data());
  if (room == nullptr)
    return Status::error("the memory budget is too small for a sweep; --memory raises it");
  const auto same = [&](std::uint32_t at) {
    return std::equal(state, state + record_.state_words, record_.state(room + at * record_.words()));
  };
  if (index_.find(hash, same) != PositionIndex::kNone)
    return Status::ok();
  if (found_ == found_max_ || !index_.reserve_one()) {
    if (Status status = sort_found(); !status.is_ok())
      return status;
    if (!index_.reserve_one())
      return Status::error("the memory budget is too small for a sweep; --memory raises it");
  }
  record_.write(room + found_ * record_.words(), key, state, origin);
  index_.add(hash, static_cast<std::uint32_t>(found_++));
  return Status::ok();
}

Status PersistentStates::sort_found() {
  if (found_ == 0)
    return Status::ok();
  auto* room = reinterpret_cast<Word*>(room_.data());
  sort_states(room, found_, record_.words());
  RunBuilder builder(workdir_, no_memory_, record_.words(), found_);
  for (std::uint64_t i = 0; i < found_; ++i)
    if (Status status = builder.add(room + i * record_.words()); !status.is_ok())
      return status;
  Result<RunPointer> run = builder.finish();
  if (!run.is_ok())
    return run.status();
  found_ = 0;
  index_.clear();
  return add_sorted(std::move(run.value()), 0);
}

Status PersistentStates::add_sorted(RunPointer run, std::size_t level) {
  if (sorted_.size() <= level)
    sorted_.resize(level + 1);
  sorted_[level].push_back(std::move(run));
  if (sorted_[level].size() < kSortedMax)
    return Status::ok();
  Result<RunPointer> merged = merge_unique(sorted_[level]);
  if (!merged.is_ok())
    return merged.status();
  sorted_[level].clear();
  return add_sorted(std::move(merged.value()), level + 1);
}

// One run in which a state is once.
Result<RunPointer> PersistentStates::merge_unique(const std::vector<RunPointer>& runs) {
  Merge merge(sources_of(runs), record_.words());
  RunBuilder builder(workdir_, no_memory_, record_.words(), records_of(runs));
  std::vector<Word> last(record_.words());
  for (; !merge.at_end(); merge.next()) {
    if (builder.records() > 0 && record_.same_state(last.data(), merge.state()))
      continue;
    std::copy_n(merge.state(), record_.words(), last.data());
    if (Status status = builder.add(merge.state()); !status.is_ok())
      return status;
  }
  if (Status status = merge.status(); !status.is_ok())
    return status;
  return builder.finish();
}

std::vector<RunPointer> PersistentStates::all_sorted() const {
  std::vector<RunPointer> runs;
  for (const std::vector<RunPointer>& level : sorted_)
    runs.insert(runs.end(), level.begin(), level.end());
  return runs;
}

Result<RunPointer> PersistentStates::end_sweep() {
  if (Status status = sort_found(); !status.is_ok())
    return status;
  const std::vector<RunPointer> found = all_sorted();
  Result<RunPointer> roots = subtract_all(sources_of(found), records_of(found));
  if (!roots.is_ok())
    return roots.status();
  sorted_.clear();
  if (Status status = compact(); !status.is_ok())
    return status;
  has_roots_ = roots.value()->records() > 0;
  if (has_roots_)
    all_.push_back(roots.value());
  size_ += roots.value()->records();
  begin_sweep();
  return has_roots_ ? roots.value() : RunPointer();
}

// NP := P \ AP. AP is looked into only where P has states.
Result<RunPointer> PersistentStates::subtract_all(std::vector<std::unique_ptr<SortedSource>> found,
                                                  std::uint64_t expected) {
  Merge candidates(std::move(found), record_.words());
  std::vector<std::unique_ptr<RunCursor>> known;
  for (const RunPointer& run : all_)
    known.push_back(std::make_unique<RunCursor>(run, kReadAhead));
  RunBuilder builder(workdir_, no_memory_, record_.words(), expected);
  std::vector<Word> last(record_.words());
  std::vector<Word> wanted(record_.words());
  for (bool is_first = true; !candidates.at_end(); candidates.next(), is_first = false) {
    const Word* record = candidates.state();
    if (!is_first && record_.same_state(last.data(), record))
      continue;
    std::copy_n(record, record_.words(), last.data());
    record_.write(wanted.data(), record_.key(record), record_.state(record), 0);
    const bool is_known = std::any_of(known.begin(), known.end(), [&](const std::unique_ptr<RunCursor>& cursor) {
      cursor->seek(wanted.data());
      return !cursor->at_end() && record_.same_state(cursor->state(), record);
    });
    if (is_known)
      continue;
    if (Status status = builder.add(record); !status.is_ok())
      return status;
  }
  for (const std::unique_ptr<RunCursor>& cursor : known)
    if (!cursor->status().is_ok())
      return cursor->status();
  if (Status status = candidates.status(); !status.is_ok())
    return status;
  return builder.finish();
}

Status PersistentStates::compact() {
  if (all_.size() < kRunsMax)
    return Status::ok();
  Result<RunPointer> merged = merge_runs(all_, workdir_, no_memory_, kReadAhead);
  if (!merged.is_ok())
    return merged.status();
  all_ = {std::move(merged.value())};
  return Status::ok();
}

void PersistentStates::begin_sweep() {
  old_.clear();
  for (std::size_t i = 0; i + (has_roots_ ? 1 : 0) < all_.size(); ++i)
    old_.add(all_[i], 0);
}

Status PersistentStates::save(SavedSet& out) {
  if (Status status = sort_found(); !status.is_ok())
    return status;
  const auto save_runs = [&out](const std::vector<RunPointer>& runs, const std::string& role) {
    for (const RunPointer& run : runs) {
      if (Status status = run->save(); !status.is_ok())
        return status;
      out.files.push_back({role, run->name(), run->records()});
    }
    return Status::ok();
  };
  if (Status status = save_runs(all_sorted(), "found"); !status.is_ok())
    return status;
  out.numbers["has_roots"] = has_roots_ ? 1 : 0;
  return save_runs(all_, "persistent");
}

Status PersistentStates::load(const SavedSet& saved) {
  for (const SavedSet::SavedFile& file : saved.files) {
    if (file.role != "found" && file.role != "persistent")
      continue;
    Result<RunPointer> run = Run::open(workdir_, file.name, record_.words());
    if (!run.is_ok())
      return run.status();
    if (file.role == "persistent")
      size_ += run.value()->records();
    if (file.role == "persistent")
      all_.push_back(std::move(run.value()));
    else if (Status status = add_sorted(std::move(run.value()), 0); !status.is_ok())
      return status;
  }
  has_roots_ = saved.numbers.contains("has_roots") && saved.numbers.at("has_roots") != 0;
  begin_sweep();
  return Status::ok();
}

}  // namespace tideline
