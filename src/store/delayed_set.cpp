// SPDX-License-Identifier: MIT
#include "store/delayed_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>
#include <utility>

#include "base/check.h"
#include "store/packed_records.h"

namespace tideline {
namespace {

// Keys looked up together: enough to hide a cache miss behind the others.
constexpr std::size_t kBatch = 32;
// A block is this part of the memory that is there, between these sizes.
constexpr std::uint64_t kBlockParts = 256;
constexpr std::uint64_t kBlockBytesMin = std::uint64_t{16} << 10;
constexpr std::uint64_t kBlockBytesMax = std::uint64_t{1} << 20;
constexpr std::size_t kPartBlocks = 1024;  // of a file of D
constexpr std::size_t kPopStates = 64;
// Threads that read D in a check, at most, and what they take at once.
constexpr unsigned kScansMax = 8;
constexpr std::uint64_t kPieceBlocks = 8;

std::size_t block_bytes_for(const MemoryBudget& budget) {
  return std::clamp(budget.available() / kBlockParts, kBlockBytesMin, kBlockBytesMax);
}

std::size_t scans_for(const DelayedSet::Settings& settings) {
  return std::min(settings.threads, kScansMax);
}

// Charges the buffers of D, of the two checked queues, and with signatures of the unchecked queue and the kept layers.
// 0 if they do not fit.
std::uint64_t charge_buffers(const DelayedSet::Settings& settings, std::size_t block_bytes, MemoryBudget& budget) {
  const unsigned logs = settings.signature_bits == 0 ? 3 : settings.keep_layers ? 5 : 4;
  const std::uint64_t bytes =
      logs * RecordLog::bytes_for(block_bytes) + (scans_for(settings) - 1) * RecordLog::cursor_bytes_for(block_bytes);
  return budget.charge(bytes) ? bytes : 0;
}

// What the buffers leave is M's.
std::uint64_t recent_entries(const DelayedSet::Settings& settings, const MemoryBudget& budget) {
  const std::uint64_t bits = settings.signature_bits == 0 ? settings.state_bits : settings.signature_bits;
  const std::uint64_t fit = RecentTable::entries_for(budget.available(), bits);
  return settings.recent_max == 0 ? fit : std::min(fit, settings.recent_max);
}

std::string layer_name(std::size_t layer) {
  return fmt::format("layer.{:08}", layer);
}

}  // namespace

DelayedSet::DelayedSet(const Settings& settings, Workdir& workdir, MemoryBudget& budget)
    : settings_(settings),
      words_(record_words_for(settings.state_bits)),
      state_bytes_(record_bytes_for(settings.state_bits)),
      block_bytes_(block_bytes_for(budget)),
      budget_(budget),
      buffer_bytes_(charge_buffers(settings, block_bytes_, budget)),
      recent_(exact() ? settings.state_bits : settings.signature_bits, settings.threads,
              recent_entries(settings, budget), budget),
      visited_(workdir, FileKind::kVisited, "visited", recent_.key_bytes(), block_bytes_, kPartBlocks),
      unchecked_(workdir, "unchecked", state_bytes_, block_bytes_),
      checked_(std::make_unique<DiskQueue>(workdir, "checked", state_bytes_, block_bytes_)),
      next_checked_(std::make_unique<DiskQueue>(workdir, "checked", state_bytes_, block_bytes_)),
      gate_(settings.threads, [](std::uint64_t) {}) {
  if (const Status status = workdir.prepare(); !status.is_ok())
    fail(status);  // now, and not when the first block is full
  for (std::size_t i = 0; i < scans_for(settings); ++i)
    scans_.push_back({RecordLog::Cursor(visited_), std::vector<Word>(kBatch * recent_.key_words()), {}, {}});
  if (settings.cloud)
    cloud_.emplace(*settings.cloud);
  if (settings.keep_layers && !exact())
    kept_ = std::make_unique<RecordLog>(workdir, FileKind::kQueue, "layers", state_bytes_, block_bytes_, kPartBlocks);
}

DelayedSet::~DelayedSet() {
  budget_.release(buffer_bytes_);
}

Word DelayedSet::signature(const Word* state) const {
  return hash_state(state, words_, settings_.seed) >> (64 - settings_.signature_bits);
}

bool DelayedSet::insert(unsigned thread, const Word* states, std::size_t count, std::vector<std::uint32_t>& fresh) {
  bool fine = true;
  gate_.enter(thread);
  for (std::size_t begin = 0; begin < count && fine; begin += kBatch) {
    if (gate_.wanted()) {
      gate_.leave(thread);
      gate_.enter(thread);
    }
    fine = insert_batch(thread, states, {begin, std::min(count, begin + kBatch)}, fresh);
  }
  gate_.leave(thread);
  return fine && !failed_.load(std::memory_order_relaxed);
}

// Inserts at most kBatch states. What is in M must be in the unchecked queue, too, before a check can come.
bool DelayedSet::insert_batch(unsigned thread, const Word* states, NumberRange batch,
                              std::vector<std::uint32_t>& fresh) {
  Word signatures[kBatch];
  std::uint64_t hashes[kBatch];
  const std::size_t key_words = recent_.key_words();
  const Word* keys = exact() ? states + batch.begin * words_ : signatures;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!exact())
      signatures[i] = signature(states + (batch.begin + i) * words_);
    hashes[i] = recent_.hash(keys + i * key_words);
    recent_.prefetch(hashes[i]);
  }
  std::size_t enqueued = fresh.size();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    RecentTable::Added added = RecentTable::Added::kNoRoom;
    while ((added = recent_.insert(thread, keys + i * key_words, hashes[i])) == RecentTable::Added::kNoRoom) {
      enqueue_unchecked(states, fresh, enqueued);
      enqueued = fresh.size();
      if (!make_room(thread))
        return false;
    }
    if (added == RecentTable::Added::kNew)
      fresh.push_back(static_cast<std::uint32_t>(batch.begin + i));
  }
  enqueue_unchecked(states, fresh, enqueued);
  return true;
}

