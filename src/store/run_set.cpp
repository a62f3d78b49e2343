// SPDX-License-Identifier: MIT
#include "store/run_set.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/check.h"
#include "em/merge.h"
#include "em/state_order.h"

namespace tideline {
namespace {

// States whose buckets are on their way at once.
constexpr std::size_t kAhead = 16;
// States that are probed at once.
constexpr std::size_t kGroup = 256;
// Parts of the memory that is there at begin(), in hundredths; the rest is for cursors, indexes and buffers. Some 30
// cursors of two merges, the spills of a layer and the threads that look up have each as much as is read at once
// (kReadAheadPart) and a block: 4 hundredths, and more where states and so indexes are larger.
constexpr std::uint64_t kCacheShare = 22;
constexpr std::uint64_t kFilterShare = 28;
constexpr std::uint64_t kShortCacheShare = 20;
constexpr std::uint64_t kShortFilterShare = 32;
constexpr std::uint64_t kCandidatesShare = 10;
constexpr std::uint64_t kRunsShare = 29;
constexpr std::uint64_t kSmallStateRunsShare = 36;
constexpr std::uint64_t kShortRunsShare = 34;
constexpr std::size_t kSmallStateWords = 4;
// The filter grows in steps, each to twice its size, when it has fewer bits per state; it begins with more. What it
// does not have is the runs'.
constexpr unsigned kFilterSteps = 4;
constexpr std::uint64_t kFilterBits = 5;
constexpr std::uint64_t kFirstFilterBits = 8;
// The memory of candidates: one part is filled, the other becomes a run.
constexpr std::uint64_t kHalves = 2;
// The least bytes of a cache; where candidates are limited, it has room for so many times as many.
constexpr std::uint64_t kCacheMin = std::uint64_t{1} << 16;
constexpr std::uint64_t kCachePerCandidate = 16;
// A set that begins with few states takes at most this much, or so many times their bytes: pages that are touched at
// random must be zeroed first.
constexpr std::uint64_t kBytesFromNothing = std::uint64_t{1} << 30;
constexpr std::uint64_t kTimesStates = 64;
// At the end of a layer so many threads work at least, also for a search with fewer, which wait; each has enough to do.
constexpr std::size_t kThreadsMin = 2;
constexpr std::size_t kStatesPerThread = 4096;
// For states that are sorted again when they become others.
constexpr std::uint64_t kRemapPart = 2;
// Read at once from a run on disk: a part of the memory, within bounds.
constexpr std::uint64_t kReadAheadPart = 1024;
constexpr std::uint64_t kReadAheadMin = std::uint64_t{16} << 10;
constexpr std::uint64_t kReadAheadMax = std::uint64_t{256} << 10;

// Adds hashes to a filter a little later, when their lines have come.
class FilterFeed {
 public:
  explicit FilterFeed(StateFilter& filter) : filter_(filter) {}
  ~FilterFeed() {
    for (std::size_t i = 0; i < std::min(count_, kAhead); ++i)
      filter_.add(hashes_[i]);
  }
  FilterFeed(const FilterFeed&) = delete;
  FilterFeed& operator=(const FilterFeed&) = delete;
  void add(std::uint64_t hash) {
    filter_.prefetch(hash);
    std::uint64_t& slot = hashes_[count_ % kAhead];
    if (count_ >= kAhead)
      filter_.add(slot);
    slot = hash;
    ++count_;
  }

 private:
  StateFilter& filter_;
  std::uint64_t hashes_[kAhead] = {};
  std::size_t count_ = 0;
};

// Runs task(0) .. task(count-1), each in a thread of its own.
template <typename Task>
void in_parallel(std::size_t count, const Task& task) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < count; ++i)
    threads.emplace_back([&task, i] { task(i); });
  if (count > 0)
    task(0);
}

}  // namespace

RunSet::RunSet(const RunSetOptions& options, Workdir& workdir, MemoryBudget& budget)
    : words_(std::max<std::uint64_t>(1, (options.state_bits + 63) / 64)),
      options_(options),
      workdir_(workdir),
      budget_(budget),
      memory_(budget, 0),
      regions_(options.threads),
      spilling_(options.threads),
      tiers_(workdir, memory_, options.automaton_states_min),
      gate_(options.threads, [](std::uint64_t) {}) {}

