// SPDX-License-Identifier: MIT
#include "front/dve/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "front/dve/layout.h"
#include "front/dve/lower_expr.h"
#include "front/dve/lower_step.h"
#include "front/dve/lower_sync.h"
#include "front/dve/simplify.h"
#include "front/measure.h"

namespace tideline::dve {
namespace {

using ir::ExprOp;
using ir::ExprPtr;

constexpr std::size_t kRulesMax = 1'000'000;

// A transition and whose it is.
struct Move {
  ProcessId process = 0;
  const Transition* transition = nullptr;
};

bool write_same_global(const Model& model, const Transition& a, const Transition& b) {
  return std::any_of(a.effects.begin(), a.effects.end(), [&](const Assignment& first) {
    return model.variables[first.variable].owner == kNothing &&
           std::any_of(b.effects.begin(), b.effects.end(),
                       [&](const Assignment& second) { return second.variable == first.variable; });
  });
}

class Lowering {
 public:
  Lowering(const Model& model, const Layout& layout, OnError on_error, ir::Program& program)
      : model_(model),
        layout_(layout),
        program_(program),
        exprs_(model, layout, program),
        steps_(model, layout, on_error, program, exprs_),
        fails_(failing_expressions(model)) {}

  // False if there are too many rules.
  bool run() {
    start();
    if (model_.is_synchronous)
      lower_synchronous(model_, layout_, program_, exprs_, steps_);
    else
      asynchronous();
    for (ProcessId p = 0; p < model_.processes.size(); ++p)
      if (p != model_.property)
        for (const Assertion& assertion : model_.processes[p].assertions)
          assert_in(p, assertion);
    for (const Invariant& invariant : model_.invariants)
      add_invariant(invariant.text, {}, exprs_.truth(invariant.condition));
    for (const MeasureComponent& component : model_.progress)
      add_component(component);
    return program_.rules.size() <= kRulesMax;
  }

 private:
  void start() {
    ir::Rule& rule = program_.starts.emplace_back();
    rule.name = "initial state";
    const auto assign = [&](ir::Ref ref, std::int64_t value) {
      auto made = std::make_unique<ir::Stmt>();
      made->kind = ir::StmtKind::kAssign;
      made->ref = std::move(ref);
      made->value = ir::make_constant(value);
      rule.body.push_back(std::move(made));
    };
    for (ProcessId p = 0; p < model_.processes.size(); ++p)
      if (layout_.locations[p] != kNothing)
        assign(ir::make_state_ref(program_.variables[layout_.locations[p]]), model_.processes[p].initial);
    for (VariableId v = 0; v < model_.variables.size(); ++v) {
      const std::vector<std::int64_t>& values = model_.variables[v].initial;
      for (std::size_t i = 0; layout_.variables[v] != kNothing && i < values.size(); ++i)
        assign(exprs_.place(v, model_.variables[v].is_array ? ir::make_constant(static_cast<std::int64_t>(i)) : nullptr,
                            {}),
               values[i]);
    }
    for (ChannelId c = 0; c < model_.channels.size(); ++c)
      if (model_.channels[c].capacity > 0)
        clear_buffer(assign, c);
  }

  template <class Assign>
  void clear_buffer(const Assign& assign, ChannelId c) {
    assign(ir::make_state_ref(program_.variables[layout_.buffers[c].count]), 0);
    for (std::int64_t i = 0; i < model_.channels[c].capacity; ++i)
      for (std::size_t k = 0; k < model_.channels[c].types.size(); ++k) {
        ir::Ref ref = ir::make_state_ref(program_.variables[layout_.buffers[c].items]);
        ir::append_subscript(ref, ir::make_constant(i), {});
        const ir::Type* slot = ref.type;
        ir::append_field(ref, slot->fields[k]);
        assign(std::move(ref), 0);
      }
  }

  // --- asynchronous systems ---