void DelayedSet::enqueue_unchecked(const Word* states, const std::vector<std::uint32_t>& fresh, std::size_t from) {
  if (exact() || from == fresh.size())
    return;
  const std::lock_guard lock(unchecked_mutex_);
  Status status;
  for (std::size_t i = from; i < fresh.size() && status.is_ok(); ++i)
    status = unchecked_.push(reinterpret_cast<const std::uint8_t*>(states + fresh[i] * words_));
  if (!status.is_ok())
    fail(status);
}

bool DelayedSet::make_room(unsigned thread) {
  if (recent_.entries_max() == 0 || buffer_bytes_ == 0)
    return false;  // not even the least of it fits
  gate_.change(thread, [this] {
    if (!failed_ && !recent_.has_room() && !recent_.grow())
      check();
    return 0;
  });
  return !failed_;
}

void DelayedSet::check() {
  if (recent_.end() == 0 || failed_)
    return;
  recent_.close();
  if (recent_.left() == 0)
    return recent_.clear();
  ++checks_;
  ReadPlan plan;
  if (cloud_)
    plan = cloud_->plan(visited_.end());
  else
    plan.ranges.push_back({0, visited_.end(), true});
  Deleted deleted;
  Status status = delete_old(plan, deleted);
  const std::uint64_t found_new = recent_.left();
  if (status.is_ok())
    status = pass_new();
  if (!status.is_ok())
    return fail(status);
  recent_.clear();
  if (!plan.complete && found_new > 0)
    distinct_.store(false, std::memory_order_relaxed);
  if (cloud_)
    cloud_->learn(plan, deleted.in_cloud, deleted.not_in_cloud, found_new);
  size_.store(visited_.end(), std::memory_order_relaxed);
}

// The ranges are cut into pieces of whole blocks, which the threads of the check take one after the other.
Status DelayedSet::delete_old(const ReadPlan& plan, Deleted& deleted) {
  if (Status status = visited_.settle(); !status.is_ok())
    return status;
  const std::uint64_t most = kPieceBlocks * visited_.block_records();
  std::vector<ReadPlan::Range> pieces;
  for (const ReadPlan::Range& range : plan.ranges)
    for (std::uint64_t begin = range.begin; begin < range.end; begin = pieces.back().end)
      pieces.push_back({begin, std::min(range.end, (begin / most + 1) * most), range.in_cloud});
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min(scans_.size(), pieces.size()); ++i)
      helpers.emplace_back([this, i, &pieces, &next] { scan_pieces(scans_[i], pieces, next); });
    scan_pieces(scans_[0], pieces, next);
  }
  Status status;
  for (Scan& scan : scans_) {
    const Deleted found = std::exchange(scan.deleted, {});
    deleted.in_cloud += found.in_cloud;
    deleted.not_in_cloud += found.not_in_cloud;
    if (!scan.status.is_ok())
      status = scan.status;
  }
  return status;
}

