// SPDX-License-Identifier: MIT
// A growing sequence of records of one length on disk: appended at the end, read by position, as often as wanted. It is
// a row of block files (docs/formats/block_file.md), the parts; the records that do not fill a block yet are in RAM, so
// a short sequence never touches the disk. A part that has kPartBlocks blocks is finished and the next one begun.
// Records of a tree are numbers, and its blocks are columns of them (em/number_columns.h).
//
// L1  record i is in the part whose range of positions has i, or in RAM; positions never change.
// L2  blocks of the part being written are read through its writer, all others from finished files.
// Cost: a block in RAM and the writer's buffer; every cursor has a block and two for compressed ones. The index of one
// part is in RAM per cursor. Threads: one at a time; after settle(), and until the next append(), several cursors at
// once.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/check.h"
#include "io/block_file.h"

namespace tideline {

class RecordLog {
 public:
  struct Part {
    std::string name;
    std::uint64_t records = 0;
  };
  class Cursor;

  // `label` begins the names of the files. A block has about `block_bytes`, a part at most `part_blocks` blocks.
  RecordLog(Workdir& workdir, FileKind kind, std::string label, std::size_t record_bytes, std::size_t block_bytes,
            std::size_t part_blocks);
  RecordLog(const RecordLog&) = delete;
  RecordLog& operator=(const RecordLog&) = delete;
  // Its files go, too, but for those that the manifest names.
  ~RecordLog();

  [[nodiscard]] std::uint64_t begin() const { return begin_; }  // the first record that is still there
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] std::size_t record_bytes() const { return record_bytes_; }
  [[nodiscard]] std::size_t block_records() const { return block_records_; }
  Status append(const std::uint8_t* record) { return append_bytes(record, record_bytes_); }
  // The same for records of eight bytes, which the compiler then knows.
  Status append_number(std::uint64_t number) {
    CHECK(record_bytes_ == sizeof number);
    return append_bytes(reinterpret_cast<const std::uint8_t*>(&number), sizeof number);
  }
  // From now on several threads may read, each with a cursor of its own.
  Status settle() { return writer_ == nullptr ? Status::ok() : writer_->settle(); }
  // Parts whose records are all before `position` are removed.
  Status drop_before(std::uint64_t position);
  // Removes everything; the log is empty and begins at 0 again.
  Status clear();

  // All of it goes to finished, synced files, which are appended to `parts`; the log can be used as before.
  Status save(std::vector<Part>& parts);
  // An empty log takes over the files that save() named.
  Status load(const std::vector<Part>& parts);

  // RAM of a log with one cursor, about.
  static std::uint64_t bytes_for(std::size_t block_bytes);
  // RAM of one more cursor.
  static std::uint64_t cursor_bytes_for(std::size_t block_bytes) { return 3 * std::uint64_t{block_bytes}; }

 private:
  Status append_bytes(const std::uint8_t* record, std::size_t bytes) {
    if (tail_bytes_ == tail_.size())
      if (Status status = make_room(); !status.is_ok())
        return status;
    std::memcpy(tail_.data() + tail_bytes_, record, bytes);
    tail_bytes_ += bytes;
    ++end_;
    return tail_bytes_ < tail_.size() ? Status::ok() : write_block();
  }
  Status make_room();
  Status write_block();
  Status finish_part(bool sync);
  [[nodiscard]] std::uint64_t tail_begin() const { return end_ - tail_bytes_ / record_bytes_; }

  Workdir& workdir_;
  FileKind kind_;
  std::string label_;
  std::size_t record_bytes_;
  std::size_t block_records_;
  std::size_t part_blocks_;
  std::vector<Part> parts_;  // finished, in order
  std::size_t synced_ = 0;   // so many of them are on the disk for certain
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::string writing_;  // name of the part being written
  std::unique_ptr<BlockFileWriter> writer_;
  std::vector<std::uint8_t> tail_;     // room for a block
  std::size_t tail_bytes_ = 0;         // records behind the last block, in it
  std::vector<std::uint8_t> columns_;  // of a tree's block
};

// Reads records in order, a block or what is left of it at a time.
class RecordLog::Cursor {
 public:
  explicit Cursor(RecordLog& log) : log_(&log) {}
  void seek(std::uint64_t position) { position_ = position; }
  // To the beginning of a log that was cleared.
  void reset();
  [[nodiscard]] std::uint64_t position() const { return position_; }
  // The next records before `end`, all of one block; empty: there are none. They are valid until the next call.
  Result<std::span<const std::uint8_t>> next(std::uint64_t end);

 private:
  // Makes the block of position_ the one in raw_.
  Status load_block();
  Status load_part(std::size_t part, std::uint64_t part_begin);
  template <typename Source>
  Status load_from(Source& source, std::uint64_t part_begin);

  RecordLog* log_;
  std::uint64_t position_ = 0;
  std::string part_;  // name of the file that reader_ has open
  std::unique_ptr<BlockFileReader> reader_;
  std::vector<std::uint8_t> images_;
  std::vector<std::uint8_t> columns_;
  std::vector<std::uint8_t> raw_;
  std::uint64_t raw_begin_ = 0;  // positions of the records in raw_
  std::uint64_t raw_end_ = 0;
};

}  // namespace tideline
