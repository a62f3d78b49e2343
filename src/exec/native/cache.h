// SPDX-License-Identifier: MIT
// Compiled models on disk, one file per key. A file is the shared object followed by a footer with its size and
// checksum, which the dynamic loader ignores; a file whose footer does not fit is removed and counts as absent. Files
// appear under their name complete (written under another name, then renamed). docs/formats/native_cache.md has the
// layout.
//
// Any number of processes may use a directory at once.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace tideline {

class NativeCache {
 public:
  // Oldest files are removed beyond this.
  static constexpr std::uint64_t kBytesMax = 500ull << 20;

  // Empty: $TIDELINE_CACHE, else $XDG_CACHE_HOME/tideline, else $HOME/.cache/tideline; the directory is made (0700).
  explicit NativeCache(std::string directory);

  // Why nothing can be kept, if so.
  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  // Path of the sound file for the key; empty if there is none. Makes it the youngest.
  std::string find(const std::string& key);
  // Keeps a copy of the file; gives the path of the copy.
  Result<std::string> keep(const std::string& key, const std::string& file);
  // A file that turned out to be useless.
  void remove(const std::string& key);
  // Removes oldest files until at most `bytes_max` are left, and what crashed runs left behind.
  void trim(std::uint64_t bytes_max);

  // 32 hexadecimal digits that depend on every byte.
  static std::string key_of(const std::string& content);

 private:
  [[nodiscard]] std::string path_of(const std::string& key) const { return directory_ + "/" + key + ".so"; }

  std::string directory_;
  Status status_;
};

// A directory of our own (0700) that disappears with the object.
class PrivateDirectory {
 public:
  PrivateDirectory() = default;
  ~PrivateDirectory();
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;

  // In $TMPDIR, /tmp, or `last_resort`, whichever works first.
  Status make(const std::string& last_resort);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tideline
