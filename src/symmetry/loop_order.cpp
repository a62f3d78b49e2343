// SPDX-License-Identifier: MIT
#include "symmetry/loop_order.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/walk.h"
#include "symmetry/access.h"
#include "symmetry/private_parts.h"

namespace tideline::symmetry {
namespace {

constexpr std::size_t kStepsMax = 20000;

// One run of a rule, property or function.
struct Activation {
  std::uint64_t id = 0;
  const ir::Frame* frame = nullptr;
  const ir::Block* code = nullptr;           // null: a property
  const ir::Function* function = nullptr;    // null: not a function
  std::vector<Place> aliases;                // by slot
  std::map<ir::SlotIndex, VarId> variables;  // parameters that have the value of a variable of the caller
};

struct Loop {
  const ir::Stmt* stmt = nullptr;
  std::uint64_t activation = 0;
  std::size_t conditions = 0;  // nesting where it stands
  LoopAccesses body;
  std::vector<Term> returns;
  const ir::Stmt* assumption = nullptr;
  bool is_too_long = false;
  bool is_watched = false;  // has an assertion, error or cover statement: one sees which iterations run
};

class Walk {
 public:
  Walk(const ir::Program& program, const Scalarsets& scalarsets, std::vector<Asymmetry>& found)
      : program_(program), scalarsets_(scalarsets), found_(found) {}

  void rule(const ir::Frame& frame, const std::vector<ir::Binding>& bindings, const ir::Expr* condition,
            const ir::Block* code) {
    push_activation(frame, code, nullptr);
    for (const ir::Binding& binding : bindings) {
      if (binding.kind == ir::BindingKind::kAlias)
        activations_.back().aliases[binding.slot] = place(binding.ref);
      ir::for_each_index(binding.ref, [this](const ir::Expr& index) { expression(index); });
      if (binding.value)
        expression(*binding.value);
    }
    if (condition != nullptr)
      expression(*condition);
    if (code != nullptr)
      block(*code);
    activations_.pop_back();
  }

 private:
  // ---- activations ----

  void push_activation(const ir::Frame& frame, const ir::Block* code, const ir::Function* function) {
    Activation made;
    made.id = next_activation_++;
    made.frame = &frame;
    made.code = code;
    made.function = function;
    made.aliases.resize(frame.locals.size());
    activations_.push_back(std::move(made));
  }

  // Slots of value variables that something other than a loop, a quantifier or a call writes.
  const std::set<ir::SlotIndex>& written_slots(const Activation& activation) {
    const auto [at, is_new] = written_.emplace(activation.frame, std::set<ir::SlotIndex>());
    if (is_new && activation.code != nullptr)
      ir::for_each_stmt(*activation.code, [&slots = at->second](const ir::Stmt& stmt) {
        if (stmt.ref.type != nullptr && stmt.ref.root == ir::Root::kLocal)
          slots.insert(stmt.ref.slot);
      });
    return at->second;
  }

  std::optional<VarId> variable_of(const ir::Expr& expr) {
    if (expr.op != ir::ExprOp::kRead || expr.refs[0].root != ir::Root::kLocal)
      return std::nullopt;
    const Activation& now = activations_.back();
    const ir::SlotIndex slot = expr.refs[0].slot;
    if (now.frame->locals[slot].kind != ir::LocalKind::kValue || written_slots(now).contains(slot))
      return std::nullopt;
    const auto at = now.variables.find(slot);
    return at == now.variables.end() ? VarId{now.id, slot} : at->second;
  }

  Place place(const ir::Ref& ref) {
    const auto find_variable = [this](const ir::Expr& expr) { return variable_of(expr); };
    const Activation& now = activations_.back();
    Place made;
    if (ref.root == ir::Root::kState) {
      made = state_place(program_, ref, find_variable);
    } else {
      made = ref.root == ir::Root::kAlias ? now.aliases[ref.slot] : Place{PlaceRoot::kLocal, {now.id, ref.slot}, {}};
      append_steps(made, *now.frame->locals[ref.slot].type, ref, find_variable);
    }
    find_fixed_members(made, ref);
    return made;
  }

