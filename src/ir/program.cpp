// SPDX-License-Identifier: MIT
#include "ir/program.h"

#include <algorithm>

#include "base/check.h"

namespace tideline::ir {
namespace {

constexpr CommandId kCommandsMax = CommandId{1} << 62;

bool is_parameter(const Binding& binding) {
  return binding.kind == BindingKind::kParameter || binding.kind == BindingKind::kChoose;
}

// Numbers one list of rules; false if the numbers run out.
bool number_rules(std::vector<Rule>& rules) {
  CommandId next = 0;
  for (Rule& rule : rules) {
    rule.first_command = next;
    rule.command_count = 1;
    for (const Binding& binding : rule.bindings) {
      if (!is_parameter(binding))
        continue;
      const std::uint64_t size = binding.domain->hull().size();
      if (size > kCommandsMax / rule.command_count)
        return false;
      rule.command_count *= size;
    }
    if (rule.command_count > kCommandsMax - next)
      return false;
    next += rule.command_count;
  }
  return true;
}

const Type* keep_type(Program& program, Type type) {
  if (type.bits > kObjectBitsMax)
    return nullptr;
  return &program.types.emplace_back(std::move(type));
}

// stride * count, or something above the maximum.
std::uint64_t bits_of_elements(std::uint64_t stride, std::uint64_t count) {
  if (stride != 0 && count > kObjectBitsMax / stride)
    return kObjectBitsMax + 1;
  return stride * count;
}

}  // namespace

bool Program::has_assumptions() const {
  return std::any_of(properties.begin(), properties.end(),
                     [](const Property& p) { return p.kind == PropertyKind::kAssumption; });
}

std::uint64_t Program::bits_of(const Component& component) const {
  std::uint64_t bits = 0;
  for (const std::size_t v : component.variables)
    bits += variables[v].type->bits;
  return bits;
}

Variable& Program::add_variable(std::string name, const Type* type, Location where) {
  CHECK(state_bits + type->bits <= kObjectBitsMax);
  variables.push_back({std::move(name), type, state_bits, where, 0});
  state_bits += type->bits;
  return variables.back();
}

bool number_commands(Program& program) {
  std::stable_sort(program.rules.begin(), program.rules.end(),
                   [](const Rule& a, const Rule& b) { return a.priority < b.priority; });
  return number_rules(program.starts) && number_rules(program.rules);
}

CommandId command_id(const Rule& rule, const std::vector<std::int64_t>& parameters) {
  CommandId id = 0;
  std::size_t k = 0;
  for (const Binding& binding : rule.bindings) {
    if (!is_parameter(binding))
      continue;
    const Interval hull = binding.domain->hull();
    id = id * hull.size() + (static_cast<std::uint64_t>(parameters[k++]) - static_cast<std::uint64_t>(hull.lo));
  }
  return rule.first_command + id;
}

Command decode_command(const std::vector<Rule>& rules, CommandId id) {
  const auto after = std::upper_bound(rules.begin(), rules.end(), id,
                                      [](CommandId value, const Rule& rule) { return value < rule.first_command; });
  CHECK(after != rules.begin());
  Command command;
  command.rule = &*std::prev(after);
  CommandId rest = id - command.rule->first_command;
  CHECK(rest < command.rule->command_count);
  for (auto binding = command.rule->bindings.rbegin(); binding != command.rule->bindings.rend(); ++binding) {
    if (!is_parameter(*binding))
      continue;
    const Interval hull = binding->domain->hull();
    command.parameters.push_back(hull.lo + static_cast<std::int64_t>(rest % hull.size()));
    rest /= hull.size();
  }
  std::reverse(command.parameters.begin(), command.parameters.end());
  return command;
}

std::string show_command(const Command& command) {
  std::string text = command.rule->name;
  std::size_t k = 0;
  for (const Binding& binding : command.rule->bindings) {
    if (!is_parameter(binding))
      continue;
    text +=
        ", " + command.rule->frame.locals[binding.slot].name + " = " + binding.domain->show(command.parameters[k++]);
  }
  return text;
}

Domain* add_domain(Program& program, Domain domain) {
  CHECK(domain.hull().size() <= kDomainValuesMax);
  return &program.domains.emplace_back(std::move(domain));
}

const Type* add_simple_type(Program& program, const Domain* domain, std::string name) {
  Type type;
  type.kind = TypeKind::kSimple;
  type.name = std::move(name);
  type.domain = domain;
  type.bits = domain->bits();
  return keep_type(program, std::move(type));
}

const Type* add_array_type(Program& program, const Domain* index, const Type* element, std::string name) {
  Type type;
  type.kind = TypeKind::kArray;
  type.name = std::move(name);
  type.domain = index;
  type.element = element;
  type.bits = bits_of_elements(element->bits, index->hull().size());
  return keep_type(program, std::move(type));
}

const Type* add_record_type(Program& program, std::vector<Field> fields, std::string name) {
  Type type;
  type.kind = TypeKind::kRecord;
  type.name = std::move(name);
  for (Field& field : fields) {
    field.offset = type.bits;
    type.bits += field.type->bits;
    if (type.bits > kObjectBitsMax)
      return nullptr;
  }
  type.fields = std::move(fields);
  return keep_type(program, std::move(type));
}

const Type* add_multiset_type(Program& program, std::uint64_t capacity, const Type* element, std::string name) {
  CHECK(capacity > 0);
  Type type;
  type.kind = TypeKind::kMultiset;
  type.name = std::move(name);
  type.element = element;
  type.bits = bits_of_elements(element->bits + 1, capacity);
  if (type.bits > kObjectBitsMax)
    return nullptr;
  Domain slots;
  slots.parts = {{0, static_cast<std::int64_t>(capacity) - 1}};
  slots.has_undefined = false;
  type.domain = add_domain(program, std::move(slots));
  return keep_type(program, std::move(type));
}

}  // namespace tideline::ir
