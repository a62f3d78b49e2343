// SPDX-License-Identifier: MIT
// The functions of ArraySet (src/store/array_set.h), for the files that instantiate it.
#pragma once

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "store/array_set.h"
#include "store/state_array.h"

namespace tideline {
template <typename Form>
bool ArraySet<Form>::insert(unsigned thread, const Word* states, std::size_t count, std::vector<std::uint32_t>& fresh) {
  Run& run = runs_[thread];
  run.hashes.resize(count);
  Cells cells;
  bool room = true;
  gate_.enter(thread);
  for (std::size_t begin = 0; begin < count && room; begin += kProbeGroup) {
    const std::size_t end = std::min(count, begin + kProbeGroup);
    if (gate_.wanted()) {
      gate_.leave(thread);
      gate_.enter(thread);
    }
    room = claim(thread, end - begin) && encode(thread, states, begin, cells);
    if (room)
      probe(run, cells.at(begin), begin, end, fresh);
  }
  gate_.leave(thread);
  return room;
}

// Sees to it that there are cells of the states from `begin` on in the form that cells have now, and hashes. They stay
// right until the thread leaves the gate. False if memory ended.
template <typename Form>
bool ArraySet<Form>::encode(unsigned thread, const Word* states, std::size_t begin, Cells& cells) {
  std::vector<std::uint64_t>& hashes = runs_[thread].hashes;
  while (cells.data == nullptr || cells.version != form_.version()) {
    cells = {form_.encode(thread, states + begin * form_.words(), hashes.size() - begin, hashes.data() + begin), begin,
             form_.cell_words(), form_.version()};
    if (cells.data != nullptr)
      break;
    bool begun = false;
    gate_.change(thread, [this, &begun]() -> std::uint64_t {
      round_ = Round::kForm;
      lost_ = lost_ || (!begun && !form_.make_room(claimed_));
      begun = true;
      return lost_ ? 0 : form_.next_pieces();
    });
    if (lost_)
      return false;
  }
  return true;
}

// Looks up states begin .. end-1, whose cells are given, and appends the new ones to the run, which has room for all of
// them. The buckets of states further on are on their way meanwhile, and the states that those may be equal to.
template <typename Form>
void ArraySet<Form>::probe(Run& run, const Word* cells, std::size_t begin, std::size_t end,
                           std::vector<std::uint32_t>& fresh) {
  StateArray& array = form_.cells();
  const std::size_t words = form_.cell_words();
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
      index_.first_candidate(hashes[i + kStateAhead], [&array](std::uint32_t number) { array.prefetch(number); });
    const Word* cell = cells + (i - begin) * words;
    const bool added = index_.insert(
        hashes[i], static_cast<std::uint32_t>(run.next),
        [&array, cell](std::uint32_t number) { return array.equals(number, cell); },
        [&array, cell, &run] { array.store(run.next, cell); });
    if (!added)
      continue;
    ++run.next;
    fresh.push_back(static_cast<std::uint32_t>(i));
  }
  run.inserted.store(run.inserted.load(std::memory_order_relaxed) + run.next - first, std::memory_order_relaxed);
}

// Room for `count` more states in the thread's run. False if memory ended.
template <typename Form>
bool ArraySet<Form>::claim(unsigned thread, std::uint64_t count) {
  const Run& run = runs_[thread];
  while (!lost_ && run.end - run.next < count) {
    const Claim claimed = try_claim(thread, count);
    if (claimed == Claim::kNoMemory)
      return false;
    if (claimed != Claim::kIndexFull)
      continue;
    bool begun = false;
    bool grown = false;
    gate_.change(thread, [this, &begun, &grown]() -> std::uint64_t {
      if (round_ == Round::kTouch)
        return begin_filling();
      round_ = Round::kForm;
      if (!std::exchange(begun, true))
        form_.put_in_order(claimed_);
      const std::uint64_t pieces = form_.next_pieces();
      return pieces > 0 || std::exchange(grown, true) ? pieces : grow();
    });
  }
  return !lost_;
}

