// SPDX-License-Identifier: MIT
#include "symmetry/slot_use.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/walk.h"
#include "symmetry/access.h"
#include "symmetry/step_code.h"

namespace tideline::symmetry {
namespace {

// A rule, property or function.
struct Code {
  const std::vector<ir::Binding>* bindings = nullptr;  // null: none
  const ir::Expr* condition = nullptr;                 // null: none
  const ir::Block* body = nullptr;                     // null: none
};

using SlotVariables = std::map<ir::SlotIndex, const ir::Ref*>;  // slot variable -> its multiset

template <typename Visit>
void each_expr(const Code& code, const Visit& visit) {
  if (code.bindings != nullptr)
    ir::for_each_expr(*code.bindings, visit);
  if (code.condition != nullptr)
    ir::for_each_expr(*code.condition, visit);
  if (code.body != nullptr)
    ir::for_each_expr(*code.body, visit);
}

template <typename Visit>
void each_stmt(const Code& code, const Visit& visit) {
  if (code.body != nullptr)
    ir::for_each_stmt(*code.body, visit);
}

// Checks that slot variables of one piece of code only choose elements of their own multisets.
class Uses {
 public:
  Uses(const Code& code, const Scalarsets& scalarsets, std::vector<Asymmetry>& found)
      : code_(code), scalarsets_(scalarsets), found_(found) {}

  void check() {
    find_variables();
    if (variables_.empty())
      return;
    find_proper_uses();
    each_expr(code_, [this](const ir::Expr& expr) {
      const ir::Ref* multiset = variable_of(expr);
      if (multiset != nullptr && !proper_.contains(&expr))
        report(expr, *multiset);
    });
  }

 private:
  void find_variables() {
    if (code_.bindings != nullptr)
      for (const ir::Binding& binding : *code_.bindings)
        if (binding.kind == ir::BindingKind::kChoose)
          variables_.emplace(binding.slot, &binding.ref);
    each_expr(code_, [this](const ir::Expr& expr) {
      if (expr.op == ir::ExprOp::kMultisetCount)
        variables_.emplace(expr.slot, expr.refs.data());
    });
    each_stmt(code_, [this](const ir::Stmt& stmt) {
      if (stmt.kind == ir::StmtKind::kMultisetRemoveWhere)
        variables_.emplace(stmt.slot, &stmt.ref);
      if (stmt.ref.type != nullptr && stmt.ref.root == ir::Root::kLocal)
        written_.insert(stmt.ref.slot);
    });
  }

  // The multiset of the slot variable that the expression reads; null if it reads none.
  [[nodiscard]] const ir::Ref* variable_of(const ir::Expr& expr) const {
    if (expr.op != ir::ExprOp::kRead || expr.refs[0].root != ir::Root::kLocal)
      return nullptr;
    const auto at = variables_.find(expr.refs[0].slot);
    return at == variables_.end() ? nullptr : at->second;
  }

  [[nodiscard]] bool is_stable(const ir::Expr& index) const {
    return index.op == ir::ExprOp::kConstant ||
           (index.op == ir::ExprOp::kRead && index.refs[0].root == ir::Root::kLocal &&
            !written_.contains(index.refs[0].slot));
  }

  // Is what `ref` designates before its subscript `count`, `offset` bits behind, surely the multiset?
  [[nodiscard]] bool is_same(const ir::Ref& ref, std::size_t count, std::uint64_t offset,
                             const ir::Ref& multiset) const {
    if (ref.root != multiset.root || ref.slot != multiset.slot || multiset.subscripts.size() != count ||
        multiset.offset != offset)
      return false;
    for (std::size_t k = 0; k < count; ++k) {
      const ir::Subscript& a = ref.subscripts[k];
      const ir::Subscript& b = multiset.subscripts[k];
      if (a.stride != b.stride || a.offset_before != b.offset_before || !same_expr(*a.index, *b.index) ||
          !is_stable(*a.index))
        return false;
    }
    return true;
  }

