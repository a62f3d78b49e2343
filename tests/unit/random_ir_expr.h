// SPDX-License-Identifier: MIT
// Random expressions of the intermediate form, for random_ir.cpp: what can be read and how.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ir/build.h"
#include "ir/program.h"

namespace tideline::test {

using namespace ir;  // NOLINT(google-build-using-namespace): for tests that build IR

// Domains, types, references and expressions.
class RandomExprs {
 public:
  explicit RandomExprs(std::uint64_t seed) : random_(seed), program_(std::make_unique<Program>()) {}

 protected:
  // What the code being made can use.
  struct Scope {
    Frame* frame = nullptr;
    std::vector<SlotIndex> values;   // readable kValue slots
    std::vector<SlotIndex> packed;   // kPacked slots
    std::vector<SlotIndex> aliases;  // bound kAlias slots
    std::vector<SlotIndex> writable_values;
    bool may_write = false;  // may call functions that write
    const Function* self = nullptr;
    const Domain* result = nullptr;
    unsigned loops = 0;
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T>
  const T& any(const std::vector<T>& list) {
    return list[below(static_cast<unsigned>(list.size()))];
  }
  std::int64_t between(std::int64_t lo, std::int64_t hi) {
    const std::uint64_t size = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo) + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + random_() % size);
  }

  const Domain* domain(DomainKind kind, std::vector<Interval> parts, bool has_undefined) {
    Domain made;
    made.kind = kind;
    made.parts = std::move(parts);
    made.has_undefined = has_undefined;
    return add_domain(*program_, std::move(made));
  }

  void make_domains() {
    boolean_ = domain(DomainKind::kBoolean, {{0, 1}}, true);
    const bool u = !chance(30);
    const std::int64_t lo = between(-3, 3);
    index_domains_ = {domain(DomainKind::kRange, {{0, between(0, 4)}}, u),
                      domain(DomainKind::kRange, {{lo, lo + between(0, 5)}}, !chance(30)),
                      domain(DomainKind::kUnion, {{2, 3}, {6, 6}}, true),
                      domain(DomainKind::kUnion, {{8, 9}, {5, 7}, {1, 2}}, !chance(50))};
    domains_ = index_domains_;
    domains_.push_back(boolean_);
    domains_.push_back(domain(DomainKind::kBoolean, {{0, 1}}, false));
    domains_.push_back(domain(DomainKind::kRange, {{4, 4}}, false));
    domains_.push_back(domain(DomainKind::kRange, {{-(std::int64_t{1} << 55), (std::int64_t{1} << 55) - 1}}, true));
    domains_.push_back(domain(DomainKind::kRange, {{-100, 1000}}, true));
    loop_type_ = add_simple_type(*program_, domain(DomainKind::kRange, {{-100, 100}}, true));
    slot_type_ = add_simple_type(*program_, domain(DomainKind::kRange, {{0, 7}}, false));
  }

  void make_types() {
    for (const Domain* d : domains_)
      types_.push_back(add_simple_type(*program_, d));
    simple_types_ = types_;
    for (unsigned i = 0; i < 6; ++i) {
      const Type* made = nullptr;
      switch (below(4)) {
        case 0:
        case 1:
          made = add_array_type(*program_, any(index_domains_), any(types_));
          break;
        case 2: {
          std::vector<Field> fields;
          const unsigned count = 1 + below(4);
          for (unsigned k = 0; k < count; ++k)
            fields.push_back({"field" + std::to_string(k), any(types_), 0});
          made = add_record_type(*program_, std::move(fields));
          break;
        }
        default: {
          const Type* element = any(types_);
          if (!element->contains_multiset())
            made = add_multiset_type(*program_, 1 + below(4), element);
          break;
        }
      }
      if (made != nullptr && made->bits <= 2000)
        types_.push_back(made);
    }
  }

  SlotIndex add_local(Scope& scope, const Type* type, LocalKind kind) {
    scope.frame->locals.push_back({"local", type, kind});
    return static_cast<SlotIndex>(scope.frame->locals.size() - 1);
  }

  // --- references ---