  // Constant subscripts are steps that cannot be told from others by looking at expressions.
  void find_fixed_members(const Place& place, const ir::Ref& ref) {
    for (const Step& step : place.steps) {
      if (!step.is_static || step.domain == nullptr)
        continue;
      const std::int64_t value = step.domain->hull().lo + static_cast<std::int64_t>(step.child);
      if (const ir::Domain* scalarset = scalarsets_.of_value(*step.domain, value))
        found_.push_back({scalarset, ref.where, "a constant member of scalarset '" + scalarset->name + "'", true});
    }
  }

  Term term(const ir::Expr& expr) {
    Term made;
    made.expr = &expr;
    made.activation = activations_.back().id;
    ir::for_each_ref(expr, [&](const ir::Ref& ref) { made.reads.push_back(place(ref)); });
    ir::for_each_expr(expr, [&made](const ir::Expr& part) {
      made.is_opaque = made.is_opaque || part.op == ir::ExprOp::kCall || part.op == ir::ExprOp::kForall ||
                       part.op == ir::ExprOp::kExists || part.op == ir::ExprOp::kMultisetCount;
    });
    return made;
  }

  // ---- accesses ----

  void record(Effect effect, Place where, const ir::Ref* ref, Location location, const ir::Expr* value = nullptr) {
    if (loops_.empty())
      return;
    Access access;
    access.effect = effect;
    access.place = std::move(where);
    access.guards = guards_;
    access.where = location;
    if (ref != nullptr)
      access.text = ref->text;
    if (value != nullptr)
      access.value = term(*value);
    for (Loop& loop : loops_) {
      access.is_conditional = conditions_ != loop.conditions;
      loop.body.accesses.push_back(access);
    }
  }

  void scope(ir::SlotIndex slot, Location where) {
    record(Effect::kScope, {PlaceRoot::kLocal, {activations_.back().id, slot}, {}}, nullptr, where);
  }

  void indices(const ir::Ref& ref) {
    ir::for_each_index(ref, [this](const ir::Expr& index) { expression(index); });
  }

  void read(const ir::Ref& ref) {
    indices(ref);
    record(Effect::kRead, place(ref), &ref, ref.where);
  }

  void write(const ir::Stmt& stmt, Effect effect, const ir::Expr* value = nullptr) {
    indices(stmt.ref);
    record(effect, place(stmt.ref), &stmt.ref, stmt.where, value);
  }

  // ---- expressions ----

  void expression(const ir::Expr& expr) {
    if (expr.op == ir::ExprOp::kCall)
      return call(expr);
    for (const ir::Ref& ref : expr.refs)
      read(ref);
    for (const ir::ExprPtr* bound : {&expr.loop.from, &expr.loop.to, &expr.loop.by})
      if (*bound)
        expression(**bound);
    if (expr.op == ir::ExprOp::kForall || expr.op == ir::ExprOp::kExists || expr.op == ir::ExprOp::kMultisetCount)
      scope(expr.slot, expr.where);
    for (const ir::ExprPtr& arg : expr.args)
      expression(*arg);
  }

  void call(const ir::Expr& expr) {
    const ir::Function& callee = *expr.callee;
    std::vector<std::optional<VarId>> variables;
    std::vector<Place> places;
    for (const ir::Argument& argument : expr.arguments) {
      if (argument.value)
        expression(*argument.value);
      if (argument.ref)
        indices(*argument.ref);
      variables.push_back(argument.value ? variable_of(*argument.value) : std::nullopt);
      places.push_back(argument.ref ? place(*argument.ref) : Place{});
    }
    if (!is_to_be_walked(callee, places))
      return;
    push_activation(callee.frame, &callee.body, &callee);
    for (ir::SlotIndex slot = 0; slot < expr.arguments.size(); ++slot) {
      const ir::LocalKind kind = callee.frame.locals[slot].kind;
      if (kind == ir::LocalKind::kAlias)
        activations_.back().aliases[slot] = places[slot];
      else if (places[slot].root != PlaceRoot::kUnknown)
        record(Effect::kRead, places[slot], expr.arguments[slot].ref.get(), expr.where);
      if (kind == ir::LocalKind::kValue && variables[slot])
        activations_.back().variables.emplace(slot, *variables[slot]);
      scope(slot, expr.where);
    }
    ++conditions_;
    block(callee.body);
    --conditions_;
    activations_.pop_back();
  }

