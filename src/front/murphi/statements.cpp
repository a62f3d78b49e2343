// SPDX-License-Identifier: MIT
// Statements.
#include <utility>

#include "front/murphi/elaborator.h"

namespace tideline::murphi {

ir::Stmt& Elaborator::emit(ir::StmtKind kind, Location where) {
  block_->push_back(std::make_unique<ir::Stmt>());
  block_->back()->kind = kind;
  block_->back()->where = where;
  return *block_->back();
}

void Elaborator::statements(const Stmts& stmts, ir::Block& block) {
  ir::Block* outer = std::exchange(block_, &block);
  for (const StmtPtr& stmt : stmts)
    statement(*stmt);
  block_ = outer;
}

void Elaborator::statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kError:
      return;
    case StmtKind::kAssign:
      return assign(stmt);
    case StmtKind::kIf:
      return if_else(stmt, 0);
    case StmtKind::kSwitch:
      return switch_case(stmt);
    case StmtKind::kFor:
      scopes_.push();
      for_loop(stmt, 0);
      return scopes_.pop();
    case StmtKind::kWhile:
      return while_loop(stmt);
    case StmtKind::kAlias:
      return alias(stmt);
    case StmtKind::kCall: {
      Value result = call(*stmt.value, true);
      if (result.expr)
        emit(ir::StmtKind::kCall, stmt.span.where).value = std::move(result.expr);
      return;
    }
    case StmtKind::kClear:
    case StmtKind::kUndefine:
      return clear_or_undefine(stmt);
    case StmtKind::kFail:
      emit(ir::StmtKind::kError, stmt.span.where).message = stmt.message;
      return;
    case StmtKind::kProperty:
      return property_statement(stmt);
    case StmtKind::kPut:
      return put(stmt);
    case StmtKind::kReturn:
      return return_statement(stmt);
    case StmtKind::kMultisetAdd:
      return multiset_add(stmt);
    case StmtKind::kMultisetRemove:
      return multiset_remove(stmt);
    case StmtKind::kMultisetRemoveWhere:
      return multiset_remove_where(stmt);
  }
}

void Elaborator::copy(ir::Ref to, ir::Ref from, Location where) {
  ir::Stmt& made = emit(ir::StmtKind::kCopy, where);
  made.ref = std::move(to);
  made.source = std::move(from);
}

void Elaborator::assign(const Stmt& stmt) {
  const Location where = stmt.span.where;
  const ir::Type* type = nullptr;
  std::unique_ptr<ir::Ref> to = target(*stmt.target, "assign to", &type);
  if (!to) {
    object_or_result(*stmt.value);  // for its errors
    return;
  }
  if (stmt.value->kind == ExprKind::kUndefined) {
    emit(ir::StmtKind::kUndefine, where).ref = std::move(*to);
    return;
  }
  if (!type->is_simple()) {
    Value from = object_or_result(*stmt.value);
    if (from.is_error())
      return;
    if (!from.ref || !from.type || !same_type(*from.type, *type)) {
      error(stmt.value->span.where, "the value must be " + describe(*type) + ", not " + describe(from));
      return;
    }
    return copy(std::move(*to), std::move(*from.ref), where);
  }
  ir::ExprPtr from = fitting(value(*stmt.value, ReadMode::kCopy), *type, "the value");
  if (!from)
    return;
  ir::Stmt& made = emit(ir::StmtKind::kAssign, where);
  made.ref = std::move(*to);
  made.value = std::move(from);
}

void Elaborator::if_else(const Stmt& stmt, std::size_t branch) {
  const Branch& now = stmt.branches[branch];
  if (now.labels.empty()) {
    for (const StmtPtr& inner : now.body)
      statement(*inner);
    return;
  }
  ir::ExprPtr condition = boolean(*now.labels[0], "the condition of if");
  ir::Stmt& made = emit(ir::StmtKind::kIf, now.labels[0]->span.where);
  made.value = std::move(condition);
  statements(now.body, made.body);
  if (branch + 1 == stmt.branches.size())
    return;
  ir::Block* outer = std::exchange(block_, &made.other);
  if_else(stmt, branch + 1);
  block_ = outer;
}