  // Roots whose type holds a wanted one are tried at random; then a way down is taken at random.
  template <typename Wanted>
  bool find_ref(Scope& scope, Ref& found, unsigned depth, const Wanted& wanted, bool to_write = false) {
    for (unsigned attempt = 0; attempt < 12; ++attempt) {
      Ref ref;
      const unsigned choice = below(10);
      if (choice < 5 && (!to_write || scope.may_write)) {
        ref = make_state_ref(any(program_->variables));
      } else if (choice < 7 && !scope.packed.empty()) {
        ref = make_local_ref(*scope.frame, any(scope.packed));
      } else if (choice < 9 && !scope.aliases.empty() && (!to_write || scope.may_write)) {
        ref = make_local_ref(*scope.frame, any(scope.aliases));
      } else if (!(to_write ? scope.writable_values : scope.values).empty()) {
        ref = make_local_ref(*scope.frame, any(to_write ? scope.writable_values : scope.values));
      } else {
        continue;
      }
      if (descend(scope, ref, depth, wanted)) {
        found = std::move(ref);
        return true;
      }
    }
    return false;
  }

  template <typename Wanted>
  bool descend(Scope& scope, Ref& ref, unsigned depth, const Wanted& wanted) {
    for (unsigned step = 0; step < 8; ++step) {
      const Type& type = *ref.type;
      if (wanted(type) && (type.is_simple() || chance(60)))
        return true;
      switch (type.kind) {
        case TypeKind::kSimple:
          return false;
        case TypeKind::kRecord:
          append_field(ref, any(type.fields));
          break;
        case TypeKind::kMultiset:
          if (chance(70))  // mostly empty
            return false;
          [[fallthrough]];
        case TypeKind::kArray:
          append_subscript(ref, index(scope, *type.domain, depth), {});
          break;
      }
    }
    return false;
  }

  // Mostly a value of the domain.
  ExprPtr index(Scope& scope, const Domain& domain, unsigned depth) {
    if (chance(60)) {
      const Interval part = domain.parts[below(static_cast<unsigned>(domain.parts.size()))];
      return make_constant(between(part.lo, part.hi));
    }
    std::vector<SlotIndex> fitting;
    for (const SlotIndex slot : scope.values)
      if (scope.frame->locals[slot].type->domain == &domain)
        fitting.push_back(slot);
    if (!fitting.empty() && chance(90))
      return make_read(make_local_ref(*scope.frame, any(fitting)), chance(50) || !domain.has_undefined, {});
    if (chance(70))
      return make_constant(domain.parts.front().lo);
    return integer(scope, depth + 1);
  }

  static bool is_simple(const Type& type) { return type.is_simple(); }

  ExprPtr read(Scope& scope, unsigned depth) {
    Ref ref;
    if (!find_ref(scope, ref, depth, is_simple))
      return make_constant(between(-3, 8));
    const bool checked = !ref.type->domain->has_undefined || chance(50);
    return make_read(std::move(ref), checked, {});
  }

  // --- expressions ---

  LoopRange loop_range(Scope& scope, const Type*& type) {
    LoopRange loop;
    if (chance(60)) {
      loop.domain = any(index_domains_);
      type = add_simple_type(*program_, loop.domain);
      return loop;
    }
    type = loop_type_;
    loop.from = small(scope);
    loop.to = small(scope);
    if (chance(50))
      loop.by = chance(50) ? make_constant(between(-2, 3)) : small(scope);
    return loop;
  }

  // A value of few digits.
  ExprPtr small(Scope& scope) {
    Ref ref;
    if (chance(40) && find_ref(scope, ref, 3, [](const Type& type) {
          return type.is_simple() && type.domain->hull().lo >= -9 && type.domain->hull().hi <= 9;
        })) {
      const bool checked = !ref.type->domain->has_undefined || chance(50);
      return make_read(std::move(ref), checked, {});
    }
    return make_constant(between(-3, 6));
  }

  // Runs `make` with a slot added to what can be read.
  template <typename Make>
  auto with_slot(Scope& scope, SlotIndex slot, const Make& make) {
    scope.values.push_back(slot);
    ++scope.loops;
    auto made = make();
    --scope.loops;
    scope.values.pop_back();
    return made;
  }

