// SPDX-License-Identifier: MIT
#include "search/shortest.h"

#include <algorithm>

#include "search/bfs.h"

namespace tideline {
namespace {

constexpr double kLeastSeconds = 1e-3;

}  // namespace

SearchResult search_shortest(const ir::Program& program, EngineSource& engines, SearchOptions options,
                             const Monitor& monitor, double seconds_before) {
  if (options.say)
    options.say("there is a violation: a shortest path to it is searched for, breadth-first");
  options.search = SearchKind::kAuto;
  options.resume = nullptr;
  if (options.time_limit_seconds > 0)
    options.time_limit_seconds = std::max(kLeastSeconds, options.time_limit_seconds - seconds_before);
  SearchResult result = search_bfs(program, engines, options, monitor);
  if (result.figures.seconds)
    *result.figures.seconds += seconds_before;
  return result;
}

}  // namespace tideline