RunSet::~RunSet() = default;

Status RunSet::begin() {
  const std::uint64_t available =
      std::min(budget_.available(), std::max(kBytesFromNothing, size() * words_ * sizeof(Word) * kTimesStates));
  read_ahead_ = std::clamp(available / kReadAheadPart, kReadAheadMin, kReadAheadMax);
  tiers_.set_read_ahead(read_ahead_);
  const std::uint64_t state_bytes = words_ * sizeof(Word);
  std::uint64_t candidates = available * kCandidatesShare / 100 / state_bytes / options_.threads / kHalves;
  if (options_.candidates_max != 0)
    candidates = std::min(candidates, options_.candidates_max);
  candidates = std::max<std::uint64_t>(candidates, 1);
  candidates_ = PageBuffer::allocate(kHalves * candidates * state_bytes * options_.threads + sizeof(Word), budget_);
  const auto cache_bytes = [&](std::uint64_t share) {
    const std::uint64_t bytes = available * share / 100;
    const std::uint64_t most = kHalves * candidates * options_.threads * state_bytes * kCachePerCandidate;
    return std::max(options_.candidates_max != 0 ? std::min(bytes, most) : bytes, kCacheMin);
  };
  const bool is_short = ShortCache::fits(options_.state_bits, cache_bytes(kShortCacheShare));
  PageBuffer cache = PageBuffer::allocate(cache_bytes(is_short ? kShortCacheShare : kCacheShare), budget_);
  if (candidates_.data() == nullptr || cache.data() == nullptr)
    return Status::error("the memory budget is too small for a search on disk; --memory raises it");
  if (is_short)
    short_cache_.emplace(options_.state_bits, options_.threads == 1, std::move(cache));
  else
    cache_.emplace(options_.state_bits, options_.threads == 1, std::move(cache));
  auto* room = reinterpret_cast<Word*>(candidates_.data());
  for (std::vector<Region>* half : {&regions_, &spilling_})
    for (Region& region : *half) {
      region = {room, candidates, 0, 0};
      room += candidates * words_;
    }
  const std::uint64_t small_share = is_short ? kShortRunsShare : kSmallStateRunsShare;
  run_bytes_least_ = available * (words_ <= kSmallStateWords ? small_share : kRunsShare) / 100;
  if (options_.run_bytes_max != 0)
    run_bytes_least_ = options_.run_bytes_max;
  filter_bytes_max_ = available * (is_short ? kShortFilterShare : kFilterShare) / 100;
  if (options_.filter_bytes_max != 0)
    filter_bytes_max_ = std::min(filter_bytes_max_, options_.filter_bytes_max);
  for (filter_steps_ = kFilterSteps; filter_steps_ > 0 && filter_bytes() * 8 < kFirstFilterBits * size();)
    --filter_steps_;
  filter_ = StateFilter(PageBuffer::allocate(filter_bytes(), budget_));
  memory_.set_bytes_max(run_bytes_beside(filter_.bytes()));
  if (Status status = tiers_.settle(); !status.is_ok())
    return status;
  show_bytes();
  return fill_filter();
}

Status RunSet::suspend() {
  if (Status status = tiers_.shrink_to(~std::uint64_t{0}); !status.is_ok())
    return status;
  const bool found = std::any_of(regions_.begin(), regions_.end(),
                                 [](const Region& region) { return region.sure + region.unsure > 0; });
  if (found)
    if (Status status = spill(); !status.is_ok())
      return status;
  if (Status status = await_spill(); !status.is_ok())
    return status;
  note_peak();
  cache_.reset();
  short_cache_.reset();
  filter_ = StateFilter();
  candidates_.reset();
  for (std::vector<Region>* half : {&regions_, &spilling_})
    std::fill(half->begin(), half->end(), Region{});
  return Status::ok();
}

