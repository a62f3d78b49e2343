// SPDX-License-Identifier: MIT
#include "em/disk_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace tideline {
namespace {

// Blocks of a file: few, so that disk is given back while the queue is read.
constexpr std::size_t kPartBlocks = 64;

}  // namespace

DiskQueue::DiskQueue(Workdir& workdir, std::string label, std::size_t record_bytes, std::size_t block_bytes)
    : log_(std::make_unique<RecordLog>(workdir, FileKind::kQueue, std::move(label), record_bytes, block_bytes,
                                       kPartBlocks)),
      cursor_(*log_),
      record_bytes_(record_bytes) {}

Result<std::size_t> DiskQueue::pop(std::size_t most, std::uint8_t* out) {
  const Result<std::span<const std::uint8_t>> records = cursor_.next(cursor_.position() + most);
  if (!records.is_ok())
    return records.status();
  if (!records.value().empty())
    std::memcpy(out, records.value().data(), records.value().size());
  if (Status status = log_->drop_before(cursor_.position()); !status.is_ok())
    return status;
  return records.value().size() / record_bytes_;
}

Status DiskQueue::clear() {
  cursor_.reset();
  return log_->clear();
}

Status DiskQueue::save(std::vector<RecordLog::Part>& parts) {
  CHECK(cursor_.position() == 0);
  return log_->save(parts);
}

}  // namespace tideline
