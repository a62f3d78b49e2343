// SPDX-License-Identifier: MIT
#include "search/make_visited_set.h"

#include "search/component_order.h"
#include "search/component_parts.h"
#include "store/collapse_set.h"
#include "store/plain_set.h"
#include "store/signature_set.h"
#include "store/tree_set.h"

namespace tideline {
namespace {

// --table auto takes the collapse set where states are so long that keys are well shorter and the time for making them
// is small beside the rest, and the tree if even of keys, with their index, fewer than this would fit.
constexpr std::uint64_t kLongStateBytes = 16;
constexpr std::uint64_t kStatesEnough = std::uint64_t{1} << 23;
constexpr std::uint64_t kCollapsedBytes = 20;

TableKind choose_table(const ir::Program& program, const MemoryBudget& budget) {
  if ((program.state_bits + 7) / 8 < kLongStateBytes)
    return TableKind::kPlain;
  return budget.available() / kCollapsedBytes < kStatesEnough ? TableKind::kTree : TableKind::kCollapse;
}

}  // namespace

std::unique_ptr<VisitedSet> make_visited_set(const ir::Program& program, const SearchOptions& options,
                                             MemoryBudget& budget) {
  if (options.compact_bits != 0)
    return std::make_unique<SignatureSet>(program.state_bits, SignatureSet::signature_length(options.compact_bits),
                                          options.seed, options.threads, budget);
  const TableKind kind = options.table == TableKind::kAuto ? choose_table(program, budget) : options.table;
  if (kind == TableKind::kTree)
    return std::make_unique<TreeSet>(program.state_bits, options.threads, budget, order_by_component(program));
  if (kind == TableKind::kCollapse)
    return std::make_unique<CollapseSet>(StateParts(program.state_bits, parts_by_component(program)), options.threads,
                                         budget);
  return std::make_unique<PlainSet>(program.state_bits, options.threads, budget);
}

}  // namespace tideline
