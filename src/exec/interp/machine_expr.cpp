// SPDX-License-Identifier: MIT
// Frames, references and expressions; the rules are in ir/expr.h.
#include <algorithm>

#include "base/check.h"
#include "exec/interp/machine.h"
#include "ir/bits.h"

namespace tideline::interp {

using ir::Expr;
using ir::ExprOp;

void fail(FailureKind kind, std::string message, Location where) {
  throw Failure{kind, std::move(message), where};
}

Activation::Activation(const ir::Frame& frame) : frame_(&frame), slots_(frame.locals.size()) {
  std::uint64_t words = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (frame.locals[i].kind != ir::LocalKind::kPacked)
      continue;
    slots_[i].address.bit = words * 64;
    words += frame.locals[i].type->bits / 64 + 2;
  }
  storage_.resize(words);
}

void Activation::reset() {
  for (Slot& slot : slots_)
    slot.value = ir::kUndefined;
  std::fill(storage_.begin(), storage_.end(), Word{0});
}

Machine::Machine(const ir::Program& program) : program_(program), covered_(program.covers.size(), 0) {}

Address Machine::resolve(const ir::Ref& ref, Activation& frame) {
  Address address;
  if (ref.root == ir::Root::kAlias) {
    address = frame.alias(ref.slot);
  } else if (ref.root == ir::Root::kLocal) {
    CHECK(frame.kind(ref.slot) == ir::LocalKind::kPacked);
    address = frame.packed(ref.slot);
  }
  for (const ir::Subscript& subscript : ref.subscripts) {
    address.bit += subscript.offset_before;
    const std::int64_t index = eval(*subscript.index, frame);
    if (index == ir::kUndefined)
      fail(FailureKind::kUndefined, "the index of " + ref.text + " is undefined", subscript.where);
    if (!subscript.domain->contains(index))
      fail(FailureKind::kIndex,
           "index " + subscript.domain->show(index) + " of " + ref.text + " is outside " +
               subscript.domain->show_range(),
           subscript.where);
    const auto position = static_cast<std::uint64_t>(index - subscript.domain->hull().lo);
    address.bit += position * subscript.stride;
    if (subscript.is_slot && ir::get_bits(words_of(address), address.bit + subscript.stride - 1, 1) == 0)
      fail(FailureKind::kIndex, "slot " + std::to_string(index) + " of the multiset in " + ref.text + " is empty",
           subscript.where);
  }
  address.bit += ref.offset;
  return address;
}

bool Machine::occupied(const ir::Type& multiset, Address at, std::uint64_t index) const {
  return ir::get_bits(words_of(at), at.bit + (index + 1) * multiset.stride() - 1, 1) != 0;
}

std::int64_t Machine::load(const ir::Ref& ref, Activation& frame) {
  if (ref.root == ir::Root::kLocal && frame.kind(ref.slot) == ir::LocalKind::kValue)
    return frame.value(ref.slot);
  const Address address = resolve(ref, frame);
  const ir::Domain& domain = *ref.type->domain;
  return domain.decode(ir::get_bits(words_of(address), address.bit, domain.bits()));
}

std::int64_t Machine::needed(const Expr& expr, Activation& frame) {
  const std::int64_t value = eval(expr, frame);
  if (value == ir::kUndefined)
    fail(FailureKind::kUndefined, "an undefined value is used here", expr.where);
  return value;
}

