// SPDX-License-Identifier: MIT
// The visited set of the generalised sweep-line method [christensen.01.tacas, kristensen.02.fme], with its queue and
// its persistent states in external memory where memory ends [evangelista.12.spin] (docs/design/sweep.md).
//
// States are expanded in the order of their progress values, one layer (states of one value) after the other. A
// successor of the same layer is looked up in the layer's table; one of a later layer waits in a queue; one of an
// earlier layer, the target of a regress edge, becomes persistent. When the layer is done its states are forgotten.
// When the queue is empty, the new persistent states are the roots of the next sweep; if there are none, every
// reachable state has been expanded at least once, and, if there was no regress edge, exactly once.
//
// For the workers this is a set with layers: the breadth-first levels within a layer of the sweep, one layer after the
// other. A layer that does not fit into memory goes on in a RunSet, on disk (delayed duplicate detection), and is
// forgotten with it.
//
// L1  all states of the current layer that were found are in the table (or the RunSet), and no others.
// L2  the queue's keys are above the current one.    L3  persistent states are never forgotten.
// Cost: docs/design/sweep.md. Threads: all at once; one works in the structures at a time, with a batch.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "store/layer_table.h"
#include "store/persistent_states.h"
#include "store/run_set.h"
#include "store/spanning_tree.h"
#include "store/sweep_queue.h"
#include "store/visited_set.h"

namespace tideline {

// One layer of one sweep, when it is done.
struct LayerProfile {
  std::uint64_t sweep = 0;
  std::uint64_t key = 0;
  std::uint64_t states = 0;
  std::uint64_t levels = 0;
  std::uint64_t waiting = 0;  // states in the queue afterwards
  std::uint64_t persistent = 0;
};

struct SweepOptions {
  std::uint64_t state_bits = 0;
  unsigned threads = 1;
  ir::CommandId commands = 1;  // they are all below this
  bool record_tree = true;     // for paths
  const char* name = "sweep";  // word of --search, for a search that is resumed
  SweepQueueOptions queue;
  std::uint64_t layer_states_max = 0;                // in RAM; 0: what the budget allows
  std::uint64_t found_states_max = 0;                // persistent states in RAM before they are sorted; the same
  std::uint64_t saved_states_max = 0;                // states sorted at once when a layer is saved; the same
  std::function<void(const LayerProfile&)> profile;  // may be empty
  std::function<void(const std::string&)> say;       // tells the user a sentence; may be empty
};

// What a sweep counts; JSON's `sweep`, and the live line.
struct SweepCounts {
  std::uint64_t sweeps = 0;
  std::uint64_t layers = 0;
  std::uint64_t persistent = 0;
  std::uint64_t regress_edges = 0;
  std::uint64_t forward_edges = 0;
  std::uint64_t stationary_edges = 0;
  std::uint64_t largest_layer = 0;
  // Now.
  std::uint64_t key = 0;
  std::uint64_t layer_of_sweep = 0;  // rank of the current layer among those of this sweep
  std::uint64_t layer_states = 0;
  std::uint64_t queue_ram = 0;
  std::uint64_t queue_disk = 0;
  std::uint64_t queue_layers = 0;  // known ones ahead, of those in RAM
};

class SweepSet final : public VisitedSet {
 public:
  // An expanded state and how many of the successors are its own.
  struct Source {
    std::uint64_t number = 0;
    std::uint64_t successors = 0;
  };
  // Successors and where they come from, in order; without sources: start states.
  struct Steps {
    const Word* states = nullptr;
    std::span<const std::uint64_t> keys;
    const std::uint64_t* commands = nullptr;
    std::span<const Source> sources;
  };

  SweepSet(SweepOptions options, Workdir& workdir, MemoryBudget& budget);

  // In place of insert() and take(), for workers that know what this set needs. `number` is that of the first state
  // taken; the others follow it (SpanningTree::kNoNumber: they have none).
  [[nodiscard]] bool insert_steps(unsigned thread, const Steps& steps);
  std::size_t take_numbered(std::size_t most, Word* out, std::uint64_t& number);

