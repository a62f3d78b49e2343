// SPDX-License-Identifier: MIT
// The working directory of one search: its files, their bytes against `--disk`, and what is read and written. The
// directory is made when the first file is, private to the user, locked while it is in use, and removed with its files
// at the end unless a stopped search is to be resumed from it.
//
// D1  the sum of the files' sizes (the manifest's aside) never passes the limit: a write that would is refused with
//     Status::limit().
// D2  bytes are counted here and nowhere else.    D3  the files that the manifest names are there, whole and synced.
// D4  only files with names that fresh_name() gives are counted and removed: what else is in a directory that is
//     reopened is not ours, and nothing is removed before its manifest was understood (keep_only()).
// Memory: 2 x 256 KiB per file being written (async_file.h), and a thread that writes them.
// Threads: all functions may be called at once; path() once prepared() holds. Files do not outlive their Workdir.
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
#include "io/io_thread.h"

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
  // For a search that is resumed: locks the directory and finds the files in it. The directory outlives the object
  // until keep_only() is called.
  Status reopen();
  [[nodiscard]] bool prepared() const { return prepared_.load(std::memory_order_acquire); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path_of(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] Env& env() const { return env_; }

  // "run-000017": a name that no file of this directory has had.
  std::string fresh_name(const std::string& kind);
  [[nodiscard]] std::uint64_t names_given() const { return names_given_.load(std::memory_order_relaxed); }
  // After reopen(), if the manifest knows of more names than there are files.
  void set_names_given(std::uint64_t count);

  // `name`: from fresh_name().
  Result<std::unique_ptr<File>> create_file(const std::string& name);
  Result<std::unique_ptr<File>> open_file(const std::string& name);
  // A file that the manifest names is removed when a manifest no longer does.
  Status remove_file(const std::string& name);
  // Replaces the manifest at once. The files that it names must have been synced; they stay until the next one is
  // written. After an error either manifest may be the one on the disk, and the files of both stay.
  Status write_manifest(const std::string& contents, std::set<std::string> names);
  // After reopen(): what is to stay. All other files are removed: they came after the last manifest.
  Status keep_only(std::set<std::string> names);
  // Whether the directory outlives the object: a search that stopped can be resumed.
  void keep(bool yes) { keep_ = yes; }

  // The thread that writes the files, for ReadAhead; null if the Env wants none.
  [[nodiscard]] IoThread* io_thread() { return env_.allows_background() ? &io_thread_ : nullptr; }
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
  Status unlink_all(const std::vector<std::string>& names);
  // Sets path_ and made_.
  Status make_directory();
  Status make_default_directory();
  // Locks the directory, which must be free of other things.
  Status take();
  [[nodiscard]] Status explain_contents(const std::vector<std::string>& names) const;

  Env& env_;
  std::string path_;
  std::uint64_t disk_bytes_max_;
  std::mutex manifest_mutex_;                   // held while a manifest is written; taken before mutex_
  std::mutex mutex_;                            // of what follows and of prepare()
  std::map<std::string, std::uint64_t> files_;  // names and sizes
  std::set<std::string> named_;                 // in the manifest, or in one that was to replace it
  std::set<std::string> doomed_;                // named in the manifest, and not needed any more
  std::unique_ptr<DirectoryLock> lock_;
  std::atomic<bool> prepared_ = false;
  bool made_ = false;           // the directory is ours to remove
  bool parent_synced_ = false;  // so is its name, if it is ours
  bool understood_ = true;      // false between reopen() and keep_only()
  bool keep_ = false;
  std::atomic<std::uint64_t> names_given_ = 0;
  IoCounts counts_;
  IoThread io_thread_;
};

// The file in a working directory that says what a stopped search needs to go on (docs/formats/manifest.md).
inline constexpr const char* kManifestName = "manifest.json";

}  // namespace tideline