void DelayedSet::scan_pieces(Scan& scan, const std::vector<ReadPlan::Range>& pieces, std::atomic<std::size_t>& next) {
  std::size_t i = 0;
  while (scan.status.is_ok() && (i = next.fetch_add(1, std::memory_order_relaxed)) < pieces.size())
    scan.status = delete_range(scan, pieces[i]);
}

Status DelayedSet::delete_range(Scan& scan, const ReadPlan::Range& range) {
  std::uint64_t& deleted = range.in_cloud ? scan.deleted.in_cloud : scan.deleted.not_in_cloud;
  const std::size_t bytes = recent_.key_bytes();
  scan.cursor.seek(range.begin);
  while (recent_.left() > 0) {
    const Result<std::span<const std::uint8_t>> records = scan.cursor.next(range.end);
    if (!records.is_ok())
      return records.status();
    const std::size_t count = records.value().size() / bytes;
    if (count == 0)
      break;
    for (std::size_t i = 0; i < count; i += kBatch)
      deleted += delete_keys(scan, records.value().data() + i * bytes, std::min(kBatch, count - i));
  }
  return Status::ok();
}

// Removes at most kBatch keys from M; how many were there.
std::uint64_t DelayedSet::delete_keys(Scan& scan, const std::uint8_t* records, std::size_t count) {
  std::uint64_t hashes[kBatch];
  const std::size_t words = recent_.key_words();
  const std::size_t bytes = recent_.key_bytes();
  for (std::size_t i = 0; i < count; ++i) {
    Word* key = scan.keys.data() + i * words;
    key[words - 1] = 0;
    std::memcpy(key, records + i * bytes, bytes);
    hashes[i] = recent_.hash(key);
    recent_.prefetch(hashes[i]);
  }
  std::uint64_t deleted = 0;
  for (std::size_t i = 0; i < count; ++i)
    deleted += recent_.remove(scan.keys.data() + i * words, hashes[i]) ? std::uint64_t{1} : 0;
  return deleted;
}

Status DelayedSet::pass_new() {
  return exact() ? pass_new_states() : pass_new_signatures();
}

Status DelayedSet::pass_new_states() {
  std::vector<Word> state(words_);
  Status status;
  for (std::uint64_t i = recent_.next_left(0); i < recent_.end() && status.is_ok(); i = recent_.next_left(i + 1)) {
    recent_.load(i, state.data());
    status = pass(state.data(), state.data());
  }
  return status;
}

// Of the states with one signature the first passes.
Status DelayedSet::pass_new_signatures() {
  std::vector<Word> states(kPopStates * words_ + 1);
  for (;;) {
    const Result<std::size_t> count = unchecked_.pop(kPopStates, reinterpret_cast<std::uint8_t*>(states.data()));
    if (!count.is_ok())
      return count.status();
    if (count.value() == 0)
      return unchecked_.clear();
    unpack_records(states.data(), count.value(), state_bytes_, words_);
    for (std::size_t i = 0; i < count.value(); ++i) {
      const Word* state = states.data() + i * words_;
      const Word key = signature(state);
      if (!recent_.remove(&key, recent_.hash(&key)))
        continue;
      if (Status status = pass(&key, state); !status.is_ok())
        return status;
    }
  }
}

Status DelayedSet::pass(const void* key, const Word* state) {
  const auto* record = reinterpret_cast<const std::uint8_t*>(state);
  Status status = visited_.append(static_cast<const std::uint8_t*>(key));
  if (status.is_ok())
    status = next_checked_->push(record);
  if (status.is_ok() && kept_)
    status = kept_->append(record);
  return status;
}

std::uint64_t DelayedSet::next_layer() {
  check();
  Status status = checked_->clear();
  std::swap(checked_, next_checked_);
  restarted_.reset();
  if (const RecordLog* log = layer_log())
    layer_ends_.push_back(log->end());
  if (!status.is_ok())
    fail(status);
  return failed_ ? 0 : checked_->size();
}

RecordLog* DelayedSet::layer_log() {
  return exact() ? &visited_ : kept_.get();
}

