// SPDX-License-Identifier: MIT
// The targets of regress edges [kristensen.02.fme], as sorted files: those found in the current sweep (P), and all of
// them (AP). At the end of a sweep the new ones (NP) are P without AP, by one merge of sorted sequences; they are the
// roots of the next sweep [evangelista.12.spin].
//
// A state that was a root has been expanded, or will be in this sweep: it need not be expanded again when a later sweep
// comes to it. The generalised sweep-line method has that, because its persistent states stay in memory; Algorithm 1 of
// Evangelista and Kristensen gave it up. Here, at the beginning of a layer, its old persistent states are read from
// their runs (take_layer()).
//
// N1  AP's runs are disjoint.    N2  a state is a root of one sweep at most. Cost: AP is read at most twice per sweep.
// Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "em/keyed_record.h"
#include "em/keyed_runs.h"
#include "store/position_index.h"
#include "store/visited_set.h"

namespace tideline {

class PersistentStates {
 public:
  // `found_max`: states found in RAM before they are sorted; 0: by the budget.
  PersistentStates(std::uint64_t state_bits, bool with_origins, std::uint64_t found_max, Workdir& workdir,
                   MemoryBudget& budget);

  // The target of a regress edge. `hash`: index_hash() of the state.
  Status add(const Word* state, std::uint64_t hash, std::uint64_t key, std::uint64_t origin);
  // Ends a sweep: the roots of the next one, as keyed records. Null: there are none.
  Result<RunPointer> end_sweep();
  // The states of the layer that were roots of an earlier sweep than this one. Keys grow during a sweep.
  Status take_layer(std::uint64_t key, const KeyedRuns::Take& take) { return old_.take(key, take); }
  [[nodiscard]] bool has_old() const { return !old_.empty(); }
  // AP's states: of those found in this sweep only the end of it tells.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // Found in this sweep and still in RAM.
  [[nodiscard]] std::uint64_t ram_states() const { return found_; }
  [[nodiscard]] std::uint64_t bytes() const { return room_.size() + index_.bytes(); }

  // Writes and syncs all of it; load() makes a new object equal to this one.
  Status save(SavedSet& out);
  Status load(const SavedSet& saved);

 private:
  Status sort_found();
  Status add_sorted(RunPointer run, std::size_t level);
  Result<RunPointer> merge_unique(const std::vector<RunPointer>& runs);
  [[nodiscard]] std::vector<RunPointer> all_sorted() const;
  Status compact();
  void begin_sweep();
  Result<RunPointer> subtract_all(std::vector<std::unique_ptr<SortedSource>> found, std::uint64_t expected);

  KeyedRecord record_;
  Workdir& workdir_;
  RunMemory no_memory_;  // files are files
  std::uint64_t found_max_;
  PageBuffer room_;  // P's states that are in no run yet
  std::uint64_t found_ = 0;
  PositionIndex index_;                          // of them
  std::vector<std::vector<RunPointer>> sorted_;  // P's others: runs by level, each made of so many of the one below
  std::vector<RunPointer> all_;                  // AP; the last is the roots of this sweep, if has_roots_
  bool has_roots_ = false;
  KeyedRuns old_;  // AP without those roots
  std::uint64_t size_ = 0;
};

}  // namespace tideline
