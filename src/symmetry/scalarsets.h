// SPDX-License-Identifier: MIT
// The scalarsets of a program that have something to permute: at least two members. A scalarset is known by its
// interval of values, since domains are copied (without "undefined" for loop variables) and joined into unions.
//
// S1  the intervals are disjoint.    S2  each has one representative domain, the first of the program.
#pragma once

#include <vector>

#include "ir/program.h"

namespace tideline::symmetry {

class Scalarsets {
 public:
  explicit Scalarsets(const ir::Program& program);

  [[nodiscard]] const std::vector<const ir::Domain*>& all() const { return all_; }
  // The scalarsets whose members are values of the domain: itself, or members of a union.
  [[nodiscard]] std::vector<const ir::Domain*> in(const ir::Domain& domain) const;
  // The scalarsets that occur in the type, as values or as indices of arrays.
  [[nodiscard]] std::vector<const ir::Domain*> in(const ir::Type& type) const;
  // The scalarset of which `value`, a value of the domain, is a member; null if there is none.
  [[nodiscard]] const ir::Domain* of_value(const ir::Domain& domain, std::int64_t value) const;

 private:
  void collect(const ir::Type& type, std::vector<const ir::Domain*>& found) const;

  std::vector<const ir::Domain*> all_;
};

// Limits of what is permuted: members in all, and bits of a value that names one (there is a table with an entry for
// each value of a domain).
inline constexpr std::uint64_t kElementsMax = 4096;
inline constexpr unsigned kReferenceBitsMax = 16;

// The values of all scalarsets that have something to permute, within the limits.
std::vector<ir::Interval> scalarsets_of(const ir::Program& program);

}  // namespace tideline::symmetry
