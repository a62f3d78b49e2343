// SPDX-License-Identifier: MIT
#include "store/sweep_set.h"

#include <algorithm>

#include "base/check.h"
#include "em/state_order.h"
#include "store/state_hash.h"

namespace tideline {
namespace {

// States whose cells are on their way at once.
constexpr std::size_t kAhead = 16;
// Part of the memory that is kept for the change to the disk.
constexpr std::uint64_t kReservePart = 16;

std::uint64_t number_at(const SavedSet& saved, const char* name) {
  const auto found = saved.numbers.find(name);
  return found == saved.numbers.end() ? 0 : found->second;
}

}  // namespace

SweepSet::SweepSet(SweepOptions options, Workdir& workdir, MemoryBudget& budget)
    : words_(std::max<std::uint64_t>(1, (options.state_bits + 63) / 64)),
      options_(std::move(options)),
      record_{words_, options_.record_tree},
      workdir_(workdir),
      budget_(budget),
      tree_(options_.record_tree ? std::make_unique<SpanningTree>(workdir, options_.commands) : nullptr),
      queue_(options_.queue, options_.state_bits, options_.record_tree, workdir, budget),
      persistent_(options_.state_bits, options_.record_tree, options_.found_states_max, workdir, budget),
      table_(std::make_unique<LayerTable>(options_.state_bits, options_.layer_states_max, budget)),
      reserve_(PageBuffer::allocate(budget.available() / kReservePart, budget)),
      lanes_(options_.threads) {
  counts_.sweeps = 1;
}

bool SweepSet::check(Status status) {
  if (!status.is_ok() && trouble_.is_ok())
    trouble_ = std::move(status);
  return trouble_.is_ok();
}

Status SweepSet::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

bool SweepSet::insert_steps(unsigned thread, const Steps& steps) {
  std::vector<std::uint64_t>& hashes = lanes_[thread].hashes;
  hashes.resize(steps.keys.size());
  for (std::size_t i = 0; i < hashes.size(); ++i)
    hashes[i] = index_hash(steps.states + i * words_, words_);
  const std::lock_guard lock(mutex_);
  if (!trouble_.is_ok())
    return false;
  const bool done = check(insert_range(steps, hashes.data()));
  note_peak();
  return done;
}

Status SweepSet::insert_range(const Steps& steps, const std::uint64_t* hashes) {
  const std::size_t count = steps.keys.size();
  std::size_t source = 0;
  std::uint64_t of_source = steps.sources.empty() ? count : steps.sources[0].successors;
  for (std::size_t i = 0; i < std::min(kAhead, count); ++i)
    prefetch(hashes[i], steps.keys[i]);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kAhead < count)
      prefetch(hashes[i + kAhead], steps.keys[i + kAhead]);
    while (of_source == 0)
      of_source = steps.sources[++source].successors;
    --of_source;
    std::uint64_t origin = 0;
    if (tree_)
      origin = steps.sources.empty() ? tree_->start_origin(steps.commands[i])
                                     : tree_->origin(steps.sources[source].number, steps.commands[i]);
    if (Status status = insert_one(steps.states + i * words_, hashes[i], steps.keys[i], origin); !status.is_ok())
      return status;
  }
  return Status::ok();
}

void SweepSet::prefetch(std::uint64_t hash, std::uint64_t key) const {
  if (seeding_ || key > key_)
    queue_.prefetch(hash);
  else if (key == key_ && table_)
    table_->prefetch(hash);
}

Status SweepSet::insert_one(const Word* state, std::uint64_t hash, std::uint64_t key, std::uint64_t origin) {
  if (seeding_)
    return queue_.insert(state, hash, key, origin);
  if (key == key_) {
    ++counts_.stationary_edges;
    return insert_stationary(state, hash, origin);
  }
  if (key > key_) {
    ++counts_.forward_edges;
    return queue_.insert(state, hash, key, origin);
  }
  ++counts_.regress_edges;
  return persistent_.add(state, hash, key, origin);
}

