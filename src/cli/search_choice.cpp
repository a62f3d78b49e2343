// SPDX-License-Identifier: MIT
#include "cli/search_choice.h"

#include <fmt/format.h>

#include "cli/measure.h"
#include "cli/settings.h"
#include "io/budget.h"
#include "report/format.h"
#include "search/bfs.h"
#include "search/partition.h"
#include "search/sweep.h"

namespace tideline::cli {
namespace {

constexpr std::uint64_t kCompactBitsMin = 32;
// T, B, K and mu as Evangelista and Kristensen chose them.
constexpr SweepQueueOptions kArrayHeap = {20000, 10000, 1000, 10};
// Of disk-sweep's queue in RAM: few, since that is what it is asked for; more files, so that hardly any are merged,
// with fewer states of each in RAM.
constexpr SweepQueueOptions kDiskSweep = {20000, 10000, 128, 100};
// And of its persistent states before they are sorted.
constexpr std::uint64_t kDiskSweepFound = 2000;

SweepQueueOptions queue_options(const Options& options) {
  SweepQueueOptions queue;
  if (options.queue == "array-heap")
    queue = kArrayHeap;
  else if (options.search == "disk-sweep")
    queue = kDiskSweep;
  if (options.queue_states != 0)
    queue.ram_states_max = options.queue_states;
  if (options.queue_spill != 0)
    queue.spill_states = options.queue_spill;
  if (options.queue_block != 0)
    queue.block_states_max = static_cast<std::uint32_t>(options.queue_block);
  if (options.queue_files != 0)
    queue.level_files = options.queue_files;
  return queue;
}

}  // namespace

SearchKind search_kind(const std::string& word) {
  return word == "runs"         ? SearchKind::kRuns
         : word == "disk-bfs"   ? SearchKind::kDiskBfs
         : word == "cloud"      ? SearchKind::kCloud
         : word == "partition"  ? SearchKind::kPartition
         : word == "sweep"      ? SearchKind::kSweep
         : word == "disk-sweep" ? SearchKind::kDiskSweep
         : word == "auto"       ? SearchKind::kAuto
                                : SearchKind::kBfs;
}

bool is_sweep(SearchKind search) {
  return search == SearchKind::kSweep || search == SearchKind::kDiskSweep;
}

Status check_options(const Options& options) {
  if (options.progress.starts_with("auto:") && !is_automatic(options.progress))
    return Status::error(fmt::format("--progress {}: the level is a number from 1 to 6", options.progress));
  if (options.compact != 0 && options.compact < kCompactBitsMin)
    return Status::error(
        fmt::format("--compact: {} is not 0 or a number from {} to 64", options.compact, kCompactBitsMin));
  if (options.compact != 0 && options.table != "auto")
    return Status::error("--compact keeps no states: --table does not go with it");
  const SearchKind search = search_kind(options.search);
  const bool by_parts = search == SearchKind::kPartition;
  if ((search == SearchKind::kDiskBfs || search == SearchKind::kCloud || by_parts || is_sweep(search)) &&
      options.table != "auto")
    return Status::error(
        fmt::format("--search {} has a table of its own: --table does not go with it", options.search));
  if (search != SearchKind::kAuto && !is_sweep(search) && !options.profile.empty())
    return Status::error(fmt::format("--profile is for sweeps: --search {} makes none", options.search));
  if ((by_parts || is_sweep(search)) && options.compact != 0)
    return Status::error(fmt::format("--search {} keeps whole states: --compact does not go with it", options.search));
  return Status::ok();
}

Status check_measure(const ir::Program& program, const Options& options) {
  if (!is_sweep(search_kind(options.search)) || !program.progress.empty() || is_automatic(options.progress))
    return Status::ok();
  return Status::error(
      fmt::format("--search {} needs a progress measure: --progress 'EXPR, EXPR', or --progress auto to have one found",
                  options.search));
}

SearchOptions search_options(const Options& options, const LoadedModel& model, const SymmetryChoice& symmetry,
                             Workdir& workdir, Progress& progress) {
  SearchOptions result;
  result.workdir = &workdir;
  result.search = search_kind(options.search);
  const bool keeps_all = options.compact != 0 || options.table != "auto";  // a set in RAM was asked for
  if (result.search == SearchKind::kAuto && !model.program->progress.empty() && !keeps_all)
    result.search = SearchKind::kSweep;
  result.say = [&progress](const std::string& sentence) { progress.note(sentence); };
  result.recent_states_max = options.recent_states;
  result.cloud = {options.cloud_blocks,  options.cloud_block_min, options.cloud_calibrate,
                  options.cloud_speedup, options.cloud_slowdown,  options.cloud_reset,
                  options.seed};
  result.sweep.queue = queue_options(options);
  result.sweep.record_tree = options.trace != kNoTrace;
  if (result.search == SearchKind::kDiskSweep)
    result.sweep.found_states_max = kDiskSweepFound;
  result.sweep.layer_states_max = options.layer_states;
  result.threads = static_cast<unsigned>(options.threads);
  result.table = options.table == "plain"      ? TableKind::kPlain
                 : options.table == "collapse" ? TableKind::kCollapse
                 : options.table == "tree"     ? TableKind::kTree
                                               : TableKind::kAuto;
  result.compact_bits = static_cast<unsigned>(options.compact);
  result.seed = options.seed;
  result.memory_bytes = options.memory == 0 ? default_memory_budget() : options.memory;
  if (result.memory_bytes < kMemoryBudgetFloor) {
    result.memory_bytes = kMemoryBudgetFloor;
    if (options.memory != 0)
      progress.note(fmt::format("--memory is raised to the least budget, {}", show_bytes(kMemoryBudgetFloor)));
  }
  result.time_limit_seconds = options.time_limit;
  result.checkpoint_seconds = options.checkpoint;
  result.deadlock = deadlock_mode(options, model.language);
  result.error_is_state = options.on_error == "state";
  result.symmetry = symmetry.mode;
  result.scalarsets = symmetry.scalarsets;
  return result;
}

SearchResult run_search(const ir::Program& program, EngineSource& engines, const SearchOptions& options,
                        const Monitor& monitor) {
  if (options.search == SearchKind::kPartition)
    return search_partition(program, engines, options, monitor);
  return is_sweep(options.search) ? search_sweep(program, engines, options, monitor)
                                  : search_bfs(program, engines, options, monitor);
}

}  // namespace tideline::cli
