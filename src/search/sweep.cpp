// SPDX-License-Identifier: MIT
// The generalised sweep-line method [kristensen.02.fme], in RAM or with an external-memory priority queue
// [evangelista.12.spin]. Order, queue and persistent states are the business of the visited set (store/sweep_set.h);
// states are expanded by the workers of the breadth-first search, whose layers are the levels within a progress layer.
//
// A state is checked when it is taken: that is when it is known to be new in its sweep. The search ends with the level
// that has a violation, so the path has as few regress edges as any, and among those with so few ends in the earliest
// layer (Theorem 3 of [jensen.12.tcs]).
#include "search/sweep.h"

#include <algorithm>

#include "base/check.h"
#include "search/bfs_conclude.h"
#include "search/shortest.h"

namespace tideline {
namespace {

ir::CommandId commands_of(const std::vector<ir::Rule>& rules) {
  ir::CommandId end = 0;
  for (const ir::Rule& rule : rules)
    end = std::max(end, rule.first_command + rule.command_count);
  return end;
}

std::unique_ptr<SweepSet> make_sweep_set(bfs::Shared& shared) {
  const SearchOptions& chosen = shared.options;
  SweepOptions options;
  options.state_bits = shared.program.state_bits;
  options.threads = chosen.threads;
  options.commands = std::max(commands_of(shared.program.rules), commands_of(shared.program.starts));
  options.record_tree = chosen.sweep.record_tree;
  options.name = chosen.search == SearchKind::kDiskSweep ? "disk-sweep" : "sweep";
  options.queue = chosen.sweep.queue;
  options.layer_states_max = chosen.sweep.layer_states_max;
  options.found_states_max = chosen.sweep.found_states_max;
  options.saved_states_max = chosen.sweep.saved_states_max;
  options.profile = chosen.sweep.profile;
  options.say = chosen.say;
  return std::make_unique<SweepSet>(std::move(options), *chosen.workdir, shared.budget);
}

}  // namespace

SearchResult search_sweep(const ir::Program& program, EngineSource& engines, const SearchOptions& options,
                          const Monitor& monitor) {
  CHECK(options.threads >= 1 && options.workdir != nullptr);
  double seconds = 0;
  {
    bfs::Shared shared(program, engines, options, monitor);
    std::unique_ptr<SweepSet> set = make_sweep_set(shared);
    shared.sweep = set.get();
    shared.set = std::move(set);
    bfs::run(shared);
    SearchResult result = bfs::conclude(shared);
    if (shared.stop.load() != bfs::Stop::kNoPath)
      return result;
    seconds = shared.seconds();
  }
  return search_shortest(program, engines, options, monitor, seconds);
}

}  // namespace tideline
