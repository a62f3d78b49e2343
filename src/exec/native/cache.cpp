// SPDX-License-Identifier: MIT
#include "exec/native/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tideline {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> kMagic = {'T', 'L', 'S', 'O', '0', '0', '0', '1'};
constexpr std::uint64_t kFileBytesMax = 1ull << 30;
constexpr auto kLeftoverAge = std::chrono::hours(24);

// At the end of every file; little-endian.
struct Footer {
  std::array<char, 8> magic{};
  std::uint64_t size = 0;  // of what is before the footer
  std::uint64_t hash_low = 0;
  std::uint64_t hash_high = 0;
};
static_assert(sizeof(Footer) == 32);

Footer footer_of(const std::string& content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  return {kMagic, content.size(), hash.low64, hash.high64};
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string default_directory() {
  if (const std::string chosen = environment("TIDELINE_CACHE"); !chosen.empty())
    return chosen;
  if (const std::string caches = environment("XDG_CACHE_HOME"); !caches.empty())
    return caches + "/tideline";
  if (const std::string home = environment("HOME"); !home.empty())
    return home + "/.cache/tideline";
  return "";
}

// Makes a directory and those above it, private to the user.
Status make_directories(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR && end == std::string::npos)
      return Status::from_errno("cannot make the directory " + part);
    if (end == std::string::npos)
      break;
  }
  struct stat info {};
  if (stat(path.c_str(), &info) != 0)
    return Status::from_errno("cannot use the directory " + path);
  if (!S_ISDIR(info.st_mode))
    return Status::error("cannot use " + path + " as a directory: it is a file");
  if (access(path.c_str(), R_OK | W_OK | X_OK) != 0)
    return Status::from_errno("cannot write in the directory " + path);
  return Status::ok();
}

Result<std::string> read_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return Status::from_errno("cannot read " + path);
  struct stat info {};
  std::string content;
  bool good = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= 0 &&
              static_cast<std::uint64_t>(info.st_size) <= kFileBytesMax;
  if (good) {
    content.resize(static_cast<std::size_t>(info.st_size));
    std::size_t done = 0;
    while (done < content.size()) {
      const ssize_t some = read(file, content.data() + done, content.size() - done);
      if (some < 0 && errno == EINTR)
        continue;
      if (some <= 0)
        break;
      done += static_cast<std::size_t>(some);
    }
    good = done == content.size();
  }
  Status status = good ? Status::ok() : Status::from_errno("cannot read " + path);
  close(file);
  if (!status.is_ok())
    return status;
  return content;
}

Status write_file(const std::string& path, const std::string& content) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0700);
  if (file < 0)
    return Status::from_errno("cannot make " + path);
  std::size_t done = 0;
  Status status;
  while (done < content.size() && status.is_ok()) {
    const ssize_t some = write(file, content.data() + done, content.size() - done);
    if (some < 0 && errno == EINTR)
      continue;
    if (some <= 0)
      status = Status::from_errno("cannot write " + path);
    else
      done += static_cast<std::size_t>(some);
  }
  if (close(file) != 0 && status.is_ok())
    status = Status::from_errno("cannot write " + path);
  if (!status.is_ok())
    (void)unlink(path.c_str());
  return status;
}

bool is_sound(const std::string& content) {
  if (content.size() < sizeof(Footer))
    return false;
  Footer found;
  std::memcpy(&found, content.data() + content.size() - sizeof(Footer), sizeof(Footer));
  const Footer right = footer_of(content.substr(0, content.size() - sizeof(Footer)));
  return std::memcmp(&found, &right, sizeof(Footer)) == 0;
}

}  // namespace

NativeCache::NativeCache(std::string directory)
    : directory_(directory.empty() ? default_directory() : std::move(directory)) {
  while (directory_.size() > 1 && directory_.back() == '/')
    directory_.pop_back();
  status_ =
      directory_.empty() ? Status::error("there is no cache directory: HOME is not set") : make_directories(directory_);
}

std::string NativeCache::key_of(const std::string& content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string NativeCache::find(const std::string& key) {
  if (directory_.empty())
    return "";
  const std::string path = path_of(key);
  const Result<std::string> content = read_file(path);
  if (!content.is_ok())
    return "";
  if (!is_sound(content.value())) {
    remove(key);
    return "";
  }
  (void)utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return path;
}

Result<std::string> NativeCache::keep(const std::string& key, const std::string& file) {
  if (!status_.is_ok())
    return status_;
  Result<std::string> content = read_file(file);
  if (!content.is_ok())
    return content.status();
  const Footer footer = footer_of(content.value());
  content.value().append(reinterpret_cast<const char*>(&footer), sizeof(footer));
  static std::atomic<unsigned> counter{0};
  const std::string draft = fmt::format("{}/{}.{}.{}.draft", directory_, key, getpid(), counter++);
  if (const Status status = write_file(draft, content.value()); !status.is_ok())
    return status;
  if (rename(draft.c_str(), path_of(key).c_str()) != 0) {
    Status status = Status::from_errno("cannot rename " + draft);
    (void)unlink(draft.c_str());
    return status;
  }
  trim(kBytesMax);
  return path_of(key);
}

void NativeCache::remove(const std::string& key) {
  (void)unlink(path_of(key).c_str());
}

void NativeCache::trim(std::uint64_t bytes_max) {
  struct Entry {
    fs::file_time_type time;
    std::uint64_t bytes = 0;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator it(directory_, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const fs::path path = it->path();
    const auto time = fs::last_write_time(path, ignored);
    if (path.extension() == ".draft" && !ignored && now - time > kLeftoverAge)
      fs::remove(path, ignored);
    if (path.extension() != ".so")
      continue;
    const std::uint64_t bytes = fs::file_size(path, ignored);
    if (ignored)
      continue;
    entries.push_back({time, bytes, path});
    total += bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time < b.time; });
  for (const Entry& entry : entries) {
    if (total <= bytes_max)
      break;
    std::error_code ignored;
    fs::remove(entry.path, ignored);
    total -= entry.bytes;
  }
}

PrivateDirectory::~PrivateDirectory() {
  if (path_.empty())
    return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Status PrivateDirectory::make(const std::string& last_resort) {
  for (const std::string& place : {environment("TMPDIR"), std::string("/tmp"), last_resort}) {
    if (place.empty())
      continue;
    std::string pattern = place + "/tideline-XXXXXX";
    if (mkdtemp(pattern.data()) != nullptr) {
      path_ = pattern;
      return Status::ok();
    }
  }
  return Status::from_errno("cannot make a temporary directory");
}

}  // namespace tideline