  void asynchronous() {
    collect_receives();
    for (ProcessId p = 0; p < model_.processes.size(); ++p) {
      if (p == model_.property)
        continue;
      std::vector<const Transition*> sorted;
      for (const Transition& transition : model_.processes[p].transitions)
        sorted.push_back(&transition);
      std::stable_sort(sorted.begin(), sorted.end(), [this](const Transition* a, const Transition* b) {
        return std::tuple(a->source, has_partner(*a)) < std::tuple(b->source, has_partner(*b));
      });
      for (const Transition* transition : sorted)
        add_rules({p, transition});
    }
  }

  [[nodiscard]] bool has_partner(const Transition& transition) const {
    return transition.sync != SyncKind::kNone && model_.channels[transition.channel].capacity == 0;
  }

  void collect_receives() {
    receives_.resize(model_.channels.size());
    for (ProcessId p = 0; p < model_.processes.size(); ++p)
      for (const Transition& transition : model_.processes[p].transitions)
        if (p != model_.property && has_partner(transition) && transition.sync == SyncKind::kReceive)
          receives_[transition.channel].push_back({p, &transition});
    for (std::vector<Move>& moves : receives_)
      std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
        return std::tuple(a.process, a.transition->source) < std::tuple(b.process, b.transition->source);
      });
  }

  void add_rules(const Move& move) {
    if (!has_partner(*move.transition)) {
      single(move);
      return;
    }
    if (move.transition->sync != SyncKind::kSend)
      return;
    for (const Move& receive : receives_[move.transition->channel])
      if (receive.process != move.process && program_.rules.size() <= kRulesMax)
        handshake(move, receive);
  }

  [[nodiscard]] std::string name_of(const Move& move) const {
    const Process& process = model_.processes[move.process];
    return fmt::format("{}: {} -> {} (line {})", process.name, process.states[move.transition->source].name,
                       process.states[move.transition->target].name, move.transition->where.line);
  }

  [[nodiscard]] bool is_committed(const Move& move) const {
    return model_.processes[move.process].states[move.transition->source].is_committed;
  }

  ExprPtr at_source(const Move& move) {
    return exprs_.in_state(move.process, move.transition->source, move.transition->where);
  }

  ExprPtr guard(const Move& move) {
    return move.transition->guard == kNothing ? nullptr : exprs_.truth(move.transition->guard);
  }

  // No process is in a committed state; null if there are no such states.
  ExprPtr nobody_committed(Location where) {
    ExprPtr result;
    for (ProcessId p = 0; p < model_.processes.size(); ++p)
      for (StateId s = 0; p != model_.property && s < model_.processes[p].states.size(); ++s)
        if (model_.processes[p].states[s].is_committed)
          result =
              ExprLowering::both(std::move(result), ir::make_unary(ExprOp::kNot, exprs_.in_state(p, s, where), where));
    return result;
  }

  void single(const Move& move) {
    const Transition& transition = *move.transition;
    ir::Rule& rule = program_.rules.emplace_back();
    rule.name = name_of(move);
    rule.where = transition.where;
    ExprPtr condition = at_source(move);
    if (!is_committed(move))
      condition = ExprLowering::both(std::move(condition), nobody_committed(transition.where));
    if (transition.sync != SyncKind::kNone)
      condition = ExprLowering::both(std::move(condition), buffer_ready(transition));
    rule.guard = ExprLowering::both(std::move(condition), guard(move));
    steps_.single(rule, move.process, transition);
  }

  // Room to send, something to receive.
  ExprPtr buffer_ready(const Transition& transition) {
    const Location where = transition.where;
    const std::int64_t stuck = transition.sync == SyncKind::kSend ? model_.channels[transition.channel].capacity : 0;
    const ir::Variable& count = program_.variables[layout_.buffers[transition.channel].count];
    return ir::make_binary(ExprOp::kNotEqual, ir::make_read(ir::make_state_ref(count, where), true, where),
                           ir::make_constant(stuck, where), where);
  }

  [[nodiscard]] bool may_fail(const Move& move) const {
    return move.transition->guard != kNothing && fails_[move.transition->guard];
  }

