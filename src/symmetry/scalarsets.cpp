// SPDX-License-Identifier: MIT
#include "symmetry/scalarsets.h"

#include <algorithm>

namespace tideline::symmetry {

Scalarsets::Scalarsets(const ir::Program& program) {
  for (const ir::Domain& domain : program.domains) {
    if (domain.kind != ir::DomainKind::kScalarset || domain.hull().size() < 2)
      continue;
    const bool is_known = std::any_of(all_.begin(), all_.end(),
                                      [&domain](const ir::Domain* other) { return other->hull() == domain.hull(); });
    if (!is_known)
      all_.push_back(&domain);
  }
}

std::vector<const ir::Domain*> Scalarsets::in(const ir::Domain& domain) const {
  std::vector<const ir::Domain*> found;
  if (domain.kind != ir::DomainKind::kScalarset && domain.kind != ir::DomainKind::kUnion)
    return found;
  for (const ir::Domain* scalarset : all_)
    if (domain.contains(scalarset->hull().lo))
      found.push_back(scalarset);
  return found;
}

std::vector<const ir::Domain*> Scalarsets::in(const ir::Type& type) const {
  std::vector<const ir::Domain*> found;
  collect(type, found);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void Scalarsets::collect(const ir::Type& type, std::vector<const ir::Domain*>& found) const {
  if (type.domain != nullptr)
    for (const ir::Domain* scalarset : in(*type.domain))
      found.push_back(scalarset);
  if (type.element != nullptr)
    collect(*type.element, found);
  for (const ir::Field& field : type.fields)
    collect(*field.type, found);
}

const ir::Domain* Scalarsets::of_value(const ir::Domain& domain, std::int64_t value) const {
  for (const ir::Domain* scalarset : in(domain))
    if (scalarset->hull().contains(value))
      return scalarset;
  return nullptr;
}

namespace {

bool is_in_wide_domain(const ir::Program& program, const ir::Interval& values) {
  return std::any_of(program.domains.begin(), program.domains.end(), [&values](const ir::Domain& domain) {
    return domain.bits() > kReferenceBitsMax &&
           std::find(domain.parts.begin(), domain.parts.end(), values) != domain.parts.end();
  });
}

}  // namespace

std::vector<ir::Interval> scalarsets_of(const ir::Program& program) {
  std::vector<ir::Interval> values;
  const Scalarsets scalarsets(program);
  std::uint64_t members = 0;
  for (const ir::Domain* scalarset : scalarsets.all()) {
    const ir::Interval hull = scalarset->hull();
    if (hull.size() > kElementsMax - members || is_in_wide_domain(program, hull))
      continue;
    members += hull.size();
    values.push_back(hull);
  }
  return values;
}

}  // namespace tideline::symmetry
