// SPDX-License-Identifier: MIT
// The machine's file system. Direct I/O needs aligned addresses, offsets and lengths: appends go through an aligned
// buffer (256 KiB per file being written) whose rest is written, padded, at flush(), sync() or close and the file cut
// to its length; reads go through one of the reading thread's own (256 KiB per thread).
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>

#include "base/check.h"
#include "io/env.h"

namespace tideline {
namespace {

constexpr mode_t kPrivateFile = 0600;
constexpr mode_t kPrivateDirectory = 0700;
constexpr std::size_t kAlignment = 4096;
constexpr std::size_t kDirectBuffer = std::size_t{256} << 10;

Status failed(const std::string& what) {
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  Status status = Status::from_errno(what);
  if (!is_full)
    return status;
  return Status::error(status.message() + " (make room there, or give --workdir a directory on another disk)");
}

Status failed(const char* what, const std::string& path) {
  return failed(fmt::format("{} {}", what, path));
}

Status failed_at(const char* what, const std::string& path, std::uint64_t offset) {
  return failed(fmt::format("{} {} at byte {}", what, path, offset));
}

// Writes all of it, in multiples of `granule` (direct: a write cut short inside a sector is repeated from its begin).
Status write_at(int fd, const std::string& path, const char* data, std::size_t bytes, std::uint64_t offset,
                std::size_t granule) {
  while (bytes > 0) {
    const ssize_t some = ::pwrite(fd, data, bytes, static_cast<off_t>(offset));
    if (some < 0 && errno == EINTR)
      continue;
    if (some < 0)
      return failed_at("cannot write", path, offset);
    const std::size_t written = static_cast<std::size_t>(some) / granule * granule;
    if (written == 0) {
      errno = ENOSPC;  // what a write that does not move forward means
      return failed_at("cannot write", path, offset);
    }
    data += written;
    offset += written;
    bytes -= written;
  }
  return Status::ok();
}

// Reads up to `bytes`; fewer only where the file ends.
Result<std::size_t> read_at(int fd, const std::string& path, char* data, std::size_t bytes, std::uint64_t offset,
                            std::size_t granule) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t some = ::pread(fd, data + done, bytes - done, static_cast<off_t>(offset + done));
    if (some < 0 && errno == EINTR)
      continue;
    if (some < 0)
      return failed_at("cannot read", path, offset + done);
    done += static_cast<std::size_t>(some);
    // Direct: only the file's end is inside a sector, and a read that begins there would be refused.
    if (some == 0 || static_cast<std::size_t>(some) % granule != 0)
      break;
  }
  return done;
}

struct Free {
  void operator()(char* memory) const { std::free(memory); }  // NOLINT(cppcoreguidelines-no-malloc)
};
using AlignedBuffer = std::unique_ptr<char, Free>;

AlignedBuffer make_aligned(std::size_t bytes) {
  AlignedBuffer buffer(static_cast<char*>(std::aligned_alloc(kAlignment, bytes)));
  CHECK(buffer != nullptr);
  return buffer;
}

// For direct reads of this thread.
char* bounce_buffer() {
  thread_local AlignedBuffer buffer = make_aligned(kDirectBuffer);
  return buffer.get();
}

class RealFile final : public File {
 public:
  RealFile(int fd, std::string path, std::uint64_t size, bool direct)
      : fd_(fd), path_(std::move(path)), size_(size), written_(size), direct_(direct) {}
  ~RealFile() override {
    (void)flush();  // a file that matters was flushed before
    ::close(fd_);
  }
  RealFile(const RealFile&) = delete;
  RealFile& operator=(const RealFile&) = delete;

  Status append(const void* data, std::size_t bytes) override {
    if (direct_)
      return append_direct(static_cast<const char*>(data), bytes);
    Status status = write_at(fd_, path_, static_cast<const char*>(data), bytes, size_, 1);
    if (status.is_ok())
      size_ += bytes;
    return status;
  }

  Status read(std::uint64_t offset, void* data, std::size_t bytes) override {
    if (direct_)
      return read_direct(offset, static_cast<char*>(data), bytes);
    const Result<std::size_t> done = read_at(fd_, path_, static_cast<char*>(data), bytes, offset, 1);
    if (!done.is_ok())
      return done.status();
    return done.value() == bytes ? Status::ok() : ends_early(offset + done.value(), offset + bytes);
  }