  [[nodiscard]] bool insert(unsigned, const Word*, std::size_t, std::vector<std::uint32_t>&) override { return false; }
  std::size_t take(unsigned, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override;
  bool restart(std::uint64_t) override { return false; }

  [[nodiscard]] Status trouble() const override;
  [[nodiscard]] bool can_save() const override { return at_border_; }
  [[nodiscard]] const char* saved_as() const override { return options_.name; }
  Status save(SavedSet& out) override;
  Status load(const SavedSet& saved) override;
  [[nodiscard]] bool on_disk() const override { return on_disk_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool breadth_first() const override { return false; }
  // Without regress edges no state is forgotten too early.
  [[nodiscard]] bool counts_distinct() const override;

  // States expanded and waiting; some of those that wait may be counted twice until they are taken.
  [[nodiscard]] std::uint64_t size() const override;
  [[nodiscard]] std::uint64_t bytes() const override;
  [[nodiscard]] std::uint64_t peak_states() const override { return peak_states_.load(std::memory_order_relaxed); }
  [[nodiscard]] double omission_probability() const override { return 0; }
  [[nodiscard]] SweepCounts counts() const;

  // The way to a state that take_numbered() gave; empty if there is none to be had. When nobody is in the set.
  Result<std::vector<ir::CommandId>> path_to(std::uint64_t number);

 private:
  // What one thread works with.
  struct alignas(64) Lane {
    std::vector<std::uint64_t> hashes;
  };
  Status insert_range(const Steps& steps, const std::uint64_t* hashes);
  Status insert_one(const Word* state, std::uint64_t hash, std::uint64_t key, std::uint64_t origin);
  void prefetch(std::uint64_t hash, std::uint64_t key) const;
  Status insert_stationary(const Word* state, std::uint64_t hash, std::uint64_t origin);
  Status move_layer_to_disk();
  Status give_to_disk(Known what, std::uint64_t begin, std::uint64_t end);
  Status insert_on_disk(const Word* state);
  std::uint64_t next_level();
  void end_layer();
  bool next_sweep();
  Status load_layer(std::uint64_t key);
  Status save_layer(SavedSet& out);
  Result<RunPointer> save_piece(std::uint64_t from, std::uint64_t count);
  [[nodiscard]] std::uint64_t number_of(std::uint64_t position) const { return base_ + (position - closed_); }
  void note_peak();
  bool check(Status status);

  std::size_t words_;
  SweepOptions options_;
  KeyedRecord record_;
  Workdir& workdir_;
  MemoryBudget& budget_;
  std::unique_ptr<SpanningTree> tree_;  // null: not wanted
  SweepQueue queue_;
  PersistentStates persistent_;
  std::unique_ptr<LayerTable> table_;    // null while the layer is on disk
  std::vector<RunPointer> saved_layer_;  // for the last manifest
  PageBuffer reserve_;                   // memory for the change to the disk, and to save a layer; not touched before
  std::unique_ptr<RunSet> disk_layer_;
  std::vector<std::uint32_t> ignored_;  // RunSet's fresh positions

  mutable std::mutex mutex_;  // of all that is here
  bool seeding_ = true;       // start states come
  std::uint64_t key_ = 0;     // of the current layer
  std::uint64_t base_ = 0;    // number of the layer's first state
  std::uint64_t closed_ = 0;  // states of the table that are not expanded: old persistent ones
  std::uint64_t taken_ = 0;   // position behind the last that was taken
  std::uint64_t level_end_ = 0;
  std::uint64_t levels_ = 0;  // of the layer so far
  std::uint64_t layer_expanded_ = 0;
  std::uint64_t expanded_ = 0;
  SweepCounts counts_;
  Status trouble_;
  std::vector<Lane> lanes_;
  std::atomic<bool> on_disk_ = false;
  std::atomic<std::uint64_t> peak_states_ = 0;
  bool at_border_ = false;
};

}  // namespace tideline
