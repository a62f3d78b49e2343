// SPDX-License-Identifier: MIT
#include "em/record_log.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "em/number_columns.h"

namespace tideline {
namespace {

constexpr std::uint64_t kWriterBytes = std::uint64_t{128} << 10;  // BlockFileWriter collects this much

}  // namespace

RecordLog::RecordLog(Workdir& workdir, FileKind kind, std::string label, std::size_t record_bytes,
                     std::size_t block_bytes, std::size_t part_blocks)
    : workdir_(workdir),
      kind_(kind),
      label_(std::move(label)),
      record_bytes_(record_bytes),
      block_records_(std::max<std::size_t>(1, block_bytes / record_bytes)),
      part_blocks_(part_blocks) {}

RecordLog::~RecordLog() {
  (void)clear();
}

// The tail, the writer's buffer after it has grown to the double, the cursor's records and their image.
std::uint64_t RecordLog::bytes_for(std::size_t block_bytes) {
  return 2 * (kWriterBytes + block_bytes) + block_bytes + cursor_bytes_for(block_bytes);
}

// The first record has none yet; one that comes after a block could not be written tries that again.
Status RecordLog::make_room() {
  if (!tail_.empty())
    return write_block();
  tail_.resize(block_records_ * record_bytes_);
  return Status::ok();
}

Status RecordLog::write_block() {
  if (writer_ == nullptr) {
    writing_ = workdir_.fresh_name(label_);
    Result<std::unique_ptr<BlockFileWriter>> writer = BlockFileWriter::create(workdir_, writing_, kind_, record_bytes_);
    if (!writer.is_ok())
      return writer.status();
    writer_ = std::move(writer.value());
  }
  const std::size_t records = tail_bytes_ / record_bytes_;
  const bool is_tree = kind_ == FileKind::kTree;
  const std::span<const std::uint8_t> tail(tail_.data(), tail_bytes_);
  if (is_tree)
    to_columns(tail, columns_);
  if (Status status = writer_->add(is_tree ? columns_ : tail, static_cast<std::uint32_t>(records), tail_.data());
      !status.is_ok())
    return status;
  if (!is_tree)  // its records are no states
    workdir_.counts().state_writes.fetch_add(records, std::memory_order_relaxed);
  tail_bytes_ = 0;
  return writer_->index().size() < part_blocks_ ? Status::ok() : finish_part(false);
}

Status RecordLog::finish_part(bool sync) {
  if (writer_ == nullptr)
    return Status::ok();
  if (Status status = writer_->finish(sync); !status.is_ok())
    return status;
  parts_.push_back({std::exchange(writing_, {}), writer_->index().records()});
  writer_.reset();
  return Status::ok();
}

Status RecordLog::drop_before(std::uint64_t position) {
  std::size_t gone = 0;
  Status status;
  while (status.is_ok() && gone < parts_.size() && begin_ + parts_[gone].records <= position) {
    begin_ += parts_[gone].records;
    status = workdir_.remove_file(parts_[gone++].name);
  }
  parts_.erase(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(gone));
  synced_ -= std::min(synced_, gone);
  return status;
}

Status RecordLog::clear() {
  Status status;
  if (writer_ != nullptr) {
    writer_.reset();
    parts_.push_back({std::exchange(writing_, {}), 0});
  }
  for (const Part& part : parts_)
    if (Status removed = workdir_.remove_file(part.name); !removed.is_ok())
      status = std::move(removed);
  parts_.clear();
  synced_ = 0;
  tail_bytes_ = 0;
  begin_ = end_ = 0;
  return status;
}

// Parts that were finished without sync are synced now.
Status RecordLog::save(std::vector<Part>& parts) {
  if (tail_bytes_ > 0)
    if (Status status = write_block(); !status.is_ok())
      return status;
  if (Status status = finish_part(true); !status.is_ok())
    return status;
  for (; synced_ < parts_.size(); ++synced_) {
    Result<std::unique_ptr<File>> file = workdir_.open_file(parts_[synced_].name);
    Status status = file.is_ok() ? file.value()->sync() : file.status();
    if (!status.is_ok())
      return status;
  }
  parts.insert(parts.end(), parts_.begin(), parts_.end());
  return Status::ok();
}

Status RecordLog::load(const std::vector<Part>& parts) {
  CHECK(end_ == 0);
  for (const Part& part : parts) {
    const Result<std::unique_ptr<BlockFileReader>> reader =
        BlockFileReader::open(workdir_, part.name, kind_, record_bytes_);
    if (!reader.is_ok())
      return reader.status();
    if (reader.value()->index().records() != part.records)
      return Status::error(reader.value()->path() + " has another number of records than the manifest says");
    parts_.push_back(part);
    end_ += part.records;
  }
  synced_ = parts_.size();
  return Status::ok();
}

void RecordLog::Cursor::reset() {
  position_ = raw_begin_ = raw_end_ = 0;
  reader_.reset();
}

Result<std::span<const std::uint8_t>> RecordLog::Cursor::next(std::uint64_t end) {
  end = std::min(end, log_->end_);
  if (position_ >= end)
    return std::span<const std::uint8_t>();
  CHECK(position_ >= log_->begin_);
  if (position_ < raw_begin_ || position_ >= raw_end_)
    if (Status status = load_block(); !status.is_ok())
      return status;
  CHECK(raw_begin_ <= position_ && position_ < raw_end_);
  const std::size_t bytes = log_->record_bytes_;
  const std::uint64_t stop = std::min(end, raw_end_);
  const std::span<const std::uint8_t> records(raw_.data() + (position_ - raw_begin_) * bytes,
                                              (stop - position_) * bytes);
  position_ = stop;
  return records;
}

Status RecordLog::Cursor::load_block() {
  raw_begin_ = raw_end_ = 0;
  if (position_ >= log_->tail_begin()) {
    raw_.assign(log_->tail_.data(), log_->tail_.data() + log_->tail_bytes_);
    raw_begin_ = log_->tail_begin();
    raw_end_ = log_->end_;
    return Status::ok();
  }
  std::uint64_t part_begin = log_->begin_;
  for (std::size_t part = 0; part < log_->parts_.size(); ++part) {
    if (position_ < part_begin + log_->parts_[part].records)
      return load_part(part, part_begin);
    part_begin += log_->parts_[part].records;
  }
  return load_from(*log_->writer_, part_begin);
}

Status RecordLog::Cursor::load_part(std::size_t part, std::uint64_t part_begin) {
  const std::string& name = log_->parts_[part].name;
  if (reader_ == nullptr || part_ != name) {
    reader_.reset();
    Result<std::unique_ptr<BlockFileReader>> reader =
        BlockFileReader::open(log_->workdir_, name, log_->kind_, log_->record_bytes_);
    if (!reader.is_ok())
      return reader.status();
    reader_ = std::move(reader.value());
    part_ = name;
  }
  return load_from(*reader_, part_begin);
}

// All blocks of a part but the last have the same number of records.
template <typename Source>
Status RecordLog::Cursor::load_from(Source& source, std::uint64_t part_begin) {
  const BlockIndex& index = source.index();
  const std::uint64_t block_records = index[0].records;
  const std::size_t block = (position_ - part_begin) / block_records;
  CHECK(block < index.size());
  const bool is_tree = log_->kind_ == FileKind::kTree;
  std::vector<std::uint8_t>& content = is_tree ? columns_ : raw_;
  content.resize(index[block].raw_bytes);
  if (Status status = source.read_images(block, 1, images_); !status.is_ok())
    return status;
  if (Status status = source.open_image(block, images_.data(), content.data()); !status.is_ok())
    return status;
  if (is_tree)
    from_columns(columns_, raw_);
  raw_begin_ = part_begin + block * block_records;
  raw_end_ = raw_begin_ + index[block].records;
  if (!is_tree)
    log_->workdir_.counts().state_reads.fetch_add(index[block].records, std::memory_order_relaxed);
  return Status::ok();
}

}  // namespace tideline