  ExprPtr quantifier(Scope& scope, unsigned depth) {
    const Type* type = nullptr;
    LoopRange loop = loop_range(scope, type);
    const SlotIndex slot = add_local(scope, type, LocalKind::kValue);
    ExprPtr body = with_slot(scope, slot, [&] { return truth(scope, depth + 1); });
    return make_quantifier(chance(50) ? ExprOp::kForall : ExprOp::kExists, slot, std::move(loop), std::move(body), {});
  }

  ExprPtr multiset_count(Scope& scope, unsigned depth) {
    Ref ref;
    if (!find_ref(scope, ref, depth, [](const Type& type) { return type.kind == TypeKind::kMultiset; }))
      return make_constant(1);
    const SlotIndex slot = add_local(scope, slot_type_, LocalKind::kValue);
    ExprPtr body = with_slot(scope, slot, [&] { return truth(scope, depth + 1); });
    return make_multiset_count(std::move(ref), slot, std::move(body), {});
  }

  ExprPtr call(Scope& scope, unsigned depth, bool with_result) {
    std::vector<const Function*> fitting;
    for (const Function& function : program_->functions)
      if (&function != scope.self && (function.result != nullptr) == with_result &&
          (scope.may_write || !function.writes_state))
        fitting.push_back(&function);
    if (scope.self != nullptr && scope.self->is_recursive && (scope.self->result != nullptr) == with_result &&
        chance(60))
      fitting = {scope.self};
    if (fitting.empty() || depth > 3)
      return nullptr;
    const Function* callee = any(fitting);
    std::vector<Argument> arguments;
    for (std::uint32_t i = 0; i < callee->param_count; ++i) {
      const Local& parameter = callee->frame.locals[i];
      Argument argument;
      if (parameter.kind == LocalKind::kValue ||
          (parameter.kind == LocalKind::kPacked && parameter.type->is_simple())) {
        argument.value = value_for(scope, *parameter.type->domain, depth + 1);
      } else {
        Ref ref;
        const bool writes = callee->writes_state;
        auto same = [&](const Type& type) { return &type == parameter.type; };
        auto found = [&] {
          return find_ref(scope, ref, depth + 1, same, false) &&
                 !(ref.root == Root::kLocal && scope.frame->locals[ref.slot].kind == LocalKind::kValue);
        };
        if (!found() || (writes && !scope.may_write))
          return nullptr;
        argument.ref = std::make_unique<Ref>(std::move(ref));
      }
      arguments.push_back(std::move(argument));
    }
    return make_call(callee, std::move(arguments), callee->result != nullptr && callee->result->has_undefined, {});
  }

  // A value to be stored in or passed to something of the domain; only a defined one if there is no undefined value.
  ExprPtr value_for(Scope& scope, const Domain& domain, unsigned depth) {
    ExprPtr made;
    if (chance(7) && domain.has_undefined) {
      made = make_undefined();
    } else if (chance(80)) {
      const Interval part = domain.parts[below(static_cast<unsigned>(domain.parts.size()))];
      made = make_constant(between(part.lo, part.hi));
    } else if (domain.kind == DomainKind::kBoolean) {
      made = truth(scope, depth + 1);
    } else {
      made = integer(scope, depth + 1);
    }
    if (!domain.has_undefined && made->may_be_undefined)
      return make_constant(domain.parts.front().lo);
    return made;
  }

