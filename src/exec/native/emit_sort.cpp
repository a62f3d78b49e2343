// SPDX-License-Identifier: MIT
// The canonical order of multisets: a function per variable that contains some, with a loop per array around them.
#include "exec/native/emit_rule.h"

namespace tideline::native {
namespace {

// Slots of a multiset that are sorted on the C stack; larger ones are sorted in place.
constexpr std::uint64_t kSortSlotsMax = 256;

void sort_object(CText& out, const ir::Type& type, const std::string& bit, unsigned depth) {
  if (!type.contains_multiset())
    return;
  switch (type.kind) {
    case ir::TypeKind::kSimple:
      break;
    case ir::TypeKind::kArray: {
      const std::string name = fmt::format("k{}", depth);
      out.open("for (uint64_t {} = 0; {} < {}; {}++) {{", name, name, type.domain->hull().size(), name);
      sort_object(out, *type.element, fmt::format("{} + {} * {}", bit, name, unsigned_literal(type.stride())),
                  depth + 1);
      out.close();
      break;
    }
    case ir::TypeKind::kRecord:
      for (const ir::Field& field : type.fields)
        sort_object(out, *field.type, fmt::format("{} + {}", bit, unsigned_literal(field.offset)), depth);
      break;
    case ir::TypeKind::kMultiset:
      if (type.stride() <= 57 && type.domain->hull().size() <= kSortSlotsMax)
        out.line("tl_sort_narrow(t, {}, {}, {}, (uint64_t[{}]){{0}});", bit, unsigned_literal(type.stride()),
                 unsigned_literal(type.domain->hull().size()), type.domain->hull().size());
      else
        out.line("tl_sort_wide(t, {}, {}, {});", bit, unsigned_literal(type.stride()),
                 unsigned_literal(type.domain->hull().size()));
      break;
  }
}

}  // namespace

std::string emit_sort(const ir::Variable& variable, const std::string& name) {
  CText out;
  out.open("static void {}(uint64_t* t) {{", name);
  sort_object(out, *variable.type, unsigned_literal(variable.offset), 0);
  out.close();
  return out.str();
}

}  // namespace tideline::native