Status RunSet::remap(std::uint64_t state_bits, bool keeps_order, std::function<void(const Word* old, Word* now)> rule) {
  const std::size_t words = std::max<std::uint64_t>(1, (state_bits + 63) / 64);
  PageBuffer room;
  if (!keeps_order)
    room = PageBuffer::allocate(budget_.available() / kRemapPart, budget_);
  RunMap map({words_, words, keeps_order, std::move(rule)}, workdir_, memory_, read_ahead_, std::move(room));
  std::vector<RunPointer> visited = tiers_.release();
  Status status = remap_frontier(map);
  for (std::vector<RunPointer>* runs : {&visited, &next_, &sure_spills_, &unsure_spills_})
    if (status.is_ok())
      status = remap_all(*runs, map);
  for (std::vector<RunPointer>& layer : layers_)
    if (status.is_ok())
      status = remap_all(layer, map);
  for (RunPointer& run : visited)
    tiers_.push_back(std::move(run));
  words_ = words;
  options_.state_bits = state_bits;
  return status;
}

// What was taken of the frontier is left out.
Status RunSet::remap_frontier(RunMap& map) {
  std::vector<RunPointer> runs(frontier_.begin() + static_cast<std::ptrdiff_t>(frontier_at_), frontier_.end());
  std::vector<RunPointer> begun;
  if (cursor_ != nullptr) {
    Result<RunMap::Runs> rest = map.rest(*cursor_, runs.front()->records());
    if (!rest.is_ok())
      return rest.status();
    begun = std::move(rest.value());
    runs.erase(runs.begin());
    cursor_.reset();
  }
  frontier_ = std::move(runs);
  frontier_at_ = 0;
  const Status status = remap_all(frontier_, map);
  frontier_.insert(frontier_.begin(), begun.begin(), begun.end());
  return status;
}

Status RunSet::remap_all(std::vector<RunPointer>& runs, RunMap& map) {
  std::vector<RunPointer> made;
  for (RunPointer& run : runs) {
    Result<RunMap::Runs> some = map(run);
    if (!some.is_ok())
      return some.status();
    run.reset();
    made.insert(made.end(), some.value().begin(), some.value().end());
  }
  runs = std::move(made);
  return Status::ok();
}

void RunSet::fail(const Status& status) {
  if (status.is_ok())
    return;
  const std::lock_guard lock(trouble_mutex_);
  if (trouble_.is_ok())
    trouble_ = status;
  in_trouble_.store(true, std::memory_order_release);
}

Status RunSet::trouble() const {
  if (!in_trouble_.load(std::memory_order_acquire))
    return Status::ok();
  const std::lock_guard lock(trouble_mutex_);
  return trouble_;
}

// In the background; but if the last piece is not done yet, this thread has nothing better to do.
Status RunSet::adopt(Known what, Word* states, std::size_t count) {
  if (count == 0)
    return finish_adopting();
  if (adopting_.valid() && adopting_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) {
    const Status status = make_adopted(what, states, count);
    const Status finished = finish_adopting();
    return status.is_ok() ? finished : status;
  }
  if (Status status = finish_adopting(); !status.is_ok())
    return status;
  const auto policy = workdir_.env().allows_background() ? std::launch::async : std::launch::deferred;
  adopting_ = std::async(policy, [this, what, states, count] { return make_adopted(what, states, count); });
  return Status::ok();
}

Status RunSet::finish_adopting() {
  return adopting_.valid() ? adopting_.get() : Status::ok();
}

Status RunSet::make_adopted(Known what, Word* states, std::size_t count) {
  sort_states(states, count, words_);
  RunBuilder builder(workdir_, memory_, words_, count);
  for (std::size_t i = 0; i < count; ++i)
    if (Status status = builder.add(states + i * words_); !status.is_ok())
      return status;
  Result<RunPointer> run = builder.finish();
  if (!run.is_ok())
    return run.status();
  const std::lock_guard lock(adopted_mutex_);
  if (what == Known::kVisited)
    size_.fetch_add(count, std::memory_order_relaxed);
  if (what == Known::kVisited)
    tiers_.push_back(run.value());
  else
    (what == Known::kFrontier ? frontier_ : next_).push_back(run.value());
  return Status::ok();
}

