// SPDX-License-Identifier: MIT
#include "random_ir.h"

#include <string>

#include "ir/progress.h"
#include "random_ir_expr.h"

namespace tideline::test {
namespace {

// Statements, rules, properties and functions.
class Generator final : public RandomExprs {
 public:
  using RandomExprs::RandomExprs;

  std::unique_ptr<Program> make() {
    program_->loop_limit = 7;
    program_->recursion_limit = 5;
    make_domains();
    make_types();
    const unsigned variables = 3 + below(5);
    for (unsigned i = 0; i < variables; ++i)
      program_->add_variable("variable", any(types_), {});
    for (unsigned i = 0; i < below(4); ++i)
      make_function();
    const unsigned starts = 1 + below(2);
    for (unsigned i = 0; i < starts; ++i)
      program_->starts.push_back(make_rule(true));
    const unsigned rules = 2 + below(5);
    const bool prioritised = chance(25);
    for (unsigned i = 0; i < rules; ++i) {
      program_->rules.push_back(make_rule(false));
      program_->rules.back().priority = prioritised ? between(0, 2) : 0;
    }
    const unsigned properties = below(4);
    for (unsigned i = 0; i < properties; ++i)
      make_property();
    const unsigned components = 1 + below(5);
    for (unsigned i = 0; i < components; ++i)
      make_component();
    // Tests of hoisting and sorting need states, so starts give most variables a value.
    return std::move(program_);
  }

 private:
  // --- statements ---

  std::unique_ptr<Stmt> new_stmt(StmtKind kind) {
    auto stmt = std::make_unique<Stmt>();
    stmt->kind = kind;
    return stmt;
  }

  void block(Scope& scope, Block& out, unsigned depth, unsigned count) {
    const std::size_t aliases = scope.aliases.size();
    for (unsigned i = 0; i < count; ++i)
      if (auto stmt = statement(scope, depth))
        out.push_back(std::move(stmt));
    scope.aliases.resize(aliases);
  }

  std::unique_ptr<Stmt> assignment(Scope& scope, unsigned depth) {
    auto stmt = new_stmt(StmtKind::kAssign);
    if (!find_ref(scope, stmt->ref, depth, is_simple, true))
      return nullptr;
    stmt->value = value_for(scope, *stmt->ref.type->domain, depth);
    return stmt;
  }

  static bool is_value(const Scope& scope, const Ref& ref) {
    return ref.root == Root::kLocal && scope.frame->locals[ref.slot].kind == LocalKind::kValue;
  }

