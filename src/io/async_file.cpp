// SPDX-License-Identifier: MIT
#include "io/async_file.h"

#include <algorithm>

#include "base/check.h"

namespace tideline {

AsyncFile::AsyncFile(std::unique_ptr<File> inner, IoThread& thread) : inner_(std::move(inner)), thread_(thread) {
  CHECK(inner_->size() == 0);
}

AsyncFile::~AsyncFile() {
  (void)write_rest();  // a file that matters was flushed before
}

Status AsyncFile::wait_for_background() {
  if (pending_.valid()) {
    Status status = pending_.get();
    if (status_.is_ok())
      status_ = std::move(status);
  }
  return status_;
}

// The full buffer to the thread, which has finished with the other one.
Status AsyncFile::hand_over() {
  if (Status status = wait_for_background(); !status.is_ok())
    return status;
  filling_.swap(writing_);
  filling_.clear();
  pending_ = thread_.submit([this] { return inner_->append(writing_.data(), writing_.size()); });
  return Status::ok();
}

// All that was appended, by the caller: it would wait for the thread anyway.
Status AsyncFile::write_rest() {
  if (wait_for_background().is_ok() && !filling_.empty())
    status_ = inner_->append(filling_.data(), filling_.size());
  filling_.clear();
  return status_;
}

Status AsyncFile::append(const void* data, std::size_t bytes) {
  const std::lock_guard guard(mutex_);
  const char* from = static_cast<const char*>(data);
  while (bytes > 0 && status_.is_ok()) {
    const std::size_t some = std::min(bytes, kBufferBytes - filling_.size());
    if (filling_.size() + some > filling_.capacity())
      filling_.reserve(std::min(kBufferBytes, std::max(2 * filling_.capacity(), filling_.size() + some)));
    filling_.insert(filling_.end(), from, from + some);
    from += some;
    bytes -= some;
    size_ += some;
    if (filling_.size() == kBufferBytes)
      (void)hand_over();
  }
  return status_;
}

Status AsyncFile::read(std::uint64_t offset, void* data, std::size_t bytes) {
  if (Status status = flush(); !status.is_ok())
    return status;
  return inner_->read(offset, data, bytes);
}

Status AsyncFile::flush() {
  const std::lock_guard guard(mutex_);
  if (write_rest().is_ok())
    status_ = inner_->flush();
  return status_;
}

Status AsyncFile::sync() {
  const std::lock_guard guard(mutex_);
  if (write_rest().is_ok())
    status_ = inner_->sync();
  return status_;
}

}  // namespace tideline
