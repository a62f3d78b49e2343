// SPDX-License-Identifier: MIT
// Runs each start rule once with sets instead of values: which simple parts have surely been given a defined value. A
// loop over a whole domain is run once; a subscript that is its variable then stands for all elements (the loop's
// *token*), if no other subscript of the reference is the same variable. What is undefined inside a loop, other than
// the element of the current turn, counts as undefined after the loop, too, since a later turn may have done it.
//
// Gives up (and then nothing is known) beyond a fixed amount of work.
#include "ir/defined_parts.h"

#include <algorithm>
#include <optional>

#include "ir/walk.h"

namespace tideline::ir {
namespace {

constexpr std::uint64_t kWorkMax = 100'000'000;  // bits marked or copied
constexpr unsigned kCallDepthMax = 16;

using Token = std::uint32_t;  // 0: none

// A variable of a loop over all values of some intervals.
struct Loop {
  Token token = 0;
  std::vector<Interval> values;
};

// Start address and, for each subscript that runs over all elements, where they are.
struct Dimension {
  Token token = 0;
  const Domain* domain = nullptr;
  std::uint64_t stride = 0;
};
struct Place {
  std::uint64_t base = 0;
  std::vector<Dimension> dimensions;
};

// What is known about the slots of one activation.
struct Slots {
  std::vector<Loop> loops;                   // token 0: not a loop variable
  std::vector<bool> defined;                 // never undefined
  std::vector<std::optional<Place>> places;  // aliases
  explicit Slots(const Frame& frame)
      : loops(frame.locals.size()), defined(frame.locals.size(), false), places(frame.locals.size()) {}
};

class StartRun {
 public:
  StartRun(const Program& program, const Analysis& analysis)
      : program_(program), analysis_(analysis), assigned_(program.state_bits, false) {}

  // Null if it was too much work.
  std::optional<std::vector<bool>> run(const Rule& start) {
    Slots slots(start.frame);
    for (const Binding& binding : start.bindings) {
      if (binding.kind == BindingKind::kAlias)
        slots.places[binding.slot] = place_of(binding.ref, slots);
      else
        slots.defined[binding.slot] = binding.kind != BindingKind::kValue || is_defined(*binding.value, slots);
    }
    run_body(start.body, start.frame, slots);
    if (work_ > kWorkMax)
      return std::nullopt;
    return assigned_;
  }

 private:
  // A set of assigned parts; `dead` if control cannot come here, which is as good as everything being assigned.
  void meet(std::vector<bool>& into, bool& into_dead, const std::vector<bool>& other, bool other_dead) {
    work_ += assigned_.size() / 64 + 1;
    if (other_dead)
      return;
    if (into_dead) {
      into = other;
    } else {
      for (std::size_t i = 0; i < into.size(); ++i)
        into[i] = into[i] && other[i];
    }
    into_dead = false;
  }

  bool is_defined(const Expr& expr, const Slots& slots) const {
    if (expr.op == ExprOp::kRead && !expr.checked && expr.refs[0].root == Root::kLocal)
      return slots.defined[expr.refs[0].slot];
    return !expr.may_be_undefined;
  }

  // The variable of a loop that runs over all of `domain`, if that is what the expression is.
  static const Loop* loop_over(const Expr& index, const Domain& domain, const Slots& slots) {
    if (index.op != ExprOp::kRead || index.refs[0].root != Root::kLocal)
      return nullptr;
    const Loop& loop = slots.loops[index.refs[0].slot];
    const bool all =
        loop.token != 0 && std::all_of(domain.parts.begin(), domain.parts.end(), [&](const Interval& part) {
          return std::any_of(loop.values.begin(), loop.values.end(),
                             [&](const Interval& values) { return values.contains(part); });
        });
    return all ? &loop : nullptr;
  }