std::int64_t Machine::eval(const Expr& expr, Activation& frame) {
  switch (expr.op) {
    case ExprOp::kConstant:
      return expr.constant;
    case ExprOp::kUndefinedValue:
      return ir::kUndefined;
    case ExprOp::kRead:
      return eval_read(expr, frame);
    case ExprOp::kNot:
      return needed(*expr.args[0], frame) == 0 ? 1 : 0;
    case ExprOp::kAnd:
      return (needed(*expr.args[0], frame) != 0 && needed(*expr.args[1], frame) != 0) ? 1 : 0;
    case ExprOp::kOr:
      return (needed(*expr.args[0], frame) != 0 || needed(*expr.args[1], frame) != 0) ? 1 : 0;
    case ExprOp::kImplies:
      return (needed(*expr.args[0], frame) == 0 || needed(*expr.args[1], frame) != 0) ? 1 : 0;
    case ExprOp::kConditional:
      return eval(needed(*expr.args[0], frame) != 0 ? *expr.args[1] : *expr.args[2], frame);
    case ExprOp::kEqual:
    case ExprOp::kNotEqual:
    case ExprOp::kLess:
    case ExprOp::kLessEqual:
    case ExprOp::kGreater:
    case ExprOp::kGreaterEqual:
      return eval_compare(expr, frame);
    case ExprOp::kForall:
    case ExprOp::kExists:
      return eval_quantifier(expr, frame);
    case ExprOp::kIsUndefined:
      return load(expr.refs[0], frame) == ir::kUndefined ? 1 : 0;
    case ExprOp::kInDomain: {
      const std::int64_t value = eval(*expr.args[0], frame);
      return value != ir::kUndefined && expr.domain->contains(value) ? 1 : 0;
    }
    case ExprOp::kMultisetCount:
      return eval_multiset_count(expr, frame);
    case ExprOp::kSameBits:
      return eval_same_bits(expr, frame);
    case ExprOp::kCall:
      return eval_call(expr, frame);
    default:
      return eval_arithmetic(expr, frame);
  }
}

std::int64_t Machine::eval_read(const Expr& expr, Activation& frame) {
  const std::int64_t value = load(expr.refs[0], frame);
  if (value == ir::kUndefined && expr.checked)
    fail(FailureKind::kUndefined, expr.refs[0].text + " is undefined", expr.where);
  return value;
}

std::int64_t Machine::eval_arithmetic(const Expr& expr, Activation& frame) {
  const std::int64_t a = needed(*expr.args[0], frame);
  const std::int64_t b = expr.args.size() > 1 ? needed(*expr.args[1], frame) : 0;
  std::int64_t result = 0;
  bool overflow = false;
  switch (expr.op) {
    case ExprOp::kNegate:
      overflow = __builtin_sub_overflow(std::int64_t{0}, a, &result);
      break;
    case ExprOp::kComplement:
      result = ~a;
      break;
    case ExprOp::kAdd:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case ExprOp::kSubtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case ExprOp::kMultiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case ExprOp::kDivide:
    case ExprOp::kModulo:
      if (b == 0)
        fail(FailureKind::kArithmetic, "division by zero", expr.where);
      if (b == -1)
        result = expr.op == ExprOp::kDivide ? -a : 0;  // a is never the least value: that is kUndefined
      else
        result = expr.op == ExprOp::kDivide ? a / b : a % b;
      break;
    case ExprOp::kBitAnd:
      result = a & b;
      break;
    case ExprOp::kBitOr:
      result = a | b;
      break;
    case ExprOp::kBitXor:
      result = a ^ b;
      break;
    case ExprOp::kShiftLeft:
      if (b < 0)
        fail(FailureKind::kArithmetic, "shift by a negative amount", expr.where);
      if (b < 63)
        overflow = __builtin_mul_overflow(a, std::int64_t{1} << b, &result);
      else
        overflow = a != 0;
      break;
    case ExprOp::kShiftRight:
      if (b < 0)
        fail(FailureKind::kArithmetic, "shift by a negative amount", expr.where);
      result = a >> std::min<std::int64_t>(b, 63);
      break;
    default:
      CHECK(false && "not an arithmetic operator");
  }
  if (overflow || result == ir::kUndefined)
    fail(FailureKind::kArithmetic, "the result does not fit 64 bits", expr.where);
  return result;
}

std::int64_t Machine::eval_compare(const Expr& expr, Activation& frame) {
  if (expr.op == ExprOp::kEqual || expr.op == ExprOp::kNotEqual) {
    const std::int64_t a = eval(*expr.args[0], frame);
    const std::int64_t b = eval(*expr.args[1], frame);
    return ((a == b) == (expr.op == ExprOp::kEqual)) ? 1 : 0;
  }
  const std::int64_t a = needed(*expr.args[0], frame);
  const std::int64_t b = needed(*expr.args[1], frame);
  switch (expr.op) {
    case ExprOp::kLess:
      return a < b ? 1 : 0;
    case ExprOp::kLessEqual:
      return a <= b ? 1 : 0;
    case ExprOp::kGreater:
      return a > b ? 1 : 0;
    default:
      return a >= b ? 1 : 0;
  }
}