// The subject is evaluated once, into a hidden variable; the branches are tested in order.
void Elaborator::switch_case(const Stmt& stmt) {
  Value subject = value(*stmt.value);
  if (subject.sort == Sort::kAggregate || subject.sort == Sort::kSlot || subject.sort == Sort::kUndefined) {
    error(stmt.value->span.where, "the subject of switch must be a simple value, not " + describe(subject));
    subject.sort = Sort::kError;
  }
  ir::SlotIndex slot = 0;
  if (!subject.is_error()) {
    slot = new_local("", holder_type(subject), ir::LocalKind::kValue);
    ir::Stmt& made = emit(ir::StmtKind::kAssign, stmt.span.where);
    made.ref = ir::make_local_ref(*frame_, slot, stmt.span.where);
    made.ref.text = source(stmt.value->span);
    made.value = std::move(subject.expr);
  }
  if (!stmt.branches.empty())
    switch_branch(stmt, 0, subject, slot);
}

void Elaborator::switch_branch(const Stmt& stmt, std::size_t branch, const Value& subject, ir::SlotIndex slot) {
  const Branch& now = stmt.branches[branch];
  if (now.labels.empty()) {
    for (const StmtPtr& inner : now.body)
      statement(*inner);
    return;
  }
  std::vector<ir::ExprPtr> tests;
  for (const ExprPtr& label : now.labels) {
    const Location where = label->span.where;
    Value wanted = value(*label);
    if (wanted.is_error() || subject.is_error())
      continue;
    const bool fits =
        wanted.sort == subject.sort && (wanted.sort != Sort::kSymbol || share_values(*wanted.domain, *subject.domain));
    if (!fits) {
      error(where, "this case is " + describe(wanted) + ", but the subject of the switch is " + describe(subject));
      continue;
    }
    ir::ExprPtr read = ir::make_read(ir::make_local_ref(*frame_, slot, where), false, where);
    tests.push_back(ir::make_binary(ir::ExprOp::kEqual, std::move(read), std::move(wanted.expr), where));
  }
  ir::Stmt& made = emit(ir::StmtKind::kIf, now.span.where);
  const std::size_t count = tests.size();
  made.value = count == 0 ? ir::make_constant(0, now.span.where)
                          : join(std::move(tests), ir::ExprOp::kOr, 0, count, now.span.where);
  statements(now.body, made.body);
  if (branch + 1 == stmt.branches.size())
    return;
  ir::Block* outer = std::exchange(block_, &made.other);
  switch_branch(stmt, branch + 1, subject, slot);
  block_ = outer;
}

void Elaborator::for_loop(const Stmt& stmt, std::size_t quantifier) {
  if (quantifier == stmt.quantifiers.size()) {
    for (const StmtPtr& inner : stmt.body)
      statement(*inner);
    return;
  }
  std::optional<Loop> made_loop = loop(stmt.quantifiers[quantifier]);
  ir::Stmt& made = emit(ir::StmtKind::kFor, stmt.span.where);
  if (made_loop) {
    made.slot = made_loop->slot;
    made.loop = std::move(made_loop->range);
  }
  ir::Block* outer = std::exchange(block_, &made.body);
  for_loop(stmt, quantifier + 1);
  block_ = outer;
}

void Elaborator::while_loop(const Stmt& stmt) {
  ir::ExprPtr condition = boolean(*stmt.value, "the condition of while");
  ir::Stmt& made = emit(ir::StmtKind::kWhile, stmt.span.where);
  made.value = std::move(condition);
  statements(stmt.body, made.body);
}

void Elaborator::alias(const Stmt& stmt) {
  scopes_.push();
  for (const AliasDecl& decl : stmt.aliases)
    bind_alias(decl, nullptr);
  for (const StmtPtr& inner : stmt.body)
    statement(*inner);
  scopes_.pop();
}

