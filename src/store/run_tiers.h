// SPDX-License-Identifier: MIT
// Sorted runs of geometrically growing sizes, as in a log-structured merge tree [oneil.96.ai]: when the youngest have
// similar sizes they become one. So each state is merged a logarithmic number of times, and there is a logarithmic
// number of runs, each of which needs buffers when it is read.
//
// Runs are merged in the background, while the next layers are expanded, and younger ones can be merged meanwhile. A
// merge is taken over when it is done, at the end of a layer, and waited for when too much has happened since: what is
// read from the disk depends on timing, what is in the runs does not. What had to go to a file because the merged runs
// were in RAM is loaded when they are gone.
//
// T1  the runs are disjoint, the oldest first.    T2  the runs of a merge stay until it is taken over: what it makes
// has exactly their states (CHECK).    Threads: one; runs() may be read by several between its calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <vector>

#include "em/merge.h"

namespace tideline {

// Where those of the youngest runs begin that are to be merged: several of similar size. runs.size(): not yet.
std::size_t first_to_merge(const std::vector<RunPointer>& runs, std::size_t not_before = 0);

class RunTiers {
 public:
  RunTiers(Workdir& workdir, RunMemory& memory) : workdir_(workdir), memory_(memory) {}
  ~RunTiers();
  RunTiers(const RunTiers&) = delete;
  RunTiers& operator=(const RunTiers&) = delete;

  // Read at once from a run on disk when it is merged.
  void set_read_ahead(std::size_t bytes) { read_ahead_ = bytes; }
  [[nodiscard]] const std::vector<RunPointer>& runs() const { return runs_; }
  void push_back(RunPointer run) { runs_.push_back(std::move(run)); }
  // Begins to merge the youngest runs, if it is time.
  void begin_merge();
  // So many states were expanded: takes over the merges that are done or due.
  Status note_expanded(std::uint64_t states);
  // Brings runs into RAM as long as there is room, the oldest first. While nothing is merged.
  Status load();
  // Waits for all merges, and moves runs to files, the oldest first, until the memory of runs is at most so many bytes.
  Status shrink_to(std::uint64_t bytes);

 private:
  struct Merging {
    std::size_t first = 0;
    std::size_t end = 0;
    std::uint64_t records = 0;
    std::uint64_t due = 0;  // in states to be expanded
    std::future<Result<RunPointer>> merged;
  };
  Status take_over(std::size_t which);

  Workdir& workdir_;
  RunMemory& memory_;
  std::size_t read_ahead_ = 0;
  std::vector<RunPointer> runs_;
  std::atomic<bool> abandoned_ = false;
  std::vector<Merging> merging_;  // of older runs first
};

}  // namespace tideline