bool RunSet::insert(unsigned thread, const Word* states, std::size_t count, std::vector<std::uint32_t>& fresh) {
  Region& region = regions_[thread];
  gate_.enter(thread);
  const std::size_t group = std::min<std::size_t>(kGroup, region.room);
  for (std::size_t begin = 0; begin < count; begin += group) {
    const std::size_t end = std::min(count, begin + group);
    while (region.free() < end - begin && !in_trouble_.load(std::memory_order_relaxed))
      gate_.change(thread, [this] {
        fail(spill());
        return 0;
      });
    if (in_trouble_.load(std::memory_order_relaxed))
      break;
    if (short_cache_)
      probe(*short_cache_, region, states, begin, end, fresh);
    else
      probe(*cache_, region, states, begin, end, fresh);
  }
  gate_.leave(thread);
  return !in_trouble_.load(std::memory_order_relaxed);
}

// Appends those of states begin .. end-1 that are not in the cache to the region.
template <typename Cache>
void RunSet::probe(Cache& cache, Region& region, const Word* states, std::size_t begin, std::size_t end,
                   std::vector<std::uint32_t>& fresh) {
  std::uint64_t hashes[kGroup];
  const auto prefetch = [this, &cache](std::uint64_t hash) {
    cache.prefetch(hash);
    if (filter_.is_on())
      filter_.prefetch(hash);
  };
  for (std::size_t i = begin; i < end; ++i)
    hashes[i - begin] = hash_of(states + i * words_);
  for (std::size_t i = begin; i < std::min(end, begin + kAhead); ++i)
    prefetch(hashes[i - begin]);
  for (std::size_t i = begin; i < end; ++i) {
    if (i + kAhead < end)
      prefetch(hashes[i + kAhead - begin]);
    const std::uint64_t hash = hashes[i - begin];
    const Word* state = states + i * words_;
    if (cache.test_and_set(hash, state))
      continue;
    fresh.push_back(static_cast<std::uint32_t>(i));
    if (filter_.is_on() && filter_.is_new(hash)) {
      std::memcpy(region.states + region.sure++ * words_, state, words_ * sizeof(Word));
    } else {
      ++region.unsure;
      std::memcpy(region.first_unsure(words_), state, words_ * sizeof(Word));
    }
  }
}

// Sorts both parts of the regions and drops what is there twice; the unsure ones end where they did before. Each part
// in a thread of its own, or all in this one.
void RunSet::sort_regions(std::vector<Region>& regions, bool in_background) const {
  std::vector<std::function<void()>> tasks;
  std::uint64_t states = 0;
  for (Region& region : regions) {
    states += region.sure + region.unsure;
    tasks.emplace_back([this, &region] { region.sure = sort_unique_states(region.states, region.sure, words_); });
    tasks.emplace_back([this, &region] {
      Word* unsure = region.first_unsure(words_);
      const std::uint64_t left = sort_unique_states(unsure, region.unsure, words_);
      std::memmove(unsure + (region.unsure - left) * words_, unsure, left * words_ * sizeof(Word));
      region.unsure = left;
    });
  }
  if (in_background || states < kThreadsMin * kStatesPerThread)
    std::for_each(tasks.begin(), tasks.end(), [](const auto& task) { task(); });
  else
    in_parallel(tasks.size(), [&tasks](std::size_t i) { tasks[i](); });
}

// The candidates begin to become sorted runs; the regions are empty afterwards. Runs alone.
Status RunSet::spill() {
  note_peak();
  if (Status status = await_spill(); !status.is_ok())
    return status;
  std::swap_ranges(regions_.begin(), regions_.end(), spilling_.begin());  // threads keep references to theirs
  for (const Region& region : spilling_)
    spilling_states_ += region.sure + region.unsure;
  spill_ = std::async(std::launch::async, [this] { return write_spill(); });
  return Status::ok();
}

// Waits for the spill that is under way, if there is one. Runs alone.
Status RunSet::await_spill() {
  if (!spill_.valid())
    return Status::ok();
  const Status status = spill_.get();
  spilling_states_ = 0;
  show_bytes();
  return status;
}

