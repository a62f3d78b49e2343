// SPDX-License-Identifier: MIT
#include "symmetry/private_parts.h"

#include "ir/walk.h"

namespace tideline::symmetry {
namespace {

bool is_plain_write(const ir::Stmt& stmt) {
  return stmt.kind == ir::StmtKind::kAssign || stmt.kind == ir::StmtKind::kCopy ||
         stmt.kind == ir::StmtKind::kUndefine || stmt.kind == ir::StmtKind::kClear;
}

// A run of bits of one local variable.
struct Part {
  ir::SlotIndex slot = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] bool meets(const ir::Ref& ref) const {
    if (ref.type == nullptr || ref.root != ir::Root::kLocal || ref.slot != slot)
      return false;
    std::uint64_t first = ref.offset;
    std::uint64_t reach = ref.type->bits;
    for (const ir::Subscript& subscript : ref.subscripts) {
      first += subscript.offset_before;
      reach += (subscript.domain->hull().size() - 1) * subscript.stride;
    }
    return first < end && begin < first + reach;
  }

  [[nodiscard]] bool is_covered_by(const ir::Ref& ref) const {
    return meets(ref) && ref.subscripts.empty() && ref.offset <= begin && end <= ref.offset + ref.type->bits;
  }
};

// Does the statement, without those inside of it, read a bit of the part? References that are bound count as reads.
bool reads_part(const ir::Stmt& stmt, const Part& part) {
  bool found = part.meets(stmt.source) || (!is_plain_write(stmt) && part.meets(stmt.ref));
  ir::for_each_operand(stmt, [&](const ir::Expr& expr) {
    ir::for_each_ref(expr, [&](const ir::Ref& ref) { found = found || part.meets(ref); });
  });
  return found;
}

std::size_t count_reads(const ir::Block& block, const Part& part) {
  std::size_t count = 0;
  ir::for_each_stmt(block, [&](const ir::Stmt& stmt) {
    if (reads_part(stmt, part))
      ++count;
  });
  return count;
}

bool is_written_first(const ir::Block& block, const Part& part, bool& written);

// False if the part may be read before it is written; `written` says whether it is written, before and after.
bool is_written_first(const ir::Stmt& stmt, const Part& part, bool& written) {
  if (!written && reads_part(stmt, part))
    return false;
  written = written || (is_plain_write(stmt) && part.is_covered_by(stmt.ref));
  bool in_body = written;
  bool in_other = written;
  if (!is_written_first(stmt.body, part, in_body) || !is_written_first(stmt.other, part, in_other))
    return false;
  if (stmt.kind == ir::StmtKind::kIf)
    written = in_body && in_other;
  return true;
}

bool is_written_first(const ir::Block& block, const Part& part, bool& written) {
  for (const auto& stmt : block)
    if (!is_written_first(*stmt, part, written))
      return false;
  return true;
}

}  // namespace

std::vector<const ir::Ref*> private_parts(const ir::Block& code, const ir::Stmt& loop) {
  std::vector<const ir::Ref*> found;
  ir::for_each_stmt(loop.body, [&](const ir::Stmt& stmt) {
    if (!is_plain_write(stmt) || stmt.ref.root != ir::Root::kLocal || !stmt.ref.subscripts.empty())
      return;
    const Part part{stmt.ref.slot, stmt.ref.offset, stmt.ref.offset + stmt.ref.type->bits};
    bool written = false;
    if (count_reads(code, part) == count_reads(loop.body, part) && is_written_first(loop.body, part, written))
      found.push_back(&stmt.ref);
  });
  return found;
}

}  // namespace tideline::symmetry
