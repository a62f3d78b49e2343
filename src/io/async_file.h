// SPDX-License-Identifier: MIT
// A file whose appends are copied and written by a background thread, so that CPU and disk overlap: one of two buffers
// is filled while the other is written. A file that ends before its first buffer is full never meets the thread.
//
// A1  bytes are written in the order in which they were appended.
// A2  an error of the background is returned by the next append(), read(), flush() or sync(), and by all after it.
// Memory: 2 x 256 KiB per file being written, less while it is shorter.
// Threads: as File.
#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include "io/env.h"
#include "io/io_thread.h"

namespace tideline {

class AsyncFile final : public File {
 public:
  static constexpr std::size_t kBufferBytes = std::size_t{256} << 10;

  // `inner` is new and empty. The thread outlives the file.
  AsyncFile(std::unique_ptr<File> inner, IoThread& thread);
  ~AsyncFile() override;
  AsyncFile(const AsyncFile&) = delete;
  AsyncFile& operator=(const AsyncFile&) = delete;

  Status append(const void* data, std::size_t bytes) override;
  Status read(std::uint64_t offset, void* data, std::size_t bytes) override;
  Status flush() override;
  Status sync() override;
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  // Both with mutex_ held.
  Status wait_for_background();
  Status write_rest();
  Status hand_over();

  std::unique_ptr<File> inner_;
  IoThread& thread_;
  std::mutex mutex_;             // of what follows: several may read what was not yet written
  std::vector<char> filling_;    // appended, not yet given to the thread
  std::vector<char> writing_;    // the thread's while pending_ is valid
  std::future<Status> pending_;  // of the write of writing_
  Status status_;                // the first error
  std::uint64_t size_ = 0;
};

}  // namespace tideline