  std::optional<Place> place_of(const Ref& ref, const Slots& slots) const {
    Place place;
    if (ref.root == Root::kLocal || (ref.root == Root::kAlias && !slots.places[ref.slot]))
      return std::nullopt;
    if (ref.root == Root::kAlias)
      place = *slots.places[ref.slot];
    for (const Subscript& subscript : ref.subscripts) {
      place.base += subscript.offset_before;
      const Loop* loop = loop_over(*subscript.index, *subscript.domain, slots);
      if (subscript.is_slot || loop == nullptr)
        return std::nullopt;
      if (std::any_of(place.dimensions.begin(), place.dimensions.end(),
                      [loop](const Dimension& dimension) { return dimension.token == loop->token; }))
        return std::nullopt;
      place.dimensions.push_back({loop->token, subscript.domain, subscript.stride});
    }
    place.base += ref.offset;
    return place;
  }

  // Calls set_part for every simple part of an object of the type, in all elements.
  template <typename SetPart>
  void for_each_element(const Type& type, std::uint64_t at, const SetPart& set_part) {
    if (++work_ > kWorkMax)
      return;
    switch (type.kind) {
      case TypeKind::kSimple:
        if (type.bits > 0)
          set_part(at);
        break;
      case TypeKind::kArray:
        for (const Interval& part : type.domain->parts)
          for (std::int64_t v = part.lo; v <= part.hi && work_ <= kWorkMax; ++v)
            for_each_element(*type.element, at + static_cast<std::uint64_t>(v - type.domain->hull().lo) * type.stride(),
                             set_part);
        break;
      case TypeKind::kRecord:
        for (const Field& field : type.fields)
          for_each_element(*field.type, at + field.offset, set_part);
        break;
      case TypeKind::kMultiset:
        break;
    }
  }

  void set_place(const Place& place, std::size_t dimension, std::uint64_t at, const Type& type, bool value) {
    if (dimension == place.dimensions.size()) {
      for_each_element(type, at, [&](std::uint64_t bit) { assigned_[bit] = value; });
      return;
    }
    const Dimension& along = place.dimensions[dimension];
    for (const Interval& part : along.domain->parts)
      for (std::int64_t v = part.lo; v <= part.hi && work_ <= kWorkMax; ++v)
        set_place(place, dimension + 1, at + static_cast<std::uint64_t>(v - along.domain->hull().lo) * along.stride,
                  type, value);
  }

  void forget(const Region& region) {
    work_ += region.end - region.begin;
    std::fill(assigned_.begin() + static_cast<std::ptrdiff_t>(region.begin),
              assigned_.begin() + static_cast<std::ptrdiff_t>(region.end), false);
    forgotten_.push_back({region, {}});
  }

  // The object may have become undefined.
  void undefine(const Ref& ref, const Frame& frame, const Slots& slots) {
    if (const auto place = place_of(ref, slots)) {
      set_place(*place, 0, place->base, *ref.type, false);
      std::set<Token> tokens;
      for (const Dimension& dimension : place->dimensions)
        tokens.insert(dimension.token);
      forgotten_.push_back({analysis_.target_of(ref, frame).region, std::move(tokens)});
      return;
    }
    const Target target = analysis_.target_of(ref, frame);
    if (target.anywhere)
      forget({0, program_.state_bits});
    else if (target.region.begin != target.region.end)
      forget(target.region);
  }

  // Everything that code may undefine, in any order.
  void forget_all(const Block& block, const Frame& frame) {
    const Slots nothing(frame);
    for_each_stmt(block, [&](const Stmt& stmt) {
      const bool undefines = stmt.kind == StmtKind::kUndefine || stmt.kind == StmtKind::kCopy ||
                             (stmt.kind == StmtKind::kAssign && !is_defined(*stmt.value, nothing));
      if (undefines)
        undefine(stmt.ref, frame, nothing);
    });
    for_each_expr(block, [&](const Expr& expr) { forget_call(expr); });
  }

  void forget_call(const Expr& expr) {
    if (expr.op != ExprOp::kCall || ++work_ > kWorkMax || forgetting_.contains(expr.callee))
      return;
    forgetting_.insert(expr.callee);
    forget_all(expr.callee->body, expr.callee->frame);
    forgetting_.erase(expr.callee);
  }

  // Runs a body to its end or its returns.
  void run_body(const Block& body, const Frame& frame, Slots& slots) {
    const std::vector<bool> outer = std::move(returned_);
    const bool outer_dead = returned_dead_;
    returned_ = {};
    returned_dead_ = true;
    run_block(body, frame, slots);
    meet(assigned_, dead_, returned_, returned_dead_);
    returned_ = outer;
    returned_dead_ = outer_dead;
  }