  // NOLINTNEXTLINE(readability-function-size): one case per kind
  std::unique_ptr<Stmt> statement(Scope& scope, unsigned depth) {
    const unsigned choice = below(26);
    if (choice < 9)
      return assignment(scope, depth);
    switch (choice) {
      case 9:
      case 10: {
        auto stmt = new_stmt(StmtKind::kCopy);
        if (!find_ref(
                scope, stmt->ref, depth, [](const Type&) { return true; }, true) ||
            is_value(scope, stmt->ref))
          return nullptr;
        const Type* type = stmt->ref.type;
        if (!find_ref(scope, stmt->source, depth, [&](const Type& other) { return &other == type; }) ||
            is_value(scope, stmt->source))
          return nullptr;
        return stmt;
      }
      case 11:
      case 12: {
        auto stmt = new_stmt(chance(50) ? StmtKind::kUndefine : StmtKind::kClear);
        if (!find_ref(
                scope, stmt->ref, depth, [](const Type&) { return true; }, true))
          return nullptr;
        return stmt;
      }
      case 13:
      case 14: {
        if (depth > 3)
          return nullptr;
        auto stmt = new_stmt(StmtKind::kIf);
        stmt->value = truth(scope, depth + 1);
        block(scope, stmt->body, depth + 1, 1 + below(3));
        if (chance(50))
          block(scope, stmt->other, depth + 1, 1 + below(2));
        return stmt;
      }
      case 15:
      case 16: {
        if (depth > 3 || scope.loops > 2)
          return nullptr;
        auto stmt = new_stmt(StmtKind::kFor);
        const Type* type = nullptr;
        stmt->loop = loop_range(scope, type);
        stmt->slot = add_local(scope, type, LocalKind::kValue);
        with_slot(scope, stmt->slot, [&] {
          const bool writable = chance(15);
          if (writable)
            scope.writable_values.push_back(stmt->slot);
          block(scope, stmt->body, depth + 1, 1 + below(3));
          if (writable)
            scope.writable_values.pop_back();
          return 0;
        });
        return stmt;
      }
      case 17: {
        if (depth > 3 || scope.loops > 1)
          return nullptr;
        auto stmt = new_stmt(StmtKind::kWhile);
        stmt->value = truth(scope, depth + 1);
        ++scope.loops;
        block(scope, stmt->body, depth + 1, 1 + below(2));
        --scope.loops;
        return stmt;
      }
      case 18: {
        static const std::vector<StmtKind> kinds = {StmtKind::kAssert, StmtKind::kAssume, StmtKind::kCover,
                                                    StmtKind::kCover};
        auto stmt = new_stmt(any(kinds));
        if (stmt->kind == StmtKind::kAssume && scope.self != nullptr && !scope.may_write)
          return nullptr;  // a discarding function in a property has no meaning
        stmt->value = chance(80) ? make_binary(ExprOp::kOr, truth(scope, depth + 1), make_constant(1), {})
                                 : truth(scope, depth + 1);
        if (stmt->kind == StmtKind::kCover) {
          stmt->cover = static_cast<std::uint32_t>(program_->covers.size());
          program_->covers.push_back({"cover", {}});
        }
        return stmt;
      }
      case 19: {
        if (!chance(5))
          return new_stmt(StmtKind::kPut);
        return new_stmt(StmtKind::kError);
      }
      case 20: {
        if (!chance(40))
          return nullptr;
        auto stmt = new_stmt(StmtKind::kReturn);
        if (scope.result != nullptr)
          stmt->value = value_for(scope, *scope.result, depth);
        return stmt;
      }
      case 21: {
        auto stmt = new_stmt(StmtKind::kBind);
        if (!find_ref(scope, stmt->ref, depth, [](const Type&) { return true; }) || is_value(scope, stmt->ref))
          return nullptr;
        stmt->slot = add_local(scope, stmt->ref.type, LocalKind::kAlias);
        scope.aliases.push_back(stmt->slot);
        return stmt;
      }
      case 22: {
        ExprPtr made = call(scope, depth, chance(30));
        if (made == nullptr)
          return nullptr;
        auto stmt = new_stmt(StmtKind::kCall);
        stmt->value = std::move(made);
        return stmt;
      }
      default:
        return multiset_statement(scope, depth);
    }
  }

  std::unique_ptr<Stmt> multiset_statement(Scope& scope, unsigned depth) {
    static const std::vector<StmtKind> kinds = {StmtKind::kMultisetAdd, StmtKind::kMultisetAdd,
                                                StmtKind::kMultisetRemove, StmtKind::kMultisetRemoveWhere};
    auto stmt = new_stmt(any(kinds));
    if (!find_ref(
            scope, stmt->ref, depth, [](const Type& type) { return type.kind == TypeKind::kMultiset; }, true))
      return nullptr;
    const Type& type = *stmt->ref.type;
    switch (stmt->kind) {
      case StmtKind::kMultisetAdd:
        if (!find_ref(scope, stmt->source, depth, [&](const Type& other) { return &other == type.element; }) ||
            is_value(scope, stmt->source))
          return nullptr;
        return stmt;
      case StmtKind::kMultisetRemove:
        stmt->value = chance(70) ? make_constant(between(0, 3)) : integer(scope, depth + 1);
        return stmt;
      default:
        stmt->slot = add_local(scope, slot_type_, LocalKind::kValue);
        stmt->value = with_slot(scope, stmt->slot, [&] { return truth(scope, depth + 1); });
        return stmt;
    }
  }

