// SPDX-License-Identifier: MIT
#include "front/dve/lower_sync.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tideline::dve {
namespace {

using ir::ExprOp;
using ir::ExprPtr;

class SynchronousLowering {
 public:
  SynchronousLowering(const Model& model, const Layout& layout, ir::Program& program, ExprLowering& exprs,
                      StepLowering& steps)
      : model_(model), layout_(layout), program_(program), exprs_(exprs), steps_(steps) {}

  void run() {
    for (ProcessId p = 0; p < model_.processes.size(); ++p)
      if (p != model_.property)
        processes_.push_back(p);
    for (const ProcessId p : processes_)
      if (model_.processes[p].transitions.empty())
        return;  // never a step
    rule_ = &program_.rules.emplace_back();
    rule_->name = "step";
    for (const ProcessId p : processes_)
      add_choice(p);
    for (const ProcessId p : processes_)
      add_guards(p);
    refuse_conflicts();
    take_snapshot();
    for (const ProcessId p : processes_)
      add_effects(p);
  }

 private:
  [[nodiscard]] const std::vector<Transition>& transitions(ProcessId p) const {
    return model_.processes[p].transitions;
  }

  ExprPtr chosen(ProcessId p, std::size_t k, Location where) {
    return ir::make_binary(ExprOp::kEqual,
                           ir::make_read(ir::make_local_ref(rule_->frame, choices_[p], where), true, where),
                           ir::make_constant(static_cast<std::int64_t>(k), where), where);
  }

  // The parameter and, as a conjunct of the guard, that the chosen transition leaves from where the process is.
  void add_choice(ProcessId p) {
    const Process& process = model_.processes[p];
    ir::Domain names;
    names.kind = ir::DomainKind::kEnum;
    names.parts = {{0, static_cast<std::int64_t>(process.transitions.size()) - 1}};
    names.has_undefined = false;
    for (const Transition& transition : process.transitions)
      names.labels.push_back(fmt::format("{} -> {} (line {})", process.states[transition.source].name,
                                         process.states[transition.target].name, transition.where.line));
    ir::Binding binding;
    binding.domain = ir::add_domain(program_, std::move(names));
    rule_->frame.locals.push_back({process.name, ir::add_simple_type(program_, binding.domain), ir::LocalKind::kValue});
    binding.slot = static_cast<ir::SlotIndex>(rule_->frame.locals.size() - 1);
    choices_.resize(model_.processes.size());
    choices_[p] = binding.slot;
    rule_->bindings.push_back(std::move(binding));
    std::vector<ExprPtr> cases;
    for (std::size_t k = 0; k < process.transitions.size(); ++k) {
      const Transition& transition = process.transitions[k];
      cases.push_back(
          ExprLowering::both(chosen(p, k, transition.where), exprs_.in_state(p, transition.source, transition.where)));
    }
    rule_->guard = ExprLowering::both(std::move(rule_->guard), any_of(cases, 0, cases.size()));
  }

  // The chosen transition's guard is true or fails: a failure is an error of the step only if all others can move.
  void add_guards(ProcessId p) {
    std::vector<ExprPtr> cases;
    for (std::size_t k = 0; k < transitions(p).size(); ++k) {
      const Transition& transition = transitions(p)[k];
      ExprPtr passes;
      if (transition.guard != kNothing)
        passes = ExprLowering::either(exprs_.failure(transition.guard), exprs_.truth(transition.guard));
      cases.push_back(ExprLowering::both(chosen(p, k, transition.where), std::move(passes)));
      if (ExprPtr failure = transition.guard == kNothing ? nullptr : exprs_.failure(transition.guard))
        StepLowering::fail_if(rule_->body, ExprLowering::both(chosen(p, k, transition.where), std::move(failure)),
                              kGuardFails);
    }
    rule_->guard = ExprLowering::both(std::move(rule_->guard), any_of(cases, 0, cases.size()));
  }

  // Balanced, so that the depth does not grow with the number of transitions.
  ExprPtr any_of(std::vector<ExprPtr>& cases, std::size_t first, std::size_t end) {
    if (end - first == 1)
      return std::move(cases[first]);
    const std::size_t middle = first + (end - first) / 2;
    ExprPtr left = any_of(cases, first, middle);
    const Location where = left->where;
    return ir::make_binary(ExprOp::kOr, std::move(left), any_of(cases, middle, end), where);
  }

  [[nodiscard]] bool writes(const Transition& transition, VariableId variable) const {
    return std::any_of(transition.effects.begin(), transition.effects.end(),
                       [variable](const Assignment& effect) { return effect.variable == variable; });
  }