Status SweepSet::insert_stationary(const Word* state, std::uint64_t hash, std::uint64_t origin) {
  if (disk_layer_)
    return insert_on_disk(state);
  switch (table_->insert(state, hash)) {
    case LayerTable::Insert::kKnown:
      return Status::ok();
    case LayerTable::Insert::kNew:
      return tree_ ? tree_->add(origin) : Status::ok();
    case LayerTable::Insert::kFull:
      break;
  }
  if (Status status = move_layer_to_disk(); !status.is_ok())
    return status;
  return insert_on_disk(state);
}

// ---- a layer that is too large ----

Status SweepSet::insert_on_disk(const Word* state) {
  ignored_.clear();
  if (disk_layer_->insert(0, state, 1, ignored_))
    return Status::ok();
  const Status status = disk_layer_->trouble();  // what was not inserted must not be forgotten
  return status.is_ok() ? Status::error("the memory budget is too small for a layer on disk; --memory raises it")
                        : status;
}

Status SweepSet::move_layer_to_disk() {
  if (options_.say && !on_disk_)
    options_.say("a layer is larger than the memory budget: it is explored on disk");
  on_disk_ = true;
  reserve_.reset();
  RunSetOptions run_options;
  run_options.state_bits = options_.state_bits;
  run_options.threads = 1;  // the set is entered by one thread at a time
  disk_layer_ = std::make_unique<RunSet>(run_options, workdir_, budget_);
  const std::uint64_t size = table_->size();
  if (Status status = give_to_disk(Known::kVisited, 0, size); !status.is_ok())
    return status;
  if (Status status = give_to_disk(Known::kFrontier, taken_, level_end_); !status.is_ok())
    return status;
  if (Status status = give_to_disk(Known::kNext, level_end_, size); !status.is_ok())
    return status;
  table_.reset();
  return disk_layer_->begin();
}

Status SweepSet::give_to_disk(Known what, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t piece_states =
      std::max<std::uint64_t>(1, budget_.total() / kReservePart / 2 / (words_ * sizeof(Word)));
  std::vector<Word> piece;
  for (std::uint64_t from = begin; from < end; from += piece_states) {
    const std::uint64_t count = std::min(piece_states, end - from);
    piece.resize(count * words_ + 1);
    for (std::uint64_t i = 0; i < count; ++i)
      table_->load(from + i, piece.data() + i * words_);
    Status status = disk_layer_->adopt(what, piece.data(), count);
    if (status.is_ok())
      status = disk_layer_->finish_adopting();
    if (!status.is_ok())
      return status;
  }
  return Status::ok();
}

// ---- from layer to layer ----

std::size_t SweepSet::take_numbered(std::size_t most, Word* out, std::uint64_t& number) {
  const std::lock_guard lock(mutex_);
  at_border_ = false;
  if (!trouble_.is_ok())
    return 0;
  std::size_t count = 0;
  if (disk_layer_) {
    number = SpanningTree::kNoNumber;
    count = disk_layer_->take(0, most, out);
    check(disk_layer_->trouble());
  } else {
    number = number_of(taken_);
    count = static_cast<std::size_t>(std::min<std::uint64_t>(most, level_end_ - taken_));
    for (std::size_t i = 0; i < count; ++i)
      table_->load(taken_ + i, out + i * words_);
    taken_ += count;
  }
  expanded_ += count;
  layer_expanded_ += count;
  return count;
}

std::size_t SweepSet::take(unsigned, std::size_t most, Word* out) {
  std::uint64_t number = 0;
  return take_numbered(most, out, number);
}

std::uint64_t SweepSet::next_layer() {
  const std::lock_guard lock(mutex_);
  if (!trouble_.is_ok())
    return 0;
  if (!seeding_) {
    if (const std::uint64_t states = next_level())
      return states;
    end_layer();
  }
  seeding_ = false;
  while (trouble_.is_ok() && (!queue_.empty() || next_sweep())) {
    if (!check(load_layer(queue_.least_key())))
      return 0;
    at_border_ = !disk_layer_;
    if (const std::uint64_t states = next_level())
      return states;
  }
  return 0;
}

std::uint64_t SweepSet::next_level() {
  ++levels_;
  if (disk_layer_) {
    const std::uint64_t states = disk_layer_->next_layer();
    check(disk_layer_->trouble());
    return states;
  }
  level_end_ = table_->size();
  return level_end_ - taken_;
}

