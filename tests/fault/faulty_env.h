// SPDX-License-Identifier: MIT
// A file system in memory that fails on request and remembers what of it would survive a power cut: for tests of
// everything that uses an Env.
//
// Steps: every append, sync, create, rename, remove, make_directory, remove_directory and sync_directory is one. They
// are counted from 1, and at one of them a fault can be planned. A step that fails has no effect but for kTear.
// Durable: of a file the bytes appended before its last sync; of a directory the names as of its last sync_directory.
// A file that is created over another is a new one.
//
// F1  after a crash every call fails until reboot() or restart().
// F2  files and locks from before a crash fail for ever: their process is dead.
// F3  after a failed sync, later ones of the same file fail, too (env.h).
// Threads: as for Env; one mutex for all. Steps come in the same order each time unless allow_background() was called.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "io/env.h"

namespace tideline {

enum class Fault {
  kNoSpace,  // this step fails with ENOSPC
  kIoError,  // this step fails with EIO
  kTear,     // of an append only a part is done; then as kCrash
  kCrash,    // the process dies before the step
};

class FaultyEnv final : public Env {
 public:
  // With the directories "/", ".", "/tmp", "/var" and "/var/tmp", all durable.
  FaultyEnv();
  ~FaultyEnv() override;

  // The next fault; one at a time. A step that has passed never comes again.
  void plan(std::uint64_t step, Fault fault);
  [[nodiscard]] std::uint64_t steps() const;
  // All files together may have so many bytes; appends that would pass it fail with ENOSPC. 0: no limit.
  void limit_bytes(std::uint64_t bytes_max);
  [[nodiscard]] std::uint64_t bytes() const;

  void allow_background() { allows_background_ = true; }
  // lock() fails with EIO from now on, or no longer.
  void fail_locks(bool fail) { locks_fail_ = fail; }

  void crash();
  [[nodiscard]] bool crashed() const;
  // The machine lost its power: what was durable is there, and of the rest whatever `seed` chooses: of each file any
  // prefix of the bytes that were not synced, possibly zeros from somewhere on; of the changes of names any subset, a
  // rename as a whole or not at all. The planned fault is forgotten.
  void reboot(std::uint64_t seed);
  // Only the process died (kill -9): all that it did is there.
  void restart();

  // Damage, also of what is durable.
  void flip_bit(const std::string& path, std::uint64_t offset, unsigned bit);
  void set_contents(const std::string& path, std::string contents);
  [[nodiscard]] std::string contents(const std::string& path) const;

  Result<std::unique_ptr<File>> create(const std::string& path) override;
  Result<std::unique_ptr<File>> open(const std::string& path) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& directory) override;
  Result<bool> make_directory(const std::string& path) override;
  Status remove_directory(const std::string& path) override;
  Status sync_directory(const std::string& path) override;
  bool exists(const std::string& path) override;
  Result<std::unique_ptr<DirectoryLock>> lock(const std::string& directory) override;
  [[nodiscard]] bool allows_background() const override { return allows_background_; }

 private:
  friend class FaultyFile;
  friend class FaultyLock;

  // A file or, with is_directory, a directory.
  struct Node {
    bool is_directory = false;
    std::string data;
    std::size_t durable_bytes = 0;
    bool sync_failed = false;
  };
  using NodePointer = std::shared_ptr<Node>;
  using Names = std::map<std::string, NodePointer>;  // by whole path

  // A change of names that is not durable: `from` vanishes (may be empty), `to` is `node` (empty: nothing appears).
  struct Change {
    std::string from;
    std::string to;
    NodePointer node;
  };

  // All of these: with mutex_ held. step() and alive() set errno and return false for a fault.
  bool step(Fault* fault = nullptr);
  [[nodiscard]] bool alive(std::uint64_t life) const;
  [[nodiscard]] NodePointer find(const std::string& path, bool is_directory) const;
  [[nodiscard]] std::uint64_t bytes_held() const;
  Status append_to(Node& node, const std::string& path, const char* data, std::size_t bytes);
  void change_names(const Change& change);
  void begin_life();

  mutable std::mutex mutex_;
  Names names_;                  // as the running system sees them
  Names durable_names_;          // as of the last sync of each directory
  std::vector<Change> changes_;  // between them, in order
  std::set<std::string> locks_;
  std::uint64_t bytes_max_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t planned_step_ = 0;
  Fault planned_ = Fault::kCrash;
  bool crashed_ = false;
  bool allows_background_ = false;
  bool locks_fail_ = false;
  std::uint64_t life_ = 0;  // crashes survived
};

}  // namespace tideline
