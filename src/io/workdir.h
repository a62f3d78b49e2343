// SPDX-License-Identifier: MIT
// The working directory of one search: its files, their bytes against `--disk`, and what is read and written. The
// directory is made when the first file is, private to the user, locked while it is in use, and removed with its files
// at the end unless a stopped search is to be resumed from it.
//
// D1  the sum of the files' sizes never passes the limit: a write that would is refused with Status::limit().
// D2  bytes are counted here and nowhere else.    D3  the files that the manifest names are there, whole and synced.
// Threads: all functions may be called at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "io/env.h"

namespace tideline {

// What a search has moved to and from the disk. States are counted by those who know what a state is.
struct IoCounts {
  std::atomic<std::uint64_t> state_reads = 0;
  std::atomic<std::uint64_t> state_writes = 0;
  std::atomic<std::uint64_t> bytes_read = 0;
  std::atomic<std::uint64_t> bytes_written = 0;
  std::atomic<std::uint64_t> disk_bytes = 0;  // now
  std::atomic<std::uint64_t> disk_peak_bytes = 0;
};

class Workdir {
 public:
  // `path` empty: a new directory under $TMPDIR or /var/tmp. `disk_bytes_max` 0: no limit.
  Workdir(Env& env, std::string path, std::uint64_t disk_bytes_max);
  ~Workdir();
  Workdir(const Workdir&) = delete;
  Workdir& operator=(const Workdir&) = delete;

  // Makes and locks the directory; an error if another run has it or if there is something in it. Called by
  // create_file() if it was not before.
  Status prepare();
  // For a search that is resumed: locks the directory and takes over the files in it.
  Status reopen();
  [[nodiscard]] bool prepared() const { return prepared_.load(std::memory_order_acquire); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path_of(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] Env& env() const { return env_; }

  // "run-000017": a name that no file of this directory has had.
  std::string fresh_name(const std::string& kind);
  [[nodiscard]] std::uint64_t names_given() const { return names_given_.load(std::memory_order_relaxed); }
  void set_names_given(std::uint64_t count) { names_given_.store(count, std::memory_order_relaxed); }

  Result<std::unique_ptr<File>> create_file(const std::string& name);
  Result<std::unique_ptr<File>> open_file(const std::string& name);
  // A file that the manifest names is removed when the next manifest does not.
  Status remove_file(const std::string& name);
  // Replaces the manifest at once. The files that it names must have been synced; they stay until the next one is
  // written.
  Status write_manifest(const std::string& contents, std::set<std::string> names);
  // After reopen(): what is to stay. All other files are removed: they came after the last manifest.
  Status keep_only(std::set<std::string> names);
  // Whether the directory outlives the object: a search that stopped can be resumed.
  void keep(bool yes) { keep_ = yes; }

  IoCounts& counts() { return counts_; }
  // Of the run before, for one that is resumed.
  void add_counts(std::uint64_t state_reads, std::uint64_t state_writes, std::uint64_t bytes_read,
                  std::uint64_t bytes_written);
  [[nodiscard]] std::uint64_t disk_bytes_max() const { return disk_bytes_max_; }

 private:
  friend class CountedFile;
  // Room for `bytes` more of a file.
  Status charge(const std::string& name, std::uint64_t bytes);
  Status unlink(const std::string& name);
  Status make_default_directory();
  Status explain_contents(const std::vector<std::string>& names);

  Env& env_;
  std::string path_;
  std::uint64_t disk_bytes_max_;
  std::mutex mutex_;                            // of files_ and prepare()
  std::map<std::string, std::uint64_t> files_;  // names and sizes
  std::set<std::string> named_;                 // in the manifest
  std::set<std::string> doomed_;                // named in the manifest, and not needed any more
  std::unique_ptr<DirectoryLock> lock_;
  std::atomic<bool> prepared_ = false;
  bool made_ = false;  // the directory is ours to remove
  bool keep_ = false;
  std::atomic<std::uint64_t> names_given_ = 0;
  IoCounts counts_;
};

// The file in a working directory that says what a stopped search needs to go on (docs/formats/manifest.md).
inline constexpr const char* kManifestName = "manifest.json";

}  // namespace tideline