// In the background.
Status RunSet::write_spill() {
  sort_regions(spilling_, true);
  Sources sure;
  Sources unsure;
  for (const Region& region : spilling_) {
    sure.push_back(std::make_unique<ArraySource>(region.states, region.sure, words_));
    unsure.push_back(std::make_unique<ArraySource>(region.first_unsure(words_), region.unsure, words_));
  }
  Status status = spill_to(std::move(sure), sure_spills_);
  if (status.is_ok())
    status = spill_to(std::move(unsure), unsure_spills_);
  for (Region& region : spilling_)
    region.sure = region.unsure = 0;
  return status;
}

Status RunSet::spill_to(Sources sources, std::vector<RunPointer>& spills) {
  RunBuilder builder(workdir_, memory_, words_, spilling_.size() * spilling_.front().room);
  Merge merge(std::move(sources), words_);
  for (; !merge.at_end(); merge.next())
    if (Status status = builder.add(merge.state()); !status.is_ok())
      return status;
  Result<RunPointer> run = builder.finish();
  if (!run.is_ok())
    return run.status();
  if (run.value()->records() > 0)
    spills.push_back(run.value());
  return compact(spills);
}

// What is in the sources is new.
Status RunSet::add_to_layer(Sources sources, RunBuilder& layer) {
  Merge merge(std::move(sources), words_);
  FilterFeed feed(filter_);
  for (; !merge.at_end(); merge.next()) {
    if (filter_.is_on())
      feed.add(hash_of(merge.state()));
    if (Status status = layer.add(merge.state()); !status.is_ok())
      return status;
  }
  return merge.status();
}

std::uint64_t RunSet::next_layer() {
  if (in_trouble_.load(std::memory_order_relaxed))
    return 0;
  Status status = tiers_.note_expanded(frontier_states());
  if (status.is_ok()) {
    Result<RunPointer> layer = make_layer();
    status = layer.is_ok() ? finish_layer(layer.value()) : layer.status();
  }
  fail(status);
  return status.is_ok() ? frontier_states() : 0;
}

std::uint64_t RunSet::frontier_states() const {
  std::uint64_t states = 0;
  for (const RunPointer& run : frontier_)
    states += run->records();
  return states;
}

Result<RunPointer> RunSet::make_layer() {
  note_peak();
  if (Status status = await_spill(); !status.is_ok())
    return status;
  sort_regions(regions_, false);
  const bool spilled = !sure_spills_.empty() || !unsure_spills_.empty();
  std::uint64_t expected = 0;
  for (const Region& region : regions_)
    expected += region.sure + region.unsure;
  for (const auto* spills : {&sure_spills_, &unsure_spills_})
    for (const RunPointer& run : *spills)
      expected += run->records();
  RunBuilder builder(workdir_, memory_, words_, expected);
  const Status status = spilled ? layer_from_spills(builder) : layer_from_regions(builder);
  sure_spills_.clear();
  unsure_spills_.clear();
  for (Region& region : regions_)
    region.sure = region.unsure = 0;
  if (!status.is_ok())
    return status;
  return builder.finish();
}

Status RunSet::layer_from_regions(RunBuilder& layer) {
  Sources sources;
  for (Region& region : regions_) {
    std::size_t unsure = region.unsure;
    Word* first = region.first_unsure(words_);
    if (Status status = subtract_runs(first, unsure); !status.is_ok())
      return status;
    sources.push_back(std::make_unique<ArraySource>(region.states, region.sure, words_));
    sources.push_back(std::make_unique<ArraySource>(first, unsure, words_));
  }
  return add_to_layer(std::move(sources), layer);
}

// The merged unsure candidates come in pieces that fit the half of the memory that is free; between them, the sure
// ones.
Status RunSet::layer_from_spills(RunBuilder& layer) {
  Sources unsure;
  Sources sources;
  for (const RunPointer& run : unsure_spills_)
    unsure.push_back(std::make_unique<RunSource>(run, read_ahead_));
  for (const RunPointer& run : sure_spills_)
    sources.push_back(std::make_unique<RunSource>(run, read_ahead_));
  for (const Region& region : regions_) {
    unsure.push_back(std::make_unique<ArraySource>(region.first_unsure(words_), region.unsure, words_));
    sources.push_back(std::make_unique<ArraySource>(region.states, region.sure, words_));
  }
  const std::uint64_t room = spilling_.front().room * spilling_.size();
  sources.push_back(
      std::make_unique<Difference>(std::move(unsure), words_, std::span(spilling_.front().states, room * words_),
                                   [this](Word* states, std::size_t& count) { return subtract_runs(states, count); }));
  return add_to_layer(std::move(sources), layer);
}