  ExprPtr integer(Scope& scope, unsigned depth) {
    if (depth > 4)
      return chance(50) ? make_constant(between(-3, 8)) : read(scope, depth + 1);
    switch (below(12)) {
      case 0:
      case 1:
        return make_constant(chance(90) ? between(-9, 9) : between(-(std::int64_t{1} << 62), std::int64_t{1} << 62));
      case 2:
      case 3:
      case 4:
      case 5:
        return read(scope, depth);
      case 6:
        return make_unary(chance(50) ? ExprOp::kNegate : ExprOp::kComplement, integer(scope, depth + 1), {});
      case 7:
      case 8: {
        static const std::vector<ExprOp> ops = {ExprOp::kAdd,       ExprOp::kSubtract,  ExprOp::kMultiply,
                                                ExprOp::kDivide,    ExprOp::kModulo,    ExprOp::kBitAnd,
                                                ExprOp::kBitOr,     ExprOp::kBitXor,    ExprOp::kAdd,
                                                ExprOp::kShiftLeft, ExprOp::kShiftRight};
        ExprPtr left = integer(scope, depth + 1);
        ExprPtr right = integer(scope, depth + 1);
        return make_binary(any(ops), std::move(left), std::move(right), {});
      }
      case 9: {
        ExprPtr condition = truth(scope, depth + 1);
        ExprPtr then = integer(scope, depth + 1);
        ExprPtr otherwise = chance(15) ? make_undefined() : integer(scope, depth + 1);
        return make_conditional(std::move(condition), std::move(then), std::move(otherwise), {});
      }
      case 10:
        return multiset_count(scope, depth);
      default:
        if (ExprPtr made = call(scope, depth, true))
          return made;
        return read(scope, depth);
    }
  }

  ExprPtr truth(Scope& scope, unsigned depth) {
    if (depth > 4)
      return make_constant(between(0, 1));
    switch (below(13)) {
      case 0:
        return make_unary(ExprOp::kNot, truth(scope, depth + 1), {});
      case 1:
      case 2:
      case 3: {
        static const std::vector<ExprOp> ops = {ExprOp::kAnd, ExprOp::kOr, ExprOp::kImplies};
        ExprPtr left = truth(scope, depth + 1);
        ExprPtr right = truth(scope, depth + 1);
        return make_binary(any(ops), std::move(left), std::move(right), {});
      }
      case 4:
      case 5:
      case 6:
      case 7: {
        static const std::vector<ExprOp> ops = {ExprOp::kEqual,       ExprOp::kNotEqual,  ExprOp::kLess,
                                                ExprOp::kEqual,       ExprOp::kLessEqual, ExprOp::kGreater,
                                                ExprOp::kGreaterEqual};
        ExprPtr left = chance(60) ? read(scope, depth + 1) : integer(scope, depth + 1);
        ExprPtr right = integer(scope, depth + 1);
        if (chance(50))
          std::swap(left, right);
        return make_binary(any(ops), std::move(left), std::move(right), {});
      }
      case 8:
        return quantifier(scope, depth);
      case 9: {
        Ref ref;
        if (find_ref(scope, ref, depth, is_simple))
          return make_is_undefined(std::move(ref), {});
        return make_constant(1);
      }
      case 10:
        return make_in_domain(integer(scope, depth + 1), any(domains_), {});
      case 11: {
        Ref left;
        Ref right;
        auto packed = [&](const Ref& ref) {
          return ref.root != Root::kLocal || scope.frame->locals[ref.slot].kind == LocalKind::kPacked;
        };
        if (find_ref(scope, left, depth, [](const Type&) { return true; }) && packed(left) &&
            find_ref(scope, right, depth, [&](const Type& type) { return type.same_layout(*left.type); }) &&
            packed(right))
          return make_same_bits(std::move(left), std::move(right), {});
        return make_constant(0);
      }
      default: {
        Ref ref;
        if (find_ref(scope, ref, depth,
                     [](const Type& type) { return type.is_simple() && type.domain->kind == DomainKind::kBoolean; })) {
          const bool checked = !ref.type->domain->has_undefined || chance(50);
          return make_read(std::move(ref), checked, {});
        }
        return make_constant(1);
      }
    }
  }

  std::mt19937_64 random_;
  std::unique_ptr<Program> program_;
  const Domain* boolean_ = nullptr;
  std::vector<const Domain*> domains_;
  std::vector<const Domain*> index_domains_;
  std::vector<const Type*> types_;
  std::vector<const Type*> simple_types_;
  const Type* loop_type_ = nullptr;
  const Type* slot_type_ = nullptr;
};

}  // namespace tideline::test
