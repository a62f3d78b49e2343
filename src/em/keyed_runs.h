// SPDX-License-Identifier: MIT
// Runs whose records begin, in their order, with a key (their last word), read once from the least key on, one key at a
// time: the part of a sweep's queue that is on disk, and its persistent states. Nothing is merged for it: all records
// of a key are taken from one run, then from the next that has some; who needs each once finds repeats himself. A run
// is opened when its first key is due.
//
// Y1  records of keys below one that was asked for are passed over; blocks that have no others are not read.
// Cost: a block per run that is open. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "em/merge.h"
#include "em/run.h"

namespace tideline {

class KeyedRuns {
 public:
  // Gets a record.
  using Take = std::function<Status(const Word* record)>;

  explicit KeyedRuns(std::size_t read_ahead_bytes) : read_ahead_bytes_(read_ahead_bytes) {}

  // `level`: for the owner.
  void add(RunPointer run, unsigned level);
  [[nodiscard]] bool empty() const { return files_.empty(); }
  [[nodiscard]] std::uint64_t least_key() const { return files_.front().next_key; }
  // Records that are left.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::size_t runs() const { return files_.size(); }
  [[nodiscard]] std::size_t runs_of_level(unsigned level) const;
  // Records in the blocks that are open and were not taken yet.
  [[nodiscard]] std::uint64_t buffered() const { return buffered_; }
  // Hands out all records of the key.
  Status take(std::uint64_t key, const Take& take);
  // Takes the runs of the level out; what is left of them comes as sorted sequences.
  std::vector<std::unique_ptr<SortedSource>> remove_level(unsigned level);
  void clear();
  // The runs, for a checkpoint. What was taken is still in them.
  [[nodiscard]] std::vector<RunPointer> pointers() const;

 private:
  struct File {
    std::uint64_t next_key = 0;
    unsigned level = 0;
    RunPointer run;
    std::unique_ptr<RunCursor> cursor;  // null: not opened yet
    bool is_open = false;
    bool is_sparse = false;  // records were passed over without counting
    std::uint64_t left = 0;  // records, those passed over included
    std::uint64_t buffered = 0;
  };
  // For a heap with the least key in front.
  static bool later(const File& a, const File& b) { return a.next_key > b.next_key; }
  Status take_from(File& file, std::uint64_t key, const Take& take);
  void note_block(File& file);
  std::vector<std::unique_ptr<SortedSource>> as_sources(std::vector<File> files);

  std::size_t read_ahead_bytes_;
  std::vector<File> files_;  // a heap
  std::uint64_t size_ = 0;
  std::uint64_t buffered_ = 0;
};

}  // namespace tideline
