// SPDX-License-Identifier: MIT
#include "ir/type.h"

#include <algorithm>

namespace tideline::ir {

bool Type::contains_multiset() const {
  switch (kind) {
    case TypeKind::kSimple:
      return false;
    case TypeKind::kArray:
      return element->contains_multiset();
    case TypeKind::kRecord:
      return std::any_of(fields.begin(), fields.end(), [](const Field& f) { return f.type->contains_multiset(); });
    case TypeKind::kMultiset:
      return true;
  }
  return false;
}

bool Type::same_layout(const Type& other) const {
  if (this == &other)
    return true;
  if (kind != other.kind || bits != other.bits)
    return false;
  switch (kind) {
    case TypeKind::kSimple:
      return domain->same_encoding(*other.domain);
    case TypeKind::kArray:
    case TypeKind::kMultiset:
      return domain->hull() == other.domain->hull() && element->same_layout(*other.element);
    case TypeKind::kRecord:
      return std::equal(
          fields.begin(), fields.end(), other.fields.begin(), other.fields.end(),
          [](const Field& a, const Field& b) { return a.name == b.name && a.type->same_layout(*b.type); });
  }
  return false;
}

}  // namespace tideline::ir
