// SPDX-License-Identifier: MIT
#include "print_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tideline::test {
namespace {

using dve::Op;

constexpr const char* kSigns[] = {"",  "",  "",   "",   "!", "-",  "~", "+",  "-",  "*",  "/",  "%",  "&",
                                  "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "imply"};

class Printer {
 public:
  explicit Printer(const dve::Model& model) : model_(model) {}

  [[nodiscard]] std::string run() const {
    std::string text = variables(dve::kNothing);
    for (const dve::Channel& channel : model_.channels)
      text += declaration(channel);
    for (dve::ProcessId p = 0; p < model_.processes.size(); ++p)
      text += process(p);
    return text + (model_.is_synchronous ? "system sync;\n" : "system async;\n");
  }

 private:
  static const char* name_of(dve::BaseType type) { return type == dve::BaseType::kByte ? "byte" : "int"; }

  [[nodiscard]] std::string variables(dve::ProcessId owner) const {
    std::string text;
    for (const dve::Variable& variable : model_.variables) {
      if (variable.owner != owner)
        continue;
      text += fmt::format("{}{} {}", variable.is_constant ? "const " : "", name_of(variable.type), variable.name);
      text += variable.is_array
                  ? fmt::format("[{}] = {{{}}};\n", variable.initial.size(), fmt::join(variable.initial, ", "))
                  : fmt::format(" = {};\n", variable.initial.front());
    }
    return text;
  }

  static std::string declaration(const dve::Channel& channel) {
    if (!channel.is_typed)
      return fmt::format("channel {};\n", channel.name);
    std::vector<std::string> types;
    for (const dve::BaseType type : channel.types)
      types.emplace_back(name_of(type));
    return fmt::format("channel {{{}}} {}[{}];\n", fmt::join(types, ", "), channel.name, channel.capacity);
  }

  [[nodiscard]] std::string process(dve::ProcessId p) const {
    const dve::Process& process = model_.processes[p];
    std::vector<std::string> states;
    std::string more = fmt::format("init {};\n", process.states[process.initial].name);
    for (const dve::State& state : process.states) {
      states.push_back(state.name);
      if (state.is_committed)
        more += fmt::format("commit {};\n", state.name);
    }
    for (const dve::Assertion& assertion : process.assertions)
      more += fmt::format("assert {}: {};\n", states[assertion.state], expression(assertion.condition));
    std::vector<std::string> transitions;
    for (const dve::Transition& each : process.transitions)
      transitions.push_back(fmt::format("  {} -> {} {{{} }}", states[each.source], states[each.target], content(each)));
    if (!transitions.empty())
      more += fmt::format("trans\n{};\n", fmt::join(transitions, ",\n"));
    return fmt::format("process {} {{\n{}state {};\n{}}}\n", process.name, variables(p), fmt::join(states, ", "), more);
  }

  [[nodiscard]] std::string content(const dve::Transition& transition) const {
    std::string text;
    if (transition.guard != dve::kNothing)
      text += fmt::format(" guard {};", expression(transition.guard));
    if (transition.sync != dve::SyncKind::kNone)
      text += sync(transition);
    std::vector<std::string> effects;
    for (const dve::Assignment& effect : transition.effects)
      effects.push_back(fmt::format("{} = {}", target(effect), expression(effect.value)));
    return effects.empty() ? text : text + fmt::format(" effect {};", fmt::join(effects, ", "));
  }

  [[nodiscard]] std::string sync(const dve::Transition& transition) const {
    std::vector<std::string> values;
    for (const dve::ExprId sent : transition.sent)
      values.push_back(expression(sent));
    for (const dve::Assignment& received : transition.received)
      values.push_back(target(received));
    const std::string list = values.empty() ? "" : fmt::format("{{{}}}", fmt::join(values, ", "));
    const char* sign = transition.sync == dve::SyncKind::kSend ? "!" : "?";
    return fmt::format(" sync {}{}{};", model_.channels[transition.channel].name, sign, list);
  }

  [[nodiscard]] std::string target(const dve::Assignment& to) const {
    const std::string& name = model_.variables[to.variable].name;
    return to.index == dve::kNothing ? name : fmt::format("{}[{}]", name, expression(to.index));
  }

  [[nodiscard]] std::string expression(dve::ExprId id) const {
    const dve::Expr& expr = model_.exprs[id];
    const char* sign = kSigns[static_cast<unsigned>(expr.op)];
    switch (expr.op) {
      case Op::kNumber:
        return expr.value < 0 ? fmt::format("({})", expr.value) : std::to_string(expr.value);
      case Op::kVariable:
        return model_.variables[expr.variable].name;
      case Op::kElement:
        return fmt::format("{}[{}]", model_.variables[expr.variable].name, expression(expr.left));
      case Op::kInState:
        return fmt::format("{}.{}", model_.processes[expr.process].name,
                           model_.processes[expr.process].states[expr.state].name);
      case Op::kNot:
      case Op::kMinus:
      case Op::kComplement:
        return fmt::format("({}{})", sign, expression(expr.left));
      default:
        return fmt::format("({} {} {})", expression(expr.left), sign, expression(expr.right));
    }
  }

  const dve::Model& model_;
};

}  // namespace

std::string print_model(const dve::Model& model) {
  return Printer(model).run();
}

}  // namespace tideline::test