// An alias of a variable is a reference, an alias of a constant is a constant, an alias of an expression is its value;
// all three are fixed where the alias is entered. With `bindings` the alias stands around rules.
void Elaborator::bind_alias(const AliasDecl& decl, std::vector<ir::Binding>* bindings) {
  const Location where = decl.value->span.where;
  Value bound = bindings == nullptr ? object_or_result(*decl.value) : object(*decl.value);
  Symbol symbol;
  symbol.kind = SymbolKind::kConst;
  const bool is_constant = bound.expr && bound.expr->op == ir::ExprOp::kConstant;
  if (bound.sort == Sort::kUndefined)
    error(where, "UNDEFINED cannot have an alias");
  if (bound.is_error() || bound.sort == Sort::kUndefined || is_constant) {
    if (is_constant) {
      symbol.sort = bound.sort;
      symbol.value = bound.expr->constant;
      symbol.domain = bound.domain;
    }
    return declare(decl.name, symbol);
  }
  // A variable that nobody can write is as good as its value.
  if (bound.ref && bound.ref->root == ir::Root::kLocal && bound.type->is_simple() && !bound.is_writable)
    read(bound, ReadMode::kRaw);
  symbol.multiset = bound.multiset;
  if (bound.ref) {
    make_addressable(*bound.ref);
    symbol.kind = SymbolKind::kAlias;
    symbol.type = bound.type;
    symbol.is_writable = bound.is_writable;
    symbol.what = bound.what;
    symbol.origin = bound.origin;
    symbol.slot = new_local(decl.name.text, bound.type, ir::LocalKind::kAlias);
    if (bindings != nullptr) {
      ir::Binding binding;
      binding.kind = ir::BindingKind::kAlias;
      binding.slot = symbol.slot;
      binding.ref = std::move(*bound.ref);
      bindings->push_back(std::move(binding));
    } else {
      ir::Stmt& made = emit(ir::StmtKind::kBind, where);
      made.slot = symbol.slot;
      made.ref = std::move(*bound.ref);
    }
    return declare(decl.name, symbol);
  }
  if (bound.sort == Sort::kInteger && is_too_large(bound.expr->range))
    error(where, "the value of this alias may lie outside 2^56 values");
  symbol.kind = SymbolKind::kLocal;
  symbol.what = "an alias of an expression";
  symbol.type = holder_type(bound);
  symbol.slot = new_local(decl.name.text, symbol.type, ir::LocalKind::kValue);
  if (bindings != nullptr) {
    ir::Binding binding;
    binding.kind = ir::BindingKind::kValue;
    binding.slot = symbol.slot;
    binding.value = std::move(bound.expr);
    bindings->push_back(std::move(binding));
  } else {
    ir::Stmt& made = emit(ir::StmtKind::kAssign, where);
    made.ref = ir::make_local_ref(*frame_, symbol.slot, where);
    made.value = std::move(bound.expr);
  }
  declare(decl.name, symbol);
}

void Elaborator::clear_or_undefine(const Stmt& stmt) {
  const bool is_clear = stmt.kind == StmtKind::kClear;
  const ir::Type* type = nullptr;
  std::unique_ptr<ir::Ref> object = target(*stmt.target, is_clear ? "clear" : "undefine", &type);
  if (object)
    emit(is_clear ? ir::StmtKind::kClear : ir::StmtKind::kUndefine, stmt.span.where).ref = std::move(*object);
}

void Elaborator::property_statement(const Stmt& stmt) {
  const Location where = stmt.span.where;
  if (stmt.property == PropertyKind::kLiveness) {
    error(where, "liveness is a property of the whole model and cannot be a statement", "move it to the top level");
    return;
  }
  const char* what = stmt.property == PropertyKind::kAssume  ? "an assumption"
                     : stmt.property == PropertyKind::kCover ? "a cover condition"
                                                             : "an assertion";
  ir::ExprPtr condition = boolean(*stmt.value, what);
  std::string message = stmt.has_message ? stmt.message : source(stmt.value->span);
  switch (stmt.property) {
    case PropertyKind::kAssume: {
      emit(ir::StmtKind::kAssume, where).value = std::move(condition);
      return;
    }
    case PropertyKind::kCover: {
      ir::Stmt& made = emit(ir::StmtKind::kCover, where);
      made.value = std::move(condition);
      made.cover = static_cast<std::uint32_t>(program_.covers.size());
      program_.covers.push_back({std::move(message), where});
      return;
    }
    default: {
      ir::Stmt& made = emit(ir::StmtKind::kAssert, where);
      made.value = std::move(condition);
      made.message = std::move(message);
    }
  }
}

void Elaborator::put(const Stmt& stmt) {
  const Location where = stmt.span.where;
  if (stmt.has_message) {
    emit(ir::StmtKind::kPut, where).message = stmt.message;
    return;
  }
  Value shown = object_or_result(*stmt.value);
  if (shown.is_error())
    return;
  if (shown.sort == Sort::kUndefined) {
    emit(ir::StmtKind::kPut, where).message = "undefined";
    return;
  }
  // Values with labels are shown from a variable, whose type knows them.
  if (!shown.ref && (shown.sort == Sort::kSymbol || shown.sort == Sort::kBoolean)) {
    const ir::SlotIndex slot = new_local("", holder_type(shown), ir::LocalKind::kValue);
    ir::Stmt& made = emit(ir::StmtKind::kAssign, where);
    made.ref = ir::make_local_ref(*frame_, slot, where);
    made.ref.text = source(stmt.value->span);
    made.value = std::move(shown.expr);
    shown.ref = std::make_unique<ir::Ref>(ir::make_local_ref(*frame_, slot, where));
    shown.ref->text = source(stmt.value->span);
  }
  ir::Stmt& made = emit(ir::StmtKind::kPut, where);
  if (shown.ref)
    made.ref = std::move(*shown.ref);
  else
    made.value = std::move(shown.expr);
}