// Drops the states that are in a run from a sorted array. Each thread has a part of it.
Status RunSet::subtract_runs(Word* states, std::size_t& count) {
  const std::size_t parts =
      std::clamp<std::size_t>(count / kStatesPerThread, 1, std::max<std::size_t>(kThreadsMin, options_.threads));
  std::vector<std::size_t> begins(parts + 1);
  for (std::size_t i = 0; i <= parts; ++i)
    begins[i] = count * i / parts;
  std::vector<std::size_t> left(parts);
  std::vector<Status> statuses(parts);
  in_parallel(parts, [&](std::size_t part) {
    left[part] = begins[part + 1] - begins[part];
    // The oldest first: what is in the young ones was in the cache, most likely.
    for (std::size_t i = 0; i < tiers_.runs().size() && statuses[part].is_ok(); ++i)
      statuses[part] = subtract_run(tiers_.runs()[i], states + begins[part] * words_, left[part]);
  });
  count = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    if (!statuses[part].is_ok())
      return statuses[part];
    std::memmove(states + count * words_, states + begins[part] * words_, left[part] * words_ * sizeof(Word));
    count += left[part];
  }
  return Status::ok();
}

Status RunSet::subtract_run(const RunPointer& run, Word* states, std::size_t& count) {
  RunCursor cursor(run, read_ahead_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Word* state = states + i * words_;
    if (cursor.contains(state))
      continue;
    if (kept != i)
      std::memcpy(states + kept * words_, state, words_ * sizeof(Word));
    ++kept;
  }
  count = kept;
  return cursor.status();
}

std::uint64_t RunSet::run_bytes_beside(std::uint64_t filter_bytes) const {
  if (options_.run_bytes_max != 0 && options_.filter_bytes_max == 0)
    return options_.run_bytes_max;
  return run_bytes_least_ + filter_bytes_max_ - std::min(filter_bytes, filter_bytes_max_);
}

// Between layers. A filter that cannot grow goes when it does not recognise most new states any more.
Status RunSet::tend_filter() {
  if (!filter_.is_on())
    return Status::ok();
  if (filter_steps_ > 0 && filter_.bytes() * 8 < kFilterBits * size())
    return grow_filter();
  if (!filter_.is_useful(size()))
    drop_filter();
  return Status::ok();
}

// Runs get its memory.
void RunSet::drop_filter() {
  filter_ = StateFilter();
  memory_.set_bytes_max(run_bytes_beside(0));
}

// Runs give back what they have had of the filter's share.
Status RunSet::grow_filter() {
  do
    --filter_steps_;
  while (filter_steps_ > 0 && filter_bytes() * 8 < kFilterBits * size());
  memory_.set_bytes_max(run_bytes_beside(filter_bytes()));
  if (Status status = tiers_.shrink_to(memory_.bytes_max()); !status.is_ok())
    return status;
  filter_ = StateFilter();
  filter_ = StateFilter(PageBuffer::allocate(filter_bytes(), budget_));
  return fill_filter();
}

// Enters the states of all runs; for a set that begins with some, and a filter that has grown.
Status RunSet::fill_filter() {
  if (filter_.is_on() && !filter_.is_useful(size()))
    drop_filter();
  for (std::size_t i = 0; i < tiers_.runs().size() && filter_.is_on(); ++i) {
    RunCursor cursor(tiers_.runs()[i], read_ahead_);
    FilterFeed feed(filter_);
    for (cursor.begin(); !cursor.at_end(); cursor.next())
      feed.add(hash_of(cursor.state()));
    if (!cursor.status().is_ok())
      return cursor.status();
  }
  return Status::ok();
}

