// SPDX-License-Identifier: MIT
#include "search/component_order.h"

namespace tideline {
namespace {

// Arrays with more elements than this, in all, stay whole: reordering must cost less than it saves.
constexpr std::uint64_t kSegmentsMax = 256;

bool over_same_indices(const ir::Type& a, const ir::Type& b) {
  return a.kind == ir::TypeKind::kArray && b.kind == ir::TypeKind::kArray && a.domain->parts == b.domain->parts;
}

// Adds the elements of the arrays, index by index.
void interleave(const std::vector<const ir::Variable*>& arrays, std::vector<BitOrder::Segment>& segments) {
  const std::uint64_t indices = arrays.front()->type->domain->hull().size();
  for (std::uint64_t i = 0; i < indices; ++i)
    for (const ir::Variable* array : arrays)
      segments.push_back({array->offset + i * array->type->stride(), array->type->stride()});
}

}  // namespace

BitOrder order_by_component(const ir::Program& program) {
  std::vector<BitOrder::Segment> segments;
  std::vector<BitOrder::Segment> rest;
  std::vector<bool> placed(program.variables.size(), false);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (placed[i])
      continue;
    std::vector<const ir::Variable*> alike;
    for (std::size_t k = i; k < placed.size(); ++k)
      if (k == i || over_same_indices(*program.variables[i].type, *program.variables[k].type)) {
        alike.push_back(&program.variables[k]);
        placed[k] = true;
      }
    const bool splits = alike.size() > 1 && alike.size() * alike.front()->type->domain->hull().size() <= kSegmentsMax;
    if (splits)
      interleave(alike, segments);
    for (const ir::Variable* variable : alike)
      if (!splits)
        rest.push_back({variable->offset, variable->type->bits});
  }
  segments.insert(segments.end(), rest.begin(), rest.end());
  return BitOrder(segments);
}

}  // namespace tideline
