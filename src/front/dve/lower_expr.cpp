// SPDX-License-Identifier: MIT
#include "front/dve/lower_expr.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "front/dve/simplify.h"

namespace tideline::dve {
namespace {

using ir::ExprOp;
using ir::ExprPtr;

// Nodes from which on an expression that is used twice becomes a function: a call is dearer than a few comparisons.
constexpr std::uint32_t kSharedNodesMin = 24;
constexpr int kPackedBits = 62;  // of a constant array's elements in one number

ExprOp operator_of(Op op) {
  switch (op) {
    case Op::kAdd:
      return ExprOp::kAdd;
    case Op::kSubtract:
      return ExprOp::kSubtract;
    case Op::kMultiply:
      return ExprOp::kMultiply;
    case Op::kDivide:
      return ExprOp::kDivide;
    case Op::kModulo:
      return ExprOp::kModulo;
    case Op::kBitAnd:
      return ExprOp::kBitAnd;
    case Op::kBitOr:
      return ExprOp::kBitOr;
    case Op::kBitXor:
      return ExprOp::kBitXor;
    case Op::kShiftLeft:
      return ExprOp::kShiftLeft;
    case Op::kShiftRight:
      return ExprOp::kShiftRight;
    case Op::kLess:
      return ExprOp::kLess;
    case Op::kLessEqual:
      return ExprOp::kLessEqual;
    case Op::kGreater:
      return ExprOp::kGreater;
    case Op::kGreaterEqual:
      return ExprOp::kGreaterEqual;
    case Op::kEqual:
      return ExprOp::kEqual;
    case Op::kNotEqual:
      return ExprOp::kNotEqual;
    case Op::kAnd:
      return ExprOp::kAnd;
    case Op::kOr:
      return ExprOp::kOr;
    case Op::kImply:
      return ExprOp::kImplies;
    default:
      CHECK(false);
  }
}

}  // namespace

ExprLowering::ExprLowering(const Model& model, const Layout& layout, ir::Program& program)
    : model_(model), layout_(layout), program_(program), fails_(failing_expressions(model)) {
  count_uses();
}

void ExprLowering::count_uses() {
  std::vector<std::uint32_t> uses(model_.exprs.size(), 0);
  const auto use = [&uses](ExprId id) {
    if (id != kNothing)
      ++uses[id];
  };
  for (const Expr& expr : model_.exprs) {
    use(expr.left);
    use(expr.right);
  }
  for (const Process& process : model_.processes) {
    for (const Transition& transition : process.transitions) {
      use(transition.guard);
      // A guard of a synchronised transition is a part of several rules.
      if (transition.sync != SyncKind::kNone)
        use(transition.guard);
      for (const Assignment& effect : transition.effects)
        use(effect.value);
    }
  }
  std::vector<std::uint32_t> nodes(model_.exprs.size(), 0);
  is_shared_.assign(model_.exprs.size(), false);
  for (ExprId id = 0; id < model_.exprs.size(); ++id) {
    nodes[id] = 1;
    for (const ExprId operand : {model_.exprs[id].left, model_.exprs[id].right})
      if (operand != kNothing)
        nodes[id] += is_shared_[operand] ? 1 : nodes[operand];
    is_shared_[id] = uses[id] > 1 && nodes[id] >= kSharedNodesMin;
  }
}

const ir::Domain* ExprLowering::domain(ir::Interval values) {
  ir::Domain made;
  made.kind = ir::DomainKind::kRange;
  made.parts = {values};
  made.has_undefined = false;
  return ir::add_domain(program_, std::move(made));
}

ExprPtr ExprLowering::value(ExprId id) {
  if (is_shared_[id] && overrides_.empty())
    return ir::make_call(&shared(id), {}, false, model_.exprs[id].where);
  return inside(id);
}

ExprPtr ExprLowering::truth(ExprId id) {
  if (is_boolean(model_, id))
    return value(id);
  const Location where = model_.exprs[id].where;
  return ir::make_binary(ExprOp::kNotEqual, value(id), ir::make_constant(0, where), where);
}

const ir::Function& ExprLowering::shared(ExprId id) {
  const ir::Function*& function = functions_[id];
  if (function == nullptr) {
    ExprPtr result = inside(id);
    ir::Function& made = program_.functions.emplace_back();
    made.name = "shared expression " + std::to_string(program_.functions.size());
    made.where = model_.exprs[id].where;
    made.result = domain(result->range);
    auto statement = std::make_unique<ir::Stmt>();
    statement->kind = ir::StmtKind::kReturn;
    statement->where = made.where;
    statement->value = std::move(result);
    made.body.push_back(std::move(statement));
    functions_[id] = &made;  // `function` may have moved: inside() adds entries
    return made;
  }
  return *function;
}

ExprPtr ExprLowering::inside(ExprId id) {
  const Expr& expr = model_.exprs[id];
  switch (expr.op) {
    case Op::kNumber:
      return ir::make_constant(expr.value, expr.where);
    case Op::kVariable:
      if (const auto slot = overrides_.variables.find(expr.variable); slot != overrides_.variables.end())
        return slot_read(slot->second, expr.where);
      if (layout_.variables[expr.variable] == kNothing)
        return ir::make_constant(layout_.types[expr.variable]->domain->hull().lo, expr.where);
      return ir::make_read(place(expr.variable, nullptr, expr.where), true, expr.where);
    case Op::kElement:
      return element(expr);
    case Op::kInState:
      return in_state(expr.process, expr.state, expr.where);
    case Op::kNot:
      return ir::make_unary(ExprOp::kNot, truth(expr.left), expr.where);
    case Op::kMinus:
      return wrap(ir::make_unary(ExprOp::kNegate, value(expr.left), expr.where), kInt32);
    case Op::kComplement:
      return ir::make_unary(ExprOp::kComplement, value(expr.left), expr.where);
    case Op::kAnd:
    case Op::kOr:
    case Op::kImply:
      return logic(expr);
    case Op::kShiftLeft:
    case Op::kShiftRight:
      return shift(expr);
    default:
      return operation(expr);
  }
}

ExprPtr ExprLowering::operation(const Expr& expr) {
  return wrap(ir::make_binary(operator_of(expr.op), value(expr.left), value(expr.right), expr.where), kInt32);
}

ExprPtr ExprLowering::logic(const Expr& expr) {
  return ir::make_binary(operator_of(expr.op), truth(expr.left), truth(expr.right), expr.where);
}

// The amount modulo 32, as the processors do it that DiVinE ran on.
ExprPtr ExprLowering::shift(const Expr& expr) {
  ExprPtr amount = value(expr.right);
  if (amount->range.lo < 0 || amount->range.hi > 31)
    amount = ir::make_binary(ExprOp::kBitAnd, std::move(amount), ir::make_constant(31, expr.where), expr.where);
  return wrap(ir::make_binary(operator_of(expr.op), value(expr.left), std::move(amount), expr.where), kInt32);
}

ExprPtr ExprLowering::in_state(ProcessId process, StateId state, Location where) {
  if (const auto slot = overrides_.locations.find(process); slot != overrides_.locations.end())
    return ir::make_binary(ExprOp::kEqual, slot_read(slot->second, where), ir::make_constant(state, where), where);
  if (layout_.locations[process] == kNothing)
    return ir::make_constant(state == model_.processes[process].initial ? 1 : 0, where);
  return ir::make_binary(ExprOp::kEqual, location(process, where), ir::make_constant(state, where), where);
}

ExprPtr ExprLowering::location(ProcessId process, Location where) {
  const std::uint32_t variable = layout_.locations[process];
  if (variable == kNothing)
    return ir::make_constant(0, where);
  return ir::make_read(ir::make_state_ref(program_.variables[variable], where), true, where);
}

ir::Ref ExprLowering::place(VariableId variable, ExprPtr index, Location where) {
  const auto slot = overrides_.variables.find(variable);
  ir::Ref ref = slot != overrides_.variables.end()
                    ? ir::make_local_ref(*overrides_.frame, slot->second, where)
                    : ir::make_state_ref(program_.variables[layout_.variables[variable]], where);
  if (index != nullptr)
    ir::append_subscript(ref, std::move(index), where);
  return ref;
}

ExprPtr ExprLowering::element(const Expr& expr) {
  if (model_.variables[expr.variable].is_constant || layout_.variables[expr.variable] == kNothing)
    return constant_element(expr);
  return ir::make_read(place(expr.variable, value(expr.left), expr.where), true, expr.where);
}

ExprPtr ExprLowering::constant_element(const Expr& expr) {
  std::vector<ir::Argument> arguments(1);
  arguments[0].value = value(expr.left);
  const auto size = static_cast<std::int64_t>(model_.variables[expr.variable].initial.size());
  const bool is_checked = !ir::Interval{0, size - 1}.contains(arguments[0].value->range);
  const Location where = is_checked ? expr.where : model_.variables[expr.variable].where;
  return ir::make_call(&constant_array(expr.variable, is_checked, where), std::move(arguments), false, expr.where);
}

// A function that checks its index fails at `where`: each place has its own.
const ir::Function& ExprLowering::constant_array(VariableId variable, bool is_checked, Location where) {
  const ir::Function*& known = arrays_[{variable, is_checked, where.line, where.column}];
  if (known != nullptr)
    return *known;
  const std::vector<std::int64_t>& values = model_.variables[variable].initial;
  const auto size = static_cast<std::int64_t>(values.size());
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  ir::Function& made = program_.functions.emplace_back();
  made.name = model_.variables[variable].name;
  made.where = where;
  made.result = domain({*least, *most});
  const ir::Interval indices{0, size - 1};
  made.frame.locals.push_back(
      {"index", ir::add_simple_type(program_, domain(is_checked ? kInt32 : indices)), ir::LocalKind::kValue});
  made.param_count = 1;
  if (is_checked)
    check_index(made.body, made.frame, variable,
                ir::make_read(ir::make_local_ref(made.frame, 0, made.where), true, made.where));
  auto statement = std::make_unique<ir::Stmt>();
  statement->kind = ir::StmtKind::kReturn;
  statement->where = made.where;
  statement->value = packed_elements(variable, made.frame, 0, size);
  made.body.push_back(std::move(statement));
  return *(known = &made);
}

// Looks for the place of an element of an array that is made for that.
void ExprLowering::check_index(ir::Block& block, ir::Frame& frame, VariableId variable, ExprPtr index) {
  const auto size = static_cast<std::int64_t>(model_.variables[variable].initial.size());
  const Location where = index->where;
  const ir::Type* element = ir::add_simple_type(program_, domain({0, 1}));
  const ir::Type* array = ir::add_array_type(program_, domain({0, size - 1}), element);
  frame.locals.push_back({model_.variables[variable].name, array, ir::LocalKind::kPacked});
  const auto slot = static_cast<ir::SlotIndex>(frame.locals.size() - 1);
  frame.locals.push_back({"element", element, ir::LocalKind::kAlias});
  auto statement = std::make_unique<ir::Stmt>();
  statement->kind = ir::StmtKind::kBind;
  statement->where = where;
  statement->slot = slot + 1;
  statement->ref = ir::make_local_ref(frame, slot, where);
  ir::append_subscript(statement->ref, std::move(index), where);
  block.push_back(std::move(statement));
}

// As many elements as fit into one number, shifted by the index; halves of the array beyond that.
ExprPtr ExprLowering::packed_elements(VariableId variable, const ir::Frame& frame, std::int64_t first,
                                      std::int64_t count) {
  const std::vector<std::int64_t>& values = model_.variables[variable].initial;
  const Location where = model_.variables[variable].where;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(*most - *least)));
  const auto index = [&] { return ir::make_read(ir::make_local_ref(frame, 0, where), true, where); };
  if (width == 0)
    return ir::make_constant(*least, where);
  if (count * width > kPackedBits) {
    const std::int64_t half = count / 2;
    return ir::make_conditional(ir::make_binary(ExprOp::kLess, index(), ir::make_constant(first + half, where), where),
                                packed_elements(variable, frame, first, half),
                                packed_elements(variable, frame, first + half, count - half), where);
  }
  std::int64_t packed = 0;
  for (std::int64_t i = count; i-- > 0;)
    packed = packed << width | (values[static_cast<std::size_t>(first + i)] - *least);
  ExprPtr amount = ir::make_binary(ExprOp::kSubtract, index(), ir::make_constant(first, where), where);
  // The conditions around this say that the index is one of these elements; the mask says it to the checks.
  amount = ir::make_binary(
      ExprOp::kBitAnd, ir::make_binary(ExprOp::kMultiply, std::move(amount), ir::make_constant(width, where), where),
      ir::make_constant(63, where), where);
  ExprPtr code = ir::make_binary(
      ExprOp::kBitAnd, ir::make_binary(ExprOp::kShiftRight, ir::make_constant(packed, where), std::move(amount), where),
      ir::make_constant((std::int64_t{1} << width) - 1, where), where);
  return ir::make_binary(ExprOp::kAdd, std::move(code), ir::make_constant(*least, where), where);
}

