// SPDX-License-Identifier: MIT
// The functions of KeySet (src/store/key_set.h), for the files that instantiate it.
#pragma once

#include <algorithm>

#include "store/key_set.h"
#include "store/packed_records.h"

namespace tideline {

template <typename Key>
KeySet<Key>::KeySet(const Key& key, unsigned threads, MemoryBudget& budget)
    : budget_(budget),
      key_(key),
      words_(std::max<std::uint64_t>(1, (key.state_bits() + 63) / 64)),
      entry_bytes_(std::max<std::uint64_t>(1, (key.state_bits() + 7) / 8)),
      threads_(threads),
      gate_(threads, [this](std::uint64_t piece) { table_.move_piece(piece); }),
      queue_(entry_bytes_, threads, budget),
      table_(key.bits(), Key::kGrowth, threads, budget),
      batches_(threads) {}

// Enters the gate with room for a batch of every thread. False, and outside, if memory ended.
template <typename Key>
bool KeySet<Key>::enter_with_room(unsigned thread) {
  const std::uint64_t more = threads_ * kBatch;
  gate_.enter(thread);
  while (!full_ && !table_.has_room(more))
    gate_.change(thread, [this, more] {
      const std::uint64_t pieces = table_.prepare_growth(more);
      full_ = pieces == 0 && !table_.has_room(more);
      return pieces;
    });
  if (full_)
    gate_.leave(thread);
  return !full_;
}

template <typename Key>
bool KeySet<Key>::insert(unsigned thread, const Word* states, std::size_t count, std::vector<std::uint32_t>& fresh) {
  std::vector<std::uint64_t>& keys = batches_[thread].keys;
  keys.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    keys[i] = key_(states + i * words_);
  for (std::size_t begin = 0; begin < count; begin += kBatch) {
    if (!enter_with_room(thread))
      return false;
    const std::size_t before = fresh.size();
    table_.insert(keys, begin, std::min(count, begin + kBatch), 0, fresh);
    gate_.leave(thread);
    bool queued = true;
    for (std::size_t i = before; i < fresh.size(); ++i) {
      const Word* state = states + fresh[i] * words_;
      queued = queued && queue_.append(thread, state);
      if (!queued)
        batches_[thread].unqueued.insert(batches_[thread].unqueued.end(), state, state + words_);
    }
    if (!queued)
      return false;
  }
  return true;
}

template <typename Key>
Status KeySet<Key>::hand_over(const HandOver& to) {
  if constexpr (Key::kHasInverse) {
    HandOverPieces pieces(PageBuffer::allocate(budget_.available() / 2, budget_), words_, 2, to);
    if (!pieces.has_room())
      return Status::error("no memory is left to move the states to disk");
    Status status;
    table_.for_each([&](std::uint64_t key) {
      if (!status.is_ok())
        return;
      *pieces.place() = key_.state_of(key);
      status = pieces.added(Known::kVisited, 1);
    });
    if (status.is_ok())
      status = pieces.flush(Known::kVisited);
    if (status.is_ok())
      status = hand_over_layer(Known::kFrontier, pieces);
    (void)queue_.next_layer();
    if (status.is_ok())
      status = hand_over_layer(Known::kNext, pieces);
    for (Batch& batch : batches_)
      if (status.is_ok() && !batch.unqueued.empty())
        status = to(Known::kNext, batch.unqueued.data(), batch.unqueued.size());
    const Status finished = pieces.finish();
    return status.is_ok() ? finished : status;
  } else {
    return VisitedSet::hand_over(to);
  }
}

// What is left in the queue of the layer being taken.
template <typename Key>
Status KeySet<Key>::hand_over_layer(Known what, HandOverPieces& pieces) {
  while (const std::size_t count = take(0, pieces.free(), pieces.place()))
    if (Status status = pieces.added(what, count); !status.is_ok())
      return status;
  return pieces.flush(what);
}

template <typename Key>
std::size_t KeySet<Key>::take(unsigned thread, std::size_t most, Word* out) {
  const std::size_t taken = queue_.take(thread, most, out);
  unpack_records(out, taken, entry_bytes_, words_);
  return taken;
}

}  // namespace tideline
