// SPDX-License-Identifier: MIT
#include "store/plain_set.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "store/state_hash.h"

namespace tideline {
namespace {

constexpr std::uint64_t kFirstBuckets = 256;
constexpr std::uint64_t kStatesMax = std::numeric_limits<std::uint32_t>::max();
// Load factors in percent: grow at the first; go on to the second if the budget refuses to grow.
constexpr std::uint64_t kLoadWanted = 84;
constexpr std::uint64_t kLoadMost = 95;
// States probed between two looks at the gate and at the run.
constexpr std::size_t kProbeGroup = 32;
// How far ahead of the state being probed buckets, and then states, are fetched: far enough to hide a cache miss.
constexpr std::size_t kBucketAhead = 32;
constexpr std::size_t kStateAhead = 12;
// A run is an eighth of what there is, shared among the threads, between these bounds.
constexpr std::uint64_t kRunBytesMax = std::uint64_t{64} << 10;
constexpr std::uint64_t kRunStatesMin = 2 * kProbeGroup;
// States that one thread enters into a new index before it asks for more.
constexpr std::uint64_t kFillPiece = 4096;

}  // namespace

PlainSet::PlainSet(std::uint64_t state_bits, unsigned threads, MemoryBudget& budget)
    : budget_(budget),
      states_(state_bits, budget),
      index_(threads == 1),
      layers_(threads),
      runs_(threads),
      gate_(threads, [this](std::uint64_t piece) { fill(to_fill_[piece]); }) {}

bool PlainSet::insert(unsigned thread, const Word* states, std::size_t count, std::vector<std::uint32_t>& fresh) {
  Run& run = runs_[thread];
  const std::size_t words = states_.words();
  run.hashes.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    run.hashes[i] = index_hash(states + i * words, words);
  bool room = true;
  gate_.enter(thread);
  for (std::size_t begin = 0; begin < count; begin += kProbeGroup) {
    const std::size_t end = std::min(count, begin + kProbeGroup);
    if (gate_.wanted()) {
      gate_.leave(thread);
      gate_.enter(thread);
    }
    room = claim(thread, end - begin);
    if (!room)
      break;
    probe(run, states, begin, end, fresh);
  }
  gate_.leave(thread);
  return room;
}

// Looks up states begin .. end-1 and appends the new ones to the run, which has room for all of them. The buckets of
// states further on are on their way meanwhile, and the states that those may be equal to.
void PlainSet::probe(Run& run, const Word* states, std::size_t begin, std::size_t end,
                     std::vector<std::uint32_t>& fresh) {
  const std::size_t words = states_.words();
  const std::vector<std::uint64_t>& hashes = run.hashes;
  const std::size_t count = hashes.size();
  const std::uint64_t first = run.next;
  if (begin == 0)
    for (std::size_t i = 0; i < std::min(kBucketAhead, count); ++i)
      index_.prefetch(hashes[i]);
  for (std::size_t i = begin; i < end; ++i) {
    if (i + kBucketAhead < count)
      index_.prefetch(hashes[i + kBucketAhead]);
    if (i + kStateAhead < count)
      index_.first_candidate(hashes[i + kStateAhead], [this](std::uint32_t number) { states_.prefetch(number); });
    const Word* state = states + i * words;
    const bool added = index_.insert(
        hashes[i], static_cast<std::uint32_t>(run.next),
        [this, state](std::uint32_t number) { return states_.equals(number, state); },
        [this, state, &run] { states_.store(run.next, state); });
    if (!added)
      continue;
    ++run.next;
    fresh.push_back(static_cast<std::uint32_t>(i));
  }
  run.inserted.store(run.inserted.load(std::memory_order_relaxed) + run.next - first, std::memory_order_relaxed);
}

// Room for `count` more states in the thread's run. False if memory ended.
bool PlainSet::claim(unsigned thread, std::uint64_t count) {
  const Run& run = runs_[thread];
  while (!lost_ && run.end - run.next < count) {
    const Claim claimed = try_claim(thread, count);
    if (claimed == Claim::kNoMemory)
      return false;
    if (claimed == Claim::kIndexFull)
      gate_.change(thread, [this] { return grow(); });
  }
  return !lost_;
}

PlainSet::Claim PlainSet::try_claim(unsigned thread, std::uint64_t count) {
  const std::lock_guard lock(claim_mutex_);
  const std::uint64_t room = grow_at_ - claimed_;
  if (room < count)
    return full_ ? Claim::kNoMemory : Claim::kIndexFull;
  const std::uint64_t most = std::max(kRunStatesMin, kRunBytesMax / states_.stride());
  const std::uint64_t wanted = std::clamp(claimed_ / (8 * runs_.size()), kRunStatesMin, most);
  std::uint64_t size = std::min(wanted, room);
  if (!states_.reserve(claimed_ + size)) {
    size = count;
    if (!states_.reserve(claimed_ + size))
      return Claim::kNoMemory;
  }
  CHECK(claimed_ + size <= kStatesMax);  // P2: a number that wrapped would make a new state look known
  Run& run = runs_[thread];
  if (run.end != claimed_) {  // another thread's numbers lie between: the few that are left of the old run stay unused
    layers_.add(thread, {run.begin, run.next});
    run.begin = run.next = claimed_;
  }
  claimed_ += size;
  run.end = claimed_;
  return Claim::kDone;
}

// Tells layers_ about all states.
void PlainSet::log_runs() {
  for (unsigned thread = 0; thread < runs_.size(); ++thread) {
    Run& run = runs_[thread];
    layers_.add(thread, {run.begin, run.next});
    run.begin = run.next;
  }
}

std::size_t PlainSet::take(unsigned /*thread*/, std::size_t most, Word* out) {
  const std::size_t words = states_.words();
  return layers_.take(most, [this, words, &out](NumberRange range) {
    for (std::uint64_t number = range.begin; number < range.end; ++number, out += words)
      states_.load(number, out);
  });
}

std::uint64_t PlainSet::next_layer() {
  log_runs();
  return layers_.next_layer();
}

bool PlainSet::restart(std::uint64_t layer) {
  layers_.restart(layer);
  return true;
}

std::uint64_t PlainSet::size() const {
  std::uint64_t states = 0;
  for (const Run& run : runs_)
    states += run.inserted.load(std::memory_order_relaxed);
  return states;
}

std::uint64_t PlainSet::bytes() const {
  return states_.bytes() + index_bytes_.load(std::memory_order_relaxed);
}

// Grows the index, or, if there is no memory for that, fills it further. Runs alone; the number of pieces to fill.
std::uint64_t PlainSet::grow() {
  to_fill_.clear();
  if (full_ || grow_at_ - claimed_ >= kProbeGroup)  // another thread has seen to it
    return 0;
  if (!grow_index()) {
    const std::uint64_t most = std::min(kStatesMax, index_.slots() * kLoadMost / 100);
    full_ = grow_at_ >= most || most - claimed_ < kProbeGroup;
    grow_at_ = std::max(grow_at_, most);
    return 0;
  }
  grow_at_ = std::min(kStatesMax, index_.slots() * kLoadWanted / 100);
  index_bytes_.store(TagIndex::bytes_for(index_.buckets()), std::memory_order_relaxed);
  log_runs();
  to_fill_ = layers_.pieces(kFillPiece);
  return to_fill_.size();
}

bool PlainSet::grow_index() {
  if (claimed_ + kProbeGroup > kStatesMax)
    return false;
  const std::uint64_t now = index_.buckets();
  for (const std::uint64_t percent : {200U, 150U, 120U}) {
    if (index_.replace(std::max(kFirstBuckets, now * percent / 100), budget_))
      return true;
    if (index_.buckets() != now) {
      lost_ = true;
      return false;
    }
  }
  return false;
}

// Enters states into an index that has none of them; the buckets of the next ones are on their way meanwhile.
void PlainSet::fill(NumberRange range) {
  std::vector<Word> state(states_.words() + 1);
  std::uint64_t hashes[kBucketAhead] = {};
  for (std::uint64_t i = range.begin; i < range.end + kBucketAhead; ++i) {
    std::uint64_t& hash = hashes[i % kBucketAhead];
    if (i >= range.begin + kBucketAhead)
      index_.insert(
          hash, static_cast<std::uint32_t>(i - kBucketAhead), [](std::uint32_t) { return false; }, [] {});
    if (i >= range.end)
      continue;
    states_.load(i, state.data());
    hash = index_hash(state.data(), states_.words());
    index_.prefetch(hash);
  }
}

}  // namespace tideline
