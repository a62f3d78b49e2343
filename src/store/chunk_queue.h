// SPDX-License-Identifier: MIT
// The queue of a visited set that does not keep its states: a first-in first-out queue in two layers, one being taken
// from, one being appended to. Entries of a fixed size lie in chunks; a chunk that has been taken is used again or
// given back. Every thread has a lane of its own, to which it appends; it takes from its own first and from others'
// when that is empty, so threads meet only at the end of a layer. With one thread, entries come out in the order in
// which they went in.
//
// Q1  an entry is taken at most once, in the layer after the one in which it was appended.
// Cost: the entries, and at most four chunks per thread. Threads: append() and take() by all at once, each with its
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
    Chunk& chunk = lanes_[thread].filling;
    if (chunk.count == per_chunk_ && !start_chunk(thread))
      return false;
    std::memcpy(chunk.pages.data() + chunk.count++ * entry_bytes_, entry, entry_bytes_);
    return true;
  }
  // Copies up to `most` entries of the current layer, one behind the other, to `out`; how many. 0: none is left.
  std::size_t take(unsigned thread, std::size_t most, void* out);
  // What was appended becomes the current layer; its size. What was left of the old one is dropped.
  std::uint64_t next_layer();
  // Calls change(entry) for every entry that is in the queue; it may be overwritten.
  template <typename Change>
  void for_each(const Change& change) {
    for (Lane& lane : lanes_) {
      for (std::size_t i = 0; i < lane.current.size(); ++i)
        change_chunk(lane.current[i], i == 0 ? lane.taken : 0, change);
      for (Chunk& chunk : lane.full)
        change_chunk(chunk, 0, change);
      change_chunk(lane.filling, lane.filling.pages.data() == nullptr ? per_chunk_ : 0, change);
    }
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Chunk {
    PageBuffer pages;
    std::size_t count = 0;
  };
  struct alignas(64) Lane {
    std::mutex mutex;           // of `current` and `taken`, from which others may take
    std::deque<Chunk> current;  // of the layer being taken from; the first chunk is taken up to `taken`
    std::size_t taken = 0;
    std::deque<Chunk> full;  // of the layer being appended to
    Chunk filling;           // count == per_chunk_ and no pages: none
    std::vector<PageBuffer> spare;
  };

  template <typename Change>
  void change_chunk(Chunk& chunk, std::size_t begin, const Change& change) {
    for (std::size_t i = begin; i < chunk.count; ++i)
      change(chunk.pages.data() + i * entry_bytes_);
  }
  // Puts the thread's full chunk behind its others and gives it an empty one.
  bool start_chunk(unsigned thread);
  std::size_t take_from(Lane& lane, Lane& own, std::size_t most, std::uint8_t* out);
  // Keeps the pages for a later chunk of the lane, or gives them back.
  void recycle(Lane& lane, PageBuffer pages);

  std::size_t entry_bytes_;
  std::size_t per_chunk_;  // entries
  MemoryBudget& budget_;
  std::vector<Lane> lanes_;  // per thread
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace tideline
