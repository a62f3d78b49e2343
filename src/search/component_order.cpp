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
void interleave(const std::vector<const ir::Variable*>& arrays, std::vector<Segments>& components) {
  const std::uint64_t indices = arrays.front()->type->domain->hull().size();
  for (std::uint64_t i = 0; i < indices; ++i) {
    Segments& component = components.emplace_back();
    for (const ir::Variable* array : arrays)
      component.push_back({array->offset + i * array->type->stride(), array->type->stride()});
  }
}

}  // namespace

std::vector<Segments> array_components(const ir::Program& program, std::vector<bool>& placed) {
  std::vector<Segments> components;
  std::vector<bool> seen = placed;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    std::vector<std::size_t> alike;
    for (std::size_t k = i; k < seen.size(); ++k)
      if (!seen[k] && (k == i || over_same_indices(*program.variables[i].type, *program.variables[k].type)))
        alike.push_back(k);
    if (seen[i])
      continue;
    std::vector<const ir::Variable*> arrays;
    for (const std::size_t k : alike) {
      seen[k] = true;
      arrays.push_back(&program.variables[k]);
    }
    if (arrays.size() < 2 || arrays.size() * arrays.front()->type->domain->hull().size() > kSegmentsMax)
      continue;
    interleave(arrays, components);
    for (const std::size_t k : alike)
      placed[k] = true;
  }
  return components;
}

BitOrder order_by_component(const ir::Program& program) {
  Segments segments;
  std::vector<bool> placed(program.variables.size(), false);
  for (const Segments& component : array_components(program, placed))
    segments.insert(segments.end(), component.begin(), component.end());
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (!placed[i])
      segments.push_back({program.variables[i].offset, program.variables[i].type->bits});
  return BitOrder(segments);
}

}  // namespace tideline
