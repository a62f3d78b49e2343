// SPDX-License-Identifier: MIT
#include "ir/build.h"

#include <algorithm>

#include "base/check.h"

namespace tideline::ir {
namespace {

__extension__ using Wide = __int128;

constexpr Interval kAllValues{std::numeric_limits<std::int64_t>::min() + 1, std::numeric_limits<std::int64_t>::max()};
constexpr Interval kTruth{0, 1};

struct WideInterval {
  Wide lo = 0;
  Wide hi = 0;
};

WideInterval products(const Interval& a, const Interval& b) {
  const Wide all[] = {Wide{a.lo} * b.lo, Wide{a.lo} * b.hi, Wide{a.hi} * b.lo, Wide{a.hi} * b.hi};
  return {*std::min_element(std::begin(all), std::end(all)), *std::max_element(std::begin(all), std::end(all))};
}

Wide magnitude(const Interval& a) {
  const Wide low = a.lo;
  const Wide high = a.hi;
  return std::max(low < 0 ? -low : low, high < 0 ? -high : high);
}

// Monotone in each operand while the divisor keeps its sign; a divisor of either sign is 1 or -1 at worst.
WideInterval quotients(const Interval& a, const Interval& b) {
  if (b.lo <= 0 && b.hi >= 0) {
    const Wide most = magnitude(a);
    return {-most, most};
  }
  const Wide all[] = {Wide{a.lo} / b.lo, Wide{a.lo} / b.hi, Wide{a.hi} / b.lo, Wide{a.hi} / b.hi};
  return {*std::min_element(std::begin(all), std::end(all)), *std::max_element(std::begin(all), std::end(all))};
}

WideInterval remainders(const Interval& a, const Interval& b) {
  const Wide most = std::min(magnitude(a), std::max<Wide>(magnitude(b) - 1, 0));
  return {a.lo < 0 ? -most : 0, a.hi > 0 ? most : 0};
}

// Bounds of &: an operand that is not negative bounds the result.
WideInterval masked_results(const Interval& a, const Interval& b) {
  if (a.lo >= 0 && b.lo >= 0)
    return {0, std::min(a.hi, b.hi)};
  return {0, a.lo >= 0 ? a.hi : b.hi};
}

// Bounds of |, ^ and of & with two operands that may be negative: a power of two above both operands.
WideInterval bit_results(const Interval& a, const Interval& b) {
  Wide bound = 1;
  while (bound <= std::max(magnitude(a), magnitude(b)))
    bound *= 2;
  const bool negative = a.lo < 0 || b.lo < 0;
  return {negative ? -bound : 0, bound - 1};
}

WideInterval left_shifts(const Interval& a, const Interval& amount) {
  if (amount.lo < 0 || amount.hi > 62)
    return {Wide{kAllValues.lo} - 1, Wide{kAllValues.hi} + 1};
  return products(a, {1, std::int64_t{1} << amount.hi});
}

WideInterval result_range(ExprOp op, const Interval& a, const Interval& b) {
  switch (op) {
    case ExprOp::kAdd:
      return {Wide{a.lo} + b.lo, Wide{a.hi} + b.hi};
    case ExprOp::kSubtract:
      return {Wide{a.lo} - b.hi, Wide{a.hi} - b.lo};
    case ExprOp::kMultiply:
      return products(a, b);
    case ExprOp::kDivide:
      return quotients(a, b);
    case ExprOp::kModulo:
      return remainders(a, b);
    case ExprOp::kBitAnd:
      return a.lo >= 0 || b.lo >= 0 ? masked_results(a, b) : bit_results(a, b);
    case ExprOp::kBitOr:
    case ExprOp::kBitXor:
      return bit_results(a, b);
    case ExprOp::kShiftLeft:
      return left_shifts(a, b);
    case ExprOp::kShiftRight:
      return {std::min<Wide>(a.lo, a.lo < 0 ? -1 : 0), std::max<Wide>(a.hi, a.hi < 0 ? -1 : 0)};
    default:
      return {0, 1};  // logical operators and comparisons
  }
}

// Clips to 64 bits without kUndefined's pattern and notes that clipping was needed.
void set_range(Expr& expr, const WideInterval& range) {
  expr.may_overflow = range.lo < kAllValues.lo || range.hi > kAllValues.hi;
  expr.range.lo = static_cast<std::int64_t>(std::max<Wide>(range.lo, kAllValues.lo));
  expr.range.hi = static_cast<std::int64_t>(std::min<Wide>(range.hi, kAllValues.hi));
}

ExprPtr make(ExprOp op, Interval range, Location where) {
  auto expr = std::make_unique<Expr>();
  expr->op = op;
  expr->range = range;
  expr->where = where;
  return expr;
}

bool is_constant(const ExprPtr& expr) {
  return expr->op == ExprOp::kConstant;
}

// Folds an operator on two constants; null if it would fail or is not worth folding.
ExprPtr fold(ExprOp op, std::int64_t a, std::int64_t b, Location where) {
  Wide result = 0;
  switch (op) {
    case ExprOp::kAdd:
      result = Wide{a} + b;
      break;
    case ExprOp::kSubtract:
      result = Wide{a} - b;
      break;
    case ExprOp::kMultiply:
      result = Wide{a} * b;
      break;
    case ExprOp::kDivide:
      if (b == 0)
        return nullptr;
      result = Wide{a} / b;
      break;
    case ExprOp::kModulo:
      if (b == 0)
        return nullptr;
      result = Wide{a} % b;
      break;
    case ExprOp::kEqual:
      result = a == b;
      break;
    case ExprOp::kNotEqual:
      result = a != b;
      break;
    case ExprOp::kLess:
      result = a < b;
      break;
    case ExprOp::kLessEqual:
      result = a <= b;
      break;
    case ExprOp::kGreater:
      result = a > b;
      break;
    case ExprOp::kGreaterEqual:
      result = a >= b;
      break;
    case ExprOp::kAnd:
      result = (a != 0 && b != 0) ? 1 : 0;
      break;
    case ExprOp::kOr:
      result = (a != 0 || b != 0) ? 1 : 0;
      break;
    case ExprOp::kImplies:
      result = (a == 0 || b != 0) ? 1 : 0;
      break;
    default:
      return nullptr;
  }
  if (result < kAllValues.lo || result > kAllValues.hi)
    return nullptr;
  return make_constant(static_cast<std::int64_t>(result), where);
}

// `true & x` is x, `false & x` is false, and so on: sound for a constant *left* operand because of short circuit.
ExprPtr fold_left(ExprOp op, std::int64_t left, ExprPtr& right, Location where) {
  const bool truth = left != 0;
  if (op == ExprOp::kAnd)
    return truth ? std::move(right) : make_constant(0, where);
  if (op == ExprOp::kOr)
    return truth ? make_constant(1, where) : std::move(right);
  if (op == ExprOp::kImplies)
    return truth ? std::move(right) : make_constant(1, where);
  return nullptr;
}

LoopRange clone_loop(const LoopRange& loop) {
  LoopRange copy;
  copy.domain = loop.domain;
  copy.from = loop.from ? clone(*loop.from) : nullptr;
  copy.to = loop.to ? clone(*loop.to) : nullptr;
  copy.by = loop.by ? clone(*loop.by) : nullptr;
  return copy;
}

}  // namespace

ExprPtr make_constant(std::int64_t value, Location where) {
  ExprPtr expr = make(ExprOp::kConstant, {value, value}, where);
  expr->constant = value;
  return expr;
}

ExprPtr make_undefined(Location where) {
  ExprPtr expr = make(ExprOp::kUndefinedValue, {0, 0}, where);
  expr->may_be_undefined = true;
  return expr;
}

ExprPtr make_read(Ref ref, bool checked, Location where) {
  CHECK(ref.type->is_simple());
  ExprPtr expr = make(ExprOp::kRead, ref.type->domain->hull(), where);
  expr->checked = checked;
  expr->may_be_undefined = !checked && ref.type->domain->has_undefined;
  expr->refs.push_back(std::move(ref));
  return expr;
}

ExprPtr make_unary(ExprOp op, ExprPtr operand, Location where) {
  const Interval range = operand->range;
  if (op == ExprOp::kNot) {
    if (is_constant(operand))
      return make_constant(operand->constant == 0 ? 1 : 0, where);
    ExprPtr expr = make(op, kTruth, where);
    expr->args.push_back(std::move(operand));
    return expr;
  }
  if (op == ExprOp::kNegate && is_constant(operand) && operand->constant != kUndefined)
    return make_constant(-operand->constant, where);
  ExprPtr expr = make(op, range, where);
  if (op == ExprOp::kNegate)
    set_range(*expr, {-Wide{range.hi}, -Wide{range.lo}});
  else
    set_range(*expr, {-Wide{range.hi} - 1, -Wide{range.lo} - 1});
  expr->args.push_back(std::move(operand));
  return expr;
}

ExprPtr make_binary(ExprOp op, ExprPtr left, ExprPtr right, Location where) {
  if (is_constant(left)) {
    if (is_constant(right)) {
      if (ExprPtr folded = fold(op, left->constant, right->constant, where))
        return folded;
    } else if (ExprPtr folded = fold_left(op, left->constant, right, where)) {
      return folded;
    }
  }
  ExprPtr expr = make(op, kTruth, where);
  set_range(*expr, result_range(op, left->range, right->range));
  expr->args.push_back(std::move(left));
  expr->args.push_back(std::move(right));
  return expr;
}

ExprPtr make_conditional(ExprPtr condition, ExprPtr then, ExprPtr otherwise, Location where) {
  if (is_constant(condition))
    return condition->constant != 0 ? std::move(then) : std::move(otherwise);
  Interval range{std::min(then->range.lo, otherwise->range.lo), std::max(then->range.hi, otherwise->range.hi)};
  if (then->op == ExprOp::kUndefinedValue)
    range = otherwise->range;
  else if (otherwise->op == ExprOp::kUndefinedValue)
    range = then->range;
  ExprPtr expr = make(ExprOp::kConditional, range, where);
  expr->may_be_undefined = then->may_be_undefined || otherwise->may_be_undefined;
  expr->args.push_back(std::move(condition));
  expr->args.push_back(std::move(then));
  expr->args.push_back(std::move(otherwise));
  return expr;
}

ExprPtr make_quantifier(ExprOp op, SlotIndex slot, LoopRange loop, ExprPtr body, Location where) {
  CHECK(op == ExprOp::kForall || op == ExprOp::kExists);
  ExprPtr expr = make(op, kTruth, where);
  expr->slot = slot;
  expr->loop = std::move(loop);
  expr->args.push_back(std::move(body));
  return expr;
}

ExprPtr make_is_undefined(Ref ref, Location where) {
  ExprPtr expr = make(ExprOp::kIsUndefined, kTruth, where);
  expr->refs.push_back(std::move(ref));
  return expr;
}

ExprPtr make_in_domain(ExprPtr operand, const Domain* domain, Location where) {
  ExprPtr expr = make(ExprOp::kInDomain, kTruth, where);
  expr->domain = domain;
  expr->args.push_back(std::move(operand));
  return expr;
}

ExprPtr make_multiset_count(Ref multiset, SlotIndex slot, ExprPtr body, Location where) {
  CHECK(multiset.type->kind == TypeKind::kMultiset);
  ExprPtr expr = make(ExprOp::kMultisetCount, {0, multiset.type->domain->hull().hi + 1}, where);
  expr->slot = slot;
  expr->refs.push_back(std::move(multiset));
  expr->args.push_back(std::move(body));
  return expr;
}

ExprPtr make_same_bits(Ref left, Ref right, Location where) {
  CHECK(left.type->same_layout(*right.type));
  ExprPtr expr = make(ExprOp::kSameBits, kTruth, where);
  expr->refs.push_back(std::move(left));
  expr->refs.push_back(std::move(right));
  return expr;
}

ExprPtr make_call(const Function* callee, std::vector<Argument> arguments, bool result_may_be_undefined,
                  Location where) {
  ExprPtr expr = make(ExprOp::kCall, callee->result != nullptr ? callee->result->hull() : Interval{0, 0}, where);
  expr->callee = callee;
  expr->arguments = std::move(arguments);
  expr->may_be_undefined = result_may_be_undefined;
  return expr;
}

Ref make_state_ref(const Variable& variable, Location where) {
  Ref ref;
  ref.root = Root::kState;
  ref.offset = variable.offset;
  ref.type = variable.type;
  ref.text = variable.name;
  ref.where = where;
  return ref;
}

Ref make_local_ref(const Frame& frame, SlotIndex slot, Location where) {
  const Local& local = frame.locals[slot];
  Ref ref;
  ref.root = local.kind == LocalKind::kAlias ? Root::kAlias : Root::kLocal;
  ref.slot = slot;
  ref.type = local.type;
  ref.text = local.name;
  ref.where = where;
  return ref;
}

void append_field(Ref& ref, const Field& field) {
  ref.offset += field.offset;
  ref.type = field.type;
  ref.text += "." + field.name;
}

void append_subscript(Ref& ref, ExprPtr index, Location where) {
  const Type& type = *ref.type;
  CHECK(type.kind == TypeKind::kArray || type.kind == TypeKind::kMultiset);
  const bool is_slot = type.kind == TypeKind::kMultiset;
  if (!is_slot && is_constant(index) && type.domain->contains(index->constant)) {
    ref.text += "[" + type.domain->show(index->constant) + "]";
    ref.offset += type.stride() * static_cast<std::uint64_t>(index->constant - type.domain->hull().lo);
    ref.type = type.element;
    return;
  }
  ref.text += index->op == ExprOp::kRead ? "[" + index->refs[0].text + "]" : std::string("[...]");
  Subscript subscript;
  subscript.index = std::move(index);
  subscript.domain = type.domain;
  subscript.stride = type.stride();
  subscript.is_slot = is_slot;
  subscript.offset_before = ref.offset;
  subscript.where = where;
  ref.offset = 0;
  ref.subscripts.push_back(std::move(subscript));
  ref.type = type.element;
}

ExprPtr clone(const Expr& expr) {
  auto copy = std::make_unique<Expr>();
  copy->op = expr.op;
  copy->range = expr.range;
  copy->may_be_undefined = expr.may_be_undefined;
  copy->checked = expr.checked;
  copy->may_overflow = expr.may_overflow;
  copy->where = expr.where;
  copy->constant = expr.constant;
  for (const ExprPtr& arg : expr.args)
    copy->args.push_back(clone(*arg));
  for (const Ref& ref : expr.refs)
    copy->refs.push_back(clone(ref));
  copy->slot = expr.slot;
  copy->loop = clone_loop(expr.loop);
  copy->domain = expr.domain;
  copy->callee = expr.callee;
  for (const Argument& argument : expr.arguments) {
    Argument copied;
    copied.value = argument.value ? clone(*argument.value) : nullptr;
    copied.ref = argument.ref ? std::make_unique<Ref>(clone(*argument.ref)) : nullptr;
    copy->arguments.push_back(std::move(copied));
  }
  return copy;
}

Ref clone(const Ref& ref) {
  Ref copy;
  copy.root = ref.root;
  copy.slot = ref.slot;
  for (const Subscript& subscript : ref.subscripts) {
    Subscript copied;
    copied.index = clone(*subscript.index);
    copied.domain = subscript.domain;
    copied.stride = subscript.stride;
    copied.is_slot = subscript.is_slot;
    copied.offset_before = subscript.offset_before;
    copied.where = subscript.where;
    copy.subscripts.push_back(std::move(copied));
  }
  copy.offset = ref.offset;
  copy.type = ref.type;
  copy.text = ref.text;
  copy.where = ref.where;
  return copy;
}

}  // namespace tideline::ir
