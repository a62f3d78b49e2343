// SPDX-License-Identifier: MIT
// Whole text files, with plain POSIX calls so that every error has its errno.
#include "io/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace tideline {

namespace {

// Closes the descriptor when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  // Closes now; an error (no space, on some file systems) is the last chance to hear of it.
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0)
      text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool is_special(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

Status write_directly(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0 || !write_all(file.get(), text) || !file.close())
    return Status::from_errno("cannot write " + path);
  return Status::ok();
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::uint64_t bytes_max) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  struct stat info {};
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0)
    return Status::from_errno("cannot read " + path);
  if (S_ISDIR(info.st_mode))
    return Status::error("cannot read " + path + ": it is a directory");
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode))
    return Status::error("cannot read " + path + ": it is not a regular file");
  const Status too_large =
      Status::error(fmt::format("cannot read {}: it is larger than {} MiB", path, bytes_max >> 20));
  if (S_ISREG(info.st_mode) && static_cast<std::uint64_t>(info.st_size) > bytes_max)
    return too_large;
  std::string text;
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  while (true) {
    const std::size_t size = text.size();
    text.resize(size + kChunk);
    const ssize_t got = ::read(file.get(), text.data() + size, kChunk);
    text.resize(size + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got == 0)
      return text;
    if (got < 0 && errno != EINTR)
      return Status::from_errno("cannot read " + path);
    if (text.size() > bytes_max)
      return too_large;
  }
}

Status write_text_file(const std::string& path, std::string_view text) {
  if (path == "-")
    return write_all(STDOUT_FILENO, text) ? Status::ok() : Status::from_errno("cannot write to standard output");
  if (is_special(path))
    return write_directly(path, text);
  std::string temporary = path + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0)
    return Status::from_errno("cannot write " + path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (!write_all(file.get(), text) || ::fchmod(file.get(), 0666 & ~mask) != 0 || ::fsync(file.get()) != 0 ||
      !file.close() || ::rename(temporary.c_str(), path.c_str()) != 0) {
    Status status = Status::from_errno("cannot write " + path);
    ::unlink(temporary.c_str());
    return status;
  }
  return Status::ok();
}

Status check_writable(const std::string& path) {
  if (path == "-")
    return Status::ok();
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    return Status::error("cannot write " + path + ": it is a directory");
  const std::string target = exists && !S_ISREG(info.st_mode) ? path : directory_of(path);
  if (::access(target.c_str(), W_OK) != 0)
    return Status::from_errno("cannot write " + path);
  return Status::ok();
}

}  // namespace tideline