ExprPtr ExprLowering::wrap(ExprPtr value, ir::Interval to) {
  if (to.contains(value->range))
    return value;
  const Location where = value->where;
  const auto mask = static_cast<std::int64_t>(to.size() - 1);
  ExprPtr low = ir::make_binary(
      ExprOp::kBitAnd, ir::make_binary(ExprOp::kSubtract, std::move(value), ir::make_constant(to.lo, where), where),
      ir::make_constant(mask, where), where);
  return ir::make_binary(ExprOp::kAdd, std::move(low), ir::make_constant(to.lo, where), where);
}

ExprPtr ExprLowering::slot_read(ir::SlotIndex slot, Location where) {
  return ir::make_read(ir::make_local_ref(*overrides_.frame, slot, where), true, where);
}

ExprPtr ExprLowering::failure(ExprId id) {
  if (!fails_[id])
    return nullptr;
  const Expr& expr = model_.exprs[id];
  ExprPtr operands = failure(expr.left);
  if (expr.right != kNothing) {
    ExprPtr right = failure(expr.right);
    if (right != nullptr && (expr.op == Op::kAnd || expr.op == Op::kImply))
      right = both(truth(expr.left), std::move(right));
    else if (right != nullptr && expr.op == Op::kOr)
      right = both(ir::make_unary(ExprOp::kNot, truth(expr.left), expr.where), std::move(right));
    operands = either(std::move(operands), std::move(right));
  }
  return either(std::move(operands), own_failure(expr));
}

