// SPDX-License-Identifier: MIT
// Every call to the operating system about files that a search keeps on disk. Searches get an Env and never open a file
// themselves, so tests can put one in its place that fails, tears writes, or forgets what was not synced
// (tests/fault/faulty_env.h).
//
// Threads: an Env may be used by several threads at once; a File by one at a time, but for read(), which several may
// call at once (and none while another appends).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace tideline {

// An open file. Errors name the path, the offset and the system's reason.
class File {
 public:
  virtual ~File() = default;
  // Adds bytes at the end.
  virtual Status append(const void* data, std::size_t bytes) = 0;
  // Exactly `bytes` from `offset`; a file that ends before is an error.
  virtual Status read(std::uint64_t offset, void* data, std::size_t bytes) = 0;
  // Other Files of the same path see what was appended afterwards. Writes that were put off fail here.
  virtual Status flush() = 0;
  // What was appended is on the disk afterwards. If not, all later calls fail, too: the system may have forgotten the
  // bytes, and a second call would know nothing of that.
  virtual Status sync() = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

// Held while it lives; freed by the system if the process dies.
class DirectoryLock {
 public:
  virtual ~DirectoryLock() = default;
};

class Env {
 public:
  virtual ~Env() = default;
  // A new, empty file, private to the user. A file or symbolic link of that name is removed, never written through.
  virtual Result<std::unique_ptr<File>> create(const std::string& path) = 0;
  virtual Result<std::unique_ptr<File>> open(const std::string& path) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status remove(const std::string& path) = 0;
  // Names in a directory, without "." and "..", sorted.
  virtual Result<std::vector<std::string>> list(const std::string& directory) = 0;
  // Private to the user; its parent must exist. False: there is something of that name, whoever made it.
  virtual Result<bool> make_directory(const std::string& path) = 0;
  virtual Status remove_directory(const std::string& path) = 0;
  // Names made, changed and removed in the directory are on the disk afterwards.
  virtual Status sync_directory(const std::string& path) = 0;
  [[nodiscard]] virtual bool exists(const std::string& path) = 0;
  // Null if somebody else, also in this process, holds it.
  virtual Result<std::unique_ptr<DirectoryLock>> lock(const std::string& directory) = 0;
  // Whether calls may come from a background thread. Not if somebody counts them and wants the same count each time.
  [[nodiscard]] virtual bool allows_background() const { return true; }
};

// The machine's file system. With `direct_io`, files are read and written without the page cache where the file system
// can do that, so that a measurement shows the disk and not the machine's free memory.
std::unique_ptr<Env> make_real_env(bool direct_io);

// The whole of a small file.
Result<std::string> read_file(Env& env, const std::string& path, std::uint64_t bytes_max);
// Replaces the file at once: what is there after a crash or an error is the old contents or the new.
Status replace_file(Env& env, const std::string& directory, const std::string& name, const std::string& contents);

}  // namespace tideline