  void run_block(const Block& block, const Frame& frame, Slots& slots) {
    for (const auto& stmt : block) {
      if (dead_ || work_ > kWorkMax)
        return;
      run_stmt(*stmt, frame, slots);
    }
  }

  void run_stmt(const Stmt& stmt, const Frame& frame, Slots& slots) {
    if (stmt.kind != StmtKind::kCall && stmt.kind != StmtKind::kPut)
      for_each_operand(
          stmt, [&](const Expr& operand) { for_each_expr(operand, [&](const Expr& expr) { forget_call(expr); }); });
    switch (stmt.kind) {
      case StmtKind::kAssign:
        if (!is_defined(*stmt.value, slots)) {
          undefine(stmt.ref, frame, slots);
          break;
        }
        [[fallthrough]];
      case StmtKind::kClear:
        if (const auto place = place_of(stmt.ref, slots))
          set_place(*place, 0, place->base, *stmt.ref.type, true);
        break;
      case StmtKind::kCopy:
      case StmtKind::kUndefine:
        undefine(stmt.ref, frame, slots);
        break;
      case StmtKind::kIf:
        run_if(stmt, frame, slots);
        break;
      case StmtKind::kFor:
        run_for(stmt, frame, slots);
        break;
      case StmtKind::kWhile:
        forget_all(stmt.body, frame);
        note_returns(stmt.body);
        break;
      case StmtKind::kReturn:
        meet(returned_, returned_dead_, assigned_, dead_);
        dead_ = true;
        break;
      case StmtKind::kError:
        dead_ = true;
        break;
      case StmtKind::kBind:
        slots.places[stmt.slot] = place_of(stmt.ref, slots);
        break;
      case StmtKind::kCall:
        run_call(*stmt.value, slots);
        break;
      default:
        break;
    }
  }

  // Code that was not run in order may have returned: nothing after it is sure any more.
  void note_returns(const Block& block) {
    for_each_stmt(block, [this](const Stmt& stmt) {
      if (stmt.kind == StmtKind::kReturn)
        meet(returned_, returned_dead_, assigned_, false);
    });
  }

  void run_if(const Stmt& stmt, const Frame& frame, Slots& slots) {
    const std::vector<bool> before = assigned_;
    work_ += before.size() / 64 + 1;
    run_block(stmt.body, frame, slots);
    const std::vector<bool> then = std::move(assigned_);
    const bool then_dead = dead_;
    assigned_ = before;
    dead_ = false;
    run_block(stmt.other, frame, slots);
    meet(assigned_, dead_, then, then_dead);
  }

  void run_for(const Stmt& stmt, const Frame& frame, Slots& slots) {
    std::vector<Interval> values;
    if (stmt.loop.domain != nullptr) {
      values = stmt.loop.domain->parts;
    } else if (stmt.loop.from->op == ExprOp::kConstant && stmt.loop.to->op == ExprOp::kConstant && !stmt.loop.by) {
      if (stmt.loop.to->constant < stmt.loop.from->constant)
        return;
      values.push_back({stmt.loop.from->constant, stmt.loop.to->constant});
    } else {
      forget_all(stmt.body, frame);
      note_returns(stmt.body);
      return;
    }
    const Token token = ++last_token_;
    slots.loops[stmt.slot] = {token, std::move(values)};
    slots.defined[stmt.slot] = true;
    const std::size_t forgotten_before = forgotten_.size();
    const std::vector<bool> before = assigned_;
    run_block(stmt.body, frame, slots);
    slots.loops[stmt.slot] = {};
    // A turn may end by a return before later turns have done their part.
    bool returns = false;
    for_each_stmt(stmt.body, [&returns](const Stmt& inner) { returns = returns || inner.kind == StmtKind::kReturn; });
    if (returns) {
      assigned_ = before;
      forget_all(stmt.body, frame);
      dead_ = false;
      meet(returned_, returned_dead_, assigned_, false);
    }
    for (std::size_t i = forgotten_before; i < forgotten_.size(); ++i) {
      const Region region = forgotten_[i].region;
      if (!forgotten_[i].tokens.contains(token))
        std::fill(assigned_.begin() + static_cast<std::ptrdiff_t>(region.begin),
                  assigned_.begin() + static_cast<std::ptrdiff_t>(region.end), false);
      work_ += (region.end - region.begin) / 64 + 1;
    }
  }