  void proper_subscripts(const ir::Ref& ref) {
    for (std::size_t k = 0; k < ref.subscripts.size(); ++k) {
      const ir::Subscript& subscript = ref.subscripts[k];
      const ir::Ref* multiset = variable_of(*subscript.index);
      if (subscript.is_slot && multiset != nullptr && is_same(ref, k, subscript.offset_before, *multiset))
        proper_.insert(subscript.index.get());
    }
  }

  void find_proper_uses() {
    if (code_.bindings != nullptr)
      for (const ir::Binding& binding : *code_.bindings)
        proper_subscripts(binding.ref);
    each_expr(code_, [this](const ir::Expr& expr) {
      for (const ir::Ref& ref : expr.refs)
        proper_subscripts(ref);
      for (const ir::Argument& argument : expr.arguments)
        if (argument.ref)
          proper_subscripts(*argument.ref);
      if (expr.op == ir::ExprOp::kEqual || expr.op == ir::ExprOp::kNotEqual)
        proper_comparison(expr);
    });
    each_stmt(code_, [this](const ir::Stmt& stmt) {
      proper_subscripts(stmt.ref);
      proper_subscripts(stmt.source);
      if (stmt.kind != ir::StmtKind::kMultisetRemove)
        return;
      const ir::Ref* multiset = variable_of(*stmt.value);
      if (multiset != nullptr && is_same(stmt.ref, stmt.ref.subscripts.size(), stmt.ref.offset, *multiset))
        proper_.insert(stmt.value.get());
    });
  }

  void proper_comparison(const ir::Expr& expr) {
    const ir::Ref* left = variable_of(*expr.args[0]);
    const ir::Ref* right = variable_of(*expr.args[1]);
    if (left != nullptr && right != nullptr && is_same(*left, left->subscripts.size(), left->offset, *right)) {
      proper_.insert(expr.args[0].get());
      proper_.insert(expr.args[1].get());
    }
  }

  void report(const ir::Expr& expr, const ir::Ref& multiset) {
    for (const ir::Domain* scalarset : scalarsets_.in(*multiset.type->element))
      found_.push_back({scalarset, expr.where,
                        "the slot variable '" + expr.refs[0].text + "' is used for more than an element of '" +
                            multiset.text + "': slot numbers depend on the order of the members of scalarset '" +
                            scalarset->name + "'",
                        false});
  }

  Code code_;
  const Scalarsets& scalarsets_;
  std::vector<Asymmetry>& found_;
  SlotVariables variables_;
  std::set<ir::SlotIndex> written_;
  std::set<const ir::Expr*> proper_;
};

// What calls of a function can do to multisets.
struct Effects {
  bool empties = false;
  bool fills = false;
};

Effects effects_of(const ir::Stmt& stmt) {
  switch (stmt.kind) {
    case ir::StmtKind::kMultisetRemove:
    case ir::StmtKind::kMultisetRemoveWhere:
      return {true, false};
    case ir::StmtKind::kUndefine:
    case ir::StmtKind::kClear:
    case ir::StmtKind::kCopy: {
      const bool has_multiset = stmt.ref.type->contains_multiset();
      return {has_multiset, has_multiset && stmt.kind == ir::StmtKind::kCopy};
    }
    case ir::StmtKind::kMultisetAdd:
      return {false, true};
    default:
      return {};
  }
}

Effects effects_of(const ir::Function& function, std::set<const ir::Function*>& seen) {
  Effects all;
  if (!seen.insert(&function).second)
    return all;
  const auto add = [&all](const Effects& more) {
    all.empties = all.empties || more.empties;
    all.fills = all.fills || more.fills;
  };
  ir::for_each_stmt(function.body, [&add](const ir::Stmt& stmt) { add(effects_of(stmt)); });
  ir::for_each_expr(function.body, [&](const ir::Expr& expr) {
    if (expr.op == ir::ExprOp::kCall)
      add(effects_of(*expr.callee, seen));
  });
  return all;
}

// Follows the ways through a rule's body: is a slot used that may have been emptied and filled again?
class Refills {
 public:
  enum class Slots : std::uint8_t { kIntact, kEmptied, kRefilled };

  explicit Refills(const std::vector<ir::Binding>& bindings) {
    for (const ir::Binding& binding : bindings)
      if (binding.kind == ir::BindingKind::kAlias)
        bind(binding.slot, binding.ref);
  }