Status RunSet::finish_layer(const RunPointer& layer) {
  size_.fetch_add(layer->records(), std::memory_order_relaxed);
  frontier_.clear();
  if (layer->records() > 0) {
    frontier_.push_back(layer);
    tiers_.push_back(layer);
  }
  frontier_.insert(frontier_.end(), next_.begin(), next_.end());
  next_.clear();
  frontier_at_ = 0;
  cursor_.reset();
  if (options_.keep_layers)
    layers_.push_back({layer});
  if (Status status = tend_filter(); !status.is_ok())
    return status;
  tiers_.begin_merge();
  if (Status status = tiers_.bring_back(); !status.is_ok())
    return status;
  show_bytes();
  return Status::ok();
}

// Merges runs of candidates.
Status RunSet::compact(std::vector<RunPointer>& runs) {
  const std::size_t first = first_to_merge(runs);
  if (first == runs.size())
    return Status::ok();
  const std::vector<RunPointer> some(runs.begin() + static_cast<std::ptrdiff_t>(first), runs.end());
  Result<RunPointer> merged = merge_runs(some, workdir_, memory_, read_ahead_);
  if (!merged.is_ok())
    return merged.status();
  runs.resize(first);
  runs.push_back(std::move(merged.value()));
  return Status::ok();
}

std::size_t RunSet::take(unsigned, std::size_t most, Word* out) {
  const std::lock_guard lock(frontier_mutex_);
  std::size_t taken = 0;
  while (taken < most && frontier_at_ < frontier_.size()) {
    if (cursor_ == nullptr) {
      cursor_ = std::make_unique<RunCursor>(frontier_[frontier_at_], read_ahead_);
      cursor_->begin();
    }
    for (; taken < most && !cursor_->at_end(); cursor_->next())
      std::memcpy(out + taken++ * words_, cursor_->state(), words_ * sizeof(Word));
    if (!cursor_->at_end())
      break;
    fail(cursor_->status());
    cursor_.reset();
    ++frontier_at_;
  }
  return in_trouble_.load(std::memory_order_relaxed) ? 0 : taken;
}

bool RunSet::restart(std::uint64_t layer) {
  if (!options_.keep_layers)
    return false;
  CHECK(layer < layers_.size());
  frontier_ = layers_[layer];
  frontier_at_ = 0;
  cursor_.reset();
  return true;
}

Status RunSet::save(SavedSet& out) {
  out.numbers["layer_size"] = 0;
  const std::vector<RunPointer>* lists[] = {&tiers_.runs(), &frontier_};
  for (const auto* list : lists) {
    for (const RunPointer& run : *list) {
      if (Status status = run->save(); !status.is_ok())
        return status;
      out.numbers["layer_size"] += list == &tiers_.runs() ? 0 : run->records();
      out.files.push_back({list == &tiers_.runs() ? "visited" : "frontier", run->name(), run->records()});
    }
  }
  return Status::ok();
}

Status RunSet::load(const SavedSet& saved) {
  std::map<std::string, RunPointer> opened;
  for (const SavedSet::SavedFile& file : saved.files) {
    RunPointer& run = opened[file.name];
    if (run == nullptr) {
      Result<RunPointer> result = Run::open(workdir_, file.name, words_);
      if (!result.is_ok())
        return result.status();
      run = result.value();
    }
    if (run->records() != file.records)
      return Status::error(workdir_.path_of(file.name) + " has another number of states than the manifest says");
    if (file.role == "visited") {
      tiers_.push_back(run);
      size_.fetch_add(file.records, std::memory_order_relaxed);
    } else {
      frontier_.push_back(run);
    }
  }
  return Status::ok();
}

void RunSet::note_peak() {
  if (!cache_ && !short_cache_)
    return;
  std::uint64_t states = std::min(size(), short_cache_ ? short_cache_->capacity() : cache_->capacity());
  for (const Region& region : regions_)
    states += region.sure + region.unsure;
  states += spilling_states_;
  peak_states_.store(std::max(peak_states(), states), std::memory_order_relaxed);
}

void RunSet::show_bytes() {
  std::uint64_t bytes = memory_.used() + candidates_.size() + filter_.bytes() +
                        (cache_         ? cache_->bytes()
                         : short_cache_ ? short_cache_->bytes()
                                        : 0);
  for (const RunPointer& run : tiers_.runs())
    bytes += run->index().bytes();
  bytes_.store(bytes, std::memory_order_relaxed);
}

}  // namespace tideline
