// SPDX-License-Identifier: MIT
#include "search/state_slots.h"

#include <algorithm>

namespace tideline {
namespace {

struct Piece {
  const ir::Type* type = nullptr;
  std::uint64_t offset = 0;
};

void add_bits(std::uint64_t bit, std::uint64_t width, std::vector<StateSlot>& slots) {
  while (width > 0) {
    const std::uint64_t some = std::min(width, 64 - bit % 64);
    slots.push_back({bit, some});
    bit += some;
    width -= some;
  }
}

// Puts the parts of an array, a record or a multiset onto the stack, the first on top.
void open_piece(const Piece& piece, std::size_t most, std::vector<Piece>& todo, std::vector<StateSlot>& slots) {
  const ir::Type& type = *piece.type;
  const auto begin = static_cast<std::ptrdiff_t>(todo.size());
  if (type.kind == ir::TypeKind::kRecord)
    for (const ir::Field& field : type.fields)
      todo.push_back({field.type, piece.offset + field.offset});
  else
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(most, type.domain->hull().size()); ++i) {
      todo.push_back({type.element, piece.offset + i * type.stride()});
      if (type.kind == ir::TypeKind::kMultiset)
        add_bits(piece.offset + (i + 1) * type.stride() - 1, 1, slots);
    }
  std::reverse(todo.begin() + begin, todo.end());
}

}  // namespace

std::vector<StateSlot> state_slots(const ir::Program& program, std::size_t most) {
  std::vector<StateSlot> slots;
  for (const ir::Variable& variable : program.variables) {
    std::vector<Piece> todo = {{variable.type, variable.offset}};
    while (!todo.empty() && slots.size() < most) {
      const Piece piece = todo.back();
      todo.pop_back();
      if (piece.type->is_simple())
        add_bits(piece.offset, piece.type->bits, slots);
      else
        open_piece(piece, most, todo, slots);
    }
  }
  slots.resize(std::min(slots.size(), most));
  return slots;
}

}  // namespace tideline
