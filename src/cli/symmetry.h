// SPDX-License-Identifier: MIT
// Which scalarsets of a model a search may permute: those whose members the model treats alike. A model that tells
// members apart for sure is refused; where that cannot be excluded, a warning names the place and the scalarset is left
// alone, so that the reduction stays sound.
#pragma once

#include <optional>
#include <vector>

#include "cli/load_model.h"
#include "symmetry/reduction.h"

namespace tideline::cli {

struct SymmetryChoice {
  SymmetryMode mode = SymmetryMode::kOff;
  std::vector<ir::Interval> scalarsets;
};

// Prints warnings and errors; nothing if the model is refused.
std::optional<SymmetryChoice> choose_symmetry(const LoadedModel& model, const Options& options);

}  // namespace tideline::cli
