// SPDX-License-Identifier: MIT
#include "io/workdir.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

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

void raise(std::atomic<std::uint64_t>& peak, std::uint64_t value) {
  std::uint64_t before = peak.load(std::memory_order_relaxed);
  while (before < value && !peak.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

Workdir::Workdir(Env& env, std::string path, std::uint64_t disk_bytes_max)
    : env_(env), path_(std::move(path)), disk_bytes_max_(disk_bytes_max) {
  while (path_.size() > 1 && path_.ends_with('/'))
    path_.pop_back();
}

Workdir::~Workdir() {
  if (!prepared() || keep_)
    return;
  if (env_.exists(path_of(kManifestName)))
    (void)env_.remove(path_of(kManifestName));
  for (const auto& [name, bytes] : files_)
    (void)env_.remove(path_of(name));
  if (made_)
    (void)env_.remove_directory(path_);
}

Status Workdir::make_default_directory() {
  const char* place = std::getenv("TMPDIR");
  const std::string parent = place != nullptr && *place != '\0' ? place : "/var/tmp";
  std::random_device random;
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    path_ = fmt::format("{}/tideline-{}-{:08x}", parent, ::getpid(), random());
    const Result<bool> made = env_.make_directory(path_);
    if (!made.is_ok())
      return made.status();
    made_ = made.value();
    if (made_)
      return Status::ok();
  }
  return Status::error(fmt::format("{}: no name for a working directory is free", parent));
}

Status Workdir::explain_contents(const std::vector<std::string>& names) {
  if (names.empty())
    return Status::ok();
  if (std::find(names.begin(), names.end(), kManifestName) != names.end())
    return Status::error(
        fmt::format("{0} holds a search that was stopped: go on with it by `tideline resume {0}`, or remove the "
                    "directory to begin again",
                    path_));
  return Status::error(
      fmt::format("{} is not empty ({} is in it): give --workdir a new or empty directory", path_, names.front()));
}

Status Workdir::prepare() {
  const std::lock_guard guard(mutex_);
  if (prepared())
    return Status::ok();
  if (path_.empty()) {
    if (Status status = make_default_directory(); !status.is_ok())
      return status;
  } else {
    const Result<bool> made = env_.make_directory(path_);
    if (!made.is_ok())
      return made.status();
    made_ = made.value();
  }
  Result<std::unique_ptr<DirectoryLock>> lock = env_.lock(path_);
  if (!lock.is_ok())
    return lock.status();
  if (lock.value() == nullptr)
    return Status::error(fmt::format("{} is in use by another run: give each run a --workdir of its own", path_));
  const Result<std::vector<std::string>> names = env_.list(path_);
  if (!names.is_ok())
    return names.status();
  if (Status contents = explain_contents(names.value()); !contents.is_ok())
    return contents;
  lock_ = std::move(lock.value());
  prepared_.store(true, std::memory_order_release);
  return Status::ok();
}

Status Workdir::reopen() {
  const std::lock_guard guard(mutex_);
  Result<std::unique_ptr<DirectoryLock>> lock = env_.lock(path_);
  if (!lock.is_ok())
    return lock.status();
  if (lock.value() == nullptr)
    return Status::error(fmt::format("{} is in use by another run", path_));
  const Result<std::vector<std::string>> names = env_.list(path_);
  if (!names.is_ok())
    return names.status();
  std::uint64_t total = 0;
  for (const std::string& name : names.value()) {
    if (name == kManifestName)
      continue;
    const Result<std::unique_ptr<File>> file = env_.open(path_of(name));
    if (!file.is_ok())
      return file.status();
    total += files_[name] = file.value()->size();
  }
  counts_.disk_bytes.store(total, std::memory_order_relaxed);
  raise(counts_.disk_peak_bytes, total);
  lock_ = std::move(lock.value());
  made_ = true;
  prepared_.store(true, std::memory_order_release);
  return Status::ok();
}

std::string Workdir::fresh_name(const std::string& kind) {
  return fmt::format("{}-{:06}", kind, names_given_.fetch_add(1, std::memory_order_relaxed));
}

Result<std::unique_ptr<File>> Workdir::create_file(const std::string& name) {
  if (Status status = prepare(); !status.is_ok())
    return status;
  Result<std::unique_ptr<File>> file = env_.create(path_of(name));
  if (!file.is_ok())
    return file;
  const std::lock_guard guard(mutex_);
  files_[name] = 0;
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

Status Workdir::unlink(const std::string& name) {
  {
    const std::lock_guard guard(mutex_);
    const auto found = files_.find(name);
    if (found == files_.end())
      return Status::ok();
    counts_.disk_bytes.fetch_sub(found->second, std::memory_order_relaxed);
    files_.erase(found);
  }
  return env_.remove(path_of(name));
}

Status Workdir::write_manifest(const std::string& contents, std::set<std::string> names) {
  if (Status status = prepare(); !status.is_ok())
    return status;
  // The names of the new files must be on the disk before a manifest that mentions them.
  if (Status status = env_.sync_directory(path_); !status.is_ok())
    return status;
  if (Status status = replace_file(env_, path_, kManifestName, contents); !status.is_ok())
    return status;
  std::set<std::string> doomed;
  {
    const std::lock_guard guard(mutex_);
    named_ = std::move(names);
    doomed.swap(doomed_);
  }
  for (const std::string& name : doomed)
    if (Status status = unlink(name); !status.is_ok())
      return status;
  return Status::ok();
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
  for (const std::string& name : rest)
    if (Status status = unlink(name); !status.is_ok())
      return status;
  return Status::ok();
}

Status Workdir::charge(const std::string& name, std::uint64_t bytes) {
  const std::lock_guard guard(mutex_);
  const std::uint64_t now = counts_.disk_bytes.load(std::memory_order_relaxed) + bytes;
  if (disk_bytes_max_ != 0 && now > disk_bytes_max_)
    return Status::limit(
        fmt::format("--disk is reached: {} of {} bytes are in {}", now - bytes, disk_bytes_max_, path_));
  files_[name] += bytes;
  counts_.disk_bytes.store(now, std::memory_order_relaxed);
  raise(counts_.disk_peak_bytes, now);
  return Status::ok();
}

}  // namespace tideline