  // Not again if the same was seen outside of loops over scalarsets; inside, not without end.
  bool is_to_be_walked(const ir::Function& callee, const std::vector<Place>& places) {
    if (loops_.empty())
      return walked_.insert(key(callee, places)).second;
    const bool is_running = std::any_of(activations_.begin(), activations_.end(),
                                        [&callee](const Activation& a) { return a.function == &callee; });
    if (is_running || steps_ > kStepsMax)
      for (Loop& loop : loops_)
        loop.is_too_long = true;
    return !is_running && steps_ <= kStepsMax;
  }

  using Key = std::vector<std::uint64_t>;

  static Key key(const ir::Function& callee, const std::vector<Place>& places) {
    Key made{reinterpret_cast<std::uintptr_t>(&callee)};
    std::map<std::uint64_t, std::uint64_t> ranks;  // of activations: which they are does not matter
    for (const Place& place : places) {
      made.push_back(static_cast<std::uint64_t>(place.root));
      const bool is_local = place.root == PlaceRoot::kLocal;
      made.push_back(is_local ? ranks.emplace(place.local.activation, ranks.size()).first->second : 0);
      made.push_back(is_local ? place.local.slot : 0);
      made.push_back(place.steps.size());
      for (const Step& step : place.steps)
        made.push_back(step.is_static ? step.child : ~std::uint64_t{0});
    }
    return made;
  }

  // ---- statements ----

  void block(const ir::Block& block) {
    for (const auto& stmt : block)
      statement(*stmt);
  }

  void statement(const ir::Stmt& stmt) {
    if (!loops_.empty())
      ++steps_;
    switch (stmt.kind) {
      case ir::StmtKind::kFor:
        return for_loop(stmt);
      case ir::StmtKind::kIf:
        return branch(stmt);
      case ir::StmtKind::kBind:
        indices(stmt.ref);
        activations_.back().aliases[stmt.slot] = place(stmt.ref);
        return;
      case ir::StmtKind::kReturn:
      case ir::StmtKind::kAssume:
      case ir::StmtKind::kAssert:
      case ir::StmtKind::kError:
      case ir::StmtKind::kCover:
        note(stmt);
        break;
      default:
        break;
    }
    if (stmt.value && stmt.kind != ir::StmtKind::kMultisetRemoveWhere)
      value(stmt);
    if (stmt.source.type != nullptr)
      read(stmt.source);
    target(stmt);
    ++conditions_;
    block(stmt.body);
    --conditions_;
  }

  // The target's own value in a sum is no read that others can disturb.
  void value(const ir::Stmt& stmt) {
    const Effect effect = stmt.kind == ir::StmtKind::kAssign ? effect_of_assignment(stmt) : Effect::kRead;
    if (effect == Effect::kRead || effect == Effect::kSet || effect == Effect::kWrite)
      return expression(*stmt.value);
    for (const ir::ExprPtr& arg : stmt.value->args)
      if (!reads(*arg, stmt.ref))
        expression(*arg);
  }

  void target(const ir::Stmt& stmt) {
    switch (stmt.kind) {
      case ir::StmtKind::kAssign:
        return write(stmt, effect_of_assignment(stmt), stmt.value.get());
      case ir::StmtKind::kUndefine:
        return write(stmt, Effect::kUndefine);
      case ir::StmtKind::kCopy:
      case ir::StmtKind::kClear:
      case ir::StmtKind::kMultisetRemove:
        return write(stmt, Effect::kWrite);
      case ir::StmtKind::kMultisetAdd:
        return write(stmt, Effect::kInsert);
      case ir::StmtKind::kMultisetRemoveWhere:
        return remove_where(stmt);
      default:
        if (stmt.ref.type != nullptr)
          read(stmt.ref);
    }
  }

