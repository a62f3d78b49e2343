// SPDX-License-Identifier: MIT
#include "front/dve/layout.h"

#include <string>
#include <utility>

namespace tideline::dve {
namespace {

class LayoutMaker {
 public:
  LayoutMaker(const Model& model, const Narrowing& narrowing, ir::Program& program, Layout& layout)
      : model_(model), narrowing_(narrowing), program_(program), layout_(layout) {}

  bool run() {
    layout_.variables.assign(model_.variables.size(), kNothing);
    layout_.types.assign(model_.variables.size(), nullptr);
    layout_.locations.assign(model_.processes.size(), kNothing);
    layout_.buffers.resize(model_.channels.size());
    for (ProcessId p = 0; p < model_.processes.size(); ++p) {
      if (p == model_.property)
        continue;
      const std::size_t first = program_.variables.size();
      add_location(p);
      add_variables(p);
      ir::Component& component = program_.components.emplace_back();
      component.name = model_.processes[p].name;
      for (std::size_t v = first; v < program_.variables.size(); ++v)
        component.variables.push_back(v);
    }
    add_variables(kNothing);
    for (ChannelId c = 0; c < model_.channels.size(); ++c)
      if (model_.channels[c].capacity > 0)
        add_buffer(c);
    return fits_;
  }

 private:
  const ir::Domain* domain(ir::Interval values) {
    ir::Domain made;
    made.kind = ir::DomainKind::kRange;
    made.parts = {values};
    made.has_undefined = false;
    return ir::add_domain(program_, std::move(made));
  }

  std::uint32_t add(const std::string& name, const ir::Type* type, Location where) {
    fits_ = fits_ && type != nullptr && program_.state_bits + type->bits <= ir::kObjectBitsMax;
    if (!fits_)
      return kNothing;
    program_.add_variable(name, type, where);
    return static_cast<std::uint32_t>(program_.variables.size() - 1);
  }

  void add_location(ProcessId p) {
    const Process& process = model_.processes[p];
    if (process.states.size() < 2)
      return;
    ir::Domain states;
    states.kind = ir::DomainKind::kEnum;
    states.name = process.name;
    states.parts = {{0, static_cast<std::int64_t>(process.states.size()) - 1}};
    states.has_undefined = false;
    for (const State& state : process.states)
      states.labels.push_back(state.name);
    const ir::Type* type = ir::add_simple_type(program_, ir::add_domain(program_, std::move(states)));
    layout_.locations[p] = add(process.name, type, process.where);
  }

  const ir::Type* type_of(VariableId v) {
    const Variable& variable = model_.variables[v];
    ir::Domain values;
    values.name = variable.type == BaseType::kByte ? "byte" : "int";
    values.parts = {narrowing_.variables[v]};
    values.has_undefined = false;
    values.declared = type_range(variable.type);
    const ir::Type* simple = ir::add_simple_type(program_, ir::add_domain(program_, std::move(values)));
    if (!variable.is_array)
      return simple;
    const auto size = static_cast<std::int64_t>(variable.initial.size());
    return ir::add_array_type(program_, domain({0, size - 1}), simple);
  }

  void add_variables(ProcessId owner) {
    for (VariableId v = 0; v < model_.variables.size(); ++v) {
      const Variable& variable = model_.variables[v];
      if (variable.owner != owner || variable.is_constant)
        continue;
      layout_.types[v] = type_of(v);
      if (layout_.types[v] == nullptr)
        fits_ = false;
      else if (layout_.types[v]->bits > 0)
        add_stored(v);
      else
        program_.fixed.push_back({variable.name, narrowing_.variables[v].lo, declared_bits(variable)});
    }
  }

  static std::uint64_t declared_bits(const Variable& variable) {
    return variable.initial.size() * (variable.type == BaseType::kByte ? 8 : 16);
  }

  void add_stored(VariableId v) {
    layout_.variables[v] = add(model_.variables[v].name, layout_.types[v], model_.variables[v].where);
    const std::uint64_t declared = declared_bits(model_.variables[v]);
    if (fits_ && declared != layout_.types[v]->bits)
      program_.variables.back().declared_bits = declared;
  }

  void add_buffer(ChannelId c) {
    const Channel& channel = model_.channels[c];
    const std::int64_t capacity = channel.capacity;
    std::vector<ir::Field> fields;
    for (std::size_t i = 0; i < channel.types.size(); ++i) {
      // A slot of one value takes a bit, too: a buffer without bits would need cases of its own everywhere.
      ir::Interval values = narrowing_.channels[c][i];
      if (values.size() == 1)
        values.hi = values.lo + 1;
      fields.push_back({std::to_string(i), ir::add_simple_type(program_, domain(values)), 0});
    }
    const ir::Type* slot = ir::add_record_type(program_, std::move(fields));
    const ir::Type* items = slot == nullptr ? nullptr : ir::add_array_type(program_, domain({0, capacity - 1}), slot);
    layout_.buffers[c].count =
        add(channel.name + ".count", ir::add_simple_type(program_, domain({0, capacity})), channel.where);
    layout_.buffers[c].items = add(channel.name, items, channel.where);
  }

  const Model& model_;
  const Narrowing& narrowing_;
  ir::Program& program_;
  Layout& layout_;
  bool fits_ = true;
};

}  // namespace

bool lay_out(const Model& model, const Narrowing& narrowing, ir::Program& program, Layout& layout) {
  return LayoutMaker(model, narrowing, program, layout).run();
}

}  // namespace tideline::dve
