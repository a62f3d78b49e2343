// SPDX-License-Identifier: MIT
#include "front/murphi/numbering.h"

namespace tideline::murphi {

Numbering::Numbering(const Census& census) {
  std::unordered_map<const TypeExpr*, std::uint64_t> size_of;
  for (const auto& [type, size] : census.sizes)
    size_of.emplace(type, size);
  const auto add = [this](const TypeExpr* type, std::uint64_t size) {
    if (has_room(size))
      base(type, size);
  };
  for (const auto& members : census.unions) {
    for (const TypeExpr* member : members) {
      const auto at = size_of.find(member);
      if (at != size_of.end())
        add(member, at->second);
    }
  }
  for (const auto& [type, size] : census.sizes)
    add(type, size);
}

std::int64_t Numbering::base(const TypeExpr* type, std::uint64_t size) {
  const auto [at, is_new] = bases_.emplace(type, static_cast<std::int64_t>(next_));
  if (is_new)
    next_ += size;
  return at->second;
}

}  // namespace tideline::murphi
