// SPDX-License-Identifier: MIT
// The parts of a partitioned search while they are not in RAM (docs/design/partition.md): each has runs of its visited
// states and runs of candidates that wait for it, and the tree says which part a state belongs to.
//
// F1  a visited state is in one visited run of its part, once.    F2  candidates may be visited, and in several runs.
// F3  after a split every state of the old part is in the runs of the part it now belongs to.
// Cost: a split reads and writes the part once. Memory: small runs stay in RAM, up to memory().bytes_max(); per run its
// index, which charge_indexes() charges. Threads: one at a time.
#pragma once

#include <functional>
#include <vector>

#include "em/run.h"
#include "model/next_state.h"
#include "store/part_split.h"
#include "store/part_tree.h"
#include "store/visited_set.h"

namespace tideline {

struct PartRuns {
  std::vector<RunPointer> visited;
  std::vector<RunPointer> queue;
  [[nodiscard]] std::uint64_t visited_states() const;
  [[nodiscard]] std::uint64_t queued_states() const;
};

class PartFiles {
 public:
  // Appends the successors of a state, as a search sees them.
  using Expand = std::function<void(const Word* state, Successors& out)>;

  PartFiles(std::size_t words, Workdir& workdir, MemoryBudget& budget);
  ~PartFiles();
  PartFiles(const PartFiles&) = delete;
  PartFiles& operator=(const PartFiles&) = delete;

  [[nodiscard]] const PartTree& tree() const { return tree_; }
  [[nodiscard]] PartRuns& part(PartNumber number) { return parts_[number]; }
  [[nodiscard]] const std::vector<PartRuns>& parts() const { return parts_; }
  [[nodiscard]] RunMemory& memory() { return memory_; }
  // The states, sorted and all different, become a run.
  Status add_visited(PartNumber part, const Word* states, std::size_t count);
  Status add_queue(PartNumber part, const Word* states, std::size_t count);
  // Splits a part in two; an error if it has no two different states.
  Status split(PartNumber part, const std::vector<StateSlot>& slots, const Expand& expand);
  // What the indexes of the runs take is charged to the budget; called when there is room.
  void charge_indexes();

  // Writes and syncs everything. `more` are candidates of `part` that are kept, but not in its list.
  Status save(SavedSet& out, PartNumber part, const std::vector<RunPointer>& more);
  Status load(const SavedSet& saved);

 private:
  Status add(std::vector<RunPointer>& runs, const Word* states, std::size_t count);
  [[nodiscard]] std::size_t runs_max() const;
  Status sample_states(const PartRuns& part, PartSample& sample) const;
  void sample_steps(PartNumber part, const Expand& expand, PartSample& sample) const;
  Status divide(const PartSplit& split, const std::vector<RunPointer>& from, std::vector<RunPointer>& low,
                std::vector<RunPointer>& high);
  static Status save_runs(const std::vector<RunPointer>& runs, const std::string& role, SavedSet& out);

  std::size_t words_;
  Workdir& workdir_;
  MemoryBudget& budget_;
  RunMemory memory_;
  PartTree tree_;
  std::vector<PartRuns> parts_;
  std::uint64_t index_bytes_ = 0;  // charged
};

}  // namespace tideline
