// SPDX-License-Identifier: MIT
#include "store/part_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "em/merge.h"

namespace tideline {
namespace {

constexpr std::size_t kReadAhead = std::size_t{64} << 10;
// States in a sample, and how many of them are expanded.
constexpr std::uint64_t kSampleStates = 1024;
constexpr std::size_t kSampleSources = 256;
// Runs of all parts together, about: each may be an open file.
constexpr std::size_t kRunsWanted = 512;

std::uint64_t records_of(const std::vector<RunPointer>& runs) {
  std::uint64_t records = 0;
  for (const RunPointer& run : runs)
    records += run->records();
  return records;
}

std::vector<std::unique_ptr<SortedSource>> sources_of(const std::vector<RunPointer>& runs) {
  std::vector<std::unique_ptr<SortedSource>> sources;
  for (const RunPointer& run : runs)
    sources.push_back(std::make_unique<RunSource>(run, kReadAhead));
  return sources;
}

Status finish(RunBuilder& builder, std::vector<RunPointer>& to) {
  Result<RunPointer> run = builder.finish();
  if (!run.is_ok())
    return run.status();
  if (run.value()->records() > 0)
    to.push_back(run.value());
  return Status::ok();
}

}  // namespace

std::uint64_t PartRuns::visited_states() const {
  return records_of(visited);
}

std::uint64_t PartRuns::queued_states() const {
  return records_of(queue);
}

PartFiles::PartFiles(std::size_t words, Workdir& workdir, MemoryBudget& budget)
    : words_(words), workdir_(workdir), budget_(budget), memory_(budget, 0), parts_(1) {}

PartFiles::~PartFiles() {
  budget_.release(index_bytes_);
}

std::size_t PartFiles::runs_max() const {
  return std::clamp<std::size_t>(kRunsWanted / parts_.size() / 2, 2, 8);
}

Status PartFiles::add_visited(PartNumber part, const Word* states, std::size_t count) {
  return add(parts_[part].visited, states, count);
}

Status PartFiles::add_queue(PartNumber part, const Word* states, std::size_t count) {
  return add(parts_[part].queue, states, count);
}

Status PartFiles::add(std::vector<RunPointer>& runs, const Word* states, std::size_t count) {
  RunBuilder builder(workdir_, memory_, words_, count);
  for (std::size_t i = 0; i < count; ++i)
    if (Status status = builder.add(states + i * words_); !status.is_ok())
      return status;
  if (Status status = finish(builder, runs); !status.is_ok())
    return status;
  if (runs.size() <= runs_max())
    return Status::ok();
  Result<RunPointer> merged = merge_runs(runs, workdir_, memory_, kReadAhead);
  if (!merged.is_ok())
    return merged.status();
  runs = {merged.value()};
  return Status::ok();
}

Status PartFiles::split(PartNumber part, const std::vector<StateSlot>& slots, const Expand& expand) {
  PartSample sample;
  sample.words = words_;
  if (Status status = sample_states(parts_[part], sample); !status.is_ok())
    return status;
  sample_steps(part, expand, sample);
  const std::optional<PartSplit> split = choose_split(part, slots, sample);
  if (!split)
    return Status::error("the memory budget is too small for one part of the states; --memory raises it");
  tree_.split(*split);
  PartRuns low;
  PartRuns high;
  Status status = divide(*split, parts_[part].visited, low.visited, high.visited);
  if (status.is_ok())
    status = divide(*split, parts_[part].queue, low.queue, high.queue);
  parts_[part] = std::move(low);
  parts_.push_back(std::move(high));
  return status;
}

// Every n-th state of all runs.
Status PartFiles::sample_states(const PartRuns& part, PartSample& sample) const {
  const std::uint64_t total = part.visited_states() + part.queued_states();
  const std::uint64_t stride = total / kSampleStates + 1;
  std::uint64_t at = 0;
  for (const std::vector<RunPointer>* runs : {&part.visited, &part.queue})
    for (const RunPointer& run : *runs) {
      RunCursor cursor(run, kReadAhead);
      for (cursor.begin(); !cursor.at_end(); cursor.next())
        if (at++ % stride == 0)
          sample.states.insert(sample.states.end(), cursor.state(), cursor.state() + words_);
      if (!cursor.status().is_ok())
        return cursor.status();
    }
  return Status::ok();
}

// Only steps within the part: the others cross anyway.
void PartFiles::sample_steps(PartNumber part, const Expand& expand, PartSample& sample) const {
  const std::size_t count = sample.states.size() / words_;
  const std::size_t stride = count / kSampleSources + 1;
  Successors out(words_);
  std::vector<Word> source(words_ + 1);
  for (std::size_t i = 0; i < count; i += stride) {
    std::copy_n(sample.states.data() + i * words_, words_, source.data());
    out.clear();
    expand(source.data(), out);
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (!out.proper(k) || tree_.part_of(out.state(k)) != part)
        continue;
      sample.steps.insert(sample.steps.end(), source.data(), source.data() + words_);
      sample.steps.insert(sample.steps.end(), out.state(k), out.state(k) + words_);
    }
  }
}

