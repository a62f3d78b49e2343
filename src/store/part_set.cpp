// SPDX-License-Identifier: MIT
#include "store/part_set.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "em/state_order.h"
#include "store/state_hash.h"

namespace tideline {
namespace {

// States whose buckets are on their way at once.
constexpr std::size_t kAhead = 16;
// States routed together.
constexpr std::size_t kGroup = 512;
// Parts of the memory that is there at begin(), in hundredths; the table has the rest.
constexpr std::uint64_t kCacheShare = 15;
constexpr std::uint64_t kQueueShare = 12;
constexpr std::uint64_t kRunsShare = 8;
constexpr std::uint64_t kIndexShare = 3;  // of the files' blocks, which have keys as long as states
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;  // of cache and queue: pages cost time, too
constexpr std::uint64_t kLeastBytes = std::uint64_t{64} << 10;
constexpr std::size_t kReadAhead = std::size_t{128} << 10;
// The table's layers: what was loaded, nothing, and then what is found.
constexpr std::uint64_t kFirstLayer = 1;

}  // namespace

PartSet::PartSet(PartSetOptions options, Workdir& workdir, MemoryBudget& budget)
    : words_(std::max<std::uint64_t>(1, (options.state_bits + 63) / 64)),
      options_(std::move(options)),
      budget_(budget),
      files_(words_, workdir, budget),
      lanes_(options_.threads),
      gate_(options_.threads, [](std::uint64_t) {}) {}

PartSet::~PartSet() {
  budget_.release(index_bytes_);
}

Status PartSet::begin() {
  const std::uint64_t available = budget_.available();
  const std::uint64_t least = std::max<std::uint64_t>(kLeastBytes, 8 * words_ * sizeof(Word) + 64);
  const auto share = [&](std::uint64_t part) { return std::max(std::min(available * part / 100, kMostBytes), least); };
  PageBuffer cache = PageBuffer::allocate(share(kCacheShare), budget_);
  PageBuffer room = PageBuffer::allocate(share(kQueueShare), budget_);
  if (cache.data() == nullptr || room.data() == nullptr)
    return Status::error("the memory budget is too small for a search by parts; --memory raises it");
  queue_.emplace(options_.state_bits, options_.threads, std::move(room), std::move(cache));
  if (budget_.charge(available * kIndexShare / 100))
    index_bytes_ = available * kIndexShare / 100;
  const std::uint64_t run_bytes = available * kRunsShare / 100;
  files_.memory().set_bytes_max(options_.run_bytes_max == 0 ? run_bytes : std::min(run_bytes, options_.run_bytes_max));
  show();
  if (resumed_ && next_part() == 0 && !in_trouble())
    return Status::error("the stopped search has nothing left to do");
  return trouble();
}

void PartSet::fail(const Status& status) {
  if (status.is_ok())
    return;
  const std::lock_guard lock(trouble_mutex_);
  if (trouble_.is_ok())
    trouble_ = status;
  in_trouble_.store(true, std::memory_order_release);
}

Status PartSet::trouble() const {
  if (!in_trouble_.load(std::memory_order_acquire))
    return Status::ok();
  const std::lock_guard lock(trouble_mutex_);
  return trouble_;
}

bool PartSet::insert(unsigned thread, const Word* states, std::size_t count, std::vector<std::uint32_t>& fresh) {
  std::size_t group = std::min(kGroup, queue_->capacity());
  if (options_.part_states_max != 0)
    group = std::min<std::size_t>(group, options_.part_states_max);
  gate_.enter(thread);
  for (std::size_t begin = 0; begin < count && !in_trouble(); begin += group)
    insert_group(thread, states, begin, std::min(count, begin + group), fresh);
  gate_.leave(thread);
  return !in_trouble();
}

// The states of the current part go to the table, the others to the queue; if the table is full, all do.
void PartSet::insert_group(unsigned thread, const Word* states, std::size_t begin, std::size_t end,
                           std::vector<std::uint32_t>& fresh) {
  Lane& lane = lanes_[thread];
  route(lane, states, begin, end);
  if (!lane.own_at.empty() && !insert_own(thread, lane, fresh)) {
    gate_.change(thread, [this] {
      if (current_ != kNone)  // else another thread has seen to it
        fail(split_current());
      return 0;
    });
    lane.cross_at.insert(lane.cross_at.end(), lane.own_at.begin(), lane.own_at.end());
  }
  queue_cross(thread, lane, states, fresh);
}

void PartSet::route(Lane& lane, const Word* states, std::size_t begin, std::size_t end) const {
  lane.own.clear();
  lane.own_at.clear();
  lane.cross_at.clear();
  const PartTree& tree = files_.tree();
  for (std::size_t i = begin; i < end; ++i) {
    const Word* state = states + i * words_;
    if (tree.part_of(state) == current_) {
      lane.own.insert(lane.own.end(), state, state + words_);
      lane.own_at.push_back(static_cast<std::uint32_t>(i));
    } else {
      lane.cross_at.push_back(static_cast<std::uint32_t>(i));
    }
  }
}

bool PartSet::is_full() const {
  return options_.part_states_max != 0 && table_->size() >= std::max<std::uint64_t>(2, options_.part_states_max);
}

// False if the table has no room for all of them; those that it took are known to it.
bool PartSet::insert_own(unsigned thread, Lane& lane, std::vector<std::uint32_t>& fresh) {
  if (is_full())
    return false;
  lane.own.push_back(0);  // one readable word behind
  lane.own_fresh.clear();
  const bool done = table_->insert(thread, lane.own.data(), lane.own_at.size(), lane.own_fresh);
  for (const std::uint32_t i : lane.own_fresh)
    fresh.push_back(lane.own_at[i]);
  size_.fetch_add(lane.own_fresh.size(), std::memory_order_relaxed);
  return done;
}

void PartSet::queue_cross(unsigned thread, Lane& lane, const Word* states, std::vector<std::uint32_t>& fresh) {
  const std::size_t count = lane.cross_at.size();
  const auto state = [&](std::size_t i) { return states + lane.cross_at[i] * words_; };
  lane.hashes.resize(count);
  lane.cross.clear();
  for (std::size_t i = 0; i < count; ++i) {
    lane.hashes[i] = index_hash(state(i), words_);
    if (i < kAhead)
      queue_->prefetch(lane.hashes[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kAhead < count)
      queue_->prefetch(lane.hashes[i + kAhead]);
    if (queue_->seen(lane.hashes[i], state(i)))
      continue;
    lane.cross.insert(lane.cross.end(), state(i), state(i) + words_);
    fresh.push_back(lane.cross_at[i]);
  }
  const std::size_t queued = lane.cross.size() / words_;
  while (!in_trouble() && !queue_->append(lane.cross.data(), queued))
    gate_.change(thread, [this, queued] {
      if (!queue_->has_room(queued))
        fail(spill(false));
      return 0;
    });
}

// Candidates become runs: those of the parts that have most, until half of the memory is free, or all.
Status PartSet::spill(bool all) {
  std::vector<PartQueue::Group> groups = queue_->groups(files_.tree());
  std::sort(groups.begin(), groups.end(), [](const PartQueue::Group& a, const PartQueue::Group& b) {
    return a.count != b.count ? a.count < b.count : a.part < b.part;
  });
  std::size_t left = 0;
  for (const PartQueue::Group& group : groups)
    left += group.count;
  while (!groups.empty() && (all || left > queue_->capacity() / 2)) {
    PartQueue::Group& most = groups.back();
    left -= most.count;
    queue_->sort(most);
    if (Status status = files_.add_queue(most.part, most.states, most.count); !status.is_ok())
      return status;
    groups.pop_back();
  }
  queue_->keep(groups);
  return Status::ok();
}

std::size_t PartSet::take(unsigned thread, std::size_t most, Word* out) {
  gate_.enter(thread);
  const std::size_t count = current_ == kNone || in_trouble() ? 0 : table_->take(thread, most, out);
  gate_.leave(thread);
  return count;
}

std::uint64_t PartSet::next_layer() {
  at_border_ = false;
  if (in_trouble())
    return 0;
  if (current_ != kNone) {
    if (const std::uint64_t count = table_->next_layer(); count > 0) {
      show();
      return count;
    }
    fail(flush());
  }
  return in_trouble() ? 0 : next_part();
}

// Brings in one part after the other until one has new states; how many. 0: all is done, or trouble.
std::uint64_t PartSet::next_part() {
  for (;;) {
    const Result<PartNumber> part = choose_part();
    if (!part.is_ok())
      fail(part.status());
    if (!part.is_ok() || part.value() == kNone)
      return 0;
    const Load loaded = load_part(part.value());
    if (loaded == Load::kFull)
      fail(current_ != kNone ? split_current() : files_.split(part.value(), options_.slots, options_.expand));
    if (in_trouble())
      return 0;
    if (loaded == Load::kFull)
      continue;
    if (const std::uint64_t count = table_->next_layer(); count > 0) {
      at_border_ = true;
      show();
      return count;
    }
    drop_table();  // all candidates were known
  }
}

// The part with the most candidates, all of which are in its runs afterwards; kNone: there are none.
Result<PartNumber> PartSet::choose_part() {
  files_.charge_indexes();
  std::vector<std::uint64_t> waiting;
  for (const PartRuns& part : files_.parts())
    waiting.push_back(part.queued_states());
  std::vector<PartQueue::Group> groups = queue_->groups(files_.tree());
  for (const PartQueue::Group& group : groups)
    waiting[group.part] += group.count;
  const auto most = std::max_element(waiting.begin(), waiting.end());
  const auto part = static_cast<PartNumber>(most - waiting.begin());
  const auto own = std::find_if(groups.begin(), groups.end(), [part](const auto& group) { return group.part == part; });
  if (*most > 0 && own != groups.end()) {
    queue_->sort(*own);
    if (Status status = files_.add_queue(part, own->states, own->count); !status.is_ok())
      return status;
    groups.erase(own);
  }
  queue_->keep(groups);
  return *most == 0 ? kNone : part;
}

// kFull: if current_ is kNone its visited states do not fit, else its candidates.
PartSet::Load PartSet::load_part(PartNumber number) {
  ++loads_;
  table_ = std::make_unique<PlainSet>(options_.state_bits, options_.threads, budget_);
  PartRuns& part = files_.part(number);
  table_->expect(part.visited_states() + part.visited_states() / 8);
  Load loaded = load_runs(part.visited, false);
  if (loaded != Load::kDone) {
    drop_table();
    return loaded;
  }
  for (std::uint64_t i = 0; i <= kFirstLayer; ++i)
    table_->next_layer();
  current_ = number;
  loaded = load_runs(part.queue, true);
  if (loaded == Load::kDone)
    absorbed_ = std::move(part.queue);
  if (loaded == Load::kDone)
    part.queue.clear();
  return loaded;
}

PartSet::Load PartSet::load_runs(const std::vector<RunPointer>& runs, bool candidates) {
  const std::size_t most =
      candidates && options_.part_states_max != 0 ? std::min<std::size_t>(kGroup, options_.part_states_max) : kGroup;
  std::vector<Word> states;
  states.reserve(most * words_ + 1);
  for (const RunPointer& run : runs) {
    RunCursor cursor(run, kReadAhead);
    cursor.begin();
    while (!cursor.at_end()) {
      states.clear();
      for (; states.size() < most * words_ && !cursor.at_end(); cursor.next())
        states.insert(states.end(), cursor.state(), cursor.state() + words_);
      if (!load_batch(states, candidates))
        return Load::kFull;
    }
    if (!cursor.status().is_ok()) {
      fail(cursor.status());
      return Load::kTrouble;
    }
  }
  return Load::kDone;
}

// False if there is no room.
bool PartSet::load_batch(const std::vector<Word>& states, bool candidates) {
  if (candidates && is_full())
    return false;
  loaded_.clear();
  const bool done = table_->insert(0, states.data(), states.size() / words_, loaded_);
  if (candidates)
    size_.fetch_add(loaded_.size(), std::memory_order_relaxed);
  else
    CHECK(!done || loaded_.size() == states.size() / words_);  // F1
  return done;
}

void PartSet::drop_table() {
  table_.reset();
  absorbed_.clear();
  current_ = kNone;
}

// What is new in the table goes to the part's runs: visited, or candidates if it was not taken (V4).
Status PartSet::flush() {
  show();
  Status status = table_->hand_over_since(kFirstLayer, [this](Known what, Word* states, std::size_t count) {
    if (count == 0)
      return Status::ok();
    sort_states(states, count, words_);
    if (what == Known::kVisited)
      return files_.add_visited(current_, states, count);
    size_.fetch_sub(count, std::memory_order_relaxed);
    return files_.add_queue(current_, states, count);
  });
  drop_table();
  return status;
}

Status PartSet::split_current() {
  const PartNumber part = current_;
  if (Status status = flush(); !status.is_ok())
    return status;
  return files_.split(part, options_.slots, options_.expand);
}

Status PartSet::save(SavedSet& out) {
  if (Status status = spill(true); !status.is_ok())
    return status;
  return files_.save(out, current_, absorbed_);
}

Status PartSet::load(const SavedSet& saved) {
  resumed_ = true;
  Status status = files_.load(saved);
  std::uint64_t states = 0;
  for (const PartRuns& part : files_.parts())
    states += part.visited_states();
  size_.store(states, std::memory_order_relaxed);
  return status;
}

void PartSet::show() {
  const std::uint64_t table = table_ ? table_->bytes() : 0;
  bytes_.store(table + queue_->bytes() + files_.memory().used(), std::memory_order_relaxed);
  const std::uint64_t states = table_ ? table_->size() : 0;
  peak_states_.store(std::max(peak_states(), states), std::memory_order_relaxed);
}

}  // namespace tideline
