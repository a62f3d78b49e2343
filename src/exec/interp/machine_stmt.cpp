// SPDX-License-Identifier: MIT
// Statements; the rules are in ir/stmt.h.
#include "base/check.h"
#include "exec/interp/machine.h"
#include "ir/bits.h"
#include "ir/print.h"

namespace tideline::interp {

using ir::Stmt;
using ir::StmtKind;

Machine::Flow Machine::exec_block(const ir::Block& block, Activation& frame) {
  for (const auto& stmt : block)
    if (exec(*stmt, frame) == Flow::kReturn)
      return Flow::kReturn;
  return Flow::kNext;
}

Machine::Flow Machine::exec(const Stmt& stmt, Activation& frame) {
  switch (stmt.kind) {
    case StmtKind::kAssign:
      exec_assign(stmt, frame);
      break;
    case StmtKind::kCopy: {
      const Address from = resolve(stmt.source, frame);
      const Address to = resolve(stmt.ref, frame);
      ir::copy_bits(words_of(to), to.bit, words_of(from), from.bit, stmt.ref.type->bits);
      break;
    }
    case StmtKind::kUndefine:
      if (stmt.ref.root == ir::Root::kLocal && frame.kind(stmt.ref.slot) == ir::LocalKind::kValue) {
        frame.value(stmt.ref.slot) = ir::kUndefined;
      } else {
        const Address at = resolve(stmt.ref, frame);
        ir::clear_bits(words_of(at), at.bit, stmt.ref.type->bits);
      }
      break;
    case StmtKind::kClear:
      if (stmt.ref.type->is_simple()) {
        store(stmt.ref, stmt.ref.type->domain->hull().lo, stmt.where, frame);
      } else {
        const Address at = resolve(stmt.ref, frame);
        clear_object(*stmt.ref.type, words_of(at), at.bit);
      }
      break;
    case StmtKind::kIf:
      return exec_block(eval_truth(*stmt.value, frame) ? stmt.body : stmt.other, frame);
    case StmtKind::kFor:
      return exec_for(stmt, frame);
    case StmtKind::kWhile:
      return exec_while(stmt, frame);
    case StmtKind::kAssert:
      if (!eval_truth(*stmt.value, frame))
        fail(FailureKind::kAssertion, stmt.message, stmt.where);
      break;
    case StmtKind::kError:
      fail(FailureKind::kError, stmt.message, stmt.where);
    case StmtKind::kAssume:
      if (!eval_truth(*stmt.value, frame))
        throw Discarded{};
      break;
    case StmtKind::kCover:
      if (eval_truth(*stmt.value, frame))
        covered_[stmt.cover] = 1;
      break;
    case StmtKind::kPut:
      exec_put(stmt, frame);
      break;
    case StmtKind::kReturn:
      if (stmt.value)
        result_ = eval(*stmt.value, frame);
      return Flow::kReturn;
    case StmtKind::kBind:
      frame.alias(stmt.slot) = resolve(stmt.ref, frame);
      break;
    case StmtKind::kCall:
      (void)eval(*stmt.value, frame);
      break;
    case StmtKind::kMultisetAdd:
      exec_multiset_add(stmt, frame);
      break;
    case StmtKind::kMultisetRemove:
      exec_multiset_remove(stmt, frame);
      break;
    case StmtKind::kMultisetRemoveWhere:
      exec_multiset_remove_where(stmt, frame);
      break;
  }
  return Flow::kNext;
}

void Machine::store(const ir::Ref& ref, std::int64_t value, Location where, Activation& frame) {
  const ir::Domain& domain = *ref.type->domain;
  const bool in_slot = ref.root == ir::Root::kLocal && frame.kind(ref.slot) == ir::LocalKind::kValue;
  const Address address = in_slot ? Address{} : resolve(ref, frame);
  if (value != ir::kUndefined && !domain.contains(value)) {
    CHECK(!domain.declared.has_value() || !domain.declared->contains(value));
    fail(FailureKind::kRange, "value " + domain.show(value) + " is outside " + domain.show_range() + " of " + ref.text,
         where);
  }
  if (in_slot)
    frame.value(ref.slot) = value;
  else
    ir::put_bits(words_of(address), address.bit, domain.bits(), domain.encode(value));
}

void Machine::exec_assign(const Stmt& stmt, Activation& frame) {
  store(stmt.ref, eval(*stmt.value, frame), stmt.where, frame);
}

Machine::Flow Machine::exec_for(const Stmt& stmt, Activation& frame) {
  Flow flow = Flow::kNext;
  for_each_value(stmt.loop, stmt.where, frame, [&](std::int64_t v) {
    frame.value(stmt.slot) = v;
    flow = exec_block(stmt.body, frame);
    return flow == Flow::kNext;
  });
  return flow;
}

Machine::Flow Machine::exec_while(const Stmt& stmt, Activation& frame) {
  for (std::uint64_t turns = 0; eval_truth(*stmt.value, frame); ++turns) {
    if (turns == program_.loop_limit)
      fail(FailureKind::kLimit, "while loop ran more than " + std::to_string(program_.loop_limit) + " times",
           stmt.where);
    if (exec_block(stmt.body, frame) == Flow::kReturn)
      return Flow::kReturn;
  }
  return Flow::kNext;
}

void Machine::exec_put(const Stmt& stmt, Activation& frame) {
  if (output_ == nullptr)
    return;
  *output_ += stmt.message;
  try {
    if (stmt.value) {
      const std::int64_t value = eval(*stmt.value, frame);
      const bool named = stmt.value->op == ir::ExprOp::kRead;
      *output_ += named ? stmt.value->refs[0].type->domain->show(value)
                        : (value == ir::kUndefined ? std::string("undefined") : std::to_string(value));
    } else if (stmt.ref.type != nullptr && stmt.ref.type->is_simple()) {
      *output_ += stmt.ref.type->domain->show(load(stmt.ref, frame));
    } else if (stmt.ref.type != nullptr) {
      const Address at = resolve(stmt.ref, frame);
      *output_ += ir::show_object(*stmt.ref.type, words_of(at), at.bit);
    }
  } catch (const Failure& failure) {
    *output_ += "<" + failure.message + ">";
  }
}

void Machine::exec_multiset_add(const Stmt& stmt, Activation& frame) {
  const ir::Type& type = *stmt.ref.type;
  const Address at = resolve(stmt.ref, frame);
  const Address from = resolve(stmt.source, frame);
  for (std::uint64_t i = 0; i < type.domain->hull().size(); ++i) {
    if (occupied(type, at, i))
      continue;
    const std::uint64_t slot = at.bit + i * type.stride();
    ir::copy_bits(words_of(at), slot, words_of(from), from.bit, type.element->bits);
    ir::put_bits(words_of(at), slot + type.stride() - 1, 1, 1);
    return;
  }
  fail(FailureKind::kMultiset, "multiset " + stmt.ref.text + " is full", stmt.where);
}

void Machine::exec_multiset_remove(const Stmt& stmt, Activation& frame) {
  const ir::Type& type = *stmt.ref.type;
  const Address at = resolve(stmt.ref, frame);
  const std::int64_t slot = needed(*stmt.value, frame);
  if (!type.domain->contains(slot) || !occupied(type, at, static_cast<std::uint64_t>(slot)))
    fail(FailureKind::kIndex, "slot " + std::to_string(slot) + " of multiset " + stmt.ref.text + " is empty",
         stmt.where);
  ir::clear_bits(words_of(at), at.bit + static_cast<std::uint64_t>(slot) * type.stride(), type.stride());
}

void Machine::exec_multiset_remove_where(const Stmt& stmt, Activation& frame) {
  const ir::Type& type = *stmt.ref.type;
  const Address at = resolve(stmt.ref, frame);
  for (std::int64_t i = 0; i <= type.domain->hull().hi; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    if (!occupied(type, at, index))
      continue;
    frame.value(stmt.slot) = i;
    if (eval_truth(*stmt.value, frame))
      ir::clear_bits(words_of(at), at.bit + index * type.stride(), type.stride());
  }
}

void Machine::clear_object(const ir::Type& type, Word* words, std::uint64_t at) {
  switch (type.kind) {
    case ir::TypeKind::kSimple:
      ir::put_bits(words, at, type.domain->bits(), type.domain->encode(type.domain->hull().lo));
      break;
    case ir::TypeKind::kArray:
      for (std::uint64_t i = 0; i < type.domain->hull().size(); ++i)
        if (type.domain->contains(type.domain->hull().lo + static_cast<std::int64_t>(i)))
          clear_object(*type.element, words, at + i * type.stride());
      break;
    case ir::TypeKind::kRecord:
      for (const ir::Field& field : type.fields)
        clear_object(*field.type, words, at + field.offset);
      break;
    case ir::TypeKind::kMultiset:
      ir::clear_bits(words, at, type.bits);
      break;
  }
}

}  // namespace tideline::interp