  // The chosen transition of the process writes the variable; null if none does.
  ExprPtr chooses_writer(ProcessId p, VariableId variable) {
    std::vector<ExprPtr> cases;
    for (std::size_t k = 0; k < transitions(p).size(); ++k)
      if (writes(transitions(p)[k], variable))
        cases.push_back(chosen(p, k, transitions(p)[k].where));
    return cases.empty() ? nullptr : any_of(cases, 0, cases.size());
  }

  void refuse_conflicts() {
    for (VariableId v = 0; v < model_.variables.size(); ++v) {
      if (model_.variables[v].owner != kNothing)
        continue;
      for (std::size_t a = 0; a < processes_.size(); ++a)
        for (std::size_t b = a + 1; b < processes_.size(); ++b)
          refuse_both(processes_[a], processes_[b], v);
    }
  }

  void refuse_both(ProcessId p, ProcessId q, VariableId variable) {
    ExprPtr first = chooses_writer(p, variable);
    ExprPtr second = first == nullptr ? nullptr : chooses_writer(q, variable);
    if (second == nullptr)
      return;
    StepLowering::fail_if(rule_->body, ExprLowering::both(std::move(first), std::move(second)),
                          fmt::format("processes {} and {} write {} in the same step", model_.processes[p].name,
                                      model_.processes[q].name, model_.variables[variable].name));
  }

  void note_reads(ExprId id) {
    if (id == kNothing)
      return;
    std::vector<ExprId> open{id};
    while (!open.empty()) {
      const Expr& expr = model_.exprs[open.back()];
      open.pop_back();
      if ((expr.op == Op::kVariable || expr.op == Op::kElement) && layout_.variables[expr.variable] != kNothing &&
          model_.variables[expr.variable].owner == kNothing)
        read_variables_.insert(expr.variable);
      if (expr.op == Op::kInState && layout_.locations[expr.process] != kNothing)
        read_locations_.insert(expr.process);
      for (const ExprId operand : {expr.left, expr.right})
        if (operand != kNothing)
          open.push_back(operand);
    }
  }

  ir::SlotIndex copy_of(const ir::Variable& variable) {
    rule_->frame.locals.push_back(
        {variable.name, variable.type, variable.type->is_simple() ? ir::LocalKind::kValue : ir::LocalKind::kPacked});
    const auto slot = static_cast<ir::SlotIndex>(rule_->frame.locals.size() - 1);
    auto made = std::make_unique<ir::Stmt>();
    made->kind = variable.type->is_simple() ? ir::StmtKind::kAssign : ir::StmtKind::kCopy;
    made->ref = ir::make_local_ref(rule_->frame, slot);
    if (variable.type->is_simple())
      made->value = ir::make_read(ir::make_state_ref(variable), true, {});
    else
      made->source = ir::make_state_ref(variable);
    rule_->body.push_back(std::move(made));
    return slot;
  }

  void take_snapshot() {
    for (const ProcessId p : processes_)
      for (const Transition& transition : transitions(p))
        for (const Assignment& effect : transition.effects) {
          note_reads(effect.index);
          note_reads(effect.value);
        }
    for (const VariableId v : read_variables_)
      before_.variables[v] = copy_of(program_.variables[layout_.variables[v]]);
    for (const ProcessId p : read_locations_)
      before_.locations[p] = copy_of(program_.variables[layout_.locations[p]]);
  }

  void add_effects(ProcessId p) {
    for (std::size_t k = 0; k < transitions(p).size(); ++k) {
      const Transition& transition = transitions(p)[k];
      Overrides seen = before_;
      seen.locations.erase(p);
      for (const Assignment& effect : transition.effects)
        seen.variables.erase(effect.variable);
      auto made = std::make_unique<ir::Stmt>();
      made->kind = ir::StmtKind::kIf;
      made->where = transition.where;
      made->value = chosen(p, k, transition.where);
      exprs_.overrides() = std::move(seen);
      steps_.only_effects(made->body, rule_->frame, p, transition);
      exprs_.overrides() = {};
      rule_->body.push_back(std::move(made));
    }
  }

  const Model& model_;
  const Layout& layout_;
  ir::Program& program_;
  ExprLowering& exprs_;
  StepLowering& steps_;
  ir::Rule* rule_ = nullptr;
  std::vector<ProcessId> processes_;
  std::vector<ir::SlotIndex> choices_;  // by ProcessId: the parameter
  std::set<VariableId> read_variables_;
  std::set<ProcessId> read_locations_;
  Overrides before_;
};

}  // namespace

void lower_synchronous(const Model& model, const Layout& layout, ir::Program& program, ExprLowering& exprs,
                       StepLowering& steps) {
  SynchronousLowering(model, layout, program, exprs, steps).run();
}

}  // namespace tideline::dve
