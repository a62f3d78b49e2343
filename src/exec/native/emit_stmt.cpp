// SPDX-License-Identifier: MIT
// Statements.
#include "base/check.h"
#include "exec/interp/start_facts.h"
#include "exec/native/emitter.h"
#include "ir/walk.h"

namespace tideline::native {

using ir::Stmt;
using ir::StmtKind;

Module::Module(const ir::Program& the_program)
    : program(the_program), analysis(the_program, undefined_at_start(the_program)) {
  for (const ir::Function& function : program.functions)
    function_numbers.emplace(&function, function_numbers.size());
  for (std::size_t v = 0; v < program.variables.size(); ++v)
    if (program.variables[v].type->contains_multiset())
      with_multisets.push_back(v);
}

Emitter::Emitter(const Module& module, const ir::Frame& frame)
    : module_(module),
      frame_(frame),
      places_(frame.locals.size()),
      bind_counts_(frame.locals.size(), 0),
      assigned_slots_(frame.locals.size(), false),
      loop_slots_(frame.locals.size(), false) {
  const ir::Code& code = module.analysis.code_of(frame);
  auto note_expr = [this](const ir::Expr& expr) {
    if (expr.op == ir::ExprOp::kForall || expr.op == ir::ExprOp::kExists || expr.op == ir::ExprOp::kMultisetCount)
      loop_slots_[expr.slot] = true;
  };
  if (code.bindings != nullptr) {
    for_each_expr(*code.bindings, note_expr);
    for (const ir::Binding& binding : *code.bindings)
      ++bind_counts_[binding.slot];
  }
  if (code.condition != nullptr)
    for_each_expr(*code.condition, note_expr);
  if (code.body != nullptr) {
    for_each_expr(*code.body, note_expr);
    for_each_stmt(*code.body, [this](const Stmt& stmt) {
      const bool assigns =
          stmt.kind == StmtKind::kAssign || stmt.kind == StmtKind::kUndefine || stmt.kind == StmtKind::kClear;
      if (assigns && stmt.ref.root == ir::Root::kLocal)
        assigned_slots_[stmt.ref.slot] = true;
      if (stmt.kind == StmtKind::kBind)
        ++bind_counts_[stmt.slot];
      if (stmt.kind == StmtKind::kFor || stmt.kind == StmtKind::kMultisetRemoveWhere)
        loop_slots_[stmt.slot] = true;
    });
  }
  for (std::size_t i = 0; i < frame.locals.size(); ++i) {
    if (frame.locals[i].kind == ir::LocalKind::kPacked)
      places_[i].base = fmt::format("v{}", i);
    if (frame.locals[i].kind == ir::LocalKind::kAlias && bind_counts_[i] != 1) {
      places_[i].base = fmt::format("p{}", i);
      places_[i].bit = fmt::format("b{}", i);
    }
  }
}

void Emitter::set_result(const ir::Domain* domain, std::string pointer) {
  result_ = domain;
  result_pointer_ = std::move(pointer);
}

std::string Emitter::declare_packed(std::uint64_t bits) {
  const std::uint64_t words = bits / 64 + 2;
  const std::string name = fmt::format("a{}", fresh());
  if (words <= stack_words_max_) {
    out_.line("uint64_t {}[{}] = {{0}};", name, words);
    return name;
  }
  out_.line("uint64_t* const {} = arena + {};", name, arena_words_);
  out_.line("memset({}, 0, {} * sizeof(uint64_t));", name, words);
  arena_words_ += words;
  return name;
}

void Emitter::declare_locals(const std::vector<bool>& already_declared) {
  for (std::size_t i = 0; i < frame_.locals.size(); ++i) {
    const ir::Local& local = frame_.locals[i];
    if (already_declared[i] || loop_slots_[i])
      continue;
    switch (local.kind) {
      case ir::LocalKind::kValue:
        out_.line("int64_t v{} = TL_UNDEFINED;", i);
        break;
      case ir::LocalKind::kPacked:
        places_[i].base = declare_packed(local.type->bits);
        break;
      case ir::LocalKind::kAlias:
        if (bind_counts_[i] > 1) {
          out_.line("uint64_t* p{} = 0;", i);
          out_.line("uint64_t b{} = 0;", i);
        }
        break;
    }
  }
}

void Emitter::block(const ir::Block& block) {
  for (const auto& stmt : block)
    statement(*stmt);
}

void Emitter::statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kAssign:
      assign(stmt);
      break;
    case StmtKind::kCopy: {
      Address from = address(stmt.source);
      if (ir::Analysis::has_effects(stmt.ref))
        from = captured(std::move(from));
      copy_bits(address(stmt.ref), from, stmt.ref.type->bits);
      break;
    }
    case StmtKind::kUndefine:
      undefine(stmt);
      break;
    case StmtKind::kClear:
      clear(stmt);
      break;
    case StmtKind::kIf:
      branch(stmt);
      break;
    case StmtKind::kFor:
      for_each_value(stmt.loop, stmt.slot, [&] { block(stmt.body); });
      break;
    case StmtKind::kWhile:
      while_loop(stmt);
      break;
    case StmtKind::kAssert: {
      const std::string holds = fresh_label();
      jump(*stmt.value, true, holds);
      out_.line("{}", exits_.fail);
      out_.label(holds);
      break;
    }
    case StmtKind::kError:
      out_.line("{}", exits_.fail);
      break;
    case StmtKind::kAssume: {
      const std::string holds = fresh_label();
      jump(*stmt.value, true, holds);
      out_.line("{}", exits_.discard);
      out_.label(holds);
      break;
    }
    case StmtKind::kCover: {
      const std::string end = fresh_label();
      jump(*stmt.value, false, end);
      out_.line("c->covered[{}] = 1;", stmt.cover);
      out_.label(end);
      break;
    }
    case StmtKind::kPut:
      break;  // only replays print
    case StmtKind::kReturn:
      leave(stmt);
      break;
    case StmtKind::kBind:
      bind(stmt.slot, stmt.ref);
      break;
    case StmtKind::kCall:
      (void)value(*stmt.value);
      break;
    case StmtKind::kMultisetAdd:
      multiset_add(stmt);
      break;
    case StmtKind::kMultisetRemove:
      multiset_remove(stmt);
      break;
    case StmtKind::kMultisetRemoveWhere:
      multiset_remove_where(stmt);
      break;
  }
}

