// SPDX-License-Identifier: MIT
#include "search/make_visited_set.h"

#include "base/check.h"
#include "search/component_order.h"
#include "search/component_parts.h"
#include "store/collapse_set.h"
#include "store/collapsed_run_set.h"
#include "store/delayed_set.h"
#include "store/plain_set.h"
#include "store/short_set.h"
#include "store/signature_set.h"
#include "store/spilling_set.h"
#include "store/tree_set.h"

namespace tideline {
namespace {

// --table auto for states of more than 64 bits, measured in docs/design/collapse.md: keys in place of states where the
// parts are processes, which halves memory or better for one and a half to two times the time of the set, and in other
// models where of plain states, with their index, too few would fit; the tree if that holds of keys, too.
constexpr std::uint64_t kLongStateBytes = 16;
constexpr std::uint64_t kIndexBytes = 8;
constexpr std::uint64_t kCollapsedBytes = 20;
constexpr std::uint64_t kDividedBitsMax = std::uint64_t{1} << 14;  // with more parts, keys take longer than states
constexpr std::uint64_t kPlainStatesEnough = std::uint64_t{1} << 26;
constexpr std::uint64_t kCollapsedStatesEnough = std::uint64_t{1} << 23;

TableKind choose_table(const ir::Program& program, const MemoryBudget& budget) {
  const std::uint64_t state_bytes = (program.state_bits + 7) / 8;
  if (state_bytes < kLongStateBytes || program.state_bits > kDividedBitsMax)
    return TableKind::kPlain;
  if (budget.available() / kCollapsedBytes < kCollapsedStatesEnough)
    return TableKind::kTree;
  const bool few = budget.available() / (state_bytes + kIndexBytes) < kPlainStatesEnough;
  return few || program.components.size() > 1 ? TableKind::kCollapse : TableKind::kPlain;
}

// Does the search go on on disk when memory ends?
bool goes_to_disk(const SearchOptions& options) {
  return options.search == SearchKind::kAuto && options.table == TableKind::kAuto && options.compact_bits == 0;
}

std::unique_ptr<CollapsedRunSet> make_run_set(const ir::Program& program, const SearchOptions& options,
                                              MemoryBudget& budget) {
  CollapsedRunSetOptions set_options;
  set_options.runs.state_bits = program.state_bits;
  set_options.runs.threads = options.threads;
  set_options.runs.keep_layers = options.keep_layers;
  set_options.runs.candidates_max = options.limits.candidates_max;
  set_options.runs.run_bytes_max = options.limits.run_bytes_max;
  set_options.runs.automaton_states_min = options.limits.automaton_states_min;
  if (program.state_bits >= options.limits.key_state_bits_min && program.state_bits <= kDividedBitsMax)
    set_options.parts = parts_by_component(program);
  set_options.dictionary_bytes_max = options.limits.dictionary_bytes_max;
  return std::make_unique<CollapsedRunSet>(set_options, *options.workdir, budget);
}

std::unique_ptr<VisitedSet> make_delayed_set(const ir::Program& program, const SearchOptions& options,
                                             MemoryBudget& budget) {
  CHECK(options.workdir != nullptr);
  DelayedSet::Settings settings;
  settings.state_bits = program.state_bits;
  settings.signature_bits = options.compact_bits == 0 ? 0 : Signature::length(options.compact_bits);
  settings.seed = options.seed;
  settings.threads = options.threads;
  settings.recent_max = options.recent_states_max;
  settings.keep_layers = options.keep_layers;
  if (options.search == SearchKind::kCloud)
    settings.cloud = options.cloud;
  return std::make_unique<DelayedSet>(settings, *options.workdir, budget);
}

// A set in RAM.
std::unique_ptr<VisitedSet> make_ram_set(const ir::Program& program, const SearchOptions& options,
                                         MemoryBudget& budget) {
  if (options.compact_bits != 0)
    return std::make_unique<SignatureSet>(
        Signature(program.state_bits, Signature::length(options.compact_bits), options.seed), options.threads, budget);
  // Short states need no tree, and the set of their own is smaller and faster than the plain one
  // (docs/design/tables.md).
  if (program.state_bits <= ShortKey::kStateBitsMax &&
      (options.table == TableKind::kAuto || options.table == TableKind::kTree))
    return std::make_unique<ShortSet>(ShortKey(program.state_bits), options.threads, budget);
  TableKind kind = options.table == TableKind::kAuto ? choose_table(program, budget) : options.table;
  if (kind == TableKind::kTree && goes_to_disk(options))
    kind = TableKind::kCollapse;  // runs, when it is full, are better than a tree
  if (kind == TableKind::kTree)
    return std::make_unique<TreeSet>(program.state_bits, options.threads, budget, order_by_component(program));
  if (kind == TableKind::kCollapse)
    return std::make_unique<CollapseSet>(StateParts(program.state_bits, parts_by_component(program)), options.threads,
                                         budget);
  return std::make_unique<PlainSet>(program.state_bits, options.threads, budget);
}

}  // namespace

std::unique_ptr<VisitedSet> make_visited_set(const ir::Program& program, const SearchOptions& options,
                                             MemoryBudget& budget) {
  if (options.search == SearchKind::kPartition || options.search == SearchKind::kSweep ||
      options.search == SearchKind::kDiskSweep)
    return nullptr;
  if (options.search == SearchKind::kDiskBfs || options.search == SearchKind::kCloud)
    return make_delayed_set(program, options, budget);
  if (options.search == SearchKind::kRuns)
    return make_run_set(program, options, budget);
  if (!goes_to_disk(options))
    return make_ram_set(program, options, budget);
  SpillOptions spill{options.threads, options.limits.ram_states_max, options.say};
  return std::make_unique<SpillingSet>(make_ram_set(program, options, budget), make_run_set(program, options, budget),
                                       std::move(spill), budget);
}

}  // namespace tideline