Status PartFiles::divide(const PartSplit& split, const std::vector<RunPointer>& from, std::vector<RunPointer>& low,
                         std::vector<RunPointer>& high) {
  RunBuilder low_builder(workdir_, memory_, words_, records_of(from) / 2);
  RunBuilder high_builder(workdir_, memory_, words_, records_of(from) / 2);
  Merge merge(sources_of(from), words_);
  for (; !merge.at_end(); merge.next()) {
    RunBuilder& to = split.is_high(merge.state()) ? high_builder : low_builder;
    if (Status status = to.add(merge.state()); !status.is_ok())
      return status;
  }
  Status status = merge.status();
  if (status.is_ok())
    status = finish(low_builder, low);
  if (status.is_ok())
    status = finish(high_builder, high);
  return status;
}

void PartFiles::charge_indexes() {
  std::uint64_t bytes = 0;
  for (const PartRuns& part : parts_)
    for (const std::vector<RunPointer>* runs : {&part.visited, &part.queue})
      for (const RunPointer& run : *runs)
        bytes += run->index().bytes();
  budget_.release(index_bytes_);
  index_bytes_ = budget_.charge(bytes) ? bytes : 0;
}

Status PartFiles::save_runs(const std::vector<RunPointer>& runs, const std::string& role, SavedSet& out) {
  for (const RunPointer& run : runs) {
    if (Status status = run->save(); !status.is_ok())
      return status;
    out.files.push_back({role, run->name(), run->records()});
  }
  return Status::ok();
}

Status PartFiles::save(SavedSet& out, PartNumber part, const std::vector<RunPointer>& more) {
  Status status;
  for (PartNumber i = 0; i < parts_.size() && status.is_ok(); ++i) {
    status = save_runs(parts_[i].visited, fmt::format("part {} visited", i), out);
    if (status.is_ok())
      status = save_runs(parts_[i].queue, fmt::format("part {} queue", i), out);
  }
  if (status.is_ok())
    status = save_runs(more, fmt::format("part {} queue", part), out);
  out.numbers["splits"] = tree_.splits().size();
  for (std::size_t i = 0; i < tree_.splits().size(); ++i) {
    const PartSplit& split = tree_.splits()[i];
    out.numbers[fmt::format("split {} part", i)] = split.part;
    out.numbers[fmt::format("split {} bit", i)] = split.slot.bit;
    out.numbers[fmt::format("split {} width", i)] = split.slot.width;
    out.numbers[fmt::format("split {} threshold", i)] = split.threshold;
  }
  return status;
}

Status PartFiles::load(const SavedSet& saved) {
  const auto number = [&saved](const std::string& name) {
    const auto found = saved.numbers.find(name);
    return found == saved.numbers.end() ? 0 : found->second;
  };
  const Status wrong = Status::error(workdir_.path_of(kManifestName) + " has a wrong description of the parts");
  for (std::uint64_t i = 0; i < number("splits"); ++i) {
    const PartSplit split = {
        static_cast<PartNumber>(number(fmt::format("split {} part", i))),
        {number(fmt::format("split {} bit", i)), number(fmt::format("split {} width", i))},
        number(fmt::format("split {} threshold", i)),
    };
    if (split.part > i || split.slot.width < 1 || split.slot.bit % 64 + split.slot.width > 64 ||
        split.slot.bit / 64 >= words_)
      return wrong;
    tree_.split(split);
  }
  parts_.resize(tree_.parts());
  for (const SavedSet::SavedFile& file : saved.files) {
    PartNumber part = 0;
    const std::string digits = file.role.substr(std::min<std::size_t>(file.role.size(), 5));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), part);
    const std::string kind(end, digits.data() + digits.size());
    if (error != std::errc() || part >= parts_.size() || (kind != " visited" && kind != " queue"))
      return wrong;
    Result<RunPointer> run = Run::open(workdir_, file.name, words_);
    if (!run.is_ok())
      return run.status();
    if (run.value()->records() != file.records)
      return Status::error(workdir_.path_of(file.name) + " has another number of states than the manifest says");
    (kind == " visited" ? parts_[part].visited : parts_[part].queue).push_back(run.value());
  }
  return Status::ok();
}

}  // namespace tideline
