// SPDX-License-Identifier: MIT
#include "exec/interp/start_facts.h"

#include "exec/interp/interpreter.h"
#include "ir/bits.h"

namespace tideline {
namespace {

// Beyond this many the analysis does without the facts: it runs before the first state is seen.
constexpr ir::CommandId kStartsMax = 5000;

void note_undefined(const ir::Type& type, const Word* state, std::uint64_t at, std::vector<bool>& undefined) {
  switch (type.kind) {
    case ir::TypeKind::kSimple:
      if (type.domain->has_undefined && ir::get_bits(state, at, type.bits) == 0)
        undefined[at] = true;
      break;
    case ir::TypeKind::kArray:
      for (const ir::Interval& part : type.domain->parts)
        for (std::int64_t v = part.lo; v <= part.hi; ++v)
          note_undefined(*type.element, state,
                         at + static_cast<std::uint64_t>(v - type.domain->hull().lo) * type.stride(), undefined);
      break;
    case ir::TypeKind::kRecord:
      for (const ir::Field& field : type.fields)
        note_undefined(*field.type, state, at + field.offset, undefined);
      break;
    case ir::TypeKind::kMultiset:
      break;
  }
}

}  // namespace

std::vector<bool> undefined_at_start(const ir::Program& program) {
  if (program.starts.empty() || program.starts.back().first_command + program.starts.back().command_count > kStartsMax)
    return {};
  Interpreter interpreter(program);
  Successors initial(program.state_words());
  interpreter.initial(initial);
  std::vector<bool> undefined(program.state_bits, false);
  for (std::size_t i = 0; i < initial.size(); ++i) {
    if (!initial.proper(i))
      continue;
    for (const ir::Variable& variable : program.variables)
      note_undefined(*variable.type, initial.state(i), variable.offset, undefined);
  }
  return undefined;
}

}  // namespace tideline