void Emitter::assign(const Stmt& stmt) {
  Value assigned = value(*stmt.value);
  if (is_value_slot(stmt.ref)) {
    out_.line("v{} = {};", stmt.ref.slot, integer_for(std::move(assigned), *stmt.value, *stmt.ref.type->domain));
    return;
  }
  if (ir::Analysis::has_effects(stmt.ref))
    assigned = named(std::move(assigned));
  const Address to = address(stmt.ref);
  write_bits(to, stmt.ref.type->bits, code_for(std::move(assigned), *stmt.value, *stmt.ref.type->domain));
}

void Emitter::undefine(const Stmt& stmt) {
  if (is_value_slot(stmt.ref))
    out_.line("v{} = TL_UNDEFINED;", stmt.ref.slot);
  else
    zero_bits(address(stmt.ref), stmt.ref.type->bits);
}

void Emitter::clear(const Stmt& stmt) {
  if (is_value_slot(stmt.ref))
    out_.line("v{} = {};", stmt.ref.slot, signed_literal(stmt.ref.type->domain->hull().lo));
  else
    clear_object(captured(address(stmt.ref)), *stmt.ref.type);
}

void Emitter::branch(const Stmt& stmt) {
  const std::string otherwise = fresh_label();
  jump(*stmt.value, false, otherwise);
  out_.open("{{");
  block(stmt.body);
  out_.close();
  if (stmt.other.empty()) {
    out_.label(otherwise);
    return;
  }
  const std::string end = fresh_label();
  out_.line("goto {};", end);
  out_.label(otherwise);
  // A chain of alternatives stays on one level of braces.
  const bool chain = stmt.other.size() == 1 && stmt.other.front()->kind == StmtKind::kIf;
  if (!chain)
    out_.open("{{");
  block(stmt.other);
  if (!chain)
    out_.close();
  out_.label(end);
}

void Emitter::while_loop(const Stmt& stmt) {
  const std::string turns = fmt::format("k{}", fresh());
  const std::string end = fresh_label();
  out_.open("for (uint64_t {} = 0;; {}++) {{", turns, turns);
  jump(*stmt.value, false, end);
  fail_if(fmt::format("{} == {}", turns, unsigned_literal(module_.program.loop_limit)));
  block(stmt.body);
  out_.close();
  out_.label(end);
}

void Emitter::leave(const Stmt& stmt) {
  if (result_ != nullptr) {
    if (!stmt.value) {
      out_.line("{}", exits_.fail);
      return;
    }
    out_.line("*{} = {};", result_pointer_, integer_for(value(*stmt.value), *stmt.value, *result_));
  } else if (stmt.value) {
    (void)value(*stmt.value);
  }
  out_.line("{}", exits_.leave);
}

void Emitter::multiset_add(const Stmt& stmt) {
  const ir::Type& type = *stmt.ref.type;
  const Address multiset = captured(address(stmt.ref));
  const Address from = address(stmt.source);
  const std::string slot = fmt::format("k{}", fresh());
  const std::string count = unsigned_literal(type.domain->hull().size());
  out_.line("uint64_t {} = 0;", slot);
  out_.open("while ({} < {}) {{", slot, count);
  out_.line("if (!{}) break;", occupied_text(multiset, type, slot));
  out_.line("{}++;", slot);
  out_.close();
  fail_if(fmt::format("{} == {}", slot, count));
  Address to = multiset;
  to.terms.push_back({slot, 0, type.domain->hull().size() - 1, type.stride()});
  copy_bits(to, from, type.element->bits);
  write_bits(to.plus(type.element->bits), 1, "1ull");
}

void Emitter::multiset_remove(const Stmt& stmt) {
  const ir::Type& type = *stmt.ref.type;
  Address multiset = address(stmt.ref);
  if (ir::Analysis::has_effects(*stmt.value))
    multiset = captured(std::move(multiset));
  const Value slot = named(needed(*stmt.value));
  if (!ir::Analysis::fits(*stmt.value, *type.domain))
    fail_if("!" + in_domain_text(slot, *type.domain));
  const std::string position = shortened(plain(position_text(slot, 0))).text;
  fail_if("!" + occupied_text(multiset, type, position));
  multiset.terms.push_back({position, 0, type.domain->hull().size() - 1, type.stride()});
  zero_bits(multiset, type.stride());
}

void Emitter::multiset_remove_where(const Stmt& stmt) {
  const ir::Type& type = *stmt.ref.type;
  const Address multiset = captured(address(stmt.ref));
  for_each_occupied(multiset, type, stmt.slot, [&] {
    const std::string keep = fresh_label();
    jump(*stmt.value, false, keep);
    Address removed = multiset;
    removed.terms.push_back({"(uint64_t)" + slot_name(stmt.slot), 0, type.domain->hull().size() - 1, type.stride()});
    zero_bits(removed, type.stride());
    out_.label(keep);
  });
}

}  // namespace tideline::native
