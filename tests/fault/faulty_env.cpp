// SPDX-License-Identifier: MIT
#include "fault/faulty_env.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace tideline {
namespace {

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool is_in(const std::string& path, const std::string& directory) {
  return path != directory && parent_of(path) == directory;
}

Status failed(const char* what, const std::string& path) {
  return Status::from_errno(fmt::format("{} {}", what, path));
}

Status failed(int error, const char* what, const std::string& path) {
  errno = error;
  return failed(what, path);
}

}  // namespace

class FaultyFile final : public File {
 public:
  FaultyFile(FaultyEnv& env, std::string path, FaultyEnv::NodePointer node, bool writable)
      : env_(env), path_(std::move(path)), node_(std::move(node)), writable_(writable), life_(env.life_) {}

  Status append(const void* data, std::size_t bytes) override {
    const std::lock_guard guard(env_.mutex_);
    if (!env_.alive(life_))
      return failed("cannot write", path_);
    if (!writable_)
      return failed(EBADF, "cannot write", path_);
    return env_.append_to(*node_, path_, static_cast<const char*>(data), bytes);
  }

  Status read(std::uint64_t offset, void* data, std::size_t bytes) override {
    const std::lock_guard guard(env_.mutex_);
    if (!env_.alive(life_))
      return failed("cannot read", path_);
    const std::string& held = node_->data;
    if (offset > held.size() || bytes > held.size() - offset)
      return Status::error(
          fmt::format("{} ends at byte {}, before byte {}: it was cut short", path_, held.size(), offset + bytes));
    if (bytes > 0)
      std::memcpy(data, held.data() + offset, bytes);
    return Status::ok();
  }

  Status flush() override {
    const std::lock_guard guard(env_.mutex_);
    return env_.alive(life_) ? Status::ok() : failed("cannot write", path_);
  }

  Status sync() override {
    const std::lock_guard guard(env_.mutex_);
    if (!env_.alive(life_) || node_->sync_failed)
      return failed(EIO, "cannot sync", path_);
    if (!env_.step()) {
      node_->sync_failed = true;
      return failed("cannot sync", path_);
    }
    node_->durable_bytes = node_->data.size();
    return Status::ok();
  }

  [[nodiscard]] std::uint64_t size() const override {
    const std::lock_guard guard(env_.mutex_);
    return node_->data.size();
  }

 private:
  FaultyEnv& env_;
  std::string path_;
  FaultyEnv::NodePointer node_;
  bool writable_;
  std::uint64_t life_;
};

class FaultyLock final : public DirectoryLock {
 public:
  FaultyLock(FaultyEnv& env, std::string directory) : env_(env), directory_(std::move(directory)), life_(env.life_) {}
  ~FaultyLock() override {
    const std::lock_guard guard(env_.mutex_);
    if (env_.life_ == life_)
      env_.locks_.erase(directory_);
  }
  FaultyLock(const FaultyLock&) = delete;
  FaultyLock& operator=(const FaultyLock&) = delete;

 private:
  FaultyEnv& env_;
  std::string directory_;
  std::uint64_t life_;
};

FaultyEnv::FaultyEnv() {
  for (const char* path : {"/", ".", "/tmp", "/var", "/var/tmp"}) {
    auto node = std::make_shared<Node>();
    node->is_directory = true;
    names_[path] = durable_names_[path] = node;
  }
}

FaultyEnv::~FaultyEnv() = default;

void FaultyEnv::plan(std::uint64_t step, Fault fault) {
  const std::lock_guard guard(mutex_);
  planned_step_ = step;
  planned_ = fault;
}

std::uint64_t FaultyEnv::steps() const {
  const std::lock_guard guard(mutex_);
  return steps_;
}

void FaultyEnv::limit_bytes(std::uint64_t bytes_max) {
  const std::lock_guard guard(mutex_);
  bytes_max_ = bytes_max;
}

std::uint64_t FaultyEnv::bytes() const {
  const std::lock_guard guard(mutex_);
  return bytes_held();
}

std::uint64_t FaultyEnv::bytes_held() const {
  std::uint64_t total = 0;
  for (const auto& [path, node] : names_)
    total += node->data.size();
  return total;
}

void FaultyEnv::crash() {
  const std::lock_guard guard(mutex_);
  crashed_ = true;
}

bool FaultyEnv::crashed() const {
  const std::lock_guard guard(mutex_);
  return crashed_;
}

