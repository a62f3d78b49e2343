// SPDX-License-Identifier: MIT
// `--progress auto`: a measure is looked for before the search begins.
#pragma once

#include <atomic>

#include "cli/load_model.h"
#include "cli/progress.h"
#include "cli/symmetry.h"

namespace tideline::cli {

// Does the value of --progress ask for it: "auto", "auto:1" .. "auto:6"?
bool is_automatic(std::string_view progress);

// Finds a measure, if the options ask for it, gives it to the program and says which it is; none if there is no
// progress in the model. Not ok: the engine cannot be had, or the user has interrupted it.
Status find_measure_for(LoadedModel& model, const Options& options, const SymmetryChoice& symmetry,
                        const std::atomic<bool>& interrupted, Progress& progress);

}  // namespace tideline::cli
