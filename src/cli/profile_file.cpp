// SPDX-License-Identifier: MIT
#include "cli/profile_file.h"

#include <fmt/format.h>

namespace tideline::cli {

ProfileFile::ProfileFile(const std::string& path) : path_(path) {
  if (path_.empty())
    return;
  file_.open(path_);
  file_ << "sweep,key,states,levels,waiting,persistent\n";
}

void ProfileFile::add(const LayerProfile& layer) {
  file_ << fmt::format("{},{},{},{},{},{}\n", layer.sweep, layer.key, layer.states, layer.levels, layer.waiting,
                       layer.persistent);
}

Status ProfileFile::finish() {
  if (path_.empty())
    return Status::ok();
  file_.close();
  return file_.good() ? Status::ok() : Status::error(fmt::format("{} could not be written", path_));
}

}  // namespace tideline::cli
