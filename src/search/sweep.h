// SPDX-License-Identifier: MIT
// The sweep-line method: states in the order of their progress, what lies behind is forgotten (docs/design/sweep.md).
#pragma once

#include "search/search.h"

namespace tideline {

// The program has a progress measure.
SearchResult search_sweep(const ir::Program& program, EngineSource& engines, const SearchOptions& options,
                          const Monitor& monitor);

}  // namespace tideline