  // Statements that have a meaning for a loop as a whole.
  void note(const ir::Stmt& stmt) {
    for (Loop& loop : loops_) {
      if (stmt.kind == ir::StmtKind::kAssume)
        loop.assumption = &stmt;
      else if (stmt.kind != ir::StmtKind::kReturn)
        loop.is_watched = true;
      else if (loop.activation == activations_.back().id)
        loop.returns.push_back(stmt.value ? term(*stmt.value) : Term{});
    }
  }

  void branch(const ir::Stmt& stmt) {
    expression(*stmt.value);
    ++conditions_;
    const std::size_t count = guards_.size();
    add_guards(*stmt.value, ir::ExprOp::kEqual, ir::ExprOp::kAnd);
    block(stmt.body);
    guards_.resize(count);
    add_guards(*stmt.value, ir::ExprOp::kNotEqual, ir::ExprOp::kOr);
    block(stmt.other);
    guards_.resize(count);
    --conditions_;
  }

  void add_guards(const ir::Expr& condition, ir::ExprOp test, ir::ExprOp joint) {
    if (condition.op == joint) {
      for (const ir::ExprPtr& arg : condition.args)
        add_guards(*arg, test, joint);
    }
    if (condition.op != test)
      return;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
      if (const std::optional<VarId> variable = variable_of(*condition.args[side]))
        guards_.push_back({*variable, term(*condition.args[1 - side])});
  }

  // ---- loops ----

  // Begins to record a loop whose variable is the slot of the statement.
  void enter(const ir::Stmt& stmt) {
    if (loops_.empty())
      steps_ = 0;
    Loop loop;
    loop.stmt = &stmt;
    loop.activation = activations_.back().id;
    loop.conditions = conditions_;
    loop.body.variable = {loop.activation, stmt.slot};
    loop.body.first_activation = next_activation_;
    loops_.push_back(std::move(loop));
  }

  Loop leave() {
    Loop done = std::move(loops_.back());
    loops_.pop_back();
    return done;
  }

  // A loop over slots that removes elements on its way: the condition must not see that others are gone.
  void remove_where(const ir::Stmt& stmt) {
    enter(stmt);
    scope(stmt.slot, stmt.where);
    expression(*stmt.value);
    Place element = place(stmt.ref);
    element.steps.push_back({false, 0, stmt.ref.type->domain, VarId{activations_.back().id, stmt.slot}});
    record(Effect::kWrite, std::move(element), &stmt.ref, stmt.where);
    const Loop done = leave();
    write(stmt, Effect::kWrite);
    if (!done.is_too_long && find_conflict(done.body).write == nullptr)
      return;
    for (const ir::Domain* scalarset : scalarsets_.in(*stmt.ref.type->element))
      found_.push_back({scalarset, stmt.where,
                        "the condition may see that other elements of '" + stmt.ref.text +
                            "' are gone already, in an order that depends on the members of scalarset '" +
                            scalarset->name + "'",
                        false});
  }

  void for_loop(const ir::Stmt& stmt) {
    for (const ir::ExprPtr* bound : {&stmt.loop.from, &stmt.loop.to, &stmt.loop.by})
      if (*bound)
        expression(**bound);
    const bool is_sure = stmt.loop.domain != nullptr;  // runs at least once
    if (!is_sure)
      ++conditions_;
    const bool is_judged = is_sure && !scalarsets_.in(*stmt.loop.domain).empty();
    if (is_judged)
      enter(stmt);
    scope(stmt.slot, stmt.where);
    block(stmt.body);
    if (!is_sure)
      --conditions_;
    if (!is_judged)
      return;
    Loop done = leave();
    judge(done);
  }

  void judge(Loop& loop) {
    for (const ir::Ref* part : private_parts(*activations_.back().code, *loop.stmt))
      loop.body.privates.push_back(place(*part));
    if (loop.is_too_long)
      return report(loop, loop.stmt->where,
                    "calls too much, or itself, to be shown independent of the order of the iterations");
    if (!mentions_variable(loop.body))
      return;  // all iterations do the same
    if (const Conflict conflict = find_conflict(loop.body); conflict.write != nullptr)
      return report(loop, conflict);
    if (loop.assumption != nullptr)
      return report(loop, loop.assumption->where, "has an assumption, which can hide errors of later iterations");
    if (!loop.returns.empty() && !returns_are_alike(loop))
      report(loop, loop.stmt->where, "is left by a return that depends on the order of the iterations");
  }