  // Direct: writes what is in the buffer, padded to whole sectors, and cuts the file to its length.
  Status flush() override {
    if (!direct_)
      return Status::ok();
    const std::lock_guard guard(flush_mutex_);
    return written_ == size_ ? Status::ok() : write_buffer();
  }

  Status sync() override {
    if (sync_error_.has_value())
      return *sync_error_;
    Status status = flush();
    if (status.is_ok() && !synced_by_system())
      status = failed("cannot sync", path_);
    if (!status.is_ok())
      sync_error_ = status;
    return status;
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  [[nodiscard]] Status ends_early(std::uint64_t end, std::uint64_t expected) const {
    return Status::error(fmt::format("{} ends at byte {}, before byte {}: it was cut short", path_, end, expected));
  }
  [[nodiscard]] bool synced_by_system() const {
    while (::fdatasync(fd_) != 0) {
      if (errno != EINTR)
        return false;
    }
    return true;
  }

  Status append_direct(const char* from, std::size_t bytes) {
    if (buffer_ == nullptr)
      buffer_ = make_aligned(kDirectBuffer);
    while (bytes > 0) {
      const std::size_t filled = size_ - buffer_begin();
      const std::size_t some = std::min(bytes, kDirectBuffer - filled);
      std::memcpy(buffer_.get() + filled, from, some);
      from += some;
      bytes -= some;
      size_ += some;
      if (filled + some == kDirectBuffer)
        if (Status status = flush(); !status.is_ok())
          return status;
    }
    return Status::ok();
  }

  Status read_direct(std::uint64_t offset, char* to, std::size_t bytes) {
    if (buffer_ != nullptr)
      if (Status status = flush(); !status.is_ok())
        return status;
    while (bytes > 0) {
      const std::size_t skipped = offset % kAlignment;
      const std::size_t span = std::min((skipped + bytes + kAlignment - 1) / kAlignment * kAlignment, kDirectBuffer);
      const Result<std::size_t> done = read_at(fd_, path_, bounce_buffer(), span, offset - skipped, kAlignment);
      if (!done.is_ok())
        return done.status();
      if (done.value() <= skipped)
        return ends_early(offset - skipped + done.value(), offset + bytes);
      const std::size_t some = std::min(bytes, done.value() - skipped);
      std::memcpy(to, bounce_buffer() + skipped, some);
      to += some;
      offset += some;
      bytes -= some;
    }
    return Status::ok();
  }

  // Of the buffer in the file.
  [[nodiscard]] std::uint64_t buffer_begin() const { return written_ / kAlignment * kAlignment; }

  Status write_buffer() {
    const std::size_t filled = size_ - buffer_begin();
    const std::size_t padded = (filled + kAlignment - 1) / kAlignment * kAlignment;
    std::memset(buffer_.get() + filled, 0, padded - filled);
    if (Status status = write_at(fd_, path_, buffer_.get(), padded, buffer_begin(), kAlignment); !status.is_ok())
      return status;
    if (padded != filled && ::ftruncate(fd_, static_cast<off_t>(size_)) != 0)
      return failed("cannot cut", path_);
    written_ = size_;
    const std::size_t whole = filled / kAlignment * kAlignment;
    std::memmove(buffer_.get(), buffer_.get() + whole, filled - whole);
    return Status::ok();
  }

  int fd_;
  std::string path_;
  std::uint64_t size_;     // bytes appended
  std::uint64_t written_;  // direct: bytes of them that the system has
  bool direct_;
  std::mutex flush_mutex_;  // of written_ and the buffer: several may read what was not flushed
  AlignedBuffer buffer_;    // direct: the file's bytes from the last whole sector before written_ on
  std::optional<Status> sync_error_;
};

class RealLock final : public DirectoryLock {
 public:
  explicit RealLock(int fd) : fd_(fd) {}
  ~RealLock() override { ::close(fd_); }
  RealLock(const RealLock&) = delete;
  RealLock& operator=(const RealLock&) = delete;

 private:
  int fd_;
};

class RealEnv final : public Env {
 public:
  explicit RealEnv(bool direct_io) : direct_io_(direct_io) {}

