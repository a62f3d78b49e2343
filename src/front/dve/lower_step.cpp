// SPDX-License-Identifier: MIT
#include "front/dve/lower_step.h"

#include <utility>

namespace tideline::dve {
namespace {

using ir::ExprOp;
using ir::ExprPtr;
using ir::StmtKind;

std::unique_ptr<ir::Stmt> statement(StmtKind kind, Location where) {
  auto made = std::make_unique<ir::Stmt>();
  made->kind = kind;
  made->where = where;
  return made;
}

}  // namespace

void StepLowering::assign(ir::Block& block, ir::Ref ref, ExprPtr value, Location where) {
  auto made = statement(StmtKind::kAssign, where);
  made->ref = std::move(ref);
  made->value = std::move(value);
  block.push_back(std::move(made));
}

void StepLowering::put(ir::Block& block, std::string text, ExprPtr value) {
  auto made = statement(StmtKind::kPut, value->where);
  made->message = std::move(text);
  made->value = std::move(value);
  block.push_back(std::move(made));
}

ir::SlotIndex StepLowering::keep(ir::Block& block, ir::Frame& frame, ExprPtr value, const std::string& name) {
  ir::Domain values;
  values.parts = {kInt32};
  values.has_undefined = false;
  const ir::Type* type = ir::add_simple_type(program_, ir::add_domain(program_, std::move(values)));
  frame.locals.push_back({name, type, ir::LocalKind::kValue});
  const auto slot = static_cast<ir::SlotIndex>(frame.locals.size() - 1);
  const Location where = value->where;
  assign(block, ir::make_local_ref(frame, slot, where), std::move(value), where);
  return slot;
}

ExprPtr StepLowering::captured(const ir::Frame& frame, ir::SlotIndex slot, Location where) {
  return ir::make_read(ir::make_local_ref(frame, slot, where), true, where);
}

void StepLowering::store(ir::Block& block, ir::Frame& frame, const Assignment& to, ExprPtr index, ExprPtr value) {
  const ir::Interval declared = type_range(model_.variables[to.variable].type);
  if (on_error_ == OnError::kWrap)
    value = ExprLowering::wrap(std::move(value), declared);
  if (!model_.variables[to.variable].is_array && --stores_left_.at(to.variable) > 0) {
    store_in_between(block, frame, to, std::move(value));
    return;
  }
  exprs_.overrides().variables.erase(to.variable);
  if (layout_.variables[to.variable] != kNothing) {
    assign(block, exprs_.place(to.variable, std::move(index), to.where), std::move(value), to.where);
    return;
  }
  // A variable that never changes: what is left is what can fail.
  const ir::Type* type = layout_.types[to.variable];
  const ir::Type* simple = type->is_simple() ? type : type->element;
  frame.locals.push_back({model_.variables[to.variable].name, simple, ir::LocalKind::kValue});
  const auto slot = static_cast<ir::SlotIndex>(frame.locals.size() - 1);
  assign(block, ir::make_local_ref(frame, slot, to.where), std::move(value), to.where);
  if (index != nullptr) {
    frame.locals.push_back({"index", ir::add_simple_type(program_, type->domain), ir::LocalKind::kValue});
    assign(block, ir::make_local_ref(frame, slot + 1, to.where), std::move(index), to.where);
  }
}

void StepLowering::store_in_between(ir::Block& block, ir::Frame& frame, const Assignment& to, ExprPtr value) {
  ir::Domain values;
  values.name = model_.variables[to.variable].name;
  values.parts = {type_range(model_.variables[to.variable].type)};
  values.has_undefined = false;
  const ir::Type* type = ir::add_simple_type(program_, ir::add_domain(program_, std::move(values)));
  frame.locals.push_back({model_.variables[to.variable].name, type, ir::LocalKind::kValue});
  const auto slot = static_cast<ir::SlotIndex>(frame.locals.size() - 1);
  assign(block, ir::make_local_ref(frame, slot, to.where), std::move(value), to.where);
  exprs_.overrides().variables[to.variable] = slot;
}

void StepLowering::fail_if(ir::Block& block, ExprPtr condition, std::string message) {
  auto made = statement(StmtKind::kIf, condition->where);
  auto error = statement(StmtKind::kError, condition->where);
  error->message = std::move(message);
  made->value = std::move(condition);
  made->body.push_back(std::move(error));
  block.push_back(std::move(made));
}

void StepLowering::count_stores(const std::vector<Assignment>& assignments) {
  for (const Assignment& assignment : assignments)
    ++stores_left_[assignment.variable];
}

void StepLowering::begin_step(const ir::Frame& frame) {
  stores_left_.clear();
  exprs_.overrides().frame = &frame;
}

void StepLowering::only_effects(ir::Block& block, ir::Frame& frame, ProcessId process, const Transition& transition) {
  begin_step(frame);
  count_stores(transition.effects);
  effects(block, frame, process, transition);
}

void StepLowering::effects(ir::Block& block, ir::Frame& frame, ProcessId process, const Transition& transition) {
  if (transition.target != transition.source)
    assign(block, ir::make_state_ref(program_.variables[layout_.locations[process]], transition.where),
           ir::make_constant(transition.target, transition.where), transition.where);
  for (const Assignment& effect : transition.effects) {
    ExprPtr index = effect.index == kNothing ? nullptr : exprs_.value(effect.index);
    store(block, frame, effect, std::move(index), exprs_.value(effect.value));
  }
}

std::vector<ir::SlotIndex> StepLowering::capture_indices(ir::Rule& rule, const Transition& transition) {
  std::vector<ir::SlotIndex> slots;
  for (const Assignment& to : transition.received)
    slots.push_back(to.index == kNothing ? kNothing : keep(rule.body, rule.frame, exprs_.value(to.index), "index"));
  return slots;
}

void StepLowering::single(ir::Rule& rule, ProcessId process, const Transition& transition) {
  begin_step(rule.frame);
  count_stores(transition.received);
  count_stores(transition.effects);
  const bool receives = transition.sync == SyncKind::kReceive;
  const std::vector<ir::SlotIndex> indices =
      receives ? capture_indices(rule, transition) : std::vector<ir::SlotIndex>{};
  effects(rule.body, rule.frame, process, transition);
  if (receives)
    receive_from_buffer(rule, transition, indices);
  else if (transition.sync == SyncKind::kSend)
    send_to_buffer(rule, transition);
}

void StepLowering::handshake(ir::Rule& rule, ProcessId sender, const Transition& send, ProcessId receiver,
                             const Transition& receive) {
  begin_step(rule.frame);
  count_stores(receive.received);
  count_stores(receive.effects);
  count_stores(send.effects);
  const Channel& channel = model_.channels[send.channel];
  // A variable with several values is rare: only then can an index be changed by an earlier value.
  const bool captures = receive.received.size() > 1;
  const std::vector<ir::SlotIndex> indices = captures ? capture_indices(rule, receive) : std::vector<ir::SlotIndex>{};
  for (std::size_t i = 0; i < receive.received.size(); ++i) {
    const Assignment& to = receive.received[i];
    ExprPtr value = exprs_.value(send.sent[i]);
    if (channel.is_typed)
      value = ExprLowering::wrap(std::move(value), type_range(channel.types[i]));
    const ir::SlotIndex slot = keep(rule.body, rule.frame, std::move(value), channel.name);
    put(rule.body, (i == 0 ? channel.name + "!" : ", "), captured(rule.frame, slot, to.where));
    ExprPtr index;
    if (to.index != kNothing)
      index = captures ? captured(rule.frame, indices[i], to.where) : exprs_.value(to.index);
    store(rule.body, rule.frame, to, std::move(index), captured(rule.frame, slot, to.where));
  }
  effects(rule.body, rule.frame, receiver, receive);
  effects(rule.body, rule.frame, sender, send);
}

ir::Ref StepLowering::count(ChannelId channel, Location where) {
  return ir::make_state_ref(program_.variables[layout_.buffers[channel].count], where);
}

ir::Ref StepLowering::item(ChannelId channel, ExprPtr slot, std::size_t field, Location where) {
  ir::Ref ref = ir::make_state_ref(program_.variables[layout_.buffers[channel].items], where);
  ir::append_subscript(ref, std::move(slot), where);
  const ir::Type* record = ref.type;
  ir::append_field(ref, record->fields[field]);
  return ref;
}

void StepLowering::send_to_buffer(ir::Rule& rule, const Transition& transition) {
  const Channel& channel = model_.channels[transition.channel];
  const Location where = transition.where;
  for (std::size_t i = 0; i < transition.sent.size(); ++i) {
    ExprPtr value = ExprLowering::wrap(exprs_.value(transition.sent[i]), type_range(channel.types[i]));
    const ir::SlotIndex slot = keep(rule.body, rule.frame, std::move(value), channel.name);
    put(rule.body, (i == 0 ? channel.name + "!" : ", "), captured(rule.frame, slot, where));
    assign(rule.body, item(transition.channel, ir::make_read(count(transition.channel, where), true, where), i, where),
           captured(rule.frame, slot, where), where);
  }
  assign(rule.body, count(transition.channel, where),
         ir::make_binary(ExprOp::kAdd, ir::make_read(count(transition.channel, where), true, where),
                         ir::make_constant(1, where), where),
         where);
}

void StepLowering::receive_from_buffer(ir::Rule& rule, const Transition& transition,
                                       const std::vector<ir::SlotIndex>& indices) {
  const Channel& channel = model_.channels[transition.channel];
  for (std::size_t i = 0; i < transition.received.size(); ++i) {
    const Assignment& to = transition.received[i];
    const auto front = [&] {
      return ir::make_read(item(transition.channel, ir::make_constant(0, to.where), i, to.where), true, to.where);
    };
    put(rule.body, (i == 0 ? channel.name + "?" : ", "), front());
    ExprPtr index = to.index == kNothing ? nullptr : captured(rule.frame, indices[i], to.where);
    store(rule.body, rule.frame, to, std::move(index), front());
  }
  shift_buffer(rule, transition.channel, transition.where);
}

void StepLowering::shift_buffer(ir::Rule& rule, ChannelId channel, Location where) {
  const std::int64_t capacity = model_.channels[channel].capacity;
  const ir::Variable& items = program_.variables[layout_.buffers[channel].items];
  if (capacity > 1) {
    ir::Domain positions;
    positions.parts = {{0, capacity - 2}};
    positions.has_undefined = false;
    auto loop = statement(StmtKind::kFor, where);
    loop->loop.domain = ir::add_domain(program_, std::move(positions));
    rule.frame.locals.push_back({"position", ir::add_simple_type(program_, loop->loop.domain), ir::LocalKind::kValue});
    loop->slot = static_cast<ir::SlotIndex>(rule.frame.locals.size() - 1);
    auto copy = statement(StmtKind::kCopy, where);
    copy->ref = ir::make_state_ref(items, where);
    ir::append_subscript(copy->ref, captured(rule.frame, loop->slot, where), where);
    copy->source = ir::make_state_ref(items, where);
    ir::append_subscript(
        copy->source,
        ir::make_binary(ExprOp::kAdd, captured(rule.frame, loop->slot, where), ir::make_constant(1, where), where),
        where);
    loop->body.push_back(std::move(copy));
    rule.body.push_back(std::move(loop));
  }
  for (std::size_t i = 0; i < model_.channels[channel].types.size(); ++i)
    assign(rule.body, item(channel, ir::make_constant(capacity - 1, where), i, where), ir::make_constant(0, where),
           where);
  assign(rule.body, count(channel, where),
         ir::make_binary(ExprOp::kSubtract, ir::make_read(count(channel, where), true, where),
                         ir::make_constant(1, where), where),
         where);
}

}  // namespace tideline::dve