  Slots block(const ir::Block& block, Slots slots) {
    for (const auto& stmt : block)
      slots = statement(*stmt, slots);
    return slots;
  }

  // The first use of a slot that may have been filled again; null if there is none.
  [[nodiscard]] const ir::Stmt* first_use() const { return first_use_; }

 private:
  [[nodiscard]] bool is_slot_ref(const ir::Ref& ref) const {
    return std::any_of(ref.subscripts.begin(), ref.subscripts.end(),
                       [](const ir::Subscript& subscript) { return subscript.is_slot; }) ||
           (ref.root == ir::Root::kAlias && aliases_.contains(ref.slot));
  }

  void bind(ir::SlotIndex slot, const ir::Ref& ref) {
    if (is_slot_ref(ref))
      aliases_.insert(slot);
  }

  static Slots after(const Effects& effects, Slots slots) {
    if (effects.empties)
      slots = std::max(slots, Slots::kEmptied);
    return effects.fills && slots == Slots::kEmptied ? Slots::kRefilled : slots;
  }

  Slots statement(const ir::Stmt& stmt, Slots slots) {
    bool is_used = stmt.kind == ir::StmtKind::kMultisetRemove;
    for (const ir::Ref* ref : {&stmt.ref, &stmt.source})
      is_used = is_used || (ref->type != nullptr && is_slot_ref(*ref));
    ir::for_each_operand(stmt, [&](const ir::Expr& operand) {
      ir::for_each_ref(operand, [&](const ir::Ref& ref) { is_used = is_used || is_slot_ref(ref); });
      ir::for_each_expr(operand, [&](const ir::Expr& expr) {
        std::set<const ir::Function*> seen;
        if (expr.op == ir::ExprOp::kCall)
          slots = after(effects_of(*expr.callee, seen), slots);
      });
    });
    if (is_used && slots == Slots::kRefilled && first_use_ == nullptr)
      first_use_ = &stmt;
    slots = after(effects_of(stmt), slots);
    if (stmt.kind == ir::StmtKind::kBind)
      bind(stmt.slot, stmt.ref);
    if (stmt.kind == ir::StmtKind::kFor || stmt.kind == ir::StmtKind::kWhile)
      slots = std::max(slots, block(stmt.body, slots));  // and once more, for what the first round has done
    return std::max(block(stmt.body, slots), block(stmt.other, slots));
  }

  std::set<ir::SlotIndex> aliases_;  // bound to something inside a slot
  const ir::Stmt* first_use_ = nullptr;
};

void find_refills(const ir::Rule& rule, const Scalarsets& scalarsets, std::vector<Asymmetry>& found) {
  std::set<const ir::Domain*> moved;
  for (const ir::Binding& binding : rule.bindings)
    if (binding.kind == ir::BindingKind::kChoose)
      for (const ir::Domain* scalarset : scalarsets.in(*binding.ref.type->element))
        moved.insert(scalarset);
  if (moved.empty())
    return;
  Refills refills(rule.bindings);
  refills.block(rule.body, Refills::Slots::kIntact);
  if (refills.first_use() == nullptr)
    return;
  for (const ir::Domain* scalarset : moved)
    found.push_back({scalarset, refills.first_use()->where,
                     "a slot of a multiset is used after it may have been emptied and filled again; which element it "
                     "has then depends on the order of the members of scalarset '" +
                         scalarset->name + "'",
                     false});
}

}  // namespace

void find_slot_uses(const ir::Program& program, const Scalarsets& scalarsets, std::vector<Asymmetry>& found) {
  for (const ir::Rule& rule : program.rules) {
    Uses({&rule.bindings, rule.guard.get(), &rule.body}, scalarsets, found).check();
    find_refills(rule, scalarsets, found);
  }
  for (const ir::Property& property : program.properties)
    Uses({&property.bindings, property.condition.get(), nullptr}, scalarsets, found).check();
  for (const ir::Function* function : step_functions(program))
    Uses({nullptr, nullptr, &function->body}, scalarsets, found).check();
}

}  // namespace tideline::symmetry
