// SPDX-License-Identifier: MIT
// The program that the front end makes: numbering, layout, frames, names, priorities, effects. What the program means
// is tested in murphi_semantics_test.cpp.
#include <algorithm>

#include "murphi_support.h"

namespace tideline::murphi {
namespace {

const ir::Domain& domain_of(const ir::Program& program, const std::string& variable) {
  const auto at = std::find_if(program.variables.begin(), program.variables.end(),
                               [&variable](const ir::Variable& v) { return v.name == variable; });
  EXPECT_NE(at, program.variables.end()) << variable;
  return *at->type->domain;
}

TEST(MurphiLower, MembersOfAUnionAreNeighbours) {
  // Declared far apart and in another order.
  const Loaded loaded(
      "const N: 3; type a: scalarset(N); noise: enum {X, Y}; b: scalarset(2); more: scalarset(5); e: enum {H}; u: "
      "union "
      "{e, b, a}; var va: a; vb: b; ve: e; vu: u; vx: noise; vm: more; startstate end; rule end;");
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  const ir::Program& program = *loaded.program;
  const ir::Domain& joined = domain_of(program, "vu");
  EXPECT_EQ(joined.hull().size(), 6U);
  EXPECT_EQ(joined.bits(), 3U);
  EXPECT_EQ(joined.parts.size(), 3U);
  EXPECT_EQ(joined.parts[0], domain_of(program, "ve").hull());
  EXPECT_EQ(joined.parts[1], domain_of(program, "vb").hull());
  EXPECT_EQ(joined.parts[2], domain_of(program, "va").hull());
  EXPECT_EQ(joined.labels, (std::vector<std::string>{"H", "b_1", "b_2", "a_1", "a_2", "a_3"}));
  // No two types share a number.
  std::vector<ir::Interval> all;
  for (const char* name : {"va", "vb", "ve", "vx", "vm"})
    all.push_back(domain_of(program, name).hull());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_TRUE(all[i].hi < all[k].lo || all[k].hi < all[i].lo);
  }
}

TEST(MurphiLower, OverlappingUnionsMayHaveGaps) {
  const Loaded loaded(
      "type a: scalarset(2); b: scalarset(2); c: scalarset(2); u: union {a, b, c}; w: union {a, c}; var x: u; y: w; "
      "startstate end; rule end;");
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  EXPECT_TRUE(domain_of(*loaded.program, "x").hull().size() == 6);
  const ir::Domain& gaps = domain_of(*loaded.program, "y");
  EXPECT_EQ(gaps.hull().size(), 6U);
  EXPECT_FALSE(gaps.contains(gaps.hull().lo + 2));
}

// CMurphi's size of the state: one more value than the type has, for "undefined".
TEST(MurphiLower, ExactBits) {
  const Loaded loaded(
      "type e: enum {A, B, C}; var b: boolean; r: 0..3; s: -2..1; x: e; m: multiset[3] of e; a: array[e] of record p: "
      "boolean; q: 1..3; end; startstate end; rule end;");
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  EXPECT_EQ(loaded.program->state_bits, 2U + 3 + 3 + 2 + 3 * (2 + 1) + 3 * (2 + 2));
}

TEST(MurphiLower, NamesOfWhatHasNone) {
  const Loaded loaded(
      "var x: 0..1;\nstartstate x := 0; end;\nrule x = 0 ==> x := 1; end;\nrule \"named\" end;\ninvariant x < "
      "2;\ncover x "
      "= 1;\nassume x < 2;\nliveness x = 1;\ninvariant \"inv\" true;");
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  const ir::Program& program = *loaded.program;
  EXPECT_EQ(program.starts[0].name, "startstate at line 2");
  EXPECT_EQ(program.rules[0].name, "rule at line 3");
  EXPECT_EQ(program.rules[1].name, "named");
  std::vector<std::string> names;
  for (const ir::Property& property : program.properties)
    names.push_back(property.name);
  EXPECT_EQ(names, (std::vector<std::string>{"invariant at line 5", "cover at line 6", "assumption at line 7",
                                             "liveness at line 8", "inv"}));
  EXPECT_EQ(program.covers.size(), 1U);
  EXPECT_EQ(program.covers[0].name, "cover at line 6");
}

TEST(MurphiLower, RulesAreOrderedByPriority) {
  const Loaded loaded(with_y("rule 20 \"c\" end; rule \"a\" end; rule 10 \"b\" end; rule 20 \"d\" end;"));
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  std::string order;
  for (const ir::Rule& rule : loaded.program->rules)
    order += rule.name + std::to_string(rule.priority) + " ";
  EXPECT_EQ(order, "a0 b10 c20 d20 ");
}

TEST(MurphiLower, BindingsOfRules) {
  const Loaded loaded(
      "type p: scalarset(2); var a: array[p] of 0..3; m: multiset[2] of 0..3; startstate end; ruleset i: p; j := 1 to "
      "7 by "
      "3 do alias x: a[i]; y: a[i] + j; z: 5 do choose k: m do rule \"r\" x = y & m[k] = z ==> x := j; end; end; end; "
      "end;");
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  const ir::Rule& rule = loaded.program->rules[0];
  using Kind = ir::BindingKind;
  std::vector<Kind> kinds;
  for (const ir::Binding& binding : rule.bindings)
    kinds.push_back(binding.kind);
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::kParameter, Kind::kParameter, Kind::kAlias, Kind::kValue, Kind::kChoose}));
  EXPECT_EQ(rule.command_count, 2U * 7 * 2);
  EXPECT_EQ(rule.bindings[1].domain->parts.size(), 3U);
  EXPECT_FALSE(rule.bindings[0].domain->has_undefined);
}

