// SPDX-License-Identifier: MIT
// Candidates: states that were reached from another part than their own and wait for it. They lie unsorted in one piece
// of memory for all parts; when it is full they are grouped by part, and the largest groups are sorted, freed of
// repetitions, and go to the disk as runs (src/store/part_set.h). A cache of states queued lately drops most
// repetitions before.
//
// Q1  what seen() calls seen has been queued before, at any time: its part has seen it or will.
// Q2  a state for which seen() said no must be appended.
// Cost: a cache miss or two per candidate. Threads: seen() and append() by all at once; the rest alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "io/budget.h"
#include "store/part_tree.h"
#include "store/state_cache.h"

namespace tideline {

class PartQueue {
 public:
  // The candidates of one part.
  struct Group {
    PartNumber part = 0;
    Word* states = nullptr;
    std::size_t count = 0;
  };

  PartQueue(std::uint64_t state_bits, unsigned threads, PageBuffer room, PageBuffer cache);

  void prefetch(std::uint64_t hash) const { cache_.prefetch(hash); }
  [[nodiscard]] bool seen(std::uint64_t hash, const Word* state) { return cache_.test_and_set(hash, state); }
  // Copies the states. False, and nothing is done, if there is no room.
  [[nodiscard]] bool append(const Word* states, std::size_t count);
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool has_room(std::size_t count) const { return capacity_ - size() >= count; }
  [[nodiscard]] std::uint64_t bytes() const { return room_.size() + cache_.bytes(); }

  // All candidates by part; valid until the next append() or keep().
  std::vector<Group> groups(const PartTree& tree);
  // Sorts a group and drops repetitions.
  void sort(Group& group) const;
  // Keeps these of the groups just made and drops the others.
  void keep(const std::vector<Group>& groups);

 private:
  std::size_t words_;
  PageBuffer room_;
  StateCache cache_;
  std::size_t capacity_;
  std::atomic<std::size_t> size_ = 0;
};

}  // namespace tideline
