// SPDX-License-Identifier: MIT
// What Murphi programs mean: one small model per rule of the language, explored with the reference interpreter. The
// facts were established with CMurphi 5.4.9 and Rumur 2022.08.20; where the two differ the expectation is CMurphi's.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "front/murphi/murphi.h"
#include "report/replay.h"
#include "search/bfs.h"

namespace tideline {
namespace {

class Fixed final : public EngineSource {
 public:
  explicit Fixed(const ir::Program& program) : engine_(program) {}
  Engine& current() override { return engine_; }
  Engine* poll() override { return nullptr; }

 private:
  InterpEngine engine_;
};

struct Expected {
  const char* what;
  const char* model;
  const char* verdict;       // holds, or the reason of the violation
  std::uint64_t states = 0;  // 0: not compared
  std::uint64_t edges = 0;   // 0: not compared
  const char* message = "";  // part of the counterexample's message
  bool strict = false;
};

void expect_meaning(const Expected& expected) {
  SCOPED_TRACE(std::string(expected.what) + "\n" + expected.model);
  murphi::Options options;
  options.strict_undefined = expected.strict;
  Diagnostics diagnostics("test.m", expected.model);
  const std::unique_ptr<ir::Program> program = murphi::load("test.m", expected.model, options, diagnostics);
  ASSERT_NE(program, nullptr) << diagnostics.render();
  Fixed engines(*program);
  SearchOptions search;
  search.memory_bytes = std::uint64_t{256} << 20;  // sanitizers take much
  const SearchResult result = search_bfs(*program, engines, search, {});
  EXPECT_STREQ(expected.verdict, result.verdict == Verdict::kHolds ? "holds" : reason_name(result.reason));
  if (expected.states != 0) {
    EXPECT_EQ(result.figures.states, expected.states);
  }
  if (expected.edges != 0) {
    EXPECT_EQ(result.figures.edges, expected.edges);
  }
  if (result.verdict != Verdict::kViolated)
    return;
  const auto shown = replay(*program, result.violations.front(), search.deadlock);
  ASSERT_TRUE(shown.is_ok()) << shown.status().message();
  EXPECT_NE(shown.value().message.find(expected.message), std::string::npos) << shown.value().message;
}

// Shorthands: a counter that never deadlocks, around which a rule is tried.
#define START(vars, init) "var " vars " tick: 0..1; startstate begin tick := 0; " init " end; "
#define TICK " rule \"tick\" true ==> begin tick := 1 - tick; end; "

TEST(MurphiSemantics, RunTimeErrors) {
  const Expected all[] = {
      {"range overflow", START("x: 0..3;", "x := 0;") TICK "rule true ==> begin x := x + 1; end;", "error", 0, 0,
       "outside"},
      {"undefined boolean in a guard", START("b: boolean;", "") TICK "rule b ==> begin end;", "error", 0, 0,
       "undefined"},
      {"undefined enum compared", START("e: enum {A, B};", "") TICK "rule e = A ==> begin end;", "error", 0, 0,
       "undefined"},
      {"undefined index",
       START("i: 0..1; a: array [0..1] of boolean;", "") TICK "rule true ==> begin a[i] := true; end;", "error", 0, 0,
       "undefined"},
      {"index out of range",
       START("i: 0..2; a: array [0..1] of boolean;", "i := 2;") TICK "rule true ==> begin a[i] := true; end;", "error",
       0, 0, "index"},
      {"division by zero", START("x: 0..3;", "x := 0;") TICK "rule true ==> begin x := 1 / x; end;", "error", 0, 0,
       "zero"},
      {"modulo zero", START("x: 0..3;", "x := 0;") TICK "rule true ==> begin x := 1 % x; end;", "error", 0, 0, "zero"},
      {"assertion", START("x: 0..3;", "x := 0;") TICK "rule true ==> begin assert x = 1 \"x is one\"; end;",
       "assertion", 0, 0, "x is one"},
      {"error statement", START("x: 0..3;", "x := 0;") TICK "rule true ==> begin error \"boom\"; end;", "error", 0, 0,
       "boom"},
      {"while limit", START("x: 0..3;", "x := 0;") TICK "rule true ==> begin while x = 0 do end; end;", "error", 0, 0,
       "1000"},
      {"local used before assignment",
       START("x: 0..3;", "x := 0;") TICK "rule true ==> var l: 0..3; begin x := l + 0; end;", "error", 0, 0,
       "undefined"},
      {"full multiset",
       START("m: multiset [1] of boolean;", "undefine m;") TICK
       "rule true ==> var b: boolean; begin b := true; multisetadd(b, m); multisetadd(b, m); end;",
       "error", 0, 0, "full"},
      {"function without return",
       "function f(x: 0..1): 0..1; begin if x = 1 then return 0; end; end;" START("x: 0..1;", "x := 0;") TICK
       "rule true ==> begin x := f(x); end;",
       "error", 0, 0, "return"},
      {"unlimited recursion",
       "function f(x: 0..1): 0..1; begin return f(x); end;" START("x: 0..1;", "x := 0;") TICK
       "rule true ==> begin x := f(x); end;",
       "error", 0, 0, "nested"},
      {"error in an invariant", START("x: 0..3;", "") TICK "invariant \"i\" x = 0;", "error", 0, 0, "undefined"},
      {"invariant false in a start state", START("x: 0..3;", "x := 1;") TICK "invariant \"i\" x = 0;", "invariant"},
  };
  for (const Expected& one : all)
    expect_meaning(one);
}

TEST(MurphiSemantics, Undefined) {
  const Expected all[] = {
      {"copied by assignment", START("x, y: 0..3;", "y := 0;") TICK "rule true ==> begin y := x; end;", "holds", 4},
      {"not copied when strict", START("x, y: 0..3;", "y := 0;") TICK "rule true ==> begin y := x; end;", "error", 0, 0,
       "undefined", true},
      {"undefined scalarsets are equal",
       "type s: scalarset(2);" START("x, y: s;", "") TICK "rule x = y ==> begin end; invariant \"i\" x = y;", "holds",
       2},
      {"comparing undefined scalarsets fails when strict",
       "type s: scalarset(2);" START("x, y: s;", "") TICK "rule x = y ==> begin end;", "error", 0, 0, "undefined",
       true},
      {"passed by value fails for a range",
       "procedure p(v: 0..3); begin end;" START("x: 0..3;", "") TICK "rule true ==> begin p(x); end;", "error", 0, 0,
       "undefined"},
      {"passed by value to a parameter of the very same type",
       "type t: 0..3; procedure p(v: t); begin assert isundefined(v) \"v\"; end;" START("x: t;", "") TICK
       "rule true ==> begin p(x); end;",
       "holds", 2},
      {"passed by value is allowed when strict",
       "procedure p(v: 0..3); begin assert isundefined(v) \"v\"; end;" START("x: 0..3;", "") TICK
       "rule true ==> begin p(x); end;",
       "holds", 2, 0, "", true},
      {"records are copied with their undefined members",
       "type r: record a, b: 0..1; end;" START("x, y: r;", "y.a := 0; y.b := 0;") TICK
       "rule true ==> begin y := x; end;",
       "holds", 4},
      {"short circuit", START("x: 0..1;", "") TICK "rule !isundefined(x) & x = 1 ==> begin end;", "holds", 2},
      {"ismember of an undefined union",
       "type a: scalarset(2); b: scalarset(2); u: union {a, b};" START("x: u;", "") TICK
       "invariant \"i\" !ismember(x, a) & !ismember(x, b);",
       "holds", 2},
      {"clear sets the least value",
       START("x: 2..3; b: boolean; e: enum {P, Q};", "clear x; clear b; clear e;") TICK
       "invariant \"i\" x = 2 & !b & e = P;",
       "holds", 2},
  };
  for (const Expected& one : all)
    expect_meaning(one);
}

TEST(MurphiSemantics, StatementsAndExpressions) {
  const Expected all[] = {
      {"downward for runs zero times",
       START("z: 0..9;", "z := 0;") TICK "rule true ==> begin for i := 3 to 1 do z := z + 1; end; end;", "holds", 2},
      {"stepped for",
       START("z: 0..99;", "z := 0; for i := 1 to 9 by 4 do z := z + i; end;") TICK "invariant \"i\" z = 15;", "holds",
       2},
      {"switch does not fall through",
       START("x, y: 0..9;", "x := 1; switch x case 1: y := 5; case 2: y := 6; else y := 7; end;") TICK
       "invariant \"i\" y = 5;",
       "holds", 2},
      {"switch without a match does nothing",
       START("x: 0..9;", "x := 3; switch x case 1, 2: x := 9; end;") TICK "invariant \"i\" x = 3;", "holds", 2},
      {"division truncates toward zero",
       START("x, y: -9..9;", "x := -7 / 2; y := -7 % 3;") TICK "invariant \"i\" x = -3 & y = -1;", "holds", 2},
      {"intermediate results are wide",
       START("x: 0..9;", "x := 1000000 * 1000000 / 1000000 - 999999;") TICK "invariant \"i\" x = 1;", "holds", 2},
      {"implication binds weaker than or", START("x: 0..1;", "x := 0;") TICK "invariant \"i\" x = 1 -> false | false;",
       "holds", 2},
      {"aliases are bound at entry",
       START("i: 0..1; a: array [0..1] of 0..3;", "i := 0; a[0] := 0; a[1] := 1; alias e: a[i] do i := 1; e := 3; end;")
           TICK "invariant \"i\" a[0] = 3 & a[1] = 1;",
       "holds", 2},
      {"var parameters",
       "procedure p(var v: 0..3); begin v := v + 1; end;" START("x: 0..3;", "x := 1; p(x); p(x);") TICK
       "invariant \"i\" x = 3;",
       "holds", 2},
      {"value parameters are copies",
       "var g: 0..3; procedure p(v: 0..3); begin g := 0; assert v = 2 \"copy\"; end;" START("", "g := 2; p(g);") TICK
       "invariant \"i\" g = 0;",
       "holds", 2},
      {"recursion",
       "function fact(n: 0..5): 0..120; begin if n = 0 then return 1; else return n * fact(n - 1); end; end;" START(
           "x: 0..120;", "x := fact(5);") TICK "invariant \"i\" x = 120;",
       "holds", 2},
      {"records and arrays compare",
       "type r: record a: 0..3; end;" START("x, y: r;", "x.a := 1; y.a := 1;") TICK "invariant \"i\" x = y;", "holds",
       2},
      {"quantifiers over a range",
       START("x: 0..9;", "x := 0;") TICK
       "invariant \"i\" forall i := 0 to 3 do i >= x end & exists i: 0..3 do i = 3 end;",
       "holds", 2},
      {"assume drops successors",
       START("x: 0..3;", "x := 0;") TICK "rule x < 3 ==> begin x := x + 1; assume x < 2; end;", "holds", 4},
      {"assume as a property",
       START("x: 0..3;", "x := 0;") TICK "rule x < 3 ==> begin x := x + 1; end; assume \"small\" x < 2;", "holds", 4},
      {"a cover that is never reached", START("x: 0..3;", "x := 0;") TICK "cover \"three\" x = 3;", "cover"},
      {"a cover that is reached",
       START("x: 0..3;", "x := 0;") TICK "rule x < 3 ==> begin x := x + 1; end; cover \"three\" x = 3;", "holds", 8},
  };
  for (const Expected& one : all)
    expect_meaning(one);
}

TEST(MurphiSemantics, Multisets) {
  const char* const messages =
      "type m: record v: 0..2; end; var n: multiset[3] of m; startstate begin undefine n; end; "
      "ruleset k: 0..2 do rule \"add\" multisetcount(i: n, true) < 3 ==> var q: m; begin q.v := k; "
      "multisetadd(q, n); end; end; ";
  const std::string choose =
      std::string(messages) + "choose j: n do rule \"rm\" true ==> begin multisetremove(j, n); end; end;";
  const std::string remove_where =
      std::string(messages) + "rule \"all\" true ==> begin multisetremovepred(i: n, n[i].v = 2); end;";
  expect_meaning({"choose fires once per occupied slot", choose.c_str(), "holds", 20, 75});
  expect_meaning({"multisets are unordered", remove_where.c_str(), "deadlock"});
}

TEST(MurphiSemantics, Priorities) {
  // CMurphi: the number after `rule` is a priority, 0 where there is none; only the least among the enabled ones run.
  const char* const model =
      "var x: 0..3; startstate begin x := 0; end; rule 20 \"low\" true ==> begin x := 3; end; "
      "rule 10 \"high\" x < 2 ==> begin x := x + 1; end; rule 20 \"back\" x = 3 ==> begin x := 2; end;";
  expect_meaning({"only the highest priority runs", model, "holds", 4, 5});
  expect_meaning({"a masked guard still fails",
                  "var x: 0..3; u: 0..1; startstate begin x := 0; end; rule 1 true ==> begin x := 1 - x; end; "
                  "rule 2 u = 0 ==> begin x := 3; end;",
                  "error", 0, 0, "undefined"});
}

TEST(MurphiSemantics, Deadlock) {
  expect_meaning({"self-loops do not count",
                  "var y: 0..1; startstate begin y := 0; end; rule true ==> begin y := 1; end;", "deadlock"});
  expect_meaning({"no rule at all is enabled", "var y: 0..1; startstate begin y := 0; end; rule y = 1 ==> begin end;",
                  "deadlock", 1});
  expect_meaning({"two equal start states are one",
                  START("x: 0..1;", "x := 0;") TICK "startstate begin tick := 0; x := 0; end;", "holds", 2, 2});
}

}  // namespace
}  // namespace tideline
