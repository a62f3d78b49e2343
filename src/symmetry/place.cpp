// SPDX-License-Identifier: MIT
#include "symmetry/place.h"

#include <algorithm>

namespace tideline::symmetry {
namespace {

// Goes down by static steps to the object `bits` behind the start of `type` that `is_wanted`; null if there is none.
template <typename IsWanted>
const ir::Type* descend(Place& place, const ir::Type* type, std::uint64_t bits, const IsWanted& is_wanted) {
  while (bits != 0 || !is_wanted(*type)) {
    Step step;
    if (type->kind == ir::TypeKind::kRecord) {
      const auto& fields = type->fields;
      const auto field = std::find_if(fields.rbegin(), fields.rend(),
                                      [bits](const ir::Field& f) { return f.offset <= bits && f.type->bits > 0; });
      if (field == fields.rend())
        return nullptr;
      step.child = static_cast<std::uint64_t>(fields.rend() - field) - 1;
      bits -= field->offset;
      type = field->type;
    } else if (type->kind == ir::TypeKind::kArray && type->stride() != 0) {
      step.child = bits / type->stride();
      step.domain = type->domain;
      bits %= type->stride();
      type = type->element;
    } else {
      return nullptr;
    }
    place.steps.push_back(step);
  }
  return type;
}

bool overlap(const Place& a, const Place& b, const VarId* variable) {
  if (a.root == PlaceRoot::kUnknown || b.root == PlaceRoot::kUnknown)
    return true;
  if (a.root != b.root || (a.root == PlaceRoot::kLocal && a.local != b.local))
    return false;
  for (std::size_t k = 0; k < std::min(a.steps.size(), b.steps.size()); ++k) {
    const Step& x = a.steps[k];
    const Step& y = b.steps[k];
    if (x.is_static && y.is_static && x.child != y.child)
      return false;
    if (variable != nullptr && x.variable == *variable && y.variable == *variable)
      return false;
  }
  return true;
}

// The steps of `ref` behind its first `bits` bits.
void append_behind(Place& place, const ir::Type& from, const ir::Ref& ref, std::uint64_t bits,
                   const VariableOf& variable_of) {
  const ir::Type* type = &from;
  std::uint64_t skipped = bits;
  for (const ir::Subscript& subscript : ref.subscripts) {
    const auto is_indexed = [&subscript](const ir::Type& t) {
      return t.kind == (subscript.is_slot ? ir::TypeKind::kMultiset : ir::TypeKind::kArray) &&
             t.stride() == subscript.stride && t.domain->hull() == subscript.domain->hull();
    };
    type = descend(place, type, subscript.offset_before - skipped, is_indexed);
    if (type == nullptr) {
      place.root = PlaceRoot::kUnknown;
      return;
    }
    skipped = 0;
    place.steps.push_back({false, 0, type->domain, variable_of(*subscript.index)});
    type = type->element;
  }
  const auto is_designated = [&ref](const ir::Type& t) {
    return &t == ref.type || (t.kind == ref.type->kind && t.same_layout(*ref.type));
  };
  if (descend(place, type, ref.offset - skipped, is_designated) == nullptr)
    place.root = PlaceRoot::kUnknown;
}

}  // namespace

void append_steps(Place& place, const ir::Type& from, const ir::Ref& ref, const VariableOf& variable_of) {
  append_behind(place, from, ref, 0, variable_of);
}

Place state_place(const ir::Program& program, const ir::Ref& ref, const VariableOf& variable_of) {
  Place place;
  const std::uint64_t bit = ref.subscripts.empty() ? ref.offset : ref.subscripts.front().offset_before;
  const auto after = std::upper_bound(program.variables.begin(), program.variables.end(), bit,
                                      [](std::uint64_t b, const ir::Variable& v) { return b < v.offset; });
  if (after == program.variables.begin() || ref.type->bits == 0)
    return place;
  const ir::Variable& variable = *std::prev(after);
  place.root = PlaceRoot::kState;
  Step step;
  step.child = static_cast<std::uint64_t>(after - program.variables.begin()) - 1;
  place.steps.push_back(step);
  append_behind(place, *variable.type, ref, variable.offset, variable_of);
  return place;
}

bool may_overlap(const Place& a, const Place& b) {
  return overlap(a, b, nullptr);
}

bool may_overlap(const Place& a, const Place& b, const VarId& variable) {
  return overlap(a, b, &variable);
}

}  // namespace tideline::symmetry