  void run_call(const Expr& call, Slots& slots) {
    const Function& callee = *call.callee;
    for_each_operand(
        call, [this](const Expr& operand) { for_each_expr(operand, [this](const Expr& expr) { forget_call(expr); }); });
    if (callee.is_recursive || depth_ == kCallDepthMax) {
      forget_call(call);
      return;
    }
    Slots inner(callee.frame);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const Argument& argument = call.arguments[i];
      if (callee.frame.locals[i].kind == LocalKind::kAlias)
        inner.places[i] = place_of(*argument.ref, slots);
      if (callee.frame.locals[i].kind != LocalKind::kValue)
        continue;
      inner.defined[i] = is_defined(*argument.value, slots) && !is_assigned(callee, static_cast<SlotIndex>(i));
      if (inner.defined[i] && argument.value->op == ExprOp::kRead && argument.value->refs[0].root == Root::kLocal)
        inner.loops[i] = slots.loops[argument.value->refs[0].slot];
    }
    ++depth_;
    run_body(callee.body, callee.frame, inner);
    --depth_;
  }

  static bool is_assigned(const Function& function, SlotIndex slot) {
    bool found = false;
    for_each_stmt(function.body, [&](const Stmt& stmt) {
      const bool writes =
          stmt.kind == StmtKind::kAssign || stmt.kind == StmtKind::kUndefine || stmt.kind == StmtKind::kClear;
      found = found || (writes && stmt.ref.root == Root::kLocal && stmt.ref.slot == slot);
    });
    return found;
  }

  // Where something was undefined, and which loops' current elements only (all of them: no token).
  struct Forgotten {
    Region region;
    std::set<Token> tokens;
  };

  const Program& program_;
  const Analysis& analysis_;
  std::vector<bool> assigned_;  // by the first bit of a part
  bool dead_ = false;
  std::vector<bool> returned_;  // over the returns of the current body
  bool returned_dead_ = true;
  std::vector<Forgotten> forgotten_;
  std::set<const Function*> forgetting_;
  Token last_token_ = 0;
  unsigned depth_ = 0;
  std::uint64_t work_ = 0;
};

// Every first bit of a simple part, with all elements of arrays.
template <typename Visit>
void for_each_concrete_part(const Type& type, std::uint64_t at, const Visit& visit) {
  switch (type.kind) {
    case TypeKind::kSimple:
      visit(at, type);
      break;
    case TypeKind::kArray:
      for (const Interval& part : type.domain->parts)
        for (std::int64_t v = part.lo; v <= part.hi; ++v)
          for_each_concrete_part(*type.element,
                                 at + static_cast<std::uint64_t>(v - type.domain->hull().lo) * type.stride(), visit);
      break;
    case TypeKind::kRecord:
      for (const Field& field : type.fields)
        for_each_concrete_part(*field.type, at + field.offset, visit);
      break;
    case TypeKind::kMultiset:
      break;
  }
}

}  // namespace

std::set<std::uint64_t> surely_assigned_parts(const Program& program, const Analysis& analysis) {
  std::set<std::uint64_t> parts;
  for (const Variable& variable : program.variables)
    for_each_part(*variable.type, variable.offset, [&parts](std::uint64_t bit, const Type& type) {
      if (type.domain->has_undefined)
        parts.insert(bit);
    });
  if (program.starts.empty())
    return {};
  for (const Rule& start : program.starts) {
    const auto assigned = StartRun(program, analysis).run(start);
    if (!assigned)
      return {};
    for (const Variable& variable : program.variables)
      for_each_concrete_part(*variable.type, variable.offset, [&](std::uint64_t bit, const Type& type) {
        if (type.domain->has_undefined && !(*assigned)[bit])
          parts.erase(analysis.canonical_bit(bit));
      });
  }
  return parts;
}

}  // namespace tideline::ir
