// SPDX-License-Identifier: MIT
// From the options of the command line to a search.
#pragma once

#include <string>

#include "base/options.h"
#include "cli/load_model.h"
#include "cli/progress.h"
#include "cli/symmetry.h"
#include "search/search.h"

namespace tideline::cli {

inline constexpr const char* kNoTrace = "none";  // for --trace

// By the word of --search.
SearchKind search_kind(const std::string& word);
bool is_sweep(SearchKind search);
// What the table of options cannot say.
Status check_options(const Options& options);
// A sweep is nothing without a measure.
Status check_measure(const ir::Program& program, const Options& options);
SearchOptions search_options(const Options& options, const LoadedModel& model, const SymmetryChoice& symmetry,
                             Workdir& workdir, Progress& progress);
SearchResult run_search(const ir::Program& program, EngineSource& engines, const SearchOptions& options,
                        const Monitor& monitor);

}  // namespace tideline::cli
