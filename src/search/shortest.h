// SPDX-License-Identifier: MIT
// What a search that is not breadth-first does when it has found a violation and cannot say how to get there: it is
// given up, and the breadth-first search that goes to disk when memory ends finds a shortest path, and the figures that
// belong to it, from the beginning.
#pragma once

#include "search/search.h"

namespace tideline {

SearchResult search_shortest(const ir::Program& program, EngineSource& engines, SearchOptions options,
                             const Monitor& monitor, double seconds_before);

}  // namespace tideline