void SweepSet::end_layer() {
  ++counts_.layers;
  ++counts_.layer_of_sweep;
  counts_.largest_layer = std::max(counts_.largest_layer, layer_expanded_);
  if (options_.profile)
    options_.profile({counts_.sweeps, key_, layer_expanded_, levels_ - 1, queue_.ram_states() + queue_.disk_states(),
                      persistent_.size()});
}

bool SweepSet::next_sweep() {
  Result<RunPointer> roots = persistent_.end_sweep();
  if (!roots.is_ok()) {
    check(roots.status());
    return false;
  }
  if (roots.value() == nullptr)
    return false;
  queue_.add_run(roots.value());
  ++counts_.sweeps;
  counts_.layer_of_sweep = 0;
  return true;
}

Status SweepSet::load_layer(std::uint64_t key) {
  key_ = key;
  layer_expanded_ = levels_ = 0;
  disk_layer_.reset();
  if (table_ == nullptr) {
    table_ = std::make_unique<LayerTable>(options_.state_bits, options_.layer_states_max, budget_);
    reserve_ = PageBuffer::allocate(budget_.available() / kReservePart, budget_);
  }
  table_->clear();
  base_ = tree_ ? tree_->size() : 0;
  closed_ = taken_ = level_end_ = 0;
  // Old persistent states come first and are not expanded. One that does not fit is only expanded again.
  Status status = persistent_.take_layer(key, [&](const Word* old) {
    const Word* state = record_.state(old);
    if (table_->insert(state, index_hash(state, words_)) == LayerTable::Insert::kNew)
      ++closed_;
    return Status::ok();
  });
  if (!status.is_ok())
    return status;
  taken_ = level_end_ = closed_;
  status = queue_.take_layer(key, [&](const Word* state, std::uint64_t origin) {
    return insert_stationary(state, index_hash(state, words_), origin);
  });
  note_peak();
  return status;
}

void SweepSet::note_peak() {
  const std::uint64_t layer = table_ ? table_->size() : disk_layer_->peak_states();
  const std::uint64_t now = layer + queue_.ram_states() + persistent_.ram_states();
  if (now > peak_states_.load(std::memory_order_relaxed))
    peak_states_.store(now, std::memory_order_relaxed);
  if (queue_.used_disk())
    on_disk_.store(true, std::memory_order_relaxed);
}

// ---- figures ----

bool SweepSet::counts_distinct() const {
  const std::lock_guard lock(mutex_);
  return counts_.regress_edges == 0;
}

std::uint64_t SweepSet::size() const {
  const std::lock_guard lock(mutex_);
  const std::uint64_t layer = table_ && !seeding_ ? table_->size() - taken_ : 0;
  return expanded_ + layer + queue_.ram_states() + queue_.disk_states();
}

std::uint64_t SweepSet::bytes() const {
  const std::lock_guard lock(mutex_);
  return (table_ ? table_->bytes() : disk_layer_->bytes()) + queue_.bytes() + persistent_.bytes();
}

SweepCounts SweepSet::counts() const {
  const std::lock_guard lock(mutex_);
  SweepCounts now = counts_;
  now.persistent = persistent_.size();
  now.key = key_;
  now.layer_states = table_ ? table_->size() - closed_ : disk_layer_->size();
  now.queue_ram = queue_.ram_states();
  now.queue_disk = queue_.disk_states();
  now.queue_layers = queue_.layers_in_ram();
  return now;
}

Result<std::vector<ir::CommandId>> SweepSet::path_to(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (tree_ == nullptr)
    return std::vector<ir::CommandId>();
  return tree_->path_to(number);
}

// ---- stopping and going on ----

// What was loaded of the layer, as records that wait again: as many sorted runs as the room that there is asks for.
Status SweepSet::save_layer(SavedSet& out) {
  std::uint64_t piece_states = reserve_.size() / (record_.words() * sizeof(Word));
  if (options_.saved_states_max != 0)
    piece_states = std::min(piece_states, options_.saved_states_max);
  if (piece_states == 0)
    return Status::error("the memory budget is too small for a sweep; --memory raises it");
  saved_layer_.clear();
  for (std::uint64_t from = closed_; from < table_->size(); from += piece_states) {
    Result<RunPointer> run = save_piece(from, std::min(piece_states, table_->size() - from));
    if (!run.is_ok())
      return run.status();
    out.files.push_back({"queue", run.value()->name(), run.value()->records()});
    saved_layer_.push_back(std::move(run.value()));
  }
  return Status::ok();
}

