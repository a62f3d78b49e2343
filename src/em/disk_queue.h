// SPDX-License-Identifier: MIT
// A first-in first-out queue of records of one length, on disk but for its two ends: a RecordLog and a cursor. Files
// whose records have all been taken are removed, so the queue needs the disk of what is in it and one file more.
//
// F1  records come out in the order in which they went in, each once.    F2  a queue that never has more than one block
// of records makes no file. Cost: every record is written once and read once, in blocks. Threads: one at a time.
#pragma once

#include "em/record_log.h"

namespace tideline {

class DiskQueue {
 public:
  DiskQueue(Workdir& workdir, std::string label, std::size_t record_bytes, std::size_t block_bytes);

  [[nodiscard]] std::uint64_t size() const { return log_->end() - cursor_.position(); }
  Status push(const std::uint8_t* record) { return log_->append(record); }
  // Copies up to `most` records, one behind the other, to `out`; how many. Fewer than `most` only at the end of a
  // block; 0: the queue is empty.
  Result<std::size_t> pop(std::size_t most, std::uint8_t* out);
  Status clear();

  // As RecordLog's; only while nothing has been taken.
  Status save(std::vector<RecordLog::Part>& parts);
  Status load(const std::vector<RecordLog::Part>& parts) { return log_->load(parts); }

 private:
  std::unique_ptr<RecordLog> log_;  // the cursor has its address
  RecordLog::Cursor cursor_;
  std::size_t record_bytes_;
};

}  // namespace tideline