bool FaultyEnv::alive(std::uint64_t life) const {
  errno = EIO;
  return !crashed_ && life == life_;
}

bool FaultyEnv::step(Fault* fault) {
  if (!alive(life_))
    return false;
  if (++steps_ != planned_step_)
    return true;
  crashed_ = planned_ == Fault::kCrash || planned_ == Fault::kTear;
  errno = planned_ == Fault::kNoSpace ? ENOSPC : EIO;
  if (fault != nullptr)
    *fault = planned_;
  return false;
}

Status FaultyEnv::append_to(Node& node, const std::string& path, const char* data, std::size_t bytes) {
  const std::string what = fmt::format("cannot write {} at byte {}", path, node.data.size());
  Fault fault = Fault::kCrash;
  if (!step(&fault)) {
    Status status = Status::from_errno(what);
    if (fault == Fault::kTear)
      node.data.append(data, bytes * (steps_ % 5) / 5);
    return status;
  }
  if (bytes_max_ != 0 && bytes_held() + bytes > bytes_max_) {
    errno = ENOSPC;
    return Status::from_errno(what);
  }
  node.data.append(data, bytes);
  return Status::ok();
}

void FaultyEnv::begin_life() {
  locks_.clear();
  changes_.clear();
  planned_step_ = 0;
  crashed_ = false;
  ++life_;
}

namespace {

// How many of the `bytes` that were not synced are there: often none or all, else any number.
std::size_t surviving(std::mt19937_64& random, std::size_t bytes) {
  switch (random() % 4) {
    case 0:
      return 0;
    case 1:
      return bytes;
    default:
      return random() % (bytes + 1);
  }
}

}  // namespace

void FaultyEnv::reboot(std::uint64_t seed) {
  const std::lock_guard guard(mutex_);
  std::mt19937_64 random(seed);
  // No change, all, the first few, or any.
  const unsigned mode = random() % 4;
  const std::size_t first = mode == 0 ? 0 : mode == 1 ? changes_.size() : random() % (changes_.size() + 1);
  const std::vector<Change> changes = std::move(changes_);
  names_ = durable_names_;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (mode == 3 ? random() % 2 == 0 : i < first)
      change_names(changes[i]);
  std::erase_if(names_, [&](const auto& entry) { return !names_.contains(parent_of(entry.first)); });
  for (auto& [path, node] : names_) {
    const std::size_t kept = node->durable_bytes + surviving(random, node->data.size() - node->durable_bytes);
    node->data.resize(kept);
    if (random() % 4 == 0) {
      const std::size_t good = node->durable_bytes + surviving(random, kept - node->durable_bytes);
      std::fill(node->data.begin() + static_cast<std::ptrdiff_t>(good), node->data.end(), '\0');
    }
    node->durable_bytes = kept;
    node->sync_failed = false;
  }
  durable_names_ = names_;
  begin_life();
}

void FaultyEnv::restart() {
  const std::lock_guard guard(mutex_);
  std::vector<Change> changes = std::move(changes_);  // the system still has them in its cache
  begin_life();
  changes_ = std::move(changes);
}

void FaultyEnv::flip_bit(const std::string& path, std::uint64_t offset, unsigned bit) {
  const std::lock_guard guard(mutex_);
  std::string& data = names_.at(path)->data;
  data.at(offset) = static_cast<char>(static_cast<unsigned char>(data.at(offset)) ^ (1U << bit));
}

void FaultyEnv::set_contents(const std::string& path, std::string contents) {
  const std::lock_guard guard(mutex_);
  NodePointer& node = names_[path];
  if (node == nullptr)
    node = durable_names_[path] = std::make_shared<Node>();
  node->data = std::move(contents);
  node->durable_bytes = node->data.size();
}

std::string FaultyEnv::contents(const std::string& path) const {
  const std::lock_guard guard(mutex_);
  return names_.at(path)->data;
}

FaultyEnv::NodePointer FaultyEnv::find(const std::string& path, bool is_directory) const {
  const auto found = names_.find(path);
  errno = found == names_.end() ? ENOENT : is_directory ? ENOTDIR : EISDIR;
  return found != names_.end() && found->second->is_directory == is_directory ? found->second : nullptr;
}

