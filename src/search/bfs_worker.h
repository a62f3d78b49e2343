// SPDX-License-Identifier: MIT
// One thread of the breadth-first search and what the threads share. Internal to search/bfs*.
//
// W1  the visited set is shared: a worker takes states of the layer, expands them, and inserts what comes out; nothing
// passes from worker to worker.    W2  a layer ends when the set has no state of it left and all workers have inserted
// theirs; then all meet at the barrier.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "io/budget.h"
#include "search/layer_barrier.h"
#include "search/manifest.h"
#include "search/search.h"
#include "store/recent_states.h"
#include "store/state_cache.h"
#include "store/sweep_set.h"
#include "store/visited_set.h"

namespace tideline::bfs {

using Clock = std::chrono::steady_clock;

// Why a search ends before its time.
enum class Stop : std::uint8_t {
  kNo,
  kMemory,
  kTime,
  kInterrupted,
  kTrouble,
  kNoPath,  // there is a violation, and the search cannot say how to get there
};

class Worker;

struct Shared {
  Shared(const ir::Program& program, EngineSource& engines, const SearchOptions& options, const Monitor& monitor);
  ~Shared();

  // Run by the last worker to reach the barrier at the end of a layer.
  void end_layer() noexcept;
  [[nodiscard]] Figures figures() const;
  void add_sweep_figures(Figures& figures) const;
  [[nodiscard]] double seconds() const;
  // Called by worker 0 now and then: progress, engine change, limits.
  void tick();
  void request_stop(Stop why);
  [[nodiscard]] Status why_trouble() const { return trouble.is_ok() ? set->trouble() : trouble; }
  // Makes the set ready; one that is resumed goes on where the manifest says. Before the workers run.
  Status begin();
  void run_workers();

  const ir::Program& program;
  EngineSource& engines;
  const SearchOptions& options;
  const Monitor& monitor;
  MemoryBudget budget;
  std::unique_ptr<symmetry::Reduction> reduction;  // null: none
  bool has_checks = false;  // there are invariants or cover properties to evaluate in every state
  std::unique_ptr<VisitedSet> set;
  SweepSet* sweep = nullptr;  // the set, if it is one: it is told more about every step
  std::vector<std::unique_ptr<Worker>> workers;
  std::mutex engine_mutex;  // Engine::make() is called under it
  std::atomic<Engine*> engine;
  std::atomic<Stop> stop = Stop::kNo;
  bool done = false;                         // written in end_layer()
  std::uint64_t depth = 0;                   // of the layer being expanded, plus one
  std::uint64_t layer_size = 0;              // its states
  std::uint64_t error_level = 0;             // with error_is_state: distance of the error state; 0: none yet
  SearchState before;                        // what a search that is resumed had done
  Status trouble;                            // with the disk, at a checkpoint
  std::optional<std::uint64_t> only_layers;  // a second search: only layers 0 .. this one, whatever is found in them
  Clock::time_point begun = Clock::now();
  Clock::time_point last_tick = begun;

 private:
  void checkpoint();
  [[nodiscard]] SearchState state() const;
  Clock::time_point last_checkpoint_ = begun;
  double checkpoint_seconds_ = 0;  // of the last one

  struct EndLayer {
    Shared* shared;
    void operator()() noexcept { shared->end_layer(); }
  };

 public:
  LayerBarrier<EndLayer> barrier;
};

// Closes the gaps that failed entries and those outside the assumptions leave.
void keep_proper(Successors& out);

class Worker {
 public:
  Worker(Shared& shared, unsigned id);
  void run();

  [[nodiscard]] const std::optional<Candidate>& best() const { return best_; }
  // Has there been a violation after which the search does not go on? It need not be the best.
  [[nodiscard]] bool ends_search() const { return ends_search_; }
  [[nodiscard]] std::vector<std::uint8_t> covered() const;
  NextState& model() { return *model_; }
  // Null if states stand for themselves.
  symmetry::Representative* representative() { return representative_.get(); }
  // Replaces the states by their representatives, if there is a reduction.
  void canonicalise(Successors& out);

  // Read by the monitor while the worker runs.
  struct alignas(64) Counters {
    std::atomic<std::uint64_t> visited = 0;
    std::atomic<std::uint64_t> edges = 0;
    std::atomic<std::uint64_t> deadlocks = 0;
    std::atomic<std::uint64_t> errors = 0;
  };
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  void seed();
  void expand_layer();
  void wait_for_others();
  std::size_t take(std::size_t most, std::vector<Word>& sources);
  // Of the i-th state taken, in a sweep's tree.
  [[nodiscard]] std::uint64_t number_of(std::size_t i) const {
    return first_number_ == SpanningTree::kNoNumber ? first_number_ : first_number_ + i;
  }
  void expand(const Word* source, std::uint64_t number);
  void inspect(const Word* source, std::uint64_t number, std::size_t first);
  void note_source(std::uint64_t number, std::size_t first);
  void dispatch();
  void dispatch_steps();
  void make_caches();
  template <typename Cache>
  void drop_known(Cache& cache);
  void check_fresh();
  void check(const Word* state, std::uint64_t depth, std::uint64_t number);
  void offer(Candidate candidate);
  void publish();
  void change_engine();
  [[nodiscard]] bool stopped() const { return shared_.stop.load(std::memory_order_relaxed) != Stop::kNo; }

  Shared& shared_;
  unsigned id_;
  std::size_t words_;
  Engine* engine_ = nullptr;
  std::unique_ptr<NextState> model_;
  std::vector<std::uint8_t> covered_before_;                  // by models that were replaced
  std::unique_ptr<symmetry::Representative> representative_;  // null: states stand for themselves
  std::optional<StateCache> seen_;      // states before reduction, whose representatives are known
  std::vector<std::uint64_t> hashes_;   // of the states in out_
  std::optional<RecentStates> recent_;  // states as the set has them
  Successors out_;
  std::size_t batch_ = 1;                  // successors that are collected
  std::vector<SweepSet::Source> sources_;  // of the states in out_, in a sweep
  std::vector<std::uint64_t> keys_;        // the same
  std::uint64_t first_number_ = 0;         // of the states taken
  std::vector<std::uint32_t> fresh_;       // positions in out_ of the states that were new
  std::optional<Candidate> best_;
  bool ends_search_ = false;
  std::uint64_t visited_ = 0;
  std::uint64_t edges_ = 0;
  std::uint64_t deadlocks_ = 0;  // expanded states without an enabled command
  std::uint64_t errors_ = 0;     // failing commands
  std::uint64_t depth_ = 0;      // of the states being expanded plus one: where new states belong
  Counters counters_;
};

}  // namespace tideline::bfs