TEST(MurphiLower, LocalsThatAreReferredToArePacked) {
  const Loaded loaded(
      "procedure w(var a: 0..3); begin a := 1; end; var y: 0..3; startstate end; rule true ==> var plain: 0..3; "
      "passed: "
      "0..3; aliased: 0..3; rec: record a: 0..3; end; begin plain := 1; w(passed); alias q: aliased do q := 1; end; "
      "end;");
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  const std::vector<ir::Local>& locals = loaded.program->rules[0].frame.locals;
  ASSERT_GE(locals.size(), 4U);
  EXPECT_EQ(locals[0].kind, ir::LocalKind::kValue);
  EXPECT_EQ(locals[1].kind, ir::LocalKind::kPacked);
  EXPECT_EQ(locals[2].kind, ir::LocalKind::kPacked);
  EXPECT_EQ(locals[3].kind, ir::LocalKind::kPacked);
}

TEST(MurphiLower, FunctionsAndTheirEffects) {
  const Loaded loaded(
      "type r: record a: 0..3; end; var x: 0..3; s: r;\n"
      "function pure(a: 0..3): 0..3; begin return a + x; end;\n"
      "function writes(): 0..3; begin x := 1; return 1; end;\n"
      "function indirect(): 0..3; begin return writes(); end;\n"
      "procedure param(var a: 0..3); begin a := 1; end;\n"
      "procedure unused(var a: 0..3); begin a := 1; end;\n"
      "function recursive(a: 0..3): 0..3; begin if a = 0 then return 0; end; return recursive(a - 1); end;\n"
      "function aggregate(by_value: r; var by_ref: r): r; var l: r; begin l := by_value; by_ref := l; return l; end;\n"
      "procedure local(); var l: 0..3; begin unused(l); end;\n"
      "startstate x := 0; s.a := 0; end;\n"
      "rule true ==> begin param(x); s := aggregate(s, s); local(); x := indirect() + recursive(1) + pure(1); end;");
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  std::string writers;
  std::string recursive;
  for (const ir::Function& function : loaded.program->functions) {
    if (function.writes_state)
      writers += function.name + " ";
    if (function.is_recursive)
      recursive += function.name + " ";
  }
  EXPECT_EQ(writers, "writes indirect param aggregate ");
  EXPECT_EQ(recursive, "recursive ");
  const auto aggregate = std::find_if(loaded.program->functions.begin(), loaded.program->functions.end(),
                                      [](const ir::Function& f) { return f.name == "aggregate"; });
  EXPECT_EQ(aggregate->result, nullptr);
  EXPECT_EQ(aggregate->param_count, 3U);  // the result comes first
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(aggregate->frame.locals[k].kind, ir::LocalKind::kAlias);
}

}  // namespace
}  // namespace tideline::murphi
