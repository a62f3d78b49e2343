// SPDX-License-Identifier: MIT
// The visited set of our own search on disk: delayed duplicate detection [stern.98.cav, korf.04.aaai] over visited
// states in sorted, compressed runs of geometrically growing sizes (run_tiers.h; docs/design/runs.md).
//
// A new state is looked up in a cache of recent states; what is not there is a candidate. A filter over all visited
// states says of most candidates that they are new. At the end of a layer the others are sorted and looked up in the
// runs; what is not there makes, with the new ones, the next layer: a run of its own, which is read again as the
// frontier. Candidates that outgrow their memory become sorted runs, too, before the layer ends: their memory has two
// halves, and while one is filled a thread in the background sorts and writes the other. Runs stay in RAM, compressed,
// as long as there is room; they have what the filter does not need yet, which grows with the states.
//
// We differ from Stern and Dill: the table in RAM is a cache and may forget, visited states are sorted and compressed,
// and only blocks that can hold a candidate are decompressed.
//
// U1  a visited state is in one run of tiers_, once; the layers are disjoint.    U2  the frontier's states are visited;
// its runs may be some of tiers_, or runs of its own.    U3  nothing is lost when the cache forgets: what is not in it
// is looked up in the runs.    U4  while candidates are written in the background, only that thread is at spilling_ and
// the spills. Cost: docs/design/runs.md. Threads: see visited_set.h; next_layer() makes threads of its own.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "em/merge.h"
#include "em/run.h"
#include "io/workdir.h"
#include "store/gate.h"
#include "store/run_map.h"
#include "store/run_tiers.h"
#include "store/short_cache.h"
#include "store/state_cache.h"
#include "store/state_filter.h"
#include "store/state_hash.h"
#include "store/visited_set.h"

namespace tideline {

struct RunSetOptions {
  std::uint64_t state_bits = 0;
  unsigned threads = 1;
  bool keep_layers = false;          // for restart()
  std::uint64_t candidates_max = 0;  // states per thread and half; 0: what the budget allows
  std::uint64_t run_bytes_max = 0;   // of runs in RAM; 0: what the budget allows
  // Of the filter; 0: what the budget allows, and what it does not need is not for runs if these are limited.
  std::uint64_t filter_bytes_max = 0;
  // Not 0: so many states are merged into an automaton, even if that is larger than the runs.
  std::uint64_t automaton_states_min = 0;
};

class RunSet final : public VisitedSet {
 public:
  RunSet(const RunSetOptions& options, Workdir& workdir, MemoryBudget& budget);
  ~RunSet() override;

  // Before begin(): takes over from another set what it hands over. In the background: the states are this set's until
  // the next call returns, or that of finish_adopting().
  Status adopt(Known what, Word* states, std::size_t count);
  Status finish_adopting();
  // Takes the memory that there is.
  Status begin() override;
  // For one thread while no other is in the set: gives that memory back, until begin(). What was found stays.
  Status suspend();
  // Before begin(): every state becomes another one, of `state_bits` bits, as the rule says.
  Status remap(std::uint64_t state_bits, bool keeps_order, std::function<void(const Word* old, Word* now)> map);

  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override;
  bool restart(std::uint64_t layer) override;

  [[nodiscard]] Status trouble() const override;
  [[nodiscard]] bool can_save() const override { return true; }
  [[nodiscard]] bool on_disk() const override { return true; }
  [[nodiscard]] const char* saved_as() const override { return "runs"; }
  Status save(SavedSet& out) override;
  Status load(const SavedSet& saved) override;

