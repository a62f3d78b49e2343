// SPDX-License-Identifier: MIT
#include "store/sweep_queue.h"

#include <algorithm>

#include "em/merge.h"
#include "em/state_order.h"

namespace tideline {
namespace {

// Parts of the memory that there is at the beginning: of the states in RAM, of the room for sorting, of open files.
constexpr std::uint64_t kRamPart = 3;
constexpr std::uint64_t kRoomPart = 32;
constexpr std::uint64_t kFilesPart = 12;
constexpr std::uint64_t kRoomMin = std::uint64_t{64} << 10;
constexpr std::uint64_t kRoomRecordsMin = 2;
constexpr std::uint64_t kRoomMax = std::uint64_t{16} << 20;
// A file that is being read has a block, its image and what is read ahead.
constexpr std::uint64_t kReadAhead = std::uint64_t{32} << 10;
constexpr std::uint64_t kFileBytes = std::uint64_t{128} << 10;
constexpr std::uint64_t kFilesMin = 8;
constexpr std::uint64_t kFilesMax = 512;

}  // namespace

SweepQueue::SweepQueue(const SweepQueueOptions& options, std::uint64_t state_bits, bool with_origins, Workdir& workdir,
                       MemoryBudget& budget)
    : record_{std::max<std::size_t>(1, (state_bits + 63) / 64), with_origins},
      workdir_(workdir),
      ram_bytes_max_(budget.available() / kRamPart),
      ram_states_max_(options.ram_states_max),
      spill_states_(options.spill_states),
      block_states_max_(options.block_states_max),
      level_files_(options.level_files != 0
                       ? options.level_files
                       : std::clamp(budget.available() / kFilesPart / kFileBytes, kFilesMin, kFilesMax)),
      no_memory_(budget, 0),
      future_(state_bits, with_origins, budget),
      files_(options.block_states_max == 0 ? kReadAhead : 1),
      room_(PageBuffer::allocate(std::max(std::clamp(budget.available() / kRoomPart, kRoomMin, kRoomMax),
                                          kRoomRecordsMin * record_.words() * sizeof(Word)),
                                 budget)),
      last_(record_.words()) {}

std::uint64_t SweepQueue::least_key() const {
  if (future_.empty())
    return files_.least_key();
  return files_.empty() ? future_.least_key() : std::min(future_.least_key(), files_.least_key());
}

Status SweepQueue::insert(const Word* state, std::uint64_t hash, std::uint64_t key, std::uint64_t origin) {
  const bool is_full = ram_states_max_ != 0 ? future_.size() >= ram_states_max_ : future_.bytes() >= ram_bytes_max_;
  if (is_full && future_.size() > 1)
    if (Status status = spill(spill_states_ != 0 ? spill_states_ : future_.size() / 2); !status.is_ok())
      return status;
  if (future_.insert(state, hash, key, origin) != FutureStates::Insert::kFull)
    return Status::ok();
  if (Status status = spill(future_.size()); !status.is_ok())
    return status;
  if (future_.insert(state, hash, key, origin) != FutureStates::Insert::kFull)
    return Status::ok();
  return Status::error("the memory budget is too small for the queue of a sweep; --memory raises it");
}

Status SweepQueue::take_layer(std::uint64_t key, const Take& take) {
  Status status;
  future_.take_layer(key, [&](const Word* state, std::uint64_t origin) {
    if (status.is_ok())
      status = take(state, origin);
  });
  if (!status.is_ok())
    return status;
  return files_.take(key, [&](const Word* record) { return take(record_.state(record), record_.origin(record)); });
}

Status SweepQueue::spill_all() {
  return future_.size() == 0 ? Status::ok() : spill(future_.size());
}

// The states come by key; those of a layer are in no order, so a piece of them is sorted when the room is full. A run
// goes on as long as its records grow.
Status SweepQueue::spill(std::uint64_t count) {
  if (room_.data() == nullptr)
    return Status::error("the memory budget is too small for a sweep; --memory raises it");
  const std::size_t most = room_.size() / sizeof(Word) / record_.words();
  auto* room = reinterpret_cast<Word*>(room_.data());
  std::size_t records = 0;
  Status status;
  used_disk_ = true;
  future_.take_largest(count, [&](std::uint64_t key, const Word* state, std::uint64_t origin) {
    if (!status.is_ok())
      return;
    record_.write(room + records++ * record_.words(), key, state, origin);
    if (records == most) {
      status = write_room(records);
      records = 0;
    }
  });
  if (status.is_ok())
    status = write_room(records);
  if (status.is_ok())
    status = close_run();
  return status;
}

Status SweepQueue::write_room(std::size_t records) {
  auto* room = reinterpret_cast<Word*>(room_.data());
  sort_states(room, records, record_.words());
  for (std::size_t i = 0; i < records; ++i) {
    const Word* record = room + i * record_.words();
    if (builder_ != nullptr && i == 0 && record_.compare(last_.data(), record) >= 0)
      if (Status status = close_run(); !status.is_ok())
        return status;
    if (builder_ == nullptr)
      builder_ = std::make_unique<RunBuilder>(workdir_, no_memory_, record_.words(), records, block_states_max_);
    if (Status status = add_unique(*builder_, record); !status.is_ok())
      return status;
  }
  return Status::ok();
}

// A record, unless it is of the same state as the one before.
Status SweepQueue::add_unique(RunBuilder& builder, const Word* record) {
  if (builder.records() > 0 && record_.same_state(last_.data(), record))
    return Status::ok();
  std::copy_n(record, record_.words(), last_.data());
  return builder.add(record);
}

Status SweepQueue::close_run() {
  if (builder_ == nullptr)
    return Status::ok();
  const std::unique_ptr<RunBuilder> builder = std::move(builder_);
  Result<RunPointer> run = builder->finish();
  if (!run.is_ok())
    return run.status();
  if (Status status = make_slot(0); !status.is_ok())
    return status;
  files_.add(std::move(run.value()), 0);
  return Status::ok();
}

Status SweepQueue::make_slot(unsigned level) {
  if (files_.runs_of_level(level) < level_files_)
    return Status::ok();
  if (Status status = make_slot(level + 1); !status.is_ok())
    return status;
  return merge_level(level);
}

Status SweepQueue::merge_level(unsigned level) {
  const std::uint64_t before = files_.size();
  std::vector<std::unique_ptr<SortedSource>> sources = files_.remove_level(level);
  const std::uint64_t expected = before - files_.size();
  Merge merge(std::move(sources), record_.words());
  RunBuilder builder(workdir_, no_memory_, record_.words(), expected, block_states_max_);
  for (; !merge.at_end(); merge.next())
    if (Status status = add_unique(builder, merge.state()); !status.is_ok())
      return status;
  if (Status status = merge.status(); !status.is_ok())
    return status;
  Result<RunPointer> run = builder.finish();
  if (!run.is_ok())
    return run.status();
  files_.add(std::move(run.value()), level + 1);
  return Status::ok();
}

Status SweepQueue::save(SavedSet& out, const std::string& role) const {
  for (const RunPointer& run : files_.pointers()) {
    if (Status status = run->save(); !status.is_ok())
      return status;
    out.files.push_back({role, run->name(), run->records()});
  }
  return Status::ok();
}

}  // namespace tideline
