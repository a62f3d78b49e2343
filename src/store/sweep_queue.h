// SPDX-License-Identifier: MIT
// The states that wait for the sweep-line, on disk but for a part in RAM: external array heaps [brengel.99.wae] as
// Evangelista and Kristensen use them [evangelista.12.spin], and with other numbers our own queue.
//
// A state is inserted in RAM. When RAM holds T states, the B with the largest keys are sorted and written as a file of
// level 0; when a level has mu files they are merged into one of the next level. A layer is taken from RAM and from
// every file that has states of it. Deviations: the part in RAM is a hash table with a list per layer in place of two
// balanced trees, so a state that waits there is found again and not queued twice; states that wait in several files
// are dropped when these are merged, and otherwise by the table of the layer; a file's next states are in RAM (one
// block of it, at most K of them) only once its first layer was reached.
//
// With the paper's T, B, K and mu this is the paper's queue. Ours takes T and mu from the budget; then hardly ever
// anything is merged, and a state that waits on disk is written once and read once (docs/design/sweep.md).
//
// Q1  a state waits in RAM at most once, and in files at most once per file.    Q2  files are sorted (keyed_record.h).
// Threads: one.
#pragma once

#include <cstdint>
#include <functional>

#include "em/keyed_record.h"
#include "em/keyed_runs.h"
#include "store/future_states.h"
#include "store/visited_set.h"

namespace tideline {

struct SweepQueueOptions {
  std::uint64_t ram_states_max = 0;    // T; 0: what its share of the budget allows
  std::uint64_t spill_states = 0;      // B; 0: half of what is in RAM
  std::uint32_t block_states_max = 0;  // K; 0: no limit but the block's bytes
  std::uint64_t level_files = 0;       // mu; 0: by the budget
};

class SweepQueue {
 public:
  using Take = std::function<Status(const Word* state, std::uint64_t origin)>;

  SweepQueue(const SweepQueueOptions& options, std::uint64_t state_bits, bool with_origins, Workdir& workdir,
             MemoryBudget& budget);

  [[nodiscard]] bool empty() const { return future_.empty() && files_.empty(); }
  [[nodiscard]] std::uint64_t least_key() const;
  // States in RAM, those in the open blocks of files included; and on disk.
  [[nodiscard]] std::uint64_t ram_states() const { return future_.size() + files_.buffered(); }
  [[nodiscard]] std::uint64_t disk_states() const { return files_.size(); }
  [[nodiscard]] std::uint64_t layers_in_ram() const { return future_.layers(); }
  [[nodiscard]] std::uint64_t bytes() const { return future_.bytes() + room_.size(); }
  [[nodiscard]] bool used_disk() const { return used_disk_; }

  void prefetch(std::uint64_t hash) const { future_.prefetch(hash); }
  // `hash`: index_hash() of the state.
  Status insert(const Word* state, std::uint64_t hash, std::uint64_t key, std::uint64_t origin);
  // Removes the states of the layer; some may come several times.
  Status take_layer(std::uint64_t key, const Take& take);
  // States that wait from now on, too, sorted records in a run.
  void add_run(RunPointer run) { files_.add(std::move(run), kRootLevel); }
  // Puts all that is in RAM on disk.
  Status spill_all();

  // After spill_all(): its files, synced.
  Status save(SavedSet& out, const std::string& role) const;

 private:
  static constexpr unsigned kRootLevel = 1U << 16;  // is never merged

  Status spill(std::uint64_t count);
  Status write_room(std::size_t records);
  Status close_run();
  Status make_slot(unsigned level);
  Status merge_level(unsigned level);
  Status add_unique(RunBuilder& builder, const Word* record);

  KeyedRecord record_;
  Workdir& workdir_;
  std::uint64_t ram_bytes_max_;
  std::uint64_t ram_states_max_;
  std::uint64_t spill_states_;
  std::uint32_t block_states_max_;
  std::uint64_t level_files_;
  RunMemory no_memory_;  // files are files
  FutureStates future_;
  KeyedRuns files_;
  PageBuffer room_;  // where records are sorted
  std::unique_ptr<RunBuilder> builder_;
  std::vector<Word> last_;  // record that builder_ got
  bool used_disk_ = false;
};

}  // namespace tideline