  [[nodiscard]] std::uint64_t size() const override { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t peak_states() const override { return peak_states_.load(std::memory_order_relaxed); }
  [[nodiscard]] double omission_probability() const override { return 0; }

 private:
  // Candidates of one thread: those that are new from the front, those that must be looked up from the back.
  struct alignas(64) Region {
    Word* states = nullptr;
    std::uint64_t room = 0;
    std::uint64_t sure = 0;
    std::uint64_t unsure = 0;
    [[nodiscard]] std::uint64_t free() const { return room - sure - unsure; }
    [[nodiscard]] Word* first_unsure(std::size_t words) const { return states + (room - unsure) * words; }
  };
  using Sources = std::vector<std::unique_ptr<SortedSource>>;

  [[nodiscard]] std::uint64_t hash_of(const Word* state) const {
    return short_cache_ ? short_cache_->hash(state) : index_hash(state, words_);
  }
  template <typename Cache>
  void probe(Cache& cache, Region& region, const Word* states, std::size_t begin, std::size_t end,
             std::vector<std::uint32_t>& fresh);
  Status make_adopted(Known what, Word* states, std::size_t count);
  void fail(const Status& status);
  void sort_regions(std::vector<Region>& regions, bool in_background) const;
  Status spill();
  Status write_spill();
  Status await_spill();
  Status spill_to(Sources sources, std::vector<RunPointer>& spills);
  [[nodiscard]] std::uint64_t frontier_states() const;
  Result<RunPointer> make_layer();
  Status layer_from_regions(RunBuilder& layer);
  Status layer_from_spills(RunBuilder& layer);
  Status add_to_layer(Sources sources, RunBuilder& layer);
  Status subtract_runs(Word* states, std::size_t& count);
  Status subtract_run(const RunPointer& run, Word* states, std::size_t& count);
  Status finish_layer(const RunPointer& layer);
  Status remap_frontier(RunMap& map);
  static Status remap_all(std::vector<RunPointer>& runs, RunMap& map);
  Status compact(std::vector<RunPointer>& runs);
  // That the filter has now.
  [[nodiscard]] std::uint64_t filter_bytes() const { return filter_bytes_max_ >> filter_steps_; }
  [[nodiscard]] std::uint64_t run_bytes_beside(std::uint64_t filter_bytes) const;
  Status tend_filter();
  void drop_filter();
  Status grow_filter();
  Status fill_filter();
  void note_peak();
  void show_bytes();

  std::size_t words_;
  RunSetOptions options_;
  Workdir& workdir_;
  MemoryBudget& budget_;
  RunMemory memory_;
  std::uint64_t read_ahead_ = 0;
  std::optional<StateCache> cache_;  // or
  std::optional<ShortCache> short_cache_;
  PageBuffer candidates_;
  std::vector<Region> regions_;          // one per thread, in a half of candidates_
  std::vector<Region> spilling_;         // the same in the other half: those that become runs
  StateFilter filter_;                   // of all visited states
  std::uint64_t filter_bytes_max_ = 0;   // that it may grow to
  unsigned filter_steps_ = 0;            // in so many steps
  std::uint64_t run_bytes_least_ = 0;    // for runs in RAM, when it has
  std::vector<RunPointer> sure_spills_;  // candidates of the layer being built
  std::vector<RunPointer> unsure_spills_;
  RunTiers tiers_;                               // visited states
  std::vector<std::vector<RunPointer>> layers_;  // if they are kept
  std::vector<RunPointer> next_;                 // adopted states of the layer being built, which are in tiers_, too
  std::mutex frontier_mutex_;
  std::vector<RunPointer> frontier_;
  std::size_t frontier_at_ = 0;  // run that is being taken
  std::unique_ptr<RunCursor> cursor_;
  std::atomic<std::uint64_t> size_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> peak_states_ = 0;  // in the cache and among the candidates, whole
  mutable std::mutex trouble_mutex_;
  Status trouble_;
  std::atomic<bool> in_trouble_ = false;
  Gate gate_;
  std::uint64_t spilling_states_ = 0;
  std::mutex adopted_mutex_;  // where adopted runs belong, two of which may be made at once
  std::future<Status> adopting_;
  std::future<Status> spill_;  // under way; behind all that it works with, so that it ends first
};

}  // namespace tideline