  static bool mentions_variable(const LoopAccesses& body) {
    return std::any_of(body.accesses.begin(), body.accesses.end(), [&body](const Access& access) {
      return access.effect == Effect::kRead && access.place.root == PlaceRoot::kLocal &&
             access.place.local == body.variable;
    });
  }

  // Skipping the other iterations changes nothing if they do nothing but return the same.
  static bool returns_are_alike(const Loop& loop) {
    if (loop.is_watched)
      return false;
    const Term& first = loop.returns.front();
    for (const Access& access : loop.body.accesses)
      if (access.effect != Effect::kRead && access.effect != Effect::kScope && !is_private(access.place, loop.body))
        return false;
    return std::all_of(loop.returns.begin(), loop.returns.end(),
                       [&](const Term& term) {
                         return term.expr == first.expr ||
                                (term.expr != nullptr && first.expr != nullptr && same_term(term, first));
                       }) &&
           (first.expr == nullptr || is_invariant(first, loop.body));
  }

  void report(const Loop& loop, const Conflict& conflict) {
    const Access& write = *conflict.write;
    const Access& other = *conflict.other;
    if (other.effect == Effect::kRead)
      return report(loop, other.where, "reads '" + other.text + "', which other iterations write");
    report(loop, write.where, "assigns '" + write.text + "' a value that depends on the order of the iterations",
           is_certain(loop, write));
  }

  // The loop variable is stored, in every iteration, in one part of the state that nothing else in the loop writes; and
  // the last iteration is for a member of the scalarset (see report()).
  bool is_certain(const Loop& loop, const Access& write) {
    if (write.effect != Effect::kSet || write.is_conditional || write.place.root != PlaceRoot::kState ||
        write.value.activation != loop.activation || write.value.expr->op != ir::ExprOp::kRead ||
        write.value.expr->refs[0].root != ir::Root::kLocal || write.value.expr->refs[0].slot != loop.stmt->slot)
      return false;
    const bool is_fixed = std::all_of(write.place.steps.begin(), write.place.steps.end(),
                                      [](const Step& step) { return step.is_static; });
    return is_fixed && std::none_of(loop.body.accesses.begin(), loop.body.accesses.end(), [&](const Access& other) {
             return &other != &write && other.effect != Effect::kRead && may_overlap(other.place, write.place);
           });
  }

  void report(const Loop& loop, Location where, const std::string& what, bool certain = false) {
    const ir::Domain& domain = *loop.stmt->loop.domain;
    for (const ir::Domain* scalarset : scalarsets_.in(domain)) {
      found_.push_back({scalarset, where, "the loop over " + describe(domain) + " " + what,
                        certain && domain.parts.back() == scalarset->hull()});
    }
  }

  static std::string describe(const ir::Domain& domain) {
    const char* const kind = domain.kind == ir::DomainKind::kUnion ? "union" : "scalarset";
    return domain.name.empty() ? std::string("a ") + kind : std::string(kind) + " '" + domain.name + "'";
  }

  const ir::Program& program_;
  const Scalarsets& scalarsets_;
  std::vector<Asymmetry>& found_;
  std::vector<Activation> activations_;
  std::uint64_t next_activation_ = 1;
  std::vector<Loop> loops_;
  std::vector<Guard> guards_;
  std::size_t conditions_ = 0;
  std::size_t steps_ = 0;  // statements in loops over scalarsets
  std::set<Key> walked_;
  std::map<const ir::Frame*, std::set<ir::SlotIndex>> written_;
};

}  // namespace

void find_ordered_loops(const ir::Program& program, const Scalarsets& scalarsets, std::vector<Asymmetry>& found) {
  Walk walk(program, scalarsets, found);
  for (const ir::Rule& rule : program.rules)
    walk.rule(rule.frame, rule.bindings, rule.guard.get(), &rule.body);
  for (const ir::Property& property : program.properties)
    walk.rule(property.frame, property.bindings, property.condition.get(), nullptr);
}

}  // namespace tideline::symmetry