template <typename Form>
typename ArraySet<Form>::Claim ArraySet<Form>::try_claim(unsigned thread, std::uint64_t count) {
  const std::lock_guard lock(claim_mutex_);
  const std::uint64_t room = grow_at_ - claimed_;
  if (room < count)
    return full_ ? Claim::kNoMemory : Claim::kIndexFull;
  const std::uint64_t most = std::max(kRunStatesMin, kRunBytesMax / form_.cells().stride());
  const std::uint64_t wanted = std::clamp(claimed_ / (8 * runs_.size()), kRunStatesMin, most);
  std::uint64_t size = std::min(wanted, room);
  if (!form_.cells().reserve(claimed_ + size)) {
    size = count;
    if (!form_.cells().reserve(claimed_ + size))
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
template <typename Form>
void ArraySet<Form>::log_runs() {
  for (unsigned thread = 0; thread < runs_.size(); ++thread) {
    Run& run = runs_[thread];
    layers_.add(thread, {run.begin, run.next});
    run.begin = run.next;
  }
}

template <typename Form>
std::size_t ArraySet<Form>::take(unsigned thread, std::size_t most, Word* out) {
  gate_.enter(thread);
  const std::size_t count = layers_.take(thread, most, [this, thread, &out](NumberRange range) {
    form_.decode(thread, range, out);
    out += range.size() * form_.words();
  });
  gate_.leave(thread);
  return count;
}

template <typename Form>
std::uint64_t ArraySet<Form>::next_layer() {
  log_runs();
  return layers_.next_layer();
}

template <typename Form>
bool ArraySet<Form>::restart(std::uint64_t layer) {
  layers_.restart(layer);
  return true;
}

template <typename Form>
Status ArraySet<Form>::hand_over(const HandOver& to) {
  log_runs();
  return hand_over_all(layers_.pieces(kFillPiece), 2, to);
}

template <typename Form>
Status ArraySet<Form>::hand_over_since(std::uint64_t layer, const HandOver& to) {
  log_runs();
  return hand_over_all(layers_.taken_since(layer), 1, to);
}

// The index makes room for the pieces.
template <typename Form>
Status ArraySet<Form>::hand_over_all(const std::vector<NumberRange>& visited, unsigned buffers, const HandOver& to) {
  index_.drop();
  index_bytes_.store(0, std::memory_order_relaxed);
  HandOverPieces pieces(PageBuffer::allocate(budget_.available() / 2, budget_), form_.words(), buffers, to);
  if (!pieces.has_room())
    return Status::error("no memory is left to move the states to disk");
  Status status = hand_over_ranges(Known::kVisited, visited, pieces);
  if (status.is_ok())
    status = hand_over_ranges(Known::kFrontier, layers_.rest(), pieces);
  if (status.is_ok())
    status = hand_over_ranges(Known::kNext, layers_.built(), pieces);
  const Status finished = pieces.finish();
  return status.is_ok() ? finished : status;
}

template <typename Form>
Status ArraySet<Form>::hand_over_ranges(Known what, const std::vector<NumberRange>& ranges, HandOverPieces& pieces) {
  Status status;
  for (NumberRange range : ranges) {
    while (range.size() > 0 && status.is_ok()) {
      const std::uint64_t some = std::min(range.size(), pieces.free());
      form_.decode(0, {range.begin, range.begin + some}, pieces.place());
      range.begin += some;
      status = pieces.added(what, some);
    }
  }
  return status.is_ok() ? pieces.flush(what) : status;
}

template <typename Form>
std::uint64_t ArraySet<Form>::size() const {
  std::uint64_t states = 0;
  for (const Run& run : runs_)
    states += run.inserted.load(std::memory_order_relaxed);
  return states;
}

template <typename Form>
std::uint64_t ArraySet<Form>::bytes() const {
  return form_.bytes() + index_bytes_.load(std::memory_order_relaxed);
}

// Grows the index, or, if there is no memory for that, fills it further. Runs alone; the number of pieces to touch.
template <typename Form>
std::uint64_t ArraySet<Form>::grow() {
  if (full_ || grow_at_ - claimed_ >= kProbeGroup)  // another thread has seen to it
    return 0;
  if (!grow_index()) {
    const std::uint64_t most = std::min(kStatesMax, index_.slots() * kLoadMost / 100);
    full_ = grow_at_ >= most || most - claimed_ < kProbeGroup;
    grow_at_ = std::max(grow_at_, most);
    return 0;
  }
  // An index that was filled as far as goes and has grown by a little is filled so far again.
  const std::uint64_t wanted = index_.slots() * kLoadWanted / 100;
  grow_at_ = std::min(kStatesMax, wanted >= claimed_ + kProbeGroup ? wanted : index_.slots() * kLoadMost / 100);
  CHECK(grow_at_ >= claimed_);  // P3
  index_bytes_.store(TagIndex::bytes_for(index_.buckets()), std::memory_order_relaxed);
  round_ = Round::kTouch;
  return index_.pieces_to_touch();
}

template <typename Form>
std::uint64_t ArraySet<Form>::begin_filling() {
  log_runs();
  to_fill_ = layers_.pieces(kFillPiece);
  round_ = Round::kFill;
  return to_fill_.size();
}

template <typename Form>
void ArraySet<Form>::do_piece(std::uint64_t piece) {
  switch (round_) {
    case Round::kForm:
      return form_.do_piece(piece);
    case Round::kTouch:
      return index_.touch(piece);
    case Round::kFill:
      return fill(to_fill_[piece]);
  }
}

template <typename Form>
void ArraySet<Form>::expect(std::uint64_t states) {
  CHECK(claimed_ == 0);
  const std::uint64_t buckets = states * 100 / kLoadWanted / TagIndex::kSlots + 1;
  if (buckets <= kFirstBuckets || states > kStatesMax / 2 || !index_.replace(buckets, budget_))
    return;  // it grows as it must
  grow_at_ = index_.slots() * kLoadWanted / 100;
  index_bytes_.store(TagIndex::bytes_for(index_.buckets()), std::memory_order_relaxed);
}

// Of an index that is as full as it may be just when cells have taken the rest of the memory; these may become longer,
// unless the index is full already.
template <typename Form>
std::uint64_t ArraySet<Form>::buckets_for_all_memory() const {
  __extension__ using Wide = unsigned __int128;
  const StateArray& cells = form_.cells();
  const Wide memory = Wide{budget_.available()} + TagIndex::bytes_for(index_.buckets()) + cells.bytes();
  const bool is_full = grow_at_ > index_.slots() * kLoadWanted / 100;
  const std::uint64_t cell = cells.stride() + (is_full ? 0 : Form::kMoreBytes);
  const std::uint64_t bucket = TagIndex::bytes_for(1) * 100 + kLoadMost * TagIndex::kSlots * cell;
  return static_cast<std::uint64_t>(memory * 100 / bucket);
}

template <typename Form>
bool ArraySet<Form>::grow_index() {
  if (claimed_ + kProbeGroup > kStatesMax)
    return false;
  const std::uint64_t now = index_.buckets();
  const std::uint64_t most = std::max(kFirstBuckets, buckets_for_all_memory());
  for (const std::uint64_t percent : {index_.slots() < kSlotsLarge ? kGrowthSmall : kGrowthLarge, kGrowthScarce}) {
    const std::uint64_t next = std::min(most, std::max(kFirstBuckets, now * percent / 100));
    if (next * 100 < now * kGrowthLeast)
      return false;
    if (index_.replace(next, budget_))
      return true;
    if (index_.buckets() != now) {
      lost_ = true;
      return false;
    }
  }
  return false;
}

// Enters states into an index that has none of them; the buckets of the next ones are on their way meanwhile.
template <typename Form>
void ArraySet<Form>::fill(NumberRange range) {
  std::uint64_t hashes[2][kBucketAhead] = {};
  NumberRange before = {range.begin, range.begin};
  for (unsigned turn = 0; before.begin < range.end; turn ^= 1U) {
    const NumberRange now = {before.end, std::min(range.end, before.end + kBucketAhead)};
    form_.hash(now, hashes[turn]);
    for (std::uint64_t i = 0; i < now.size(); ++i)
      index_.prefetch(hashes[turn][i]);
    for (std::uint64_t i = 0; i < before.size(); ++i)
      index_.insert(
          hashes[turn ^ 1U][i], static_cast<std::uint32_t>(before.begin + i), [](std::uint32_t) { return false; },
          [] {});
    before = now;
  }
}

}  // namespace tideline
