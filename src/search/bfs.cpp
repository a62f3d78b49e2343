// SPDX-License-Identifier: MIT
// Layer by layer: the workers share the states of the layer and one visited set, a barrier ends the layer. Layers are
// finished even when a violation has been found in them, so verdict, counts and the length of the path do not depend on
// the number of threads. docs/design/bfs.md has the reasons and the figures.
#include "search/bfs.h"

#include "base/check.h"
#include "search/bfs_conclude.h"

namespace tideline {

SearchResult search_bfs(const ir::Program& program, EngineSource& engines, const SearchOptions& options,
                        const Monitor& monitor) {
  CHECK(options.threads >= 1);
  bfs::Shared shared(program, engines, options, monitor);
  bfs::run(shared);
  return bfs::conclude(shared);
}

}  // namespace tideline
