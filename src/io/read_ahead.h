// SPDX-License-Identifier: MIT
// Blocks of a file in their order, with the next ones read by a background thread while the current ones are decoded.
// For scans: who needs a few blocks here and there is better served by BlockFileReader::read().
//
// Memory: two chunks of `chunk_bytes` or of the largest block, if that is larger.
// Threads: used by one; the reader may have other users at the same time.
#pragma once

#include <cstdint>
#include <future>
#include <vector>

#include "io/block_file.h"
#include "io/io_thread.h"

namespace tideline {

class ReadAhead {
 public:
  // Blocks from `end` on are not read ahead. `thread` null: nothing is. Reader and thread outlive the object.
  ReadAhead(BlockFileReader& reader, IoThread* thread, std::size_t end, std::size_t chunk_bytes);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The image of block i < end, valid until the next call; for BlockFileReader::open_image(). Best called with
  // i = 0, 1, 2, ...; a block that was passed over costs what was read of its chunk, one that lies back a read.
  Result<const std::uint8_t*> image(std::size_t i);

 private:
  // The images of blocks first .. first+count-1.
  struct Chunk {
    std::size_t first = 0;
    std::size_t count = 0;
    std::vector<std::uint8_t> images;
    [[nodiscard]] bool holds(std::size_t i) const { return i >= first && i - first < count; }
  };
  // Sets first and count; count 0 at the end.
  void choose(Chunk& chunk, std::size_t first) const;
  Status read(Chunk& chunk);
  Status load(std::size_t i);
  void ask_for_next();

  BlockFileReader& reader_;
  IoThread* thread_;
  std::size_t end_;
  std::size_t chunk_bytes_;
  Chunk current_;
  Chunk next_;                   // the thread's while pending_ is valid
  std::future<Status> pending_;  // of the read of next_
};

}  // namespace tideline