Result<RunPointer> SweepSet::save_piece(std::uint64_t from, std::uint64_t count) {
  auto* room = reinterpret_cast<Word*>(reserve_.data());
  std::vector<Word> state(words_ + 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    table_->load(from + i, state.data());
    const Result<std::uint64_t> origin = tree_ ? tree_->origin_of(number_of(from + i)) : Result<std::uint64_t>(0);
    if (!origin.is_ok())
      return origin.status();
    record_.write(room + i * record_.words(), key_, state.data(), origin.value());
  }
  sort_states(room, count, record_.words());
  RunMemory no_memory(budget_, 0);
  RunBuilder builder(workdir_, no_memory, record_.words(), count);
  for (std::uint64_t i = 0; i < count; ++i)
    if (Status status = builder.add(room + i * record_.words()); !status.is_ok())
      return status;
  Result<RunPointer> run = builder.finish();
  if (run.is_ok())
    if (Status status = run.value()->save(); !status.is_ok())
      return status;
  return run;
}

Status SweepSet::save(SavedSet& out) {
  const std::lock_guard lock(mutex_);
  CHECK(at_border_);
  if (Status status = save_layer(out); !status.is_ok())
    return status;
  if (Status status = queue_.spill_all(); !status.is_ok())
    return status;
  if (Status status = queue_.save(out, "queue"); !status.is_ok())
    return status;
  if (Status status = persistent_.save(out); !status.is_ok())
    return status;
  if (tree_)
    if (Status status = tree_->save(out); !status.is_ok())
      return status;
  out.numbers["key"] = key_;
  out.numbers["sweeps"] = counts_.sweeps;
  out.numbers["layers"] = counts_.layers;
  out.numbers["layer_of_sweep"] = counts_.layer_of_sweep;
  out.numbers["regress_edges"] = counts_.regress_edges;
  out.numbers["forward_edges"] = counts_.forward_edges;
  out.numbers["stationary_edges"] = counts_.stationary_edges;
  out.numbers["largest_layer"] = counts_.largest_layer;
  out.numbers["expanded"] = expanded_;
  out.numbers["peak_states"] = peak_states_;
  out.numbers["layer_size"] = table_->size() - closed_;
  return Status::ok();
}

// Then the layer is loaded again, as at the end of the one before it. The roots of the sweep may be opened twice, as
// persistent states and as ones that wait: they stay named in every manifest as long as they are persistent.
Status SweepSet::load(const SavedSet& saved) {
  const std::lock_guard lock(mutex_);
  for (const SavedSet::SavedFile& file : saved.files) {
    if (file.role != "queue")
      continue;
    Result<RunPointer> run = Run::open(workdir_, file.name, record_.words());
    if (!run.is_ok())
      return run.status();
    queue_.add_run(std::move(run.value()));
  }
  if (Status status = persistent_.load(saved); !status.is_ok())
    return status;
  if (tree_)
    if (Status status = tree_->load(saved); !status.is_ok())
      return status;
  counts_.sweeps = number_at(saved, "sweeps");
  counts_.layers = number_at(saved, "layers");
  counts_.layer_of_sweep = number_at(saved, "layer_of_sweep");
  counts_.regress_edges = number_at(saved, "regress_edges");
  counts_.forward_edges = number_at(saved, "forward_edges");
  counts_.stationary_edges = number_at(saved, "stationary_edges");
  counts_.largest_layer = number_at(saved, "largest_layer");
  expanded_ = number_at(saved, "expanded");
  peak_states_ = number_at(saved, "peak_states");
  seeding_ = false;
  if (Status status = load_layer(number_at(saved, "key")); !status.is_ok())
    return status;
  (void)next_level();
  return trouble_;
}

}  // namespace tideline
