// SPDX-License-Identifier: MIT
// --profile: the layers of a sweep as CSV, a line per layer when it is done.
#pragma once

#include <fstream>
#include <string>

#include "base/status.h"
#include "store/sweep_set.h"

namespace tideline::cli {

class ProfileFile {
 public:
  // An empty path: nothing is written.
  explicit ProfileFile(const std::string& path);
  void add(const LayerProfile& layer);
  // Whether all of it could be written.
  Status finish();

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace tideline::cli
