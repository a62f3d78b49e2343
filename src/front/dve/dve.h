// SPDX-License-Identifier: MIT
// The DVE front end: text in, ir::Program out. Language and meaning: DiVinE 2.4's (docs/user/dve.md).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "front/dve/model.h"
#include "ir/program.h"

namespace tideline::dve {

struct Options {
  // --define NAME=VALUE: another value for the constant NAME.
  std::vector<std::pair<std::string, std::string>> defines;
  // --invariant EXPR: expressions that must not be 0 in any state.
  std::vector<std::string> invariants;
  // --progress 'EXPR, down EXPR': the progress measure (measure.h). Empty: none; nothing: that of the model's
  // annotation
  // `// tideline: progress EXPR, down EXPR`, if it has one.
  std::optional<std::string> progress;
  OnError on_error = OnError::kFail;
};

// Null if there are errors; they are in `diagnostics`. `text` must outlive `diagnostics`.
std::unique_ptr<ir::Program> load(const std::string& file, std::string_view text, const Options& options,
                                  Diagnostics& diagnostics);

}  // namespace tideline::dve
