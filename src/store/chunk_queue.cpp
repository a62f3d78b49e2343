// SPDX-License-Identifier: MIT
#include "store/chunk_queue.h"

#include <algorithm>
#include <utility>

namespace tideline {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

}  // namespace

ChunkQueue::ChunkQueue(std::size_t entry_bytes, unsigned threads, MemoryBudget& budget)
    : entry_bytes_(entry_bytes),
      per_chunk_(std::max<std::size_t>(1, kChunkBytes / entry_bytes)),
      budget_(budget),
      filling_(threads) {
  for (Filling& filling : filling_)
    filling.chunk.count = per_chunk_;
}

bool ChunkQueue::start_chunk(unsigned thread) {
  Chunk& chunk = filling_[thread].chunk;
  const std::lock_guard lock(mutex_);
  PageBuffer pages;
  if (!spare_.empty()) {
    pages = std::move(spare_.back());
    spare_.pop_back();
  } else {
    pages = PageBuffer::allocate(std::max(kChunkBytes, entry_bytes_), budget_);
    if (pages.data() == nullptr)
      return false;
    bytes_.fetch_add(pages.size(), std::memory_order_relaxed);
  }
  if (chunk.pages.data() != nullptr)
    full_.push_back(std::exchange(chunk, {}));
  chunk.pages = std::move(pages);
  chunk.count = 0;
  return true;
}

void ChunkQueue::recycle(Chunk chunk) {
  if (spare_.size() < filling_.size()) {
    spare_.push_back(std::move(chunk.pages));
    return;
  }
  bytes_.fetch_sub(chunk.pages.size(), std::memory_order_relaxed);
  chunk.pages.reset();
}

std::size_t ChunkQueue::take(std::size_t most, void* out) {
  auto* to = static_cast<std::uint8_t*>(out);
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  while (count < most && !current_.empty()) {
    const Chunk& chunk = current_.front();
    const std::size_t some = std::min(most - count, chunk.count - taken_);
    if (some > 0)
      std::memcpy(to + count * entry_bytes_, chunk.pages.data() + taken_ * entry_bytes_, some * entry_bytes_);
    count += some;
    taken_ += some;
    if (taken_ < chunk.count)
      break;
    recycle(std::move(current_.front()));
    current_.pop_front();
    taken_ = 0;
  }
  return count;
}

std::uint64_t ChunkQueue::next_layer() {
  const std::lock_guard lock(mutex_);
  for (Chunk& chunk : current_)
    recycle(std::move(chunk));
  current_.clear();
  taken_ = 0;
  std::uint64_t size = 0;
  current_.swap(full_);
  for (Filling& filling : filling_) {
    if (filling.chunk.pages.data() == nullptr)
      continue;
    current_.push_back(std::move(filling.chunk));
    filling.chunk.count = per_chunk_;
  }
  for (const Chunk& chunk : current_)
    size += chunk.count;
  return size;
}

}  // namespace tideline
