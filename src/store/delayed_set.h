// SPDX-License-Identifier: MIT
// A visited set on disk with delayed duplicate detection [stern.98.cav]: what comes up goes into a table M in RAM;
// when M is full, and at the end of each layer, a check reads the visited states D from the disk, removes from M what
// is old, and appends what is left to D and to the queue of states to expand. With a DiskCloud the check reads only a
// part of D [dellapenna.02.fmcad], and old states may pass as new: they are expanded again.
//
// Exact, M and D hold whole states, and M in the order of insertion is the queue of unchecked states as well; with
// signatures [stern.96.forte], M and D hold those and the unchecked states are in a queue on disk. The papers have one
// queue of checked states; here the states of the next layer are in another one.
//
// D1  every state that was inserted is in M, or passed a check and is in D.    D2  D is in the order of discovery,
// layer by layer; so, if exact, layer k is a range of D (restart()).    D3  between next_layer() and the next insert()
// M and the unchecked queue are empty: what save() writes is everything. D4  counts_distinct() until a check that left
// out a part of D let a state pass. Cost: per check one pass over D (or the cloud), a hash and a look-up in M for each
// of its entries; per state one record in D, and one each in a queue. RAM: M gets what queues and buffers leave.
// Threads: see
// visited_set.h; a check is made while all others wait, and reads D with threads of its own.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "em/disk_queue.h"
#include "store/disk_cloud.h"
#include "store/gate.h"
#include "store/layer_ranges.h"
#include "store/recent_table.h"
#include "store/visited_set.h"

namespace tideline {

class DelayedSet final : public VisitedSet {
 public:
  struct Settings {
    std::uint64_t state_bits = 0;
    unsigned signature_bits = 0;  // 0: exact; else the whole length, as SignatureSet has it
    std::uint64_t seed = 1;       // of the signatures
    unsigned threads = 1;
    std::uint64_t recent_max = 0;                // entries of M at most; 0: as many as fit
    bool keep_layers = false;                    // restart() works with signatures, too, for the disk of all states
    std::optional<DiskCloud::Parameters> cloud;  // none: checks read all of D
  };

  DelayedSet(const Settings& settings, Workdir& workdir, MemoryBudget& budget);
  ~DelayedSet() override;

  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override;
  bool restart(std::uint64_t layer) override;

  [[nodiscard]] Status trouble() const override;
  [[nodiscard]] bool can_save() const override { return !settings_.keep_layers; }
  [[nodiscard]] const char* saved_as() const override { return settings_.cloud ? "cloud" : "disk-bfs"; }
  Status save(SavedSet& saved) override;
  Status load(const SavedSet& saved) override;
  [[nodiscard]] bool counts_distinct() const override { return distinct_.load(std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t size() const override { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const override { return buffer_bytes_ + recent_.bytes(); }
  [[nodiscard]] std::uint64_t peak_states() const override { return recent_.peak_entries(); }
  [[nodiscard]] double omission_probability() const override;
  [[nodiscard]] std::uint64_t checks() const { return checks_; }

 private:
  struct Deleted {
    std::uint64_t in_cloud = 0;
    std::uint64_t not_in_cloud = 0;
  };
  // One of the threads that read D in a check.
  struct Scan {
    RecordLog::Cursor cursor;
    std::vector<Word> keys;  // of a batch
    Deleted deleted;
    Status status;
  };

  [[nodiscard]] bool exact() const { return settings_.signature_bits == 0; }
  [[nodiscard]] Word signature(const Word* state) const;
  bool insert_batch(unsigned thread, const Word* states, NumberRange batch, std::vector<std::uint32_t>& fresh);
  // Appends the states at fresh[from..] to the unchecked queue.
  void enqueue_unchecked(const Word* states, const std::vector<std::uint32_t>& fresh, std::size_t from);
  // Makes room in M. False if the set is in trouble.
  bool make_room(unsigned thread);
  // Checktable of both papers; by one thread alone.
  void check();
  Status delete_old(const ReadPlan& plan, Deleted& deleted);
  void scan_pieces(Scan& scan, const std::vector<ReadPlan::Range>& pieces, std::atomic<std::size_t>& next);
  Status delete_range(Scan& scan, const ReadPlan::Range& range);
  std::uint64_t delete_keys(Scan& scan, const std::uint8_t* records, std::size_t count);
  Status pass_new();
  Status pass_new_states();
  Status pass_new_signatures();
  Status pass(const void* key, const Word* state);
  Result<std::size_t> take_from_layer(std::size_t most, std::uint8_t* out);
  // Where the layers' states are kept; null: nowhere.
  RecordLog* layer_log();
  void fail(const Status& status);

  Settings settings_;
  std::size_t words_;
  std::size_t state_bytes_;
  std::size_t block_bytes_;
  MemoryBudget& budget_;
  std::uint64_t buffer_bytes_;
  RecentTable recent_;  // M
  RecordLog visited_;   // D
  std::vector<Scan> scans_;
  DiskQueue unchecked_;                         // with signatures
  std::unique_ptr<DiskQueue> checked_;          // the layer being taken
  std::unique_ptr<DiskQueue> next_checked_;     // the layer after it
  std::unique_ptr<RecordLog> kept_;             // keep_layers, with signatures: all states
  std::optional<RecordLog::Cursor> restarted_;  // after restart()
  std::uint64_t restarted_end_ = 0;
  std::vector<std::uint64_t> layer_ends_;  // positions in layer_log()
  std::optional<DiskCloud> cloud_;
  Gate gate_;
  std::mutex unchecked_mutex_;
  std::mutex take_mutex_;
  mutable std::mutex trouble_mutex_;
  Status trouble_;
  std::atomic<bool> failed_ = false;
  std::atomic<bool> distinct_ = true;
  std::atomic<std::uint64_t> size_ = 0;
  std::uint64_t checks_ = 0;
};

}  // namespace tideline
