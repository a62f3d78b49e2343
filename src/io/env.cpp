// SPDX-License-Identifier: MIT
#include "io/env.h"

#include <fmt/format.h>

namespace tideline {

Result<std::string> read_file(Env& env, const std::string& path, std::uint64_t bytes_max) {
  Result<std::unique_ptr<File>> file = env.open(path);
  if (!file.is_ok())
    return file.status();
  const std::uint64_t bytes = file.value()->size();
  if (bytes > bytes_max)
    return Status::error(fmt::format("{} has {} bytes: more than {} are not expected here", path, bytes, bytes_max));
  std::string contents(bytes, '\0');
  if (Status status = file.value()->read(0, contents.data(), bytes); !status.is_ok())
    return status;
  return contents;
}

Status replace_file(Env& env, const std::string& directory, const std::string& name, const std::string& contents) {
  const std::string path = directory + "/" + name;
  const std::string beside = path + ".new";
  Result<std::unique_ptr<File>> file = env.create(beside);
  if (!file.is_ok())
    return file.status();
  Status status = file.value()->append(contents.data(), contents.size());
  if (status.is_ok())
    status = file.value()->sync();
  file.value().reset();
  if (status.is_ok())
    status = env.rename(beside, path);
  if (!status.is_ok()) {
    (void)env.remove(beside);  // the first error is the one to tell
    return status;
  }
  return env.sync_directory(directory);
}

}  // namespace tideline
