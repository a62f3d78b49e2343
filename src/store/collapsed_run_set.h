// SPDX-License-Identifier: MIT
// A RunSet whose states are short keys (collapse_code.h): what the search gives is encoded, what it takes is decoded,
// and everything in between, cache, candidates, sorting, runs and automata, is done with keys. When a part of the
// states takes more values than its field has room for, all runs are rewritten with wider keys, which keeps their
// order; when keys do not pay, with the states themselves, sorted anew (docs/design/runs.md).
//
// X1  all keys in the set are of the present code: it changes while no thread is in the set.
// Cost: that of RunSet on keys; encoding and decoding; the dictionaries, at most a 32nd of the memory.
// Threads: see visited_set.h.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "em/record_log.h"
#include "store/collapse_code.h"
#include "store/gate.h"
#include "store/run_set.h"

namespace tideline {

struct CollapsedRunSetOptions {
  RunSetOptions runs;
  std::vector<StatePart> parts;            // empty: no keys
  std::uint64_t dictionary_bytes_max = 0;  // 0: by the budget
};

class CollapsedRunSet final : public VisitedSet {
 public:
  CollapsedRunSet(const CollapsedRunSetOptions& options, Workdir& workdir, MemoryBudget& budget);

  // As RunSet has them; the last piece has no states.
  Status adopt(Known what, Word* states, std::size_t count);
  Status begin() override;

  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override { return trouble().is_ok() ? runs_->next_layer() : 0; }
  bool restart(std::uint64_t layer) override { return runs_->restart(layer); }

  [[nodiscard]] Status trouble() const override;
  [[nodiscard]] bool can_save() const override { return true; }
  [[nodiscard]] bool on_disk() const override { return true; }
  [[nodiscard]] const char* saved_as() const override { return runs_->saved_as(); }
  Status save(SavedSet& out) override;
  Status load(const SavedSet& saved) override;

  [[nodiscard]] std::uint64_t size() const override { return runs_->size(); }
  [[nodiscard]] std::uint64_t bytes() const override {
    return runs_->bytes() + dictionary_bytes_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t peak_states() const override { return runs_->peak_states(); }
  [[nodiscard]] double omission_probability() const override { return 0; }

  [[nodiscard]] std::uint64_t key_bits() const { return code_.key_bits(); }

 private:
  // Keys that were made and are not in runs_ yet.
  struct Keys {
    Word* first = nullptr;
    std::size_t count = 0;
  };
  void change_code();
  Status make_room(Keys made);
  Status change_keys(Keys made);
  void keep_reserve();
  Status save_values(SavedSet& out);
  Status load_values(const SavedSet& saved);
  [[nodiscard]] std::unique_ptr<RunSet> make_runs() const;

  CollapsedRunSetOptions options_;
  Workdir& workdir_;
  MemoryBudget& budget_;
  CollapseCode code_;
  std::unique_ptr<RunSet> runs_;
  bool begun_ = false;
  PageBuffer reserve_;                 // for dictionaries that grow; not touched
  std::unique_ptr<RecordLog> values_;  // of the dictionaries, as they were saved last
  std::atomic<std::uint64_t> dictionary_bytes_ = 0;
  mutable std::mutex trouble_mutex_;
  Status trouble_;  // of a change
  Gate gate_;
};

}  // namespace tideline