bool DelayedSet::restart(std::uint64_t layer) {
  if (layer_log() == nullptr)
    return false;
  restarted_.emplace(*layer_log());
  const std::uint64_t last = layer_ends_.empty() ? 0 : layer_ends_.back();
  restarted_->seek(layer == 0 ? 0 : layer - 1 < layer_ends_.size() ? layer_ends_[layer - 1] : last);
  restarted_end_ = layer < layer_ends_.size() ? layer_ends_[layer] : last;
  return true;
}

Result<std::size_t> DelayedSet::take_from_layer(std::size_t most, std::uint8_t* out) {
  const std::uint64_t end = std::min<std::uint64_t>(restarted_end_, restarted_->position() + most);
  const Result<std::span<const std::uint8_t>> records = restarted_->next(end);
  if (!records.is_ok())
    return records.status();
  if (!records.value().empty())
    std::memcpy(out, records.value().data(), records.value().size());
  return records.value().size() / state_bytes_;
}

std::size_t DelayedSet::take(unsigned, std::size_t most, Word* out) {
  std::size_t taken = 0;
  {
    const std::lock_guard lock(take_mutex_);
    if (failed_ && !restarted_)
      return 0;
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    const Result<std::size_t> count = restarted_ ? take_from_layer(most, bytes) : checked_->pop(most, bytes);
    if (!count.is_ok()) {
      fail(count.status());
      return 0;
    }
    taken = count.value();
  }
  unpack_records(out, taken, state_bytes_, words_);
  return taken;
}

void DelayedSet::fail(const Status& status) {
  const std::lock_guard lock(trouble_mutex_);
  if (trouble_.is_ok())
    trouble_ = status;
  failed_ = true;
}

Status DelayedSet::trouble() const {
  const std::lock_guard lock(trouble_mutex_);
  return trouble_;
}

double DelayedSet::omission_probability() const {
  if (exact())
    return 0;
  const auto states = static_cast<double>(size());
  return std::min(1.0, std::ldexp(states * (states + 1), -static_cast<int>(settings_.signature_bits) - 1));
}

Status DelayedSet::save(SavedSet& saved) {
  CHECK(can_save() && recent_.end() == 0);
  const auto save_as = [&saved](const char* role, const std::vector<RecordLog::Part>& parts) {
    for (const RecordLog::Part& part : parts)
      saved.files.push_back({role, part.name, part.records});
  };
  std::vector<RecordLog::Part> parts;
  if (Status status = visited_.save(parts); !status.is_ok())
    return status;
  save_as("visited", parts);
  parts.clear();
  if (Status status = checked_->save(parts); !status.is_ok())
    return status;
  save_as("checked", parts);
  saved.numbers["distinct"] = counts_distinct() ? 1 : 0;
  saved.numbers["layer_size"] = checked_->size();
  for (std::size_t i = 0; i < layer_ends_.size(); ++i)
    saved.numbers[layer_name(i)] = layer_ends_[i];
  if (cloud_)
    cloud_->save(saved);
  return Status::ok();
}

Status DelayedSet::load(const SavedSet& saved) {
  std::vector<RecordLog::Part> visited;
  std::vector<RecordLog::Part> checked;
  for (const SavedSet::SavedFile& file : saved.files) {
    if (file.role != "visited" && file.role != "checked")
      return Status::error(fmt::format("the manifest has a file for '{}', which this search does not know", file.role));
    (file.role == "visited" ? visited : checked).push_back({file.name, file.records});
  }
  if (Status status = visited_.load(visited); !status.is_ok())
    return status;
  if (Status status = checked_->load(checked); !status.is_ok())
    return status;
  for (auto found = saved.numbers.find(layer_name(0)); found != saved.numbers.end();
       found = saved.numbers.find(layer_name(layer_ends_.size())))
    layer_ends_.push_back(found->second);
  const auto distinct = saved.numbers.find("distinct");
  const auto layer_size = saved.numbers.find("layer_size");
  const bool ends_fit = std::is_sorted(layer_ends_.begin(), layer_ends_.end()) &&
                        (layer_ends_.empty() || !exact() || layer_ends_.back() == visited_.end());
  if (!ends_fit || distinct == saved.numbers.end() || layer_size == saved.numbers.end() ||
      layer_size->second != checked_->size())
    return Status::error("the manifest's numbers do not fit the files that it names");
  distinct_ = distinct->second != 0;
  size_ = visited_.end();
  return cloud_ ? cloud_->load(saved) : Status::ok();
}

}  // namespace tideline
