// SPDX-License-Identifier: MIT
// A visited set that begins in RAM and goes on on disk when memory ends, in the middle of a layer, without exploring
// anything twice: the states of the RAM set become the first runs of a CollapsedRunSet, the part of the layer that was
// not taken its frontier, and what was found of the next layer waits for the rest of it (docs/design/runs.md).
//
// G1  at any moment one of the two sets is in use; the change is made by one thread while no other is inside.
// Cost: the states are sorted and written once. Threads: see visited_set.h.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "store/collapsed_run_set.h"
#include "store/gate.h"
#include "store/visited_set.h"

namespace tideline {

struct SpillOptions {
  unsigned threads = 1;
  std::uint64_t ram_states_max = 0;             // the change is made with so many states at the latest; 0: no limit
  std::function<void(const std::string&)> say;  // called with a sentence when the change is made; may be empty
};

class SpillingSet final : public VisitedSet {
 public:
  // `ram` can hand over.
  SpillingSet(std::unique_ptr<VisitedSet> ram, std::unique_ptr<CollapsedRunSet> disk, SpillOptions options,
              MemoryBudget& budget);

  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override;
  bool restart(std::uint64_t layer) override { return trouble_.is_ok() && active().restart(layer); }
  bool help(unsigned thread) override;

  [[nodiscard]] Status trouble() const override;
  [[nodiscard]] bool can_save() const override { return on_disk() && disk_->can_save(); }
  [[nodiscard]] const char* saved_as() const override { return disk_->saved_as(); }
  Status save(SavedSet& out) override { return disk_->save(out); }
  [[nodiscard]] bool on_disk() const override { return on_disk_.load(std::memory_order_acquire); }

  [[nodiscard]] std::uint64_t size() const override;
  [[nodiscard]] std::uint64_t bytes() const override;
  [[nodiscard]] std::uint64_t peak_states() const override;
  [[nodiscard]] double omission_probability() const override { return 0; }

 private:
  [[nodiscard]] VisitedSet& active() const;
  void move_to_disk();

  std::unique_ptr<VisitedSet> ram_;  // null after the change
  std::unique_ptr<CollapsedRunSet> disk_;
  SpillOptions options_;
  PageBuffer reserve_;               // memory for the change, not touched; until the RAM set would free enough first
  mutable std::mutex change_mutex_;  // for those who ask from outside the gate
  std::atomic<bool> on_disk_ = false;
  std::uint64_t ram_peak_states_ = 0;  // under change_mutex_
  Status trouble_;                     // of the change; written under change_mutex_, inside the gate
  Gate gate_;
};

}  // namespace tideline
