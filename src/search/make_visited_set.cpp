// SPDX-License-Identifier: MIT
#include "search/make_visited_set.h"

#include "search/component_order.h"
#include "store/plain_set.h"
#include "store/signature_set.h"
#include "store/tree_set.h"

namespace tideline {
namespace {

// --table auto takes the tree if the plain set, with its index, would hold fewer states than this, and states are so
// long that the tree saves more than half.
constexpr std::uint64_t kPlainStatesEnough = std::uint64_t{1} << 23;
constexpr std::uint64_t kPlainIndexBytes = 9;
constexpr std::uint64_t kLongStateBytes = 16;

TableKind choose_table(const ir::Program& program, const MemoryBudget& budget) {
  const std::uint64_t state_bytes = (program.state_bits + 7) / 8;
  const bool few = budget.available() / (state_bytes + kPlainIndexBytes) < kPlainStatesEnough;
  return few && state_bytes >= kLongStateBytes ? TableKind::kTree : TableKind::kPlain;
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
  return std::make_unique<PlainSet>(program.state_bits, options.threads, budget);
}

}  // namespace tideline