  // --- rules, properties, functions ---

  // Most of them get a value.
  void add_locals(Scope& scope, Block& out) {
    for (unsigned i = 0; i < below(4); ++i) {
      const Type* type = any(types_);
      const bool value = type->is_simple() && chance(70);
      const SlotIndex slot = add_local(scope, type, value ? LocalKind::kValue : LocalKind::kPacked);
      if (value) {
        scope.values.push_back(slot);
        scope.writable_values.push_back(slot);
      } else {
        scope.packed.push_back(slot);
      }
      if (chance(80))
        fill(scope, make_local_ref(*scope.frame, slot), out);
    }
  }

  // In the all-zero state that starts begin with, little else than parameters would do.
  std::vector<Binding> bindings(Scope& scope, bool is_start) {
    std::vector<Binding> made;
    for (unsigned i = 0; i < below(4); ++i) {
      Binding binding;
      switch (is_start && chance(90) ? 0 : below(5)) {
        case 0:
        case 1:
          binding.kind = BindingKind::kParameter;
          binding.domain = any(index_domains_);
          binding.slot = add_local(scope, add_simple_type(*program_, binding.domain), LocalKind::kValue);
          scope.values.push_back(binding.slot);
          if (chance(10))
            scope.writable_values.push_back(binding.slot);
          break;
        case 2:
          binding.kind = BindingKind::kChoose;
          if (!find_ref(scope, binding.ref, 2, [](const Type& type) { return type.kind == TypeKind::kMultiset; }))
            continue;
          binding.domain = binding.ref.type->domain;
          binding.slot = add_local(scope, slot_type_, LocalKind::kValue);
          scope.values.push_back(binding.slot);
          break;
        case 3:
          binding.kind = BindingKind::kAlias;
          if (!find_ref(scope, binding.ref, 2, [](const Type&) { return true; }) || is_value(scope, binding.ref))
            continue;
          binding.slot = add_local(scope, binding.ref.type, LocalKind::kAlias);
          scope.aliases.push_back(binding.slot);
          break;
        default: {
          binding.kind = BindingKind::kValue;
          binding.value = small(scope);
          binding.slot = add_local(scope, loop_type_, LocalKind::kValue);
          scope.values.push_back(binding.slot);
          break;
        }
      }
      made.push_back(std::move(binding));
    }
    return made;
  }

  Rule make_rule(bool is_start) {
    Rule rule;
    rule.name = "rule";
    Scope scope;
    scope.frame = &rule.frame;
    rule.bindings = bindings(scope, is_start);
    if (!is_start && chance(85)) {
      rule.guard = truth(scope, 2);
      for (unsigned i = 0; i < below(4); ++i)
        rule.guard = make_binary(ExprOp::kAnd, std::move(rule.guard), truth(scope, 2), {});
    }
    scope.may_write = true;
    add_locals(scope, rule.body);
    if (is_start)
      fill_state(scope, rule.body);
    block(scope, rule.body, is_start ? 3 : 1, is_start ? below(2) : 2 + below(5));
    return rule;
  }

  // Gives most parts of the state defined values, in the ways that start rules do it.
  void fill_state(Scope& scope, Block& out) {
    for (const Variable& variable : program_->variables) {
      if (chance(8))
        continue;
      if (chance(30)) {
        auto stmt = new_stmt(StmtKind::kClear);
        stmt->ref = make_state_ref(variable);
        out.push_back(std::move(stmt));
        continue;
      }
      fill(scope, make_state_ref(variable), out);
    }
  }

