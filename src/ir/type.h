// SPDX-License-Identifier: MIT
// Types of variables and their packed layout. A packed object is a run of bits, least significant bit first, without
// padding: an array's element k starts at k * element->bits, a record's field at its offset, a multiset is `capacity`
// slots of element->bits + 1 bits whose highest bit says that the slot is occupied (an empty slot is all zero).
// All-zero bits are an object in which everything is undefined (or, without an undefined value, least).
//
// T1  every Type knows its `bits` when it is made.    T2  bits <= kObjectBitsMax.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/domain.h"

namespace tideline::ir {

inline constexpr std::uint64_t kObjectBitsMax = std::uint64_t{1} << 23;

enum class TypeKind : std::uint8_t { kSimple, kArray, kRecord, kMultiset };

struct Type;

struct Field {
  std::string name;
  const Type* type = nullptr;
  std::uint64_t offset = 0;  // bits from the start of the record
};

struct Type {
  TypeKind kind = TypeKind::kSimple;
  std::string name;                // as declared; empty for an anonymous one
  const Domain* domain = nullptr;  // kSimple: the values; kArray: the index; kMultiset: the slot numbers
  const Type* element = nullptr;   // kArray, kMultiset
  std::vector<Field> fields;       // kRecord
  std::uint64_t bits = 0;

  [[nodiscard]] bool is_simple() const { return kind == TypeKind::kSimple; }
  // Distance in bits between neighbouring elements of an array or slots of a multiset.
  [[nodiscard]] std::uint64_t stride() const { return element->bits + (kind == TypeKind::kMultiset ? 1 : 0); }
  [[nodiscard]] bool contains_multiset() const;
  // Same layout and meaning, whatever the names: values can be copied bit by bit.
  [[nodiscard]] bool same_layout(const Type& other) const;
};

}  // namespace tideline::ir
