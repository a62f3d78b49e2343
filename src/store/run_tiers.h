// SPDX-License-Identifier: MIT
// Sorted runs of geometrically growing sizes, as in a log-structured merge tree [oneil.96.ai]: when the youngest have
// similar sizes they become one. So each state is merged a logarithmic number of times, and there is a logarithmic
// number of runs, each of which needs buffers when it is read.
//
// Runs are merged in the background, while the next layers are expanded, and younger ones can be merged meanwhile. A
// merge is taken over when it is done, at the end of a layer, and waited for when too much has happened since: what is
// read from the disk depends on timing, what is in the runs does not. What had to go to a file because the merged runs
// were in RAM is loaded when they are gone. What is merged becomes an automaton in RAM where that is smaller than the
// compressed runs were.
//
// T1  the runs are disjoint; older ones are rather in front.    T2  the runs of a merge stay until it is taken over:
// what it makes has exactly their states (CHECK).    Threads: one; runs() may be read by several between its calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <mutex>
#include <vector>

#include "em/merge.h"

namespace tideline {

// Where those of the youngest runs begin that are to be merged: several of similar size. runs.size(): not yet.
std::size_t first_to_merge(const std::vector<RunPointer>& runs, std::size_t not_before = 0);

class RunTiers {
 public:
  // `automaton_states_min`: not 0: so many states are merged into an automaton, even if that is larger than the runs.
  RunTiers(Workdir& workdir, RunMemory& memory, std::uint64_t automaton_states_min = 0);
  ~RunTiers();
  RunTiers(const RunTiers&) = delete;
  RunTiers& operator=(const RunTiers&) = delete;

  // Read at once from a run on disk when it is merged.
  void set_read_ahead(std::size_t bytes) { read_ahead_ = bytes; }
  [[nodiscard]] const std::vector<RunPointer>& runs() const { return runs_; }
  void push_back(RunPointer run) { runs_.push_back(std::move(run)); }
  // All runs, for others to take their place. No merge is under way.
  std::vector<RunPointer> release();
  // For runs that come from elsewhere: merges them at once if they are to be merged and not too many, and brings them
  // into RAM as long as there is room.
  Status settle();
  // Begins to merge the youngest runs, if it is time.
  void begin_merge();
  // Brings runs that had to go to files back into RAM where there is room now. While no thread looks anything up.
  Status bring_back();
  // So many states were expanded: takes over the merges that are done or due.
  Status note_expanded(std::uint64_t states);
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
  // Attempts to make automata, as they were so far. Threads: all at once.
  struct Attempts {
    std::mutex mutex;
    std::uint64_t records_min = 0;                      // fewer came out larger than the runs
    std::uint64_t records_refused = ~std::uint64_t{0};  // so many did not fit, and might into
    std::uint64_t bytes_refused = 0;
    [[nodiscard]] std::uint64_t bytes_wanted(std::uint64_t records) const {
      return records < records_refused ? 0 : bytes_refused;
    }
    std::uint64_t largest = 0;  // in bytes, of those that were made
  };
  // A run in a file that could be an automaton in RAM, with about so many bytes.
  struct Waiting {
    RunPointer run;
    std::uint64_t bytes;
  };
  void begin(std::size_t first, std::size_t end);
  void begin_waiting();
  Result<RunPointer> merge(const std::vector<RunPointer>& runs);
  [[nodiscard]] bool is_worth_an_attempt(std::uint64_t records);
  void note_attempt(std::uint64_t records, const AutomatonMerge& attempt);
  [[nodiscard]] bool has_room_for_automaton(std::uint64_t bytes) const;
  Status take_over(std::size_t which);
  Status bring_into_ram(const RunPointer& run);

  Workdir& workdir_;
  RunMemory& memory_;
  bool always_automata_;
  std::size_t read_ahead_ = 0;
  std::vector<RunPointer> runs_;
  std::vector<Waiting> waiting_;
  Attempts attempts_;
  std::atomic<bool> abandoned_ = false;
  std::vector<Merging> merging_;  // of older runs first
};

}  // namespace tideline