void Elaborator::return_statement(const Stmt& stmt) {
  const Location where = stmt.span.where;
  const ir::Type* result = function_ == nullptr ? nullptr : function_->result;
  if (result == nullptr) {
    if (stmt.value) {
      value(*stmt.value);
      error(stmt.value->span.where, function_ == nullptr ? "a rule returns no value" : "a procedure returns no value");
      return;
    }
    emit(ir::StmtKind::kReturn, where);
    return;
  }
  function_->has_return = true;
  if (!stmt.value) {
    error(where, "this function must return " + describe(*result));
    return;
  }
  if (stmt.value->kind == ExprKind::kUndefined) {
    error(where, "a function cannot return UNDEFINED");
    return;
  }
  if (result->is_simple()) {
    ir::ExprPtr returned = fitting(value(*stmt.value), *result, "the returned value");
    emit(ir::StmtKind::kReturn, where).value = std::move(returned);
    return;
  }
  Value returned = object_or_result(*stmt.value);
  if (returned.is_error())
    return;
  if (!returned.ref || returned.type == nullptr || !same_type(*returned.type, *result)) {
    error(stmt.value->span.where, "the returned value must be " + describe(*result) + ", not " + describe(returned));
    return;
  }
  copy(ir::make_local_ref(*frame_, 0, where), std::move(*returned.ref), where);
  emit(ir::StmtKind::kReturn, where);
}

void Elaborator::multiset_add(const Stmt& stmt) {
  const Location where = stmt.span.where;
  const ir::Type* type = nullptr;
  std::unique_ptr<ir::Ref> multiset = target(*stmt.target, "add to", &type);
  if (!multiset)
    return;
  if (type->kind != ir::TypeKind::kMultiset) {
    error(stmt.target->span.where, "a multiset is needed here, not " + describe(*type));
    return;
  }
  const ir::Type& element = *type->element;
  std::unique_ptr<ir::Ref> source_ref;
  if (element.is_simple()) {
    ir::ExprPtr added = fitting(value(*stmt.value, ReadMode::kCopy), element, "the element");
    if (!added)
      return;
    const ir::SlotIndex slot = new_local("", &element, ir::LocalKind::kPacked);
    ir::Stmt& made = emit(ir::StmtKind::kAssign, where);
    made.ref = ir::make_local_ref(*frame_, slot, where);
    made.value = std::move(added);
    source_ref = std::make_unique<ir::Ref>(ir::make_local_ref(*frame_, slot, where));
  } else {
    Value added = object_or_result(*stmt.value);
    if (added.is_error())
      return;
    if (!added.ref || added.type == nullptr || !same_type(*added.type, element)) {
      error(stmt.value->span.where, "the element must be " + describe(element) + ", not " + describe(added));
      return;
    }
    source_ref = std::move(added.ref);
  }
  ir::Stmt& made = emit(ir::StmtKind::kMultisetAdd, where);
  made.ref = std::move(*multiset);
  made.source = std::move(*source_ref);
}

void Elaborator::multiset_remove(const Stmt& stmt) {
  const ir::Type* type = nullptr;
  std::unique_ptr<ir::Ref> multiset = target(*stmt.target, "remove from", &type);
  if (!multiset)
    return;
  if (type->kind != ir::TypeKind::kMultiset) {
    error(stmt.target->span.where, "a multiset is needed here, not " + describe(*type));
    return;
  }
  ir::ExprPtr slot = index_value(*stmt.value, *type);
  if (!slot)
    return;
  ir::Stmt& made = emit(ir::StmtKind::kMultisetRemove, stmt.span.where);
  made.ref = std::move(*multiset);
  made.value = std::move(slot);
}

void Elaborator::multiset_remove_where(const Stmt& stmt) {
  const ir::Type* type = nullptr;
  std::unique_ptr<ir::Ref> multiset = target(*stmt.target, "remove from", &type);
  if (!multiset)
    return;
  if (type->kind != ir::TypeKind::kMultiset) {
    error(stmt.target->span.where, "a multiset is needed here, not " + describe(*type));
    return;
  }
  scopes_.push();
  const ir::SlotIndex slot = slot_variable(stmt.name, type, "a slot of a multiset");
  ir::ExprPtr condition = boolean(*stmt.value, "the condition of multisetremovepred");
  scopes_.pop();
  ir::Stmt& made = emit(ir::StmtKind::kMultisetRemoveWhere, stmt.span.where);
  made.ref = std::move(*multiset);
  made.slot = slot;
  made.value = std::move(condition);
}

}  // namespace tideline::murphi
