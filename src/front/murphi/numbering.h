// SPDX-License-Identifier: MIT
// Numbers for the members of enumerations and scalarsets. No two types share a number, so a value of a member type is,
// unchanged, a value of every union of it (ir/domain.h). Members of a union get neighbouring numbers where possible, so
// that the union's domain has no gaps and packs tightly.
//
// The numbers must be known before the first type is made, but which types a union joins and how large a scalarset is
// depends on declarations, constants and --define. Therefore global declarations are elaborated twice: the first time
// into a Census, with numbers in order of declaration, and then in earnest with the Numbering made from it.
//
// B1  the intervals [base, base + size) of different type expressions are disjoint.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "front/murphi/ast.h"

namespace tideline::murphi {

struct Census {
  std::vector<std::pair<const TypeExpr*, std::uint64_t>> sizes;  // enumerations and scalarsets in order of declaration
  std::vector<std::vector<const TypeExpr*>> unions;              // their members
};

class Numbering {
 public:
  Numbering() = default;
  // Union by union, then the rest.
  explicit Numbering(const Census& census);

  // The first number for a type of `size` members; types that were not counted (local ones) follow the others. The same
  // type expression gets the same numbers again.
  std::int64_t base(const TypeExpr* type, std::uint64_t size);
  // False if 2^62 numbers would not be enough.
  [[nodiscard]] bool has_room(std::uint64_t size) const { return size <= kNumbersMax - next_; }

 private:
  static constexpr std::uint64_t kNumbersMax = std::uint64_t{1} << 62;

  std::unordered_map<const TypeExpr*, std::int64_t> bases_;
  std::uint64_t next_ = 1;
};

}  // namespace tideline::murphi
