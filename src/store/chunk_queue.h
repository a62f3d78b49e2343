// SPDX-License-Identifier: MIT
// The queue of a visited set that does not keep its states: a first-in first-out queue in two layers, one being taken
// from, one being appended to. Entries of a fixed size lie in chunks; a chunk that has been taken is used again or
// given back. With one thread, entries come out in the order in which they went in.
//
// Q1  an entry is taken at most once, in the layer after the one in which it was appended.
// Cost: the entries, and at most three chunks per thread. Threads: append() and take() by all at once, each with its
// own number; the rest by one thread while no other is in the queue, but for bytes().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <vector>

#include "io/budget.h"

namespace tideline {

class ChunkQueue {
 public:
  ChunkQueue(std::size_t entry_bytes, unsigned threads, MemoryBudget& budget);

  // False if memory ended.
  [[nodiscard]] bool append(unsigned thread, const void* entry) {
    Chunk& chunk = filling_[thread].chunk;
    if (chunk.count == per_chunk_ && !start_chunk(thread))
      return false;
    std::memcpy(chunk.pages.data() + chunk.count++ * entry_bytes_, entry, entry_bytes_);
    return true;
  }
  // Copies up to `most` entries of the current layer, one behind the other, to `out`; how many. 0: none is left.
  std::size_t take(std::size_t most, void* out);
  // What was appended becomes the current layer; its size. What was left of the old one is dropped.
  std::uint64_t next_layer();
  // Calls change(entry) for every entry that is in the queue; it may be overwritten.
  template <typename Change>
  void for_each(const Change& change) {
    for (std::size_t i = 0; i < current_.size(); ++i)
      change_chunk(current_[i], i == 0 ? taken_ : 0, change);
    for (Chunk& chunk : full_)
      change_chunk(chunk, 0, change);
    for (Filling& filling : filling_)
      change_chunk(filling.chunk, filling.chunk.pages.data() == nullptr ? per_chunk_ : 0, change);
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Chunk {
    PageBuffer pages;
    std::size_t count = 0;
  };
  struct alignas(64) Filling {
    Chunk chunk;
  };

  template <typename Change>
  void change_chunk(Chunk& chunk, std::size_t begin, const Change& change) {
    for (std::size_t i = begin; i < chunk.count; ++i)
      change(chunk.pages.data() + i * entry_bytes_);
  }
  // Puts the thread's full chunk into full_ and gives it an empty one.
  bool start_chunk(unsigned thread);
  // Keeps the pages for a later chunk, or gives them back.
  void recycle(Chunk chunk);

  std::size_t entry_bytes_;
  std::size_t per_chunk_;  // entries
  MemoryBudget& budget_;
  std::mutex mutex_;           // of current_, taken_, full_, spare_
  std::deque<Chunk> current_;  // the layer being taken from; its first chunk is taken up to taken_
  std::size_t taken_ = 0;
  std::deque<Chunk> full_;        // of the layer being appended to
  std::vector<Filling> filling_;  // per thread; count == per_chunk_ and no pages: none
  std::vector<PageBuffer> spare_;
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace tideline