// Of the operator, if its operands do not fail.
ExprPtr ExprLowering::own_failure(const Expr& expr) {
  const auto compare = [&](ExprOp op, ExprId operand, std::int64_t bound) {
    return ir::make_binary(op, value(operand), ir::make_constant(bound, expr.where), expr.where);
  };
  if (expr.op == Op::kDivide || expr.op == Op::kModulo)
    return compare(ExprOp::kEqual, expr.right, 0);
  if (expr.op != Op::kElement)
    return nullptr;
  const auto size = static_cast<std::int64_t>(model_.variables[expr.variable].initial.size());
  return either(compare(ExprOp::kLess, expr.left, 0), compare(ExprOp::kGreaterEqual, expr.left, size));
}

ExprPtr ExprLowering::either(ExprPtr left, ExprPtr right) {
  if (left == nullptr)
    return right;
  if (right == nullptr)
    return left;
  const Location where = left->where;
  return ir::make_binary(ExprOp::kOr, std::move(left), std::move(right), where);
}

ExprPtr ExprLowering::both(ExprPtr left, ExprPtr right) {
  if (left == nullptr)
    return right;
  if (right == nullptr)
    return left;
  const Location where = left->where;
  return ir::make_binary(ExprOp::kAnd, std::move(left), std::move(right), where);
}

}  // namespace tideline::dve
