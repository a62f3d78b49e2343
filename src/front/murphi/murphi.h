// SPDX-License-Identifier: MIT
// The Murphi front end: text in, ir::Program out. Language: CMurphi 5.4.9 and Rumur 2022.08; where they differ in
// meaning, CMurphi's (docs/user/murphi.md lists the differences).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "ir/program.h"

namespace tideline::murphi {

struct Options {
  // --define NAME=VALUE: VALUE is a constant expression (an integer, true, false) for the model constant NAME.
  std::vector<std::pair<std::string, std::string>> defines;
  // --invariant EXPR: further invariants, in the model's syntax and scope.
  std::vector<std::string> invariants;
  // --progress 'EXPR, down EXPR': the progress measure, in the model's syntax and scope. Empty: none; nothing: that of
  // the model's annotation `-- tideline: progress EXPR, down EXPR`, if it has one.
  std::optional<std::string> progress;
  // Rumur's reading of undefined values instead of CMurphi's.
  bool strict_undefined = false;
  std::uint64_t loop_limit = 1000;
};

// Null if there are errors; they are in `diagnostics` (with those of --define, --invariant and --progress, whose
// text is shown).
// `text` must outlive `diagnostics`.
std::unique_ptr<ir::Program> load(const std::string& file, std::string_view text, const Options& options,
                                  Diagnostics& diagnostics);

}  // namespace tideline::murphi
