// SPDX-License-Identifier: MIT
// The DVE front end, from text to a resolved model (model.h). Language: DiVinE 2.4's (docs/user/dve.md).
//
// Two passes over the tokens: the first reads global declarations, and of each process its name, variables and states;
// the second reads the rest of the processes, where states and variables of later ones may be mentioned. Nothing
// recurses on the text, and time is linear in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "front/dve/model.h"

namespace tideline::dve {

struct ParseOptions {
  // --define NAME=VALUE: VALUE is an integer for the global constant NAME; of several for one name the last counts.
  std::vector<std::pair<std::string, std::string>> defines;
  // --invariant EXPR: in the global scope, with P.S and P->x.
  std::vector<std::string> invariants;
  // --progress MEASURE (measure.h), in the same scope. Empty: none; nothing: that of the annotation, if there is one.
  std::optional<std::string> progress = std::nullopt;
};

// Nothing if there are errors; they are in `diagnostics` (with those of --define, --invariant and --progress, whose
// text is shown). `text` must outlive `diagnostics`.
std::optional<Model> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics);

}  // namespace tideline::dve
