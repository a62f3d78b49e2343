// SPDX-License-Identifier: MIT
// Search by parts, one of which is in RAM at a time (docs/design/partition.md).
#pragma once

#include "search/search.h"

namespace tideline {

// options.workdir is not null.
SearchResult search_partition(const ir::Program& program, EngineSource& engines, const SearchOptions& options,
                              const Monitor& monitor);

}  // namespace tideline
