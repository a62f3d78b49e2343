// SPDX-License-Identifier: MIT
// Where the corpus is: $TIDELINE_CORPUS, or ../shared/corpus beside the repository. Tests of it are skipped where it is
// absent.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace tideline::testing {

inline std::filesystem::path corpus_folder(const std::string& language) {
  if (const char* chosen = std::getenv("TIDELINE_CORPUS"))
    return std::filesystem::path(chosen) / language;
  return std::filesystem::path(TIDELINE_SOURCE_DIR) / ".." / "shared" / "corpus" / language;
}

// Rows with more states are left out: $TIDELINE_CORPUS_STATES_MAX, or the default.
inline std::uint64_t corpus_states_max(std::uint64_t by_default) {
  const char* chosen = std::getenv("TIDELINE_CORPUS_STATES_MAX");
  return chosen != nullptr ? std::stoull(chosen) : by_default;
}

}  // namespace tideline::testing
