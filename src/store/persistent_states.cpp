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
constexpr std::uint64_t kFoundMin = 1024;
constexpr std::uint64_t kFoundBytesMax = std::uint64_t{64} << 20;
constexpr std::size_t kReadAhead = std::size_t{32} << 10;
// Runs of AP, and of P, before they are merged.
constexpr std::size_t kRunsMax = 8;
constexpr std::size_t kSortedMax = 64;

std::vector<std::unique_ptr<SortedSource>> sources_of(const std::vector<RunPointer>& runs) {
  std::vector<std::unique_ptr<SortedSource>> sources;
  for (const RunPointer& run : runs)
    sources.push_back(std::make_unique<RunSource>(run, kReadAhead));
  return sources;
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
  sorted_.push_back(std::move(run.value()));
  found_ = 0;
  index_.clear();
  return sorted_.size() < kSortedMax ? Status::ok() : merge_sorted();
}

// All of P's runs become one, in which a state is once.
Status PersistentStates::merge_sorted() {
  Merge merge(sources_of(sorted_), record_.words());
  RunBuilder builder(workdir_, no_memory_, record_.words(), kSortedMax * found_max_);
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
  Result<RunPointer> run = builder.finish();
  if (!run.is_ok())
    return run.status();
  sorted_ = {std::move(run.value())};
  return Status::ok();
}

Result<RunPointer> PersistentStates::end_sweep() {
  if (Status status = sort_found(); !status.is_ok())
    return status;
  std::uint64_t expected = 0;
  for (const RunPointer& run : sorted_)
    expected += run->records();
  Result<RunPointer> roots = subtract_all(sources_of(sorted_), expected);
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

// NP := P \ AP.
Result<RunPointer> PersistentStates::subtract_all(std::vector<std::unique_ptr<SortedSource>> found,
                                                  std::uint64_t expected) {
  Merge candidates(std::move(found), record_.words());
  Merge known(sources_of(all_), record_.words());
  RunBuilder builder(workdir_, no_memory_, record_.words(), expected);
  std::vector<Word> last(record_.words());
  for (; !candidates.at_end(); candidates.next()) {
    const Word* record = candidates.state();
    while (!known.at_end() && record_.compare(known.state(), record) < 0)
      known.next();
    const bool is_known = !known.at_end() && record_.compare(known.state(), record) == 0;
    const bool is_repeated = builder.records() > 0 && record_.same_state(last.data(), record);
    if (is_known || is_repeated)
      continue;
    std::copy_n(record, record_.words(), last.data());
    if (Status status = builder.add(record); !status.is_ok())
      return status;
  }
  for (const Merge* merge : {&candidates, &known})
    if (Status status = merge->status(); !status.is_ok())
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
  if (Status status = save_runs(sorted_, "found"); !status.is_ok())
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
    (file.role == "found" ? sorted_ : all_).push_back(std::move(run.value()));
  }
  has_roots_ = saved.numbers.contains("has_roots") && saved.numbers.at("has_roots") != 0;
  begin_sweep();
  return Status::ok();
}

}  // namespace tideline