std::int64_t Machine::eval_quantifier(const Expr& expr, Activation& frame) {
  const bool decisive = expr.op == ExprOp::kExists;  // the body's value that decides
  bool decided = false;
  for_each_value(expr.loop, expr.where, frame, [&](std::int64_t v) {
    frame.value(expr.slot) = v;
    decided = eval_truth(*expr.args[0], frame) == decisive;
    return !decided;
  });
  return decided == decisive ? 1 : 0;
}

std::int64_t Machine::eval_multiset_count(const Expr& expr, Activation& frame) {
  const ir::Ref& multiset = expr.refs[0];
  const Address at = resolve(multiset, frame);
  std::int64_t count = 0;
  for (std::int64_t i = 0; i <= multiset.type->domain->hull().hi; ++i) {
    if (!occupied(*multiset.type, at, static_cast<std::uint64_t>(i)))
      continue;
    frame.value(expr.slot) = i;
    count += eval_truth(*expr.args[0], frame) ? 1 : 0;
  }
  return count;
}

std::int64_t Machine::eval_same_bits(const Expr& expr, Activation& frame) {
  const Address a = resolve(expr.refs[0], frame);
  const Address b = resolve(expr.refs[1], frame);
  return ir::equal_bits(words_of(a), a.bit, words_of(b), b.bit, expr.refs[0].type->bits) ? 1 : 0;
}

void Machine::pass_argument(const ir::Function& callee, ir::SlotIndex slot, const ir::Argument& argument,
                            Activation& caller, Activation& callee_frame) {
  const ir::Local& parameter = callee.frame.locals[slot];
  if (parameter.kind == ir::LocalKind::kAlias) {
    callee_frame.alias(slot) = resolve(*argument.ref, caller);
    return;
  }
  if (argument.value) {
    const std::int64_t value = eval(*argument.value, caller);
    const ir::Domain& domain = *parameter.type->domain;
    if (value != ir::kUndefined && !domain.contains(value))
      fail(FailureKind::kRange,
           "value " + domain.show(value) + " is outside " + domain.show_range() + " of parameter " + parameter.name,
           argument.value->where);
    if (parameter.kind == ir::LocalKind::kValue) {
      callee_frame.value(slot) = value;
    } else {
      const Address to = callee_frame.packed(slot);
      ir::put_bits(to.base, to.bit, domain.bits(), domain.encode(value));
    }
    return;
  }
  const Address from = resolve(*argument.ref, caller);
  const Address to = callee_frame.packed(slot);
  ir::copy_bits(to.base, to.bit, words_of(from), from.bit, parameter.type->bits);
}

std::int64_t Machine::eval_call(const Expr& expr, Activation& frame) {
  const ir::Function& callee = *expr.callee;
  Activation callee_frame(callee.frame);
  for (std::size_t i = 0; i < expr.arguments.size(); ++i)
    pass_argument(callee, static_cast<ir::SlotIndex>(i), expr.arguments[i], frame, callee_frame);
  if (callee.is_recursive && ++depth_ > program_.recursion_limit)
    fail(FailureKind::kLimit,
         "more than " + std::to_string(program_.recursion_limit) + " nested calls of " + callee.name, expr.where);
  const Flow flow = exec_block(callee.body, callee_frame);
  if (callee.is_recursive)
    --depth_;
  if (callee.result == nullptr)
    return ir::kUndefined;
  if (flow != Flow::kReturn)
    fail(FailureKind::kNoReturn, "function " + callee.name + " ended without return", expr.where);
  if (result_ != ir::kUndefined && !callee.result->contains(result_))
    fail(FailureKind::kRange,
         "function " + callee.name + " returned " + callee.result->show(result_) + ", which is outside " +
             callee.result->show_range(),
         expr.where);
  return result_;
}

}  // namespace tideline::interp
