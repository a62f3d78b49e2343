// SPDX-License-Identifier: MIT
#include "io/read_ahead.h"

#include <utility>

#include "base/check.h"

namespace tideline {

ReadAhead::ReadAhead(BlockFileReader& reader, IoThread* thread, std::size_t end, std::size_t chunk_bytes)
    : reader_(reader), thread_(thread), end_(end), chunk_bytes_(chunk_bytes) {
  CHECK(end <= reader.index().size());
}

ReadAhead::~ReadAhead() {
  if (pending_.valid())
    pending_.wait();
}

// At least one block, and more as long as they fit.
void ReadAhead::choose(Chunk& chunk, std::size_t first) const {
  chunk.first = first;
  chunk.count = 0;
  std::size_t bytes = 0;
  while (first + chunk.count < end_) {
    bytes += kBlockHeaderBytes + reader_.index()[first + chunk.count].stored_bytes;
    if (chunk.count > 0 && bytes > chunk_bytes_)
      return;
    ++chunk.count;
  }
}

Status ReadAhead::read(Chunk& chunk) {
  return reader_.read_images(chunk.first, chunk.count, chunk.images);
}

void ReadAhead::ask_for_next() {
  choose(next_, current_.first + current_.count);
  if (thread_ != nullptr && next_.count > 0)
    pending_ = thread_->submit([this] { return read(next_); });
}

// Block i into current_, from the thread if it has it.
Status ReadAhead::load(std::size_t i) {
  if (pending_.valid()) {
    Status status = pending_.get();
    if (next_.holds(i)) {
      std::swap(current_, next_);
      if (!status.is_ok())
        current_.count = 0;
      return status;
    }
  }
  choose(current_, i);
  Status status = read(current_);
  if (!status.is_ok())
    current_.count = 0;
  return status;
}

Result<const std::uint8_t*> ReadAhead::image(std::size_t i) {
  CHECK(i < end_);
  if (!current_.holds(i)) {
    if (Status status = load(i); !status.is_ok())
      return status;
    ask_for_next();
  }
  const BlockIndex& index = reader_.index();
  return current_.images.data() + (index[i].offset - index[current_.first].offset);
}

}  // namespace tideline