  void fill(Scope& scope, Ref ref, Block& out) {
    const Type& type = *ref.type;
    switch (type.kind) {
      case TypeKind::kSimple: {
        auto stmt = new_stmt(StmtKind::kAssign);
        const Interval part = type.domain->parts[below(static_cast<unsigned>(type.domain->parts.size()))];
        stmt->value = make_constant(between(part.lo, part.hi));
        stmt->ref = std::move(ref);
        out.push_back(std::move(stmt));
        break;
      }
      case TypeKind::kArray: {
        auto stmt = new_stmt(StmtKind::kFor);
        stmt->loop.domain = type.domain;
        stmt->slot = add_local(scope, add_simple_type(*program_, type.domain), LocalKind::kValue);
        Ref element = std::move(ref);
        append_subscript(element, make_read(make_local_ref(*scope.frame, stmt->slot), true, {}), {});
        fill(scope, std::move(element), stmt->body);
        out.push_back(std::move(stmt));
        break;
      }
      case TypeKind::kRecord:
        for (const Field& field : type.fields) {
          Ref part = clone(ref);
          append_field(part, field);
          fill(scope, std::move(part), out);
        }
        break;
      case TypeKind::kMultiset: {
        if (chance(40))
          break;
        const SlotIndex slot = add_local(scope, type.element, LocalKind::kPacked);
        fill(scope, make_local_ref(*scope.frame, slot), out);
        auto stmt = new_stmt(StmtKind::kMultisetAdd);
        stmt->source = make_local_ref(*scope.frame, slot);
        stmt->ref = std::move(ref);
        out.push_back(std::move(stmt));
        break;
      }
    }
  }

  void make_property() {
    Property property;
    static const std::vector<PropertyKind> kinds = {PropertyKind::kInvariant, PropertyKind::kAssumption,
                                                    PropertyKind::kCover};
    property.kind = any(kinds);
    Scope scope;
    scope.frame = &property.frame;
    property.bindings = bindings(scope, false);
    property.condition = truth(scope, 1);
    if (property.kind == PropertyKind::kAssumption)  // mostly true, so that there are states
      property.condition =
          make_binary(ExprOp::kOr, std::move(property.condition), make_constant(chance(80) ? 1 : 0), {});
    if (property.kind == PropertyKind::kCover) {
      property.cover = static_cast<std::uint32_t>(program_->covers.size());
      program_->covers.push_back({"cover", {}});
    }
    program_->properties.push_back(std::move(property));
  }

  // One that does not fit into the key any more is left out.
  void make_component() {
    ProgressComponent component;
    Scope scope;
    scope.frame = &component.frame;
    component.value = chance(40) ? read(scope, 1) : chance(60) ? integer(scope, 1) : truth(scope, 1);
    component.descending = chance(40);
    if (progress_bits(*program_) + progress_bits(component) <= kProgressBitsMax)
      program_->progress.push_back(std::move(component));
  }

  void make_function() {
    Function& function = program_->functions.emplace_back();
    function.name = "function";
    Scope scope;
    scope.frame = &function.frame;
    scope.self = &function;
    const unsigned parameters = below(4);
    for (unsigned i = 0; i < parameters; ++i) {
      const Type* type = any(types_);
      const LocalKind kind = chance(30)                        ? LocalKind::kAlias
                             : type->is_simple() && chance(80) ? LocalKind::kValue
                                                               : LocalKind::kPacked;
      const SlotIndex slot = add_local(scope, type, kind);
      if (kind == LocalKind::kAlias)
        scope.aliases.push_back(slot);
      else if (kind == LocalKind::kPacked)
        scope.packed.push_back(slot);
      else
        scope.values.push_back(slot);
      if (kind == LocalKind::kValue && chance(50))
        scope.writable_values.push_back(slot);
    }
    function.param_count = parameters;
    if (chance(60))
      function.result = any(domains_);
    scope.result = function.result;
    function.is_recursive = chance(25);
    function.writes_state = scope.may_write = chance(50);
    add_locals(scope, function.body);
    block(scope, function.body, 0, 1 + below(4));
    if (function.result != nullptr && chance(85)) {
      auto stmt = new_stmt(StmtKind::kReturn);
      stmt->value = value_for(scope, *function.result, 1);
      function.body.push_back(std::move(stmt));
    }
  }
};

}  // namespace

std::unique_ptr<Program> random_program(std::uint64_t seed) {
  return Generator(seed).make();
}

}  // namespace tideline::test
