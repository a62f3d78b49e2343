// SPDX-License-Identifier: MIT
// Breadth-first search with the visited set in RAM (docs/design/bfs.md).
#pragma once

#include "search/search.h"

namespace tideline {

SearchResult search_bfs(const ir::Program& program, EngineSource& engines, const SearchOptions& options,
                        const Monitor& monitor);

}  // namespace tideline
