// SPDX-License-Identifier: MIT
// Places: what a reference designates, as a path through the types of the program. A path ends at a part of a variable
// and names on its way fields, constant elements and elements chosen at run time; of the latter it keeps the variable
// that is the whole subscript, if there is one. Two paths from one root that have the same length and agree in their
// static steps designate parts that are equal or disjoint; a longer path designates something inside.
//
// L1  steps of one place follow the types from the root, so step k of two places with equal static steps before k
//     chooses in the same record or array type.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ir/program.h"

namespace tideline::symmetry {

// A slot of one activation of a rule, property or function.
struct VarId {
  std::uint64_t activation = 0;
  ir::SlotIndex slot = 0;
  auto operator<=>(const VarId&) const = default;
};

struct Step {
  bool is_static = true;
  std::uint64_t child = 0;             // static: number of the field, of the element or of the state variable
  const ir::Domain* domain = nullptr;  // index of the array; null for fields and state variables
  std::optional<VarId> variable;       // dynamic: the whole subscript is this variable
};

enum class PlaceRoot : std::uint8_t { kState, kLocal, kUnknown };

struct Place {
  PlaceRoot root = PlaceRoot::kUnknown;
  VarId local;  // kLocal
  std::vector<Step> steps;
};

// The variable that a subscript is, if it is nothing else.
using VariableOf = std::function<std::optional<VarId>(const ir::Expr&)>;

// Appends the steps of a reference that starts at an object of type `from`; the place becomes kUnknown if they cannot
// be told.
void append_steps(Place& place, const ir::Type& from, const ir::Ref& ref, const VariableOf& variable_of);
// The place of a reference with root kState.
Place state_place(const ir::Program& program, const ir::Ref& ref, const VariableOf& variable_of);

// Can the two have a bit in common?
bool may_overlap(const Place& a, const Place& b);
// The same, if a and b are reached in two runs of code in which `variable` has different values.
bool may_overlap(const Place& a, const Place& b, const VarId& variable);

}  // namespace tideline::symmetry
