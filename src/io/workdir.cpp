// SPDX-License-Identifier: MIT
#include "io/workdir.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <random>
#include <vector>

#include "base/check.h"
#include "io/async_file.h"

namespace tideline {

// Counts and bounds what goes through it.
class CountedFile final : public File {
 public:
  CountedFile(std::unique_ptr<File> inner, Workdir& workdir, std::string name)
      : inner_(std::move(inner)), workdir_(workdir), name_(std::move(name)) {}

  Status append(const void* data, std::size_t bytes) override {
    if (Status status = workdir_.charge(name_, bytes); !status.is_ok())
      return status;
    workdir_.counts_.bytes_written.fetch_add(bytes, std::memory_order_relaxed);
    return inner_->append(data, bytes);
  }
  Status read(std::uint64_t offset, void* data, std::size_t bytes) override {
    workdir_.counts_.bytes_read.fetch_add(bytes, std::memory_order_relaxed);
    return inner_->read(offset, data, bytes);
  }
  Status flush() override { return inner_->flush(); }
  Status sync() override { return inner_->sync(); }
  [[nodiscard]] std::uint64_t size() const override { return inner_->size(); }

 private:
  std::unique_ptr<File> inner_;
  Workdir& workdir_;
  std::string name_;
};

namespace {

constexpr int kNameAttempts = 100;
constexpr std::size_t kNumberDigits = 6;
constexpr std::size_t kNumberDigitsMax = 18;

// Of a name as fresh_name() gives it.
std::optional<std::uint64_t> number_of(const std::string& name) {
  const std::size_t begin = name.rfind('-') + 1;
  const std::size_t digits = name.size() - begin;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (begin < 2 || digits < kNumberDigits || digits > kNumberDigitsMax ||
      !std::all_of(name.end() - static_cast<std::ptrdiff_t>(digits), name.end(), is_digit))
    return std::nullopt;
  return std::stoull(name.substr(begin));
}

// That, or a manifest that was not finished.
bool is_name_of_ours(const std::string& name) {
  return number_of(name).has_value() || name == std::string(kManifestName) + ".new";
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void raise(std::atomic<std::uint64_t>& to, std::uint64_t value) {
  std::uint64_t before = to.load(std::memory_order_relaxed);
  while (before < value && !to.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

Workdir::Workdir(Env& env, std::string path, std::uint64_t disk_bytes_max)
    : env_(env), path_(std::move(path)), disk_bytes_max_(disk_bytes_max) {
  while (path_.size() > 1 && path_.ends_with('/'))
    path_.pop_back();
}

Workdir::~Workdir() {
  if (!prepared() || keep_ || !understood_)
    return;
  if (env_.exists(path_of(kManifestName)))
    (void)env_.remove(path_of(kManifestName));
  for (const auto& [name, bytes] : files_)
    (void)env_.remove(path_of(name));
  if (made_)
    (void)env_.remove_directory(path_);
}

// A directory that exists is another's, also if it is empty: in a place that all users share it may be a trap.
Status Workdir::make_default_directory() {
  const char* place = std::getenv("TMPDIR");
  const std::string parent = place != nullptr && *place != '\0' ? place : "/var/tmp";
  std::random_device random;
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    const std::string path = fmt::format("{}/tideline-{}-{:08x}", parent, ::getpid(), random());
    const Result<bool> made = env_.make_directory(path);
    if (!made.is_ok())
      return Status::error(made.status().message() + " (--workdir or TMPDIR say where else)");
    if (made.value()) {
      path_ = path;
      made_ = true;
      return Status::ok();
    }
  }
  return Status::error(fmt::format("{}: no name for a working directory is free, give one by --workdir", parent));
}

Status Workdir::make_directory() {
  if (path_.empty())
    return make_default_directory();
  const Result<bool> made = env_.make_directory(path_);
  if (!made.is_ok())
    return made.status();
  made_ = made.value();
  return Status::ok();
}

Status Workdir::explain_contents(const std::vector<std::string>& names) const {
  if (names.empty())
    return Status::ok();
  if (std::find(names.begin(), names.end(), kManifestName) != names.end())
    return Status::error(
        fmt::format("{0} holds a search that was stopped: go on with it by `tideline resume {0}`, or remove the "
                    "directory to begin again",
                    path_));
  if (std::all_of(names.begin(), names.end(), is_name_of_ours))
    return Status::error(fmt::format(
        "{} holds what is left of a run that was killed before it could be resumed: remove the directory", path_));
  return Status::error(
      fmt::format("{} is not empty ({} is in it): give --workdir a new or empty directory", path_, names.front()));
}

Status Workdir::take() {
  Result<std::unique_ptr<DirectoryLock>> lock = env_.lock(path_);
  if (!lock.is_ok())
    return lock.status();
  if (lock.value() == nullptr)
    return Status::error(fmt::format("{} is in use by another run: give each run a --workdir of its own", path_));
  const Result<std::vector<std::string>> names = env_.list(path_);
  if (!names.is_ok())
    return names.status();
  if (Status status = explain_contents(names.value()); !status.is_ok())
    return status;
  lock_ = std::move(lock.value());
  return Status::ok();
}

Status Workdir::prepare() {
  const std::lock_guard guard(mutex_);
  if (prepared())
    return Status::ok();
  const std::string given = path_;
  if (Status status = make_directory(); !status.is_ok())
    return status;
  if (Status status = take(); !status.is_ok()) {
    if (made_)
      (void)env_.remove_directory(path_);
    made_ = false;
    path_ = given;
    return status;
  }
  prepared_.store(true, std::memory_order_release);
  return Status::ok();
}

Status Workdir::reopen() {
  const std::lock_guard guard(mutex_);
  CHECK(!prepared());
  Result<std::unique_ptr<DirectoryLock>> lock = env_.lock(path_);
  if (!lock.is_ok())
    return lock.status();
  if (lock.value() == nullptr)
    return Status::error(fmt::format("{} is in use by another run", path_));
  if (!env_.exists(path_of(kManifestName)))
    return Status::error(fmt::format("{} holds no search that could be resumed: it has no {}", path_, kManifestName));
  const Result<std::vector<std::string>> names = env_.list(path_);
  if (!names.is_ok())
    return names.status();
  std::map<std::string, std::uint64_t> files;
  std::uint64_t total = 0;
  for (const std::string& name : names.value()) {
    if (!is_name_of_ours(name))
      continue;
    const Result<std::unique_ptr<File>> file = env_.open(path_of(name));
    if (!file.is_ok())
      return file.status();
    total += files[name] = file.value()->size();
    raise(names_given_, number_of(name).value_or(0) + 1);
  }
  files_ = std::move(files);
  counts_.disk_bytes.store(total, std::memory_order_relaxed);
  raise(counts_.disk_peak_bytes, total);
  lock_ = std::move(lock.value());
  made_ = true;
  understood_ = false;
  prepared_.store(true, std::memory_order_release);
  return Status::ok();
}

void Workdir::add_counts(std::uint64_t state_reads, std::uint64_t state_writes, std::uint64_t bytes_read,
                         std::uint64_t bytes_written) {
  counts_.state_reads.fetch_add(state_reads, std::memory_order_relaxed);
  counts_.state_writes.fetch_add(state_writes, std::memory_order_relaxed);
  counts_.bytes_read.fetch_add(bytes_read, std::memory_order_relaxed);
  counts_.bytes_written.fetch_add(bytes_written, std::memory_order_relaxed);
}

std::string Workdir::fresh_name(const std::string& kind) {
  return fmt::format("{}-{:06}", kind, names_given_.fetch_add(1, std::memory_order_relaxed));
}

void Workdir::set_names_given(std::uint64_t count) {
  raise(names_given_, count);
}

Result<std::unique_ptr<File>> Workdir::create_file(const std::string& name) {
  CHECK(number_of(name).has_value());
  if (Status status = prepare(); !status.is_ok())
    return status;
  {
    const std::lock_guard guard(mutex_);
    CHECK(files_.emplace(name, 0).second);  // a name is given once; what may be half made is removed at the end
  }
  Result<std::unique_ptr<File>> file = env_.create(path_of(name));
  if (!file.is_ok())
    return file;
  if (IoThread* thread = io_thread(); thread != nullptr)
    file.value() = std::make_unique<AsyncFile>(std::move(file.value()), *thread);
  return std::unique_ptr<File>(std::make_unique<CountedFile>(std::move(file.value()), *this, name));
}

Result<std::unique_ptr<File>> Workdir::open_file(const std::string& name) {
  Result<std::unique_ptr<File>> file = env_.open(path_of(name));
  if (!file.is_ok())
    return file;
  return std::unique_ptr<File>(std::make_unique<CountedFile>(std::move(file.value()), *this, name));
}

Status Workdir::remove_file(const std::string& name) {
  {
    const std::lock_guard guard(mutex_);
    if (named_.contains(name)) {
      doomed_.insert(name);
      return Status::ok();
    }
  }
  return unlink(name);
}

// The bytes are free when the file is gone, not before.
Status Workdir::unlink(const std::string& name) {
  std::map<std::string, std::uint64_t>::node_type file;
  {
    const std::lock_guard guard(mutex_);
    file = files_.extract(name);
  }
  if (file.empty())
    return Status::ok();
  Status status = env_.remove(path_of(name));
  const std::lock_guard guard(mutex_);
  if (status.is_ok())
    counts_.disk_bytes.fetch_sub(file.mapped(), std::memory_order_relaxed);
  else
    files_.insert(std::move(file));
  return status;
}

Status Workdir::write_manifest(const std::string& contents, std::set<std::string> names) {
  if (Status status = prepare(); !status.is_ok())
    return status;
  const std::lock_guard serial(manifest_mutex_);
  if (made_ && !parent_synced_)
    if (Status status = env_.sync_directory(parent_of(path_)); !status.is_ok())
      return status;
  parent_synced_ = true;
  {
    const std::lock_guard guard(mutex_);
    named_.insert(names.begin(), names.end());
  }
  // The names of the new files must be on the disk before a manifest that mentions them.
  if (Status status = env_.sync_directory(path_); !status.is_ok())
    return status;
  if (Status status = replace_file(env_, path_, kManifestName, contents); !status.is_ok())
    return status;
  std::vector<std::string> rest;
  {
    const std::lock_guard guard(mutex_);
    named_ = std::move(names);
    std::set_difference(doomed_.begin(), doomed_.end(), named_.begin(), named_.end(), std::back_inserter(rest));
    for (const std::string& name : rest)
      doomed_.erase(name);
  }
  return unlink_all(rest);
}

Status Workdir::keep_only(std::set<std::string> names) {
  std::vector<std::string> rest;
  {
    const std::lock_guard guard(mutex_);
    for (const auto& [name, bytes] : files_)
      if (!names.contains(name))
        rest.push_back(name);
    named_ = std::move(names);
  }
  Status status = unlink_all(rest);
  const std::lock_guard guard(mutex_);
  understood_ = status.is_ok();
  return status;
}

// All of them, whatever becomes of one.
Status Workdir::unlink_all(const std::vector<std::string>& names) {
  Status first;
  for (const std::string& name : names) {
    Status status = unlink(name);
    if (first.is_ok())
      first = status;
  }
  return first;
}

Status Workdir::charge(const std::string& name, std::uint64_t bytes) {
  const std::lock_guard guard(mutex_);
  const std::uint64_t now = counts_.disk_bytes.load(std::memory_order_relaxed) + bytes;
  if (disk_bytes_max_ != 0 && now > disk_bytes_max_)
    return Status::limit(fmt::format("--disk is reached: {} of {} bytes are in {}, and {} more are needed", now - bytes,
                                     disk_bytes_max_, path_, bytes));
  if (const auto found = files_.find(name); found != files_.end())
    found->second += bytes;
  else
    return Status::error(fmt::format("cannot write {}: it was removed", path_of(name)));
  counts_.disk_bytes.store(now, std::memory_order_relaxed);
  raise(counts_.disk_peak_bytes, now);
  return Status::ok();
}

}  // namespace tideline
