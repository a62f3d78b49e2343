// SPDX-License-Identifier: MIT
// The machine's file system. Direct I/O needs aligned addresses, offsets and lengths: appends go through an aligned
// buffer whose rest is written, padded, at sync() or close and the file cut to its length; reads go through one of
// their own.
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

#include "io/env.h"

namespace tideline {
namespace {

constexpr mode_t kPrivateFile = 0600;
constexpr mode_t kPrivateDirectory = 0700;
constexpr std::size_t kAlignment = 4096;
constexpr std::size_t kDirectBuffer = std::size_t{256} << 10;

Status failed(const char* what, const std::string& path) {
  return Status::from_errno(fmt::format("{} {}", what, path));
}

Status failed_at(const char* what, const std::string& path, std::uint64_t offset) {
  return Status::from_errno(fmt::format("{} {} at byte {}", what, path, offset));
}

// Writes all of it.
Status write_at(int fd, const std::string& path, const char* data, std::size_t bytes, std::uint64_t offset) {
  while (bytes > 0) {
    const ssize_t written = ::pwrite(fd, data, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return failed_at("cannot write", path, offset);
    data += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
  return Status::ok();
}

// Reads up to `bytes`; fewer only where the file ends.
Result<std::size_t> read_at(int fd, const std::string& path, char* data, std::size_t bytes, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t some = ::pread(fd, data + done, bytes - done, static_cast<off_t>(offset + done));
    if (some < 0 && errno == EINTR)
      continue;
    if (some < 0)
      return failed_at("cannot read", path, offset + done);
    if (some == 0)
      break;
    done += static_cast<std::size_t>(some);
  }
  return done;
}

struct Free {
  void operator()(char* memory) const { std::free(memory); }  // NOLINT(cppcoreguidelines-no-malloc)
};
using AlignedBuffer = std::unique_ptr<char, Free>;

AlignedBuffer make_aligned(std::size_t bytes) {
  return AlignedBuffer(static_cast<char*>(std::aligned_alloc(kAlignment, bytes)));
}

class RealFile final : public File {
 public:
  RealFile(int fd, std::string path, std::uint64_t size, bool direct)
      : fd_(fd), path_(std::move(path)), size_(size), written_(size), direct_(direct) {
    if (direct_)
      buffer_ = make_aligned(kDirectBuffer);
  }
  ~RealFile() override {
    (void)flush();  // a file that matters was synced before
    ::close(fd_);
  }
  RealFile(const RealFile&) = delete;
  RealFile& operator=(const RealFile&) = delete;

  Status append(const void* data, std::size_t bytes) override {
    const char* from = static_cast<const char*>(data);
    if (!direct_) {
      Status status = write_at(fd_, path_, from, bytes, size_);
      if (status.is_ok())
        written_ = size_ += bytes;
      return status;
    }
    while (bytes > 0) {
      const std::uint64_t begin = written_ / kAlignment * kAlignment;  // of the buffer in the file
      const std::size_t filled = size_ - begin;
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

  Status read(std::uint64_t offset, void* data, std::size_t bytes) override {
    if (direct_ && offset + bytes > written_)
      if (Status status = flush(); !status.is_ok())
        return status;
    if (!direct_)
      return read_exactly(offset, static_cast<char*>(data), bytes);
    const std::uint64_t begin = offset / kAlignment * kAlignment;
    const std::size_t span = (offset + bytes - begin + kAlignment - 1) / kAlignment * kAlignment;
    const AlignedBuffer copy = make_aligned(span);
    const Result<std::size_t> done = read_at(fd_, path_, copy.get(), span, begin);
    if (!done.is_ok())
      return done.status();
    if (begin + done.value() < offset + bytes)
      return ends_early(offset, bytes);
    std::memcpy(data, copy.get() + (offset - begin), bytes);
    return Status::ok();
  }

  Status sync() override {
    if (Status status = flush(); !status.is_ok())
      return status;
    return ::fdatasync(fd_) == 0 ? Status::ok() : failed("cannot sync", path_);
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  Status ends_early(std::uint64_t offset, std::size_t bytes) const {
    return Status::error(fmt::format("{} ends before byte {}: it was cut short", path_, offset + bytes));
  }
  Status read_exactly(std::uint64_t offset, char* data, std::size_t bytes) {
    const Result<std::size_t> done = read_at(fd_, path_, data, bytes, offset);
    if (!done.is_ok())
      return done.status();
    return done.value() == bytes ? Status::ok() : ends_early(offset, bytes);
  }
  // Direct: writes what is in the buffer, padded to whole sectors, and cuts the file to its length.
  Status flush() {
    if (!direct_ || written_ == size_)
      return Status::ok();
    const std::uint64_t begin = written_ / kAlignment * kAlignment;
    const std::size_t filled = size_ - begin;
    const std::size_t padded = (filled + kAlignment - 1) / kAlignment * kAlignment;
    std::memset(buffer_.get() + filled, 0, padded - filled);
    if (Status status = write_at(fd_, path_, buffer_.get(), padded, begin); !status.is_ok())
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
  std::uint64_t written_;  // bytes of them that the system has
  bool direct_;
  AlignedBuffer buffer_;  // direct: the file's bytes from the last whole sector before written_ on
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

  Result<std::unique_ptr<File>> create(const std::string& path) override {
    return open_file(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, "cannot create");
  }
  Result<std::unique_ptr<File>> open(const std::string& path) override {
    return open_file(path, O_RDONLY | O_CLOEXEC, "cannot open");
  }
  Status rename(const std::string& from, const std::string& to) override {
    return ::rename(from.c_str(), to.c_str()) == 0 ? Status::ok() : failed("cannot rename", from);
  }
  Status remove(const std::string& path) override {
    return ::unlink(path.c_str()) == 0 ? Status::ok() : failed("cannot remove", path);
  }
  Result<std::vector<std::string>> list(const std::string& directory) override {
    DIR* stream = ::opendir(directory.c_str());
    if (stream == nullptr)
      return failed("cannot list", directory);
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(stream)) {  // NOLINT(concurrency-mt-unsafe): a stream of our own
      const std::string name = entry->d_name;
      if (name != "." && name != "..")
        names.push_back(name);
    }
    ::closedir(stream);
    std::sort(names.begin(), names.end());
    return names;
  }
  Status make_directory(const std::string& path) override {
    if (::mkdir(path.c_str(), kPrivateDirectory) == 0 || errno == EEXIST)
      return Status::ok();
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
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
      return std::unique_ptr<DirectoryLock>(std::make_unique<RealLock>(fd));
    const bool held = errno == EWOULDBLOCK;
    Status status = held ? Status::ok() : failed("cannot lock", directory);
    ::close(fd);
    if (!held)
      return status;
    return std::unique_ptr<DirectoryLock>();
  }

 private:
  Result<std::unique_ptr<File>> open_file(const std::string& path, int flags, const char* what) const {
    int fd = ::open(path.c_str(), direct_io_ ? flags | O_DIRECT : flags, kPrivateFile);
    bool direct = direct_io_;
    if (fd < 0 && direct_io_ && errno == EINVAL) {  // this file system has no direct I/O
      direct = false;
      fd = ::open(path.c_str(), flags, kPrivateFile);
    }
    if (fd < 0)
      return failed(what, path);
    struct stat about {};
    if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
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
