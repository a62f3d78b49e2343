// SPDX-License-Identifier: MIT
// From a path to a program: reads the file, chooses the language by its suffix, prints the diagnostics.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/options.h"
#include "ir/program.h"

namespace tideline::cli {

enum class Language : std::uint8_t { kMurphi, kDve };

struct LoadedModel {
  std::string path;
  std::string text;
  Language language = Language::kMurphi;
  std::unique_ptr<ir::Program> program;  // null: errors were printed, exit status 2
};

LoadedModel load_model(const std::string& path, const Options& options);

}  // namespace tideline::cli
