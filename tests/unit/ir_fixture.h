// SPDX-License-Identifier: MIT
// Short names for building programs in the intermediate form by hand.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ir/build.h"
#include "ir/program.h"

namespace tideline::test {

using namespace ir;  // NOLINT(google-build-using-namespace): for tests that build IR

inline std::unique_ptr<Stmt> stmt(StmtKind kind) {
  auto made = std::make_unique<Stmt>();
  made->kind = kind;
  return made;
}

inline ExprPtr number(std::int64_t value) {
  return make_constant(value);
}

inline ExprPtr get(Ref ref, bool checked = true) {
  return make_read(std::move(ref), checked, {});
}

inline ExprPtr op(ExprOp which, ExprPtr left, ExprPtr right) {
  return make_binary(which, std::move(left), std::move(right), {});
}

// A program in the making.
class IrFixture : public ::testing::Test {
 protected:
  const Domain* domain(std::vector<Interval> parts, bool has_undefined = true, DomainKind kind = DomainKind::kRange) {
    Domain made;
    made.kind = kind;
    made.parts = std::move(parts);
    made.has_undefined = has_undefined;
    return add_domain(program_, std::move(made));
  }
  const Type* simple(const Domain* values) { return add_simple_type(program_, values); }
  const Type* range(std::int64_t lo, std::int64_t hi) { return simple(domain({{lo, hi}})); }
  const Type* array(const Domain* index, const Type* element) { return add_array_type(program_, index, element); }
  const Type* record(const std::vector<const Type*>& types) {
    std::vector<Field> fields;
    for (const Type* type : types)
      fields.push_back({"f" + std::to_string(fields.size()), type, 0});
    return add_record_type(program_, std::move(fields));
  }
  // The variables are referred to by their number.
  std::size_t variable(const Type* type) {
    program_.add_variable("v", type, {});
    return program_.variables.size() - 1;
  }
  Ref var(std::size_t v) { return make_state_ref(program_.variables[v]); }
  Ref var(std::size_t v, ExprPtr index) {
    Ref ref = var(v);
    append_subscript(ref, std::move(index), {});
    return ref;
  }
  static Ref field(Ref ref, std::size_t k) {
    const Type* type = ref.type;
    append_field(ref, type->fields[k]);
    return ref;
  }
  static Ref element(Ref ref, ExprPtr index) {
    append_subscript(ref, std::move(index), {});
    return ref;
  }
  static SlotIndex local(Frame& frame, const Type* type, LocalKind kind = LocalKind::kValue) {
    frame.locals.push_back({"l", type, kind});
    return static_cast<SlotIndex>(frame.locals.size() - 1);
  }
  static Ref slot(const Frame& frame, SlotIndex index) { return make_local_ref(frame, index); }

  // Rules live in a vector of the program: call one at a time and do not keep the reference.
  Rule& start() { return program_.starts.emplace_back(); }
  Rule& rule() { return program_.rules.emplace_back(); }
  SlotIndex parameter(Rule& rule, const Domain* values) {
    Binding binding;
    binding.domain = values;
    binding.slot = local(rule.frame, simple(values));
    rule.bindings.push_back(std::move(binding));
    return rule.bindings.back().slot;
  }
  static void assign(Block& block, Ref ref, ExprPtr value) {
    auto made = stmt(StmtKind::kAssign);
    made->ref = std::move(ref);
    made->value = std::move(value);
    block.push_back(std::move(made));
  }
  static void simple_stmt(Block& block, StmtKind kind, Ref ref) {
    auto made = stmt(kind);
    made->ref = std::move(ref);
    block.push_back(std::move(made));
  }
  static void test_stmt(Block& block, StmtKind kind, ExprPtr value, std::uint32_t cover = 0) {
    auto made = stmt(kind);
    made->value = std::move(value);
    made->cover = cover;
    block.push_back(std::move(made));
  }
  static void copy(Block& block, Ref to, Ref from) {
    auto made = stmt(StmtKind::kCopy);
    made->ref = std::move(to);
    made->source = std::move(from);
    block.push_back(std::move(made));
  }
  static void add(Block& block, Ref multiset, Ref element_ref) {
    auto made = stmt(StmtKind::kMultisetAdd);
    made->ref = std::move(multiset);
    made->source = std::move(element_ref);
    block.push_back(std::move(made));
  }
  // A start rule for every combination of values of the variables, each a simple one.
  void start_with_all_values(const std::vector<std::size_t>& variables) {
    Rule& all = start();
    for (const std::size_t v : variables) {
      const SlotIndex value = parameter(all, program_.variables[v].type->domain);
      assign(all.body, var(v), get(slot(all.frame, value)));
    }
  }
  void invariant(ExprPtr condition) {
    Property& property = program_.properties.emplace_back();
    property.condition = std::move(condition);
  }

  Program program_;
};

}  // namespace tideline::test
