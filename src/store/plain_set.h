// SPDX-License-Identifier: MIT
// The visited set that keeps whole states: one StateArray for all threads and a TagIndex over it (docs/design/bfs.md).
// A thread claims runs of state numbers and appends to its own run, so that only the index is contended, and there only
// two threads that insert into the same bucket at the same moment.
//
// No state is copied when the index grows: the threads are stopped (Gate), the old index is dropped, and the new one is
// filled from the array by all that are there.
//
// P1  a state is in the array once.    P2  numbers are below 2^32 - 1.    P3  a number above claimed_ is in no index,
// and claimed_ <= grow_at_ < slots, so a probe ends (X4). Cost: one cache miss for a new state (its bucket), two for a
// known one (bucket, state); both are prefetched in batches. Memory: ceil(bits / 8) + 64 / 12 / load bytes per state,
// load 0.42 to 0.84; per thread one run more.
#pragma once

#include <mutex>
#include <vector>

#include "store/gate.h"
#include "store/layer_ranges.h"
#include "store/state_array.h"
#include "store/tag_index.h"
#include "store/visited_set.h"

namespace tideline {

class PlainSet final : public VisitedSet {
 public:
  PlainSet(std::uint64_t state_bits, unsigned threads, MemoryBudget& budget);

  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override;
  bool restart(std::uint64_t layer) override;

  [[nodiscard]] std::uint64_t size() const override;
  [[nodiscard]] std::uint64_t bytes() const override;
  [[nodiscard]] double omission_probability() const override { return 0.0; }

 private:
  // The run of a thread: numbers begin .. next-1 are states that layers_ does not know yet, next .. end-1 are free.
  struct alignas(64) Run {
    std::uint64_t begin = 0;
    std::uint64_t next = 0;
    std::uint64_t end = 0;
    std::atomic<std::uint64_t> inserted = 0;  // states of this thread, for size()
    std::vector<std::uint64_t> hashes;        // of the states being inserted
  };

  void probe(Run& run, const Word* states, std::size_t begin, std::size_t end, std::vector<std::uint32_t>& fresh);
  [[nodiscard]] bool claim(unsigned thread, std::uint64_t count);
  enum class Claim : std::uint8_t { kDone, kNoMemory, kIndexFull };
  [[nodiscard]] Claim try_claim(unsigned thread, std::uint64_t count);
  void log_runs();
  std::uint64_t grow();
  [[nodiscard]] bool grow_index();
  void fill(NumberRange range);

  MemoryBudget& budget_;
  StateArray states_;
  TagIndex index_;
  LayerRanges layers_;
  std::vector<Run> runs_;  // one per thread
  std::mutex claim_mutex_;
  std::uint64_t claimed_ = 0;                   // numbers that belong to runs; under claim_mutex_
  std::uint64_t grow_at_ = 0;                   // where claimed_ must stop until the index has grown
  bool full_ = false;                           // the index cannot grow
  bool lost_ = false;                           // the system refused memory after the old index was dropped
  std::atomic<std::uint64_t> index_bytes_ = 0;  // for bytes()
  std::vector<NumberRange> to_fill_;            // pieces of the growth under way
  Gate gate_;
};

}  // namespace tideline
