// SPDX-License-Identifier: MIT
// The visited set of a search by parts [bao.05.tacas, evangelista.13.scp]: one part of the state space is in RAM at a
// time, with its visited states in a table; a state of another part is queued for it. When the part has no state left
// to expand, its new states go to the disk, and the part with the most candidates comes in: its visited states are
// loaded, its candidates looked up in the table, the new ones expanded. A part that outgrows its memory is split
// (docs/design/partition.md).
//
// For the workers this is a set with layers: the layers of the part in RAM, one part after the other. So a layer is not
// a distance from the start (breadth_first() is false), and a state is handed out in *some* later layer, once.
//
// V1  a state of the current part is visited if and only if it is in the table; of another part, if it is in its
// visited runs.    V2  a state that is found is in the table, in a visited run or among the candidates of its part. V3
// an expanded state is visited.    V4  table states that were not taken when the part is split are candidates again,
// and not visited. Cost: docs/design/partition.md. Threads: see visited_set.h.
#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "io/workdir.h"
#include "store/gate.h"
#include "store/part_files.h"
#include "store/part_queue.h"
#include "store/plain_set.h"
#include "store/visited_set.h"

namespace tideline {

struct PartSetOptions {
  std::uint64_t state_bits = 0;
  unsigned threads = 1;
  std::vector<StateSlot> slots;       // that splits may use
  PartFiles::Expand expand;           // to sample steps
  std::uint64_t part_states_max = 0;  // 0: what the budget allows; tests make it small
  std::uint64_t run_bytes_max = 0;    // of runs in RAM; the same
};

class PartSet final : public VisitedSet {
 public:
  PartSet(PartSetOptions options, Workdir& workdir, MemoryBudget& budget);
  ~PartSet() override;

  Status begin() override;
  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override;
  bool restart(std::uint64_t) override { return false; }

  [[nodiscard]] Status trouble() const override;
  // Only when a part has just come in: then all that was found is on disk or among the candidates.
  [[nodiscard]] bool can_save() const override { return at_border_; }
  [[nodiscard]] const char* saved_as() const override { return "partition"; }
  Status save(SavedSet& out) override;
  Status load(const SavedSet& saved) override;
  [[nodiscard]] bool on_disk() const override { return true; }
  [[nodiscard]] bool breadth_first() const override { return false; }

  [[nodiscard]] std::uint64_t size() const override { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t peak_states() const override { return peak_states_.load(std::memory_order_relaxed); }
  [[nodiscard]] double omission_probability() const override { return 0; }

  // For tests and the report; between layers.
  [[nodiscard]] PartNumber parts() const { return files_.tree().parts(); }
  [[nodiscard]] std::uint64_t loads() const { return loads_; }

 private:
  static constexpr PartNumber kNone = std::numeric_limits<PartNumber>::max();
  // What one thread works with.
  struct alignas(64) Lane {
    std::vector<Word> own;              // states of the current part
    std::vector<std::uint32_t> own_at;  // and their positions
    std::vector<std::uint32_t> own_fresh;
    std::vector<std::uint32_t> cross_at;  // positions of the others
    std::vector<std::uint64_t> hashes;
    std::vector<Word> cross;  // those that were not queued lately
  };
  enum class Load : std::uint8_t { kDone, kFull, kTrouble };

  void insert_group(unsigned thread, const Word* states, std::size_t begin, std::size_t end,
                    std::vector<std::uint32_t>& fresh);
  void route(Lane& lane, const Word* states, std::size_t begin, std::size_t end) const;
  [[nodiscard]] bool insert_own(unsigned thread, Lane& lane, std::vector<std::uint32_t>& fresh);
  void queue_cross(unsigned thread, Lane& lane, const Word* states, std::vector<std::uint32_t>& fresh);
  [[nodiscard]] bool is_full() const;
  Status split_current();
  Status flush();
  Status spill(bool all);
  Result<PartNumber> choose_part();
  Load load_part(PartNumber part);
  Load load_runs(const std::vector<RunPointer>& runs, bool candidates);
  [[nodiscard]] bool load_batch(const std::vector<Word>& states, bool candidates);
  std::uint64_t next_part();
  void drop_table();
  void fail(const Status& status);
  [[nodiscard]] bool in_trouble() const { return in_trouble_.load(std::memory_order_relaxed); }
  void show();

  std::size_t words_;
  PartSetOptions options_;
  MemoryBudget& budget_;
  std::uint64_t index_bytes_ = 0;  // charged for the indexes of files
  PartFiles files_;
  std::optional<PartQueue> queue_;
  PartNumber current_ = kNone;
  std::unique_ptr<PlainSet> table_;    // of the current part; layer 0 is what was loaded
  std::vector<RunPointer> absorbed_;   // candidates that are in the table: kept until its states are on disk
  std::vector<Lane> lanes_;            // one per thread
  std::vector<std::uint32_t> loaded_;  // positions, for load_batch()
  bool at_border_ = false;
  bool resumed_ = false;
  std::uint64_t loads_ = 0;
  std::atomic<std::uint64_t> size_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> peak_states_ = 0;
  mutable std::mutex trouble_mutex_;
  Status trouble_;
  std::atomic<bool> in_trouble_ = false;
  Gate gate_;
};

}  // namespace tideline
