// SPDX-License-Identifier: MIT
#include "store/chunk_queue.h"

#include <algorithm>
#include <utility>

namespace tideline {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;
// Chunks that a lane keeps for later.
constexpr std::size_t kSpareMost = 2;

}  // namespace

ChunkQueue::ChunkQueue(std::size_t entry_bytes, unsigned threads, MemoryBudget& budget)
    : entry_bytes_(entry_bytes),
      per_chunk_(std::max<std::size_t>(1, kChunkBytes / entry_bytes)),
      budget_(budget),
      lanes_(threads) {
  for (Lane& lane : lanes_)
    lane.filling.count = per_chunk_;
}

bool ChunkQueue::start_chunk(unsigned thread) {
  Lane& lane = lanes_[thread];
  PageBuffer pages;
  if (!lane.spare.empty()) {
    pages = std::move(lane.spare.back());
    lane.spare.pop_back();
  } else {
    pages = PageBuffer::allocate(std::max(kChunkBytes, entry_bytes_), budget_);
    if (pages.data() == nullptr)
      return false;
    bytes_.fetch_add(pages.size(), std::memory_order_relaxed);
  }
  if (lane.filling.pages.data() != nullptr)
    lane.full.push_back(std::exchange(lane.filling, {}));
  lane.filling.pages = std::move(pages);
  lane.filling.count = 0;
  return true;
}

void ChunkQueue::recycle(Lane& lane, PageBuffer pages) {
  if (lane.spare.size() < kSpareMost)
    lane.spare.push_back(std::move(pages));
  else
    bytes_.fetch_sub(pages.size(), std::memory_order_relaxed);
}

std::size_t ChunkQueue::take(unsigned thread, std::size_t most, void* out) {
  auto* to = static_cast<std::uint8_t*>(out);
  std::size_t count = 0;
  for (std::size_t i = 0; i < lanes_.size() && count == 0; ++i)
    count = take_from(lanes_[(thread + i) % lanes_.size()], lanes_[thread], most, to);
  return count;
}

std::size_t ChunkQueue::take_from(Lane& lane, Lane& own, std::size_t most, std::uint8_t* out) {
  const std::lock_guard lock(lane.mutex);
  std::size_t count = 0;
  while (count < most && !lane.current.empty()) {
    Chunk& chunk = lane.current.front();
    const std::size_t some = std::min(most - count, chunk.count - lane.taken);
    if (some > 0)
      std::memcpy(out + count * entry_bytes_, chunk.pages.data() + lane.taken * entry_bytes_, some * entry_bytes_);
    count += some;
    lane.taken += some;
    if (lane.taken < chunk.count)
      break;
    recycle(own, std::move(chunk.pages));
    lane.current.pop_front();
    lane.taken = 0;
  }
  return count;
}

std::uint64_t ChunkQueue::next_layer() {
  std::uint64_t size = 0;
  for (Lane& lane : lanes_) {
    for (Chunk& chunk : lane.current)
      recycle(lane, std::move(chunk.pages));
    lane.current.clear();
    lane.taken = 0;
    lane.current.swap(lane.full);
    if (lane.filling.pages.data() != nullptr) {
      lane.current.push_back(std::move(lane.filling));
      lane.filling.count = per_chunk_;
    }
    for (const Chunk& chunk : lane.current)
      size += chunk.count;
  }
  return size;
}

}  // namespace tideline
