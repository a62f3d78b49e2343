// SPDX-License-Identifier: MIT
// The text of `tideline info`.
#include "report/info.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/print.h"
#include "ir/progress.h"
#include "report/format.h"

namespace tideline {

namespace {

constexpr std::size_t kNameWidthMax = 48;
constexpr std::size_t kTypeWidthMax = 90;

template <typename List>
std::size_t name_width(const List& list) {
  std::size_t width = 4;
  for (const auto& entry : list)
    width = std::max(width, std::min(printable(entry.name).size(), kNameWidthMax));
  return width;
}

std::string shortened(std::string text, std::size_t width) {
  if (text.size() > width)
    text = text.substr(0, width - 3) + "...";
  return text;
}

std::string parameters_text(const ir::Rule& rule) {
  std::string text;
  for (const ir::Binding& binding : rule.bindings) {
    if (binding.kind != ir::BindingKind::kParameter && binding.kind != ir::BindingKind::kChoose)
      continue;
    text += text.empty() ? "" : ", ";
    text += rule.frame.locals.at(binding.slot).name;
  }
  return text.empty() ? "" : "  (" + text + ")";
}

std::string rules_text(const char* title, const std::vector<ir::Rule>& rules) {
  std::uint64_t instances = 0;
  for (const ir::Rule& rule : rules)
    instances += rule.command_count;
  std::string out = fmt::format("\n{}: {}, {}\n", title, show_count(rules.size()), show_plural(instances, "instance"));
  const std::size_t width = name_width(rules);
  for (const ir::Rule& rule : rules)
    out += fmt::format("  {:<{}}  {:>12}{}\n", printable(rule.name), width, show_count(rule.command_count),
                       parameters_text(rule));
  return out;
}

const char* kind_text(ir::PropertyKind kind) {
  switch (kind) {
    case ir::PropertyKind::kInvariant:
      return "invariant";
    case ir::PropertyKind::kAssumption:
      return "assumption";
    case ir::PropertyKind::kCover:
      return "cover";
    case ir::PropertyKind::kLiveness:
      return "liveness (not checked in this version)";
  }
  return "";
}

// Bits of the declared type where fewer are used.
std::string declared_text(std::uint64_t bits) {
  return bits == 0 ? "" : fmt::format(" of {}", bits);
}

// How many bits the state would have with all variables as declared, if it has fewer.
std::string narrowed_text(const ir::Program& program) {
  std::uint64_t bits = program.state_bits;
  for (const ir::Variable& variable : program.variables)
    bits += variable.declared_bits == 0 ? 0 : variable.declared_bits - variable.type->bits;
  for (const ir::FixedVariable& fixed : program.fixed)
    bits += fixed.declared_bits;
  return bits == program.state_bits ? "" : fmt::format(", {} as declared", show_plural(bits, "bit"));
}

std::string components_text(const ir::Program& program) {
  if (program.components.empty())
    return "\ncomponents: none (the language has no processes)\n";
  std::string out = fmt::format("\ncomponents: {}\n", show_count(program.components.size()));
  const std::size_t width = name_width(program.components);
  for (const ir::Component& component : program.components)
    out += fmt::format("  {:<{}}  {:>7} bits\n", printable(component.name), width, program.bits_of(component));
  return out;
}

// "0..9", "idle..done": least and greatest value.
std::string range_text(const ir::ProgressComponent& component) {
  const ir::Interval range = component.value->range;
  if (component.domain == nullptr)
    return fmt::format("{}..{}", range.lo, range.hi);
  return fmt::format("{}..{}", component.domain->show(range.lo), component.domain->show(range.hi));
}

std::string progress_text(const ir::Program& program) {
  if (program.progress.empty())
    return "\nprogress measure: none\n";
  std::string out =
      fmt::format("\nprogress measure: {}, a key of {}\n", show_plural(program.progress.size(), "component"),
                  show_plural(ir::progress_bits(program), "bit"));
  std::vector<std::string> names;
  std::size_t width = 4;
  for (const ir::ProgressComponent& component : program.progress) {
    names.push_back((component.descending ? "down " : "") + printable(component.text));
    width = std::max(width, std::min(names.back().size(), kNameWidthMax));
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format("  {:<{}}  {:>7} bits  {}\n", names[i], width, ir::progress_bits(program.progress[i]),
                       shortened(printable(range_text(program.progress[i])), kTypeWidthMax));
  return out;
}

}  // namespace

std::string info_text(const ir::Program& program, const std::string& model) {
  std::string out = fmt::format("{}: a state has {} ({}){}\n", model, show_plural(program.state_bits, "bit"),
                                show_plural((program.state_bits + 7) / 8, "byte"), narrowed_text(program));
  out += fmt::format("\nvariables: {}\n", show_count(program.variables.size()));
  const std::size_t width = name_width(program.variables);
  for (const ir::Variable& variable : program.variables)
    out += fmt::format("  {:<{}}  {:>7} bits{}  {}\n", printable(variable.name), width, variable.type->bits,
                       declared_text(variable.declared_bits),
                       shortened(printable(ir::show_type(*variable.type)), kTypeWidthMax));
  for (const ir::FixedVariable& fixed : program.fixed)
    out += fmt::format("  {:<{}}  {:>7} bits{}  always {}\n", printable(fixed.name), width, 0,
                       declared_text(fixed.declared_bits), fixed.value);
  out += rules_text("start rules", program.starts);
  out += rules_text("rules", program.rules);
  out += fmt::format("\nproperties: {}\n", show_count(program.properties.size()));
  const std::size_t property_width = name_width(program.properties);
  for (const ir::Property& property : program.properties)
    out += fmt::format("  {:<{}}  {}\n", printable(property.name), property_width, kind_text(property.kind));
  out += fmt::format("\nfunctions: {}\n", show_count(program.functions.size()));
  for (const ir::Function& function : program.functions)
    out += fmt::format("  {}\n", printable(function.name));
  out += components_text(program);
  out += progress_text(program);
  return out;
}

}  // namespace tideline