  // Whatever has the name is removed and not written to: it may be somebody's link to one of the user's files.
  Result<std::unique_ptr<File>> create(const std::string& path) override {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT)
      return failed("cannot replace", path);
    return open_file(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, "cannot create");
  }
  Result<std::unique_ptr<File>> open(const std::string& path) override {
    return open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, "cannot open");  // a pipe does not keep us waiting
  }
  Status rename(const std::string& from, const std::string& to) override {
    return ::rename(from.c_str(), to.c_str()) == 0 ? Status::ok()
                                                   : failed(fmt::format("cannot rename {} to {}", from, to));
  }
  Status remove(const std::string& path) override {
    return ::unlink(path.c_str()) == 0 ? Status::ok() : failed("cannot remove", path);
  }
  Result<std::vector<std::string>> list(const std::string& directory) override {
    DIR* stream = ::opendir(directory.c_str());
    if (stream == nullptr)
      return failed("cannot list", directory);
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = ::readdir(stream)) {  // NOLINT(concurrency-mt-unsafe): a stream of our own
      const std::string name = entry->d_name;
      if (name != "." && name != "..")
        names.push_back(name);
      errno = 0;
    }
    Status status = errno == 0 ? Status::ok() : failed("cannot list", directory);
    ::closedir(stream);
    if (!status.is_ok())
      return status;
    std::sort(names.begin(), names.end());
    return names;
  }
  Result<bool> make_directory(const std::string& path) override {
    if (::mkdir(path.c_str(), kPrivateDirectory) == 0)
      return true;
    if (errno == EEXIST)
      return false;
    return failed("cannot make the directory", path);
  }
  Status remove_directory(const std::string& path) override {
    return ::rmdir(path.c_str()) == 0 ? Status::ok() : failed("cannot remove the directory", path);
  }
  Status sync_directory(const std::string& path) override {
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
      return failed("cannot open", path);
    const bool done = ::fsync(fd) == 0;
    Status status = done ? Status::ok() : failed("cannot sync", path);
    ::close(fd);
    return status;
  }
  bool exists(const std::string& path) override { return ::access(path.c_str(), F_OK) == 0; }
  Result<std::unique_ptr<DirectoryLock>> lock(const std::string& directory) override {
    const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
      return failed("cannot open", directory);
    auto lock = std::make_unique<RealLock>(fd);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        return std::unique_ptr<DirectoryLock>();
      return failed("cannot lock", directory);
    }
    // The run that had it may have removed the directory between our two calls.
    if (!is_at(fd, directory))
      return std::unique_ptr<DirectoryLock>();
    return std::unique_ptr<DirectoryLock>(std::move(lock));
  }

 private:
  static bool is_at(int fd, const std::string& path) {
    struct stat opened {};
    struct stat there {};
    return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &there) == 0 && opened.st_ino == there.st_ino &&
           opened.st_dev == there.st_dev;
  }

  Result<std::unique_ptr<File>> open_file(const std::string& path, int flags, const char* what) const {
    int fd = ::open(path.c_str(), direct_io_ ? flags | O_DIRECT : flags, kPrivateFile);
    bool direct = direct_io_;
    if (fd < 0 && direct_io_ && errno == EINVAL) {  // this file system has no direct I/O, but may have made the file
      direct = false;
      if ((flags & O_EXCL) != 0)
        (void)::unlink(path.c_str());
      fd = ::open(path.c_str(), flags, kPrivateFile);
    }
    if (fd < 0)
      return failed(what, path);
    struct stat about {};
    if (::fstat(fd, &about) != 0) {
      Status status = failed("cannot look at", path);
      ::close(fd);
      return status;
    }
    if (!S_ISREG(about.st_mode)) {
      ::close(fd);
      return Status::error(fmt::format("{} is no file", path));
    }
    return std::unique_ptr<File>(
        std::make_unique<RealFile>(fd, path, static_cast<std::uint64_t>(about.st_size), direct));
  }

  bool direct_io_;
};

}  // namespace

std::unique_ptr<Env> make_real_env(bool direct_io) {
  return std::make_unique<RealEnv>(direct_io);
}

}  // namespace tideline