  // The receiver's location and both guards. A guard that fails is a step into an error only if the partner is ready;
  // so what can fail comes last, or, if both can, the sender's failure is a value here and an error in the body.
  ExprPtr both_enabled(ir::Rule& rule, const Move& send, const Move& receive) {
    if (!may_fail(send))
      return ExprLowering::both(guard(send), ExprLowering::both(at_source(receive), guard(receive)));
    if (!may_fail(receive))
      return ExprLowering::both(ExprLowering::both(at_source(receive), guard(receive)), guard(send));
    ExprPtr passes = ExprLowering::either(exprs_.failure(send.transition->guard), guard(send));
    StepLowering::fail_if(rule.body, exprs_.failure(send.transition->guard), kGuardFails);
    return ExprLowering::both(at_source(receive), ExprLowering::both(std::move(passes), guard(receive)));
  }

  void handshake(const Move& send, const Move& receive) {
    const Location where = send.transition->where;
    ir::Rule& rule = program_.rules.emplace_back();
    rule.name =
        fmt::format("{}, {}, {}", name_of(send), name_of(receive), model_.channels[send.transition->channel].name);
    rule.where = where;
    ExprPtr condition = at_source(send);
    if (!is_committed(send) || !is_committed(receive))
      condition = ExprLowering::both(std::move(condition), nobody_committed(where));
    rule.guard = ExprLowering::both(std::move(condition), both_enabled(rule, send, receive));
    if (write_same_global(model_, *send.transition, *receive.transition)) {
      auto made = std::make_unique<ir::Stmt>();
      made->kind = ir::StmtKind::kError;
      made->where = where;
      made->message = "both sides of a handshake write the same global variable";
      rule.body.push_back(std::move(made));
      return;
    }
    steps_.handshake(rule, send.process, *send.transition, receive.process, *receive.transition);
  }

  // --- properties ---

  void add_invariant(std::string name, Location where, ExprPtr condition) {
    ir::Property& property = program_.properties.emplace_back();
    property.kind = ir::PropertyKind::kInvariant;
    property.name = std::move(name);
    property.where = where;
    property.condition = std::move(condition);
  }

  void assert_in(ProcessId p, const Assertion& assertion) {
    const Process& process = model_.processes[p];
    add_invariant(fmt::format("assert {}.{}: {}", process.name, process.states[assertion.state].name, assertion.text),
                  assertion.where,
                  ir::make_binary(ExprOp::kImplies, exprs_.in_state(p, assertion.state, assertion.where),
                                  exprs_.truth(assertion.condition), assertion.where));
  }

  // --- the progress measure ---

  void add_component(const MeasureComponent& component) {
    ir::ProgressComponent& made = program_.progress.emplace_back();
    made.text = component.text;
    made.descending = component.descending;
    if (component.process == kNothing) {
      made.value = exprs_.value(component.value);
      return;
    }
    made.value = exprs_.location(component.process, component.where);
    if (const std::uint32_t variable = layout_.locations[component.process]; variable != kNothing)
      made.domain = program_.variables[variable].type->domain;
  }

  const Model& model_;
  const Layout& layout_;
  ir::Program& program_;
  ExprLowering exprs_;
  StepLowering steps_;
  std::vector<bool> fails_;                  // by ExprId
  std::vector<std::vector<Move>> receives_;  // by ChannelId: of handshake channels
};

}  // namespace

std::unique_ptr<ir::Program> lower(const Model& model, const Narrowing& narrowing, OnError on_error,
                                   const std::string& file, Diagnostics& diagnostics) {
  auto program = std::make_unique<ir::Program>();
  program->file = file;
  Layout layout;
  if (!lay_out(model, narrowing, *program, layout)) {
    diagnostics.error({}, fmt::format("a state of this model has more than {} bits", ir::kObjectBitsMax));
    return nullptr;
  }
  if (!Lowering(model, layout, on_error, *program).run()) {
    diagnostics.error(
        {}, fmt::format("the model has more than {} transitions and pairs of a send and a receive", kRulesMax));
    return nullptr;
  }
  if (!ir::number_commands(*program)) {
    diagnostics.error({}, "the processes have more than 2^62 combinations of transitions");
    return nullptr;
  }
  std::vector<Location> places;
  for (const MeasureComponent& component : model.progress)
    places.push_back(component.where);
  check_progress_bits(*program, places, diagnostics);
  if (diagnostics.has_errors())
    return nullptr;
  return program;
}

}  // namespace tideline::dve
