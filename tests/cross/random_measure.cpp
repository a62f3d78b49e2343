// SPDX-License-Identifier: MIT
#include "random_measure.h"

#include <random>
#include <utility>

#include "ir/build.h"
#include "ir/progress.h"

namespace tideline::cross {
namespace {

// A random simple value of a variable; false if there is none to be had.
bool descend(ir::Ref& ref, std::mt19937_64& random) {
  while (!ref.type->is_simple()) {
    const ir::Type& type = *ref.type;
    if (type.kind == ir::TypeKind::kMultiset)
      return false;
    if (type.kind == ir::TypeKind::kRecord) {
      if (type.fields.empty())
        return false;
      ir::append_field(ref, type.fields[random() % type.fields.size()]);
      continue;
    }
    const std::int64_t lo = type.domain->parts.front().lo;
    const std::uint64_t size = type.domain->parts.front().size();
    ir::append_subscript(ref, ir::make_constant(lo + static_cast<std::int64_t>(random() % size)), {});
  }
  return ref.type->domain->kind != ir::DomainKind::kScalarset && ref.type->domain->kind != ir::DomainKind::kUnion;
}

}  // namespace

void add_random_measure(ir::Program& program, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t wanted = 1 + random() % 3;
  for (unsigned tries = 0; !program.variables.empty() && tries < 20 && program.progress.size() < wanted; ++tries) {
    ir::Ref ref = ir::make_state_ref(program.variables[random() % program.variables.size()]);
    if (!descend(ref, random))
      continue;
    ir::ProgressComponent component;
    component.text = ref.text;
    component.value = ir::make_read(std::move(ref), random() % 2 == 0, {});
    component.descending = random() % 2 == 0;
    program.progress.push_back(std::move(component));
    if (ir::progress_bits(program) > ir::kProgressBitsMax)
      program.progress.pop_back();
  }
}

}  // namespace tideline::cross
