// SPDX-License-Identifier: MIT
// The visited set of one owner: a StateArray and an index over it. The index is an open-addressing table of 64-byte
// buckets (one cache line): twelve 8-bit tags, a count, twelve 32-bit state numbers. A full bucket overflows into the
// next. A match of tags is only a hint: equality is always decided on the whole state, so the set is exact.
//
// No state is copied when the index grows: the old index is dropped first and the new one is filled from the array,
// whose hashes are computed again; there is never room needed for both.
//
// V1  a state is in the array once.    V2  a bucket that is not full ends every probe sequence that reaches it.
// V3  state numbers are below 2^32; beyond that insert() reports that the table is full.
// Cost: one cache miss for a new state (its bucket), two for a known one (bucket, state); both are prefetched in
// batches. Memory: 64 / 12 / load bytes per state beside the array, load 0.42 to 0.84. Threads: one.
#pragma once

#include <cstdint>
#include <vector>

#include "store/state_array.h"
#include "store/state_hash.h"

namespace tideline {

class VisitedTable {
 public:
  VisitedTable(std::uint64_t state_bits, MemoryBudget& budget);

  // Inserts `count` states (words() words each, one behind the other) with their hashes. Appends to `fresh` the
  // positions (0..count-1) of those that were not in the set. False if memory ended: positions up to some point were
  // handled, none of the others inserted.
  [[nodiscard]] bool insert(const Word* states, const std::uint64_t* hashes, std::size_t count,
                            std::vector<std::uint32_t>& fresh);

  [[nodiscard]] bool contains(const Word* state) const;
  [[nodiscard]] const StateArray& states() const { return states_; }
  [[nodiscard]] std::uint64_t bytes() const { return states_.bytes() + index_.size(); }

 private:
  static constexpr unsigned kSlots = 12;
  struct alignas(64) Bucket {
    std::uint8_t tags[kSlots];
    std::uint32_t count;
    std::uint32_t numbers[kSlots];
  };
  static_assert(sizeof(Bucket) == 64);

  static std::uint8_t tag_of(std::uint64_t hash) { return static_cast<std::uint8_t>(hash >> 16); }
  [[nodiscard]] std::uint64_t bucket_of(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(hash) * bucket_count_) >> 64);
  }
  [[nodiscard]] Bucket* buckets() const { return reinterpret_cast<Bucket*>(index_.data()); }
  // Bit k is set if slot k is in use and has the tag.
  static unsigned matches(const Bucket& bucket, std::uint8_t tag);
  // Finds the state, or the bucket where it belongs.
  [[nodiscard]] bool find(const Word* state, std::uint64_t hash, Bucket*& bucket) const;
  void prefetch_candidate(std::uint64_t hash) const;
  [[nodiscard]] bool make_room();
  [[nodiscard]] bool grow_index(std::uint64_t bucket_count);
  void fill_index();

  MemoryBudget& budget_;
  StateArray states_;
  PageBuffer index_;
  std::uint64_t bucket_count_ = 0;
  std::uint64_t grow_at_ = 0;  // number of states at which the index grows
  bool index_lost_ = false;    // the system refused memory after the old index was dropped: nothing can be inserted
};

}  // namespace tideline