void FaultyEnv::change_names(const Change& change) {
  const auto from = names_.find(change.from);
  if (from != names_.end() && (change.node == nullptr || from->second == change.node))
    names_.erase(from);
  if (!change.to.empty())
    names_[change.to] = change.node;
  changes_.push_back(change);
}

Result<std::unique_ptr<File>> FaultyEnv::create(const std::string& path) {
  const std::lock_guard guard(mutex_);
  if (!step() || find(parent_of(path), true) == nullptr)
    return failed("cannot create", path);
  if (find(path, true) != nullptr)
    return failed(EISDIR, "cannot replace", path);
  auto node = std::make_shared<Node>();
  change_names({"", path, node});
  return std::unique_ptr<File>(std::make_unique<FaultyFile>(*this, path, node, true));
}

Result<std::unique_ptr<File>> FaultyEnv::open(const std::string& path) {
  const std::lock_guard guard(mutex_);
  if (!alive(life_))
    return failed("cannot open", path);
  NodePointer node = find(path, false);
  if (node == nullptr)
    return errno == EISDIR ? Status::error(fmt::format("{} is no file", path)) : failed("cannot open", path);
  return std::unique_ptr<File>(std::make_unique<FaultyFile>(*this, path, std::move(node), false));
}

Status FaultyEnv::rename(const std::string& from, const std::string& to) {
  const std::lock_guard guard(mutex_);
  NodePointer node = step() ? find(from, false) : nullptr;
  if (node == nullptr)
    return failed("cannot rename", from);
  CHECK(parent_of(from) == parent_of(to));  // one directory's sync makes it durable
  change_names({from, to, node});
  return Status::ok();
}

Status FaultyEnv::remove(const std::string& path) {
  const std::lock_guard guard(mutex_);
  if (!step() || find(path, false) == nullptr)
    return failed("cannot remove", path);
  change_names({path, "", nullptr});
  return Status::ok();
}

Result<std::vector<std::string>> FaultyEnv::list(const std::string& directory) {
  const std::lock_guard guard(mutex_);
  if (!alive(life_) || find(directory, true) == nullptr)
    return failed("cannot list", directory);
  std::vector<std::string> names;
  for (const auto& [path, node] : names_)
    if (is_in(path, directory))
      names.push_back(path.substr(path.rfind('/') + 1));
  std::sort(names.begin(), names.end());
  return names;
}

Result<bool> FaultyEnv::make_directory(const std::string& path) {
  const std::lock_guard guard(mutex_);
  if (!step() || find(parent_of(path), true) == nullptr)
    return failed("cannot make the directory", path);
  if (names_.contains(path))
    return false;
  auto node = std::make_shared<Node>();
  node->is_directory = true;
  change_names({"", path, node});
  return true;
}

Status FaultyEnv::remove_directory(const std::string& path) {
  const std::lock_guard guard(mutex_);
  if (!step() || find(path, true) == nullptr)
    return failed("cannot remove the directory", path);
  if (std::any_of(names_.begin(), names_.end(), [&](const auto& entry) { return is_in(entry.first, path); }))
    return failed(ENOTEMPTY, "cannot remove the directory", path);
  change_names({path, "", nullptr});
  return Status::ok();
}

Status FaultyEnv::sync_directory(const std::string& path) {
  const std::lock_guard guard(mutex_);
  if (!step() || find(path, true) == nullptr)
    return failed("cannot sync", path);
  std::erase_if(durable_names_, [&](const auto& entry) { return is_in(entry.first, path); });
  for (const auto& [name, node] : names_)
    if (is_in(name, path))
      durable_names_[name] = node;
  std::erase_if(changes_,
                [&](const Change& change) { return is_in(change.to.empty() ? change.from : change.to, path); });
  return Status::ok();
}

bool FaultyEnv::exists(const std::string& path) {
  const std::lock_guard guard(mutex_);
  return !crashed_ && names_.contains(path);
}

Result<std::unique_ptr<DirectoryLock>> FaultyEnv::lock(const std::string& directory) {
  const std::lock_guard guard(mutex_);
  if (!alive(life_) || find(directory, true) == nullptr)
    return failed("cannot open", directory);
  if (locks_fail_)
    return failed(EIO, "cannot lock", directory);
  if (!locks_.insert(directory).second)
    return std::unique_ptr<DirectoryLock>();
  return std::unique_ptr<DirectoryLock>(std::make_unique<FaultyLock>(*this, directory));
}

}  // namespace tideline
