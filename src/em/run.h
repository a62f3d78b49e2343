// SPDX-License-Identifier: MIT
// A run: a sorted, immutable sequence of different states in compressed blocks (docs/formats/run.md), with the first
// state of each block in RAM. Its blocks lie in RAM while the budget has room for them, and in a file of the working
// directory otherwise or once they have been saved; they can go from one to the other. Or the run is an automaton in
// RAM (state_automaton.h), which can go to a file of blocks, too.
//
// R1  states strictly increase (em/state_order.h).    R2  a run's file is removed with the run, unless the manifest
// names it (io/workdir.h).    R3  what comes from a file is compared with its checksum before it is used. Cost:
// docs/design/runs.md. Threads: a finished run may be read by several at once, each with a cursor of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "em/run_block.h"
#include "em/run_memory.h"
#include "em/state_automaton.h"
#include "io/block_file.h"

namespace tideline {

class Run {
 public:
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  // A run of an earlier process.
  static Result<std::shared_ptr<Run>> open(Workdir& workdir, const std::string& name, std::size_t words);
  static std::shared_ptr<Run> from_automaton(Workdir& workdir, RunMemory& memory,
                                             std::unique_ptr<StateAutomaton> automaton, std::uint64_t block_bytes);

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::uint64_t records() const { return automaton_ ? automaton_->states() : index().records(); }
  [[nodiscard]] const BlockIndex& index() const { return reader_ ? reader_->index() : index_; }
  [[nodiscard]] bool in_ram() const { return !chunks_.empty() || automaton_ != nullptr; }
  [[nodiscard]] bool is_automaton() const { return automaton_ != nullptr; }
  [[nodiscard]] const std::string& name() const { return name_; }
  // Of the blocks, compressed; of an automaton, about what blocks would have.
  [[nodiscard]] std::uint64_t block_bytes() const { return bytes_; }
  // Puts the blocks into a synced file as well, if they are not in one.
  Status save();
  // And frees the RAM that they have.
  Status move_to_file();
  // Brings the blocks of a run in a file into RAM, where there is memory for all of them; the file stays.
  Status load(RunMemory& memory);

 private:
  friend class RunBuilder;
  friend class RunCursor;
  Run(Workdir& workdir, RunMemory* memory, std::size_t words);
  Status write_file(bool sync);
  Status write_blocks(BlockFileWriter& writer);
  Status write_automaton(BlockFileWriter& writer);
  Status load_blocks(std::size_t begin, std::size_t end, std::uint8_t* to);
  void free_chunks();
  [[nodiscard]] const std::uint8_t* image(std::size_t block) const { return images_[block]; }

  Workdir& workdir_;
  RunMemory* memory_;
  std::size_t words_;
  BlockIndex index_;  // while there is no reader
  std::uint64_t bytes_ = 0;
  std::vector<PageBuffer> chunks_;           // in RAM
  std::vector<const std::uint8_t*> images_;  // in RAM, by block
  std::unique_ptr<StateAutomaton> automaton_;
  std::string name_;  // of the file; empty: none
  bool synced_ = false;
  std::unique_ptr<BlockFileReader> reader_;
};

using RunPointer = std::shared_ptr<Run>;

// Makes a run from states in increasing order: in RAM, until there is no more memory for it; then in a file.
class RunBuilder {
 public:
  // `expected`: about so many states. `block_records_max`: of a block at most; 0: as many as fit.
  RunBuilder(Workdir& workdir, RunMemory& memory, std::size_t words, std::uint64_t expected,
             std::uint32_t block_records_max = 0);
  Status add(const Word* state) {
    block_.add(state);
    ++records_;
    return block_.full() || block_.records() == block_records_max_ ? close_block() : Status::ok();
  }
  [[nodiscard]] std::uint64_t records() const { return records_; }
  Result<RunPointer> finish();

 private:
  Status close_block();
  Status change_to_file();
  Status add_to_ram(const std::vector<std::uint8_t>& image, const BlockInfo& block);

  Workdir& workdir_;
  RunMemory& memory_;
  RunPointer run_;
  RunBlockBuilder block_;
  std::uint32_t block_records_max_;
  std::uint64_t offset_ = kFileHeaderBytes;
  std::size_t chunk_used_ = 0;
  std::uint64_t records_ = 0;
  std::vector<std::uint8_t> image_;
  std::unique_ptr<BlockFileWriter> writer_;  // null: in RAM
};

// Walks over a run, or looks states up in it. From a file it reads more and more blocks at once as long as it goes from
// block to block, and single ones when it skips.
class RunCursor {
 public:
  // `read_ahead_bytes`: read from a file at once at most. Stands before the first state: begin() or seek() comes first.
  RunCursor(RunPointer run, std::size_t read_ahead_bytes);
  ~RunCursor();
  RunCursor(const RunCursor&) = delete;
  RunCursor& operator=(const RunCursor&) = delete;
  void begin() {
    if (automaton_)
      automaton_->begin();
    else
      open_block(0);
  }
  // Also after an error: status() says which.
  [[nodiscard]] bool at_end() const { return automaton_ ? automaton_->at_end() : block_ >= run_->index().size(); }
  [[nodiscard]] const Word* state() const { return automaton_ ? automaton_->state() : cursor_.state(); }
  void next() {
    if (automaton_) {
      automaton_->next();
      return;
    }
    cursor_.next();
    if (cursor_.at_end())
      open_block(block_ + 1);
  }
  // Records from here on in the block it stands in.
  [[nodiscard]] std::uint32_t left_in_block() const { return cursor_.left(); }
  // Moves forward to the first state that is not below `key`; true if it is the key. Not in an automaton.
  bool seek(const Word* key);
  // Keys come in increasing order, and nothing else is asked.
  [[nodiscard]] bool contains(const Word* key) { return automaton_ ? automaton_->contains(key) : seek(key); }
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  void open_block(std::size_t block);
  [[nodiscard]] bool read_images(std::size_t block);

  RunPointer run_;
  std::size_t read_ahead_bytes_;
  std::optional<StateAutomatonCursor> automaton_;
  RunBlockCursor cursor_;
  std::size_t block_ = 0;
  bool opened_ = false;
  std::vector<std::uint8_t> raw_;
  std::vector<std::uint8_t> images_;  // of blocks first_image_ .. end_image_-1
  std::size_t first_image_ = 0;
  std::size_t end_image_ = 0;
  std::size_t at_once_ = 1;  // blocks to read next if they follow
  std::uint64_t states_read_ = 0;
  Status status_;
};

}  // namespace tideline
