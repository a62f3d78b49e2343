// SPDX-License-Identifier: MIT
// Builds resolved DVE models without text. Calls that number expressions have an order: write one per statement where
// the numbers matter (arguments are evaluated in any order, which only permutes operands that do not depend on each
// other; models stay the same up to numbers).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "front/dve/model.h"

namespace tideline::test {

// A transition, for designated initialisers.
struct DveRule {
  dve::StateId source = 0;
  dve::StateId target = 0;
  dve::ExprId guard = dve::kNothing;
  dve::SyncKind sync = dve::SyncKind::kNone;
  dve::ChannelId channel = dve::kNothing;
  std::vector<dve::ExprId> sent = {};
  std::vector<dve::Assignment> received = {};
  std::vector<dve::Assignment> effects = {};
};

class DveModelBuilder {
 public:
  dve::ExprId number(std::int64_t value) {
    dve::Expr expr;
    expr.value = value;
    return add(expr);
  }
  dve::ExprId read(dve::VariableId variable) {
    dve::Expr expr;
    expr.op = dve::Op::kVariable;
    expr.variable = variable;
    return add(expr);
  }
  dve::ExprId element(dve::VariableId array, dve::ExprId index) {
    dve::Expr expr;
    expr.op = dve::Op::kElement;
    expr.variable = array;
    expr.left = index;
    return add(expr);
  }
  dve::ExprId in_state(dve::ProcessId process, dve::StateId state) {
    dve::Expr expr;
    expr.op = dve::Op::kInState;
    expr.process = process;
    expr.state = state;
    return add(expr);
  }
  dve::ExprId unary(dve::Op op, dve::ExprId operand) { return binary(op, operand, dve::kNothing); }
  dve::ExprId binary(dve::Op op, dve::ExprId left, dve::ExprId right) {
    dve::Expr expr;
    expr.op = op;
    expr.left = left;
    expr.right = right;
    return add(expr);
  }
  // `variable op value`
  dve::ExprId compare(dve::VariableId variable, dve::Op op, std::int64_t value) {
    const dve::ExprId left = read(variable);
    const dve::ExprId right = number(value);
    return binary(op, left, right);
  }

  dve::VariableId scalar(dve::BaseType type, std::int64_t initial = 0) { return variable(type, false, {initial}); }
  dve::VariableId array(dve::BaseType type, std::vector<std::int64_t> initial, bool is_constant = false) {
    const dve::VariableId id = variable(type, true, std::move(initial));
    model_.variables[id].is_constant = is_constant;
    return id;
  }
  dve::ChannelId handshake() { return channel(false, {}, 0); }
  dve::ChannelId handshake(std::vector<dve::BaseType> types) { return channel(true, std::move(types), 0); }
  dve::ChannelId buffer(std::uint32_t capacity, std::vector<dve::BaseType> types) {
    return channel(true, std::move(types), capacity);
  }
  dve::ProcessId process(std::size_t states, dve::StateId initial = 0) {
    dve::Process process;
    process.name = "P" + std::to_string(model_.processes.size());
    process.states.resize(states);
    for (std::size_t i = 0; i < states; ++i)
      process.states[i].name = "s" + std::to_string(i);
    process.initial = initial;
    model_.processes.push_back(std::move(process));
    return static_cast<dve::ProcessId>(model_.processes.size() - 1);
  }
  void transition(dve::ProcessId process, dve::Transition transition) {
    model_.processes[process].transitions.push_back(std::move(transition));
  }
  void rule(dve::ProcessId process, DveRule rule) {
    dve::Transition made;
    made.source = rule.source;
    made.target = rule.target;
    made.guard = rule.guard;
    made.sync = rule.sync;
    made.channel = rule.channel;
    made.sent = std::move(rule.sent);
    made.received = std::move(rule.received);
    made.effects = std::move(rule.effects);
    transition(process, std::move(made));
  }

  // `variable = variable + step`
  dve::Assignment increment(dve::VariableId variable, std::int64_t step = 1) {
    const dve::ExprId left = read(variable);
    const dve::ExprId right = number(step);
    return assign(variable, binary(dve::Op::kAdd, left, right));
  }
  static dve::Assignment assign(dve::VariableId variable, dve::ExprId value) {
    return assign_element(variable, dve::kNothing, value);
  }
  static dve::Assignment assign_element(dve::VariableId array, dve::ExprId index, dve::ExprId value) {
    dve::Assignment assignment;
    assignment.variable = array;
    assignment.index = index;
    assignment.value = value;
    return assignment;
  }
  // Where a value is received.
  static dve::Assignment into(dve::VariableId variable) { return assign(variable, dve::kNothing); }

  dve::Model& model() { return model_; }

 private:
  dve::ExprId add(dve::Expr expr) {
    model_.exprs.push_back(expr);
    return static_cast<dve::ExprId>(model_.exprs.size() - 1);
  }
  dve::VariableId variable(dve::BaseType type, bool is_array, std::vector<std::int64_t> initial) {
    dve::Variable variable;
    variable.name = "v" + std::to_string(model_.variables.size());
    variable.type = type;
    variable.is_array = is_array;
    variable.initial = std::move(initial);
    model_.variables.push_back(std::move(variable));
    return static_cast<dve::VariableId>(model_.variables.size() - 1);
  }
  dve::ChannelId channel(bool is_typed, std::vector<dve::BaseType> types, std::uint32_t capacity) {
    dve::Channel channel;
    channel.name = "c" + std::to_string(model_.channels.size());
    channel.is_typed = is_typed;
    channel.types = std::move(types);
    channel.capacity = capacity;
    model_.channels.push_back(std::move(channel));
    return static_cast<dve::ChannelId>(model_.channels.size() - 1);
  }

  dve::Model model_;
};

}  // namespace tideline::test
