// SPDX-License-Identifier: MIT
// Names and types: each error with its place and wording, scopes, constants, --define and --invariant.
#include "murphi_support.h"

namespace tideline::murphi {
namespace {

// ---- names ----

TEST(MurphiCheck, UnknownNames) {
  expect_errors("var counter: 0..1; startstate countr := 1; end;",
                {"1:31 unknown name 'countr' (did you mean 'counter'?)"});
  expect_errors("type cell: 0..1; var x: cel; startstate end;", {"1:25 unknown type 'cel' (did you mean 'cell'?)"});
  expect_errors("procedure send(); begin end; startstate sent(); end;",
                {"1:41 unknown function 'sent' (did you mean 'send'?)"});
  expect_errors("var x: record next: 0..1; end; startstate x.nxt := 1; end;",
                {"1:45 a value of type 'record{next: 0..1}' has no field 'nxt' (did you mean 'next'?)"});
  // Names are case-sensitive.
  expect_errors("var x: boolean; startstate X := true; end;", {"1:28 unknown name 'X'"});
}

TEST(MurphiCheck, UseBeforeDeclaration) {
  expect_errors("startstate begin x := 1; end;\nvar x: 0..1;",
                {"1:18 'x' is declared later, at line 2 (declare it before its first use)"});
  expect_errors("procedure p(); begin q(); end;\nprocedure q(); begin end; startstate end;",
                {"1:22 'q' is declared later, at line 2 (declare it before its first use)"});
}

TEST(MurphiCheck, Redeclaration) {
  expect_errors("var x: 0..1;\nvar x: 0..2; startstate end;", {"2:5 'x' is declared already, at line 1"});
  expect_errors("type e: enum {A, B}; var A: 0..1; startstate end;", {"1:26 'A' is declared already, at line 1"});
  expect_errors("type t: record a: 0..1; a: 0..2; end; startstate end;", {"1:25 this record has a field 'a' already"});
  expect_errors("startstate type boolean: 0..1; begin end;", {"1:17 'boolean' is a built-in name"});
  expect_errors(with_y("ruleset i: 0..1; i: 0..2 do rule true ==> y := i; end; end;"),
                {"1:61 'i' is declared already, at line 1"});
}

TEST(MurphiCheck, InnerScopesHideOuterNames) {
  expect_loads(with_y("rule true ==> var y: boolean; begin y := true; end;"));
  expect_loads(with_y("ruleset y: boolean do rule y ==> end; end;"));
  expect_loads(with_y("procedure p(y: boolean); var y: 0..3; begin y := 3; end;"));
  expect_loads(with_y("rule exists y: boolean do y end ==> for y: boolean do assert y | !y; end; y := 1; end;"));
  expect_loads("var a: record x: enum {P, Q}; end; startstate a.x := P; end; rule a.x = P ==> a.x := Q; end;");
}

TEST(MurphiCheck, WrongSortOfName) {
  expect_errors("type t: 0..1; var x: t; startstate x := t; end;", {"1:41 't' is a type, but a value is needed here"});
  expect_errors("function f(): 0..1; begin return 1; end; var x: 0..1; startstate x := f; end;",
                {"1:71 'f' is a function: write f(...) to call it"});
  expect_errors("var x: 0..1; y: x; startstate end;", {"1:17 'x' is not a type"});
  expect_errors(with_y("rule true ==> y(); end;"), {"1:58 'y' is not a function"});
  expect_errors(with_y("rule true ==> y.a := 1; end;"), {"1:58 only a record has fields; this is an integer"});
  expect_errors(with_y("rule true ==> y[1] := 1; end;"),
                {"1:58 only an array or multiset can be indexed; this is an integer"});
}

// ---- types ----

TEST(MurphiCheck, OperandsAndConditions) {
  expect_errors(with_y("rule y ==> end;"), {"1:49 a guard must be a boolean, not an integer"});
  expect_errors(with_y("rule true ==> if y then end; end;"),
                {"1:61 the condition of if must be a boolean, not an integer"});
  expect_errors(with_y("rule y + true = 1 ==> end;"), {"1:53 an operand of '+' must be an integer, not a boolean"});
  expect_errors(with_y("rule y = true ==> end;"), {"1:49 cannot compare an integer with a boolean"});
  expect_errors(with_y("rule true & y ==> end;"), {"1:56 an operand of '&' must be a boolean, not an integer"});
  expect_errors(with_y("rule (y & true) = 1 ==> end;"), {"1:54 an operand of '&' must be an integer, not a boolean"});
  expect_errors(with_y("rule y && true ==> end;"), {"1:49 an operand of '&&' must be a boolean, not an integer"});
  expect_errors(with_y("rule !y ==> end;"), {"1:50 an operand of '!' must be a boolean, not an integer"});
  expect_errors(with_y("rule true ==> y := true ? 1 : false; end;"),
                {"1:63 the branches of '? :' must be of one type, not an integer and a boolean"});
  expect_errors(with_y("invariant y;"), {"1:54 a property must be a boolean, not an integer"});
  expect_errors(with_y("rule forall i: 0..1 do i end ==> end;"),
                {"1:67 the body of forall must be a boolean, not an integer"});
}

TEST(MurphiCheck, MembersOfEnumerationsAndScalarsetsOnlyCompare) {
  const std::string decls = "type e: enum {A, B}; s: scalarset(3); var x: e; z: s; n: 0..3; startstate end;\n";
  const std::string hint = " (members of enumerations and scalarsets can only be compared with = and !=)";
  expect_errors(decls + "rule z < z ==> end;",
                {"2:6 an operand of '<' must be an integer, not a value of type 's'" + hint,
                 "2:10 an operand of '<' must be an integer, not a value of type 's'" + hint});
  expect_errors(decls + "rule x + 1 = x ==> end;",
                {"2:6 an operand of '+' must be an integer, not a value of type 'e'" + hint,
                 "2:6 cannot compare an integer with a value of type 'e'"});
  expect_errors(decls + "rule x = z ==> end;", {"2:6 cannot compare a value of type 'e' with a value of type 's'"});
  expect_errors(decls + "rule true ==> z := 1; end;", {"2:20 the value must be a value of type 's', not an integer"});
  expect_errors(decls + "rule true ==> n := A; end;", {"2:20 the value must be an integer, not a value of type 'e'"});
}

// What symmetry reduction takes for granted.
TEST(MurphiCheck, ScalarsetsHaveNoOrderAndNoConstants) {
  const std::string decls =
      "type s: scalarset(3); t: scalarset(3); u: union {s, t}; var x: s; z: u; n: 0..9; a: array[s] of boolean; "
      "b: array[t] of boolean; c: array[0..2] of boolean; p: array[0..2] of s; q: array[0..2] of t; startstate end;\n";
  const std::string hint = " (members of enumerations and scalarsets can only be compared with = and !=)";
  expect_errors(decls + "rule z >= z ==> end;",
                {"2:6 an operand of '>=' must be an integer, not a value of type 'u'" + hint,
                 "2:11 an operand of '>=' must be an integer, not a value of type 'u'" + hint});
  expect_errors(decls + "rule true ==> n := -x + z; end;",
                {"2:21 an operand of '-' must be an integer, not a value of type 's'" + hint,
                 "2:25 an operand of '+' must be an integer, not a value of type 'u'" + hint});
  expect_errors(decls + "rule true ==> for i := x to z do end; end;",
                {"2:24 the first value must be an integer, not a value of type 's'" + hint,
                 "2:29 the last value must be an integer, not a value of type 'u'" + hint});
  expect_errors(decls + "rule true ==> n := x; end;", {"2:20 the value must be an integer, not a value of type 's'"});
  expect_errors(decls + "rule true ==> x := s; end;", {"2:20 's' is a type, but a value is needed here"});
  expect_errors(decls + "rule a[0] ==> end;", {"2:8 the index must be a value of type 's', not an integer"});
  expect_errors(decls + "rule true ==> switch x case 0: end; end;",
                {"2:29 this case is an integer, but the subject of the switch is a value of type 's'"});
  // Of the same size, but not of the same type.
  const std::string needed = " the value must be a value of type 'array[s] of boolean', not a value of type ";
  expect_errors(decls + "rule true ==> a := b; end;", {"2:20" + needed + "'array[t] of boolean'"});
  expect_errors(decls + "rule true ==> a := c; end;", {"2:20" + needed + "'array[0..2] of boolean'"});
  expect_errors(decls + "rule true ==> p := q; end;",
                {"2:20 the value must be a value of type 'array[0..2] of s', not a value of type 'array[0..2] of t'"});
}

TEST(MurphiCheck, Assignments) {
  expect_errors("const N: 1; startstate N := 2; end;", {"1:24 cannot assign to this: it is a constant"});
  expect_errors(with_y("rule true ==> for i: 0..1 do i := 0; end; end;"),
                {"1:73 cannot assign to 'i': it is a loop variable"});
  expect_errors(with_y("ruleset i: 0..1 do rule true ==> i := 0; end; end;"),
                {"1:77 cannot assign to 'i': it is a ruleset parameter"});
  expect_errors(with_y("procedure p(a: 0..1); begin a := 0; end;"),
                {"1:72 cannot assign to 'a': it is a parameter without 'var'"});
  expect_errors(with_y("rule true ==> alias z: y + 1 do z := 0; end; end;"),
                {"1:76 cannot assign to 'z': it is an alias of an expression"});
  expect_errors(with_y("rule true ==> y + 1 := 0; end;"),
                {"1:60 syntax error: unexpected '+', expected ':=', '.', '(' or '['"});
  expect_errors(with_y("rule true ==> undefine y; clear 1; end;"),
                {"1:76 syntax error: unexpected 1, expected a name"});
  expect_errors("type r: record a: 0..1; end; q: record b: 0..1; end; var x: r; z: q; startstate x := z; end;",
                {"1:86 the value must be a record 'r', not a record 'q'"});
  // Of the same layout, but not of the same type.
  expect_errors(
      "type e: enum {A, B}; var x: array[0..1] of e; z: array[0..1] of 1..2; startstate x := z; end;",
      {"1:87 the value must be a value of type 'array[0..1] of e', not a value of type 'array[0..1] of 1..2'"});
}

TEST(MurphiCheck, Types) {
  expect_errors("var x: 3..1; startstate end;", {"1:8 the range 3..1 is empty: its upper bound is below"});
  expect_errors("var x: 0..true; startstate end;",
                {"1:11 the upper bound of a range must be an integer, not a boolean"});
  expect_errors("var n: 0..1; x: 0..n; startstate end;", {"1:20 the upper bound of a range must be a constant"});
  expect_errors("type s: scalarset(0); startstate end;", {"1:19 a scalarset needs at least one member, not 0"});
  expect_errors("type e: enum {}; startstate end;", {"1:9 an enumeration needs at least one member"});
  expect_errors("type u: union {u2, t}; startstate end;", {"1:16 unknown type 'u2'"});
  expect_errors("type t: 0..1; s: scalarset(2); u: union {s, t}; startstate end;",
                {"1:45 a union joins scalarsets and enumerations, not an integer"});
  expect_errors("type s: scalarset(2); u: union {s, s}; startstate end;", {"1:36 this type is in the union already"});
  expect_errors("type m: multiset[0] of boolean; startstate end;",
                {"1:18 a multiset needs room for at least one element, not 0"});
  expect_errors("type m: multiset[2] of record a: multiset[2] of boolean; end; startstate end;",
                {"1:24 elements of a multiset cannot contain multisets (use an array)"});
  expect_errors("type r: record end; var a: array[r] of boolean; startstate end;",
                {"1:34 the index of an array must be of a simple type, not a record 'r'"});
  expect_errors("const N: 1 / 0; var x: 0..N; startstate end;",
                {"1:10 the value of a constant must be known before the model runs"});
}

TEST(MurphiCheck, Calls) {
  const std::string decls =
      "type e: enum {A, B}; var x: 0..3; v: e; procedure p(a: 0..3; var b: e); begin b := A; end;\n";
  expect_errors(decls + "startstate p(1); end;", {"2:12 'p' needs 2 arguments, not 1"});
  expect_errors(decls + "startstate p(A, v); end;",
                {"2:14 argument 'a' of 'p' must be an integer, not a value of type 'e'"});
  expect_errors(decls + "startstate p(1, A); end;",
                {"2:17 argument 'b' of 'p' is a var parameter and needs a variable; this is a constant"});
  expect_errors(decls + "startstate p(1, x); end;",
                {"2:17 argument 'b' of 'p' must be a value of type 'e', not an integer"});
  expect_errors(decls + "startstate p(1, UNDEFINED); end;",
                {"2:17 argument 'b' of 'p' is a var parameter and needs a variable; this is an expression"});
  expect_errors(decls + "startstate x := p(1, v); end;", {"2:17 'p' is a procedure and has no value"});
  expect_errors("var x: 0..3; procedure q(var a: 0..5); begin a := 1; end; startstate q(x); end;",
                {"1:72 argument 'a' of 'q' needs a variable of type '0..5', not '0..3'"});
  expect_loads(decls + "startstate p(UNDEFINED, v); end;");
}

TEST(MurphiCheck, Returns) {
  expect_errors("function f(): 0..1; begin end; startstate end;", {"1:10 the function 'f' never returns a value"});
  expect_errors("function f(): 0..1; begin return; end; startstate end;",
                {"1:27 this function must return an integer"});
  expect_errors("function f(): 0..1; begin return true; end; startstate end;",
                {"1:34 the returned value must be an integer, not a boolean"});
  expect_errors("procedure p(); begin return 1; end; startstate end;", {"1:29 a procedure returns no value"});
  expect_errors("startstate return 1; end;", {"1:19 a rule returns no value"});
}

TEST(MurphiCheck, SideEffects) {
  const std::string decls = with_y(
      "function f(): boolean; begin y := 1; return true; end; function g(): boolean; begin return f(); end; procedure "
      "w(var a: 0..9); begin a := 1; end; ");
  const std::string hint = " (only functions without side effects can)";
  expect_errors(decls + "\nrule f() ==> end;", {"2:6 'f' changes the state and cannot be called in a guard" + hint});
  expect_errors(decls + "\ninvariant g();", {"2:11 'g' changes the state and cannot be called in a property" + hint});
  expect_errors(decls + "\nalias a: f() do rule a ==> end; end;",
                {"2:10 'f' changes the state and cannot be called in an alias or ruleset around rules" + hint});
  expect_loads(decls + "rule true ==> if f() & g() then w(y); end; end;");
  // Writing a local variable through a var parameter is not a side effect.
  expect_loads(
      "procedure w(var a: 0..9); begin a := 1; end; type t: 0..9; function h(): boolean; var a: 0..9; begin w(a); "
      "return a "
      "= 1; end; startstate end; rule h() ==> end;");
}

TEST(MurphiCheck, Multisets) {
  const std::string decls =
      "type m: record v: 0..2; end; var n: multiset[3] of m; o: multiset[2] of 0..5; x: m; y: 0..3; startstate end;\n";
  expect_errors(
      decls + "rule n[0].v = 1 ==> end;",
      {"2:8 a multiset is indexed by a variable of choose, multisetcount or multisetremovepred over it, not by "
       "an integer"});
  expect_errors(decls + "choose i: x do rule true ==> end; end;", {"2:11 a multiset is needed here, not a record 'm'"});
  expect_errors(
      decls + "choose i: n do rule true ==> multisetremove(i, o); end; end;",
      {"2:45 a multiset is indexed by a variable of choose, multisetcount or multisetremovepred over it, not by "
       "a slot of another multiset"});
  expect_errors(decls + "choose i: n do rule true ==> y := i; end; end;",
                {"2:35 the value must be an integer, not a slot of a multiset"});
  expect_errors(decls + "rule true ==> multisetadd(y, n); end;",
                {"2:27 the element must be a record 'm', not an integer"});
  expect_errors(decls + "rule n = n ==> end;",
                {"2:6 multisets cannot be compared (compare their counts with multisetcount)"});
  expect_loads(decls +
               "choose i: n do rule n[i].v = 1 ==> multisetremove(i, n); multisetadd(x, n); multisetadd(y + 1, o); "
               "multisetremovepred(k: n, n[k].v = 0); alias j: i; e: n[i] do y := e.v; y := n[j].v; end; end; end; "
               "invariant multisetcount(i: o, o[i] = 1) < 3;");
}

TEST(MurphiCheck, UnionsConvertBothWays) {
  expect_loads(
      "type p: scalarset(2); q: scalarset(3); e: enum {H}; u: union {p, q, e}; var x: u; a: p; c: array[u] of p; "
      "b: array[p] of u; startstate for i: u do c[i] := UNDEFINED; end; x := H; end; ruleset i: p; k: q do rule x = i "
      "| x "
      "= H | ismember(x, q) ==> x := i; a := x; b[x] := k; c[k] := x; switch x case H: x := k; else x := H; end; end; "
      "end;");
  expect_errors(
      "type p: scalarset(2); q: scalarset(3); r: scalarset(2); u: union {p, q}; var x: u; z: r; startstate x "
      ":= z; end;",
      {"1:106 the value must be a value of type 'u', not a value of type 'r'"});
}

TEST(MurphiCheck, OtherMistakes) {
  expect_errors(with_y("rule y = UNDEFINED ==> end;"),
                {"1:49 nothing can be compared with UNDEFINED (use isundefined(...))"});
  expect_errors("var x: record a: 0..1; end; startstate end; rule isundefined(x) ==> end;",
                {"1:62 isundefined needs a simple variable, not a value of type 'record{a: 0..1}'"});
  expect_errors(
      with_y("rule true ==> liveness y = 1; end;"),
      {"1:58 liveness is a property of the whole model and cannot be a statement (move it to the top level)"});
  expect_errors(with_y("rule true ==> for i := 0 to 4 by 0 do end; end;"), {"1:77 the step must not be 0"});
  expect_errors(with_y("ruleset i := 0 to y do rule end; end;"),
                {"1:62 the last value of a ruleset parameter must be a constant"});
  expect_errors(with_y("rule true ==> switch y case true: end; end;"),
                {"1:72 this case is a boolean, but the subject of the switch is an integer"});
  expect_errors("var x: 0..1; rule x = 1 ==> end;", {"1:1 the model has no startstate"});
}

// What is wrong with a ruleset is said once, not once for each rule inside.
TEST(MurphiCheck, ContextErrorsAreSaidOnce) {
  expect_errors(
      with_y("ruleset i: t do rule i = 1 ==> end; rule i = 2 ==> end; alias z: q do rule z ==> end; end; end;"),
      {"1:55 unknown type 't'", "1:109 unknown name 'q'"});
}

// ---- the command line ----

TEST(MurphiCheck, Defines) {
  const std::string text =
      "const Size: 3; Twice: Size * 2; Flag: false; type e: enum {A, B}; const First: A; var x: 0..Twice; b: boolean; "
      "v: e; "
      "startstate x := Twice; b := Flag; v := First; end;";
  Options options;
  options.defines = {{"Size", "2 + 2"}, {"Flag", "true"}, {"First", "B"}};
  const Loaded loaded(text, options);
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  EXPECT_EQ(loaded.program->variables[0].type->domain->hull(), (ir::Interval{0, 8}));

  options.defines = {{"Sise", "4"}};
  expect_errors(text, {"0:0 --define Sise=4: the model has no constant 'Sise' (did you mean 'Size'?)"}, options);
  options.defines = {{"x", "4"}};
  expect_errors(text, {"0:0 --define x=4: the model has no constant 'x'"}, options);
  options.defines = {{"Size", "true"}};
  expect_errors(text, {"0:0 --define Size=true: the constant 'Size' is an integer, not a boolean\n    true\n    ^"},
                options);
  options.defines = {{"Size", "1 + Nope"}};
  expect_errors(text, {"0:0 --define Size=1 + Nope: unknown name 'Nope'\n    1 + Nope\n        ^"}, options);
  options.defines = {{"Size", "1 +"}};
  EXPECT_EQ(Loaded(text, options).errors().front(),
            "0:0 --define Size=1 +: syntax error: unexpected the end of the text\n    1 +\n       ^");
  options.defines = {{"Size", ""}};
  EXPECT_EQ(Loaded(text, options).program, nullptr);
}

// A local constant of the same name is not meant.
TEST(MurphiCheck, DefinesAreGlobal) {
  Options options;
  options.defines = {{"K", "5"}};
  const std::string text = "const K: 1; var x: 0..K; startstate const K: 7; begin x := K; end;";
  const Loaded loaded(text, options);
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  EXPECT_EQ(loaded.program->variables[0].type->domain->hull().hi, 5);
}

TEST(MurphiCheck, Invariants) {
  const std::string text = with_y("rule true ==> y := 1; end;");
  Options options;
  options.invariants = {"y < 5", "forall i: 0..3 do y != i + 6 end"};
  const Loaded loaded(text, options);
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  ASSERT_EQ(loaded.program->properties.size(), 2U);
  EXPECT_EQ(loaded.program->properties[0].name, "y < 5");
  EXPECT_EQ(loaded.program->properties[0].condition->where.line, 0U);

  // Each text keeps its own types.
  options.invariants = {"forall i: 0..3 do true end", "forall i: 0..5 do true end", "forall i: 0..7 do true end"};
  const Loaded typed(text, options);
  ASSERT_NE(typed.program, nullptr) << typed.diagnostics.render();
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(typed.program->properties[k].condition->loop.domain->hull().hi, static_cast<std::int64_t>(3 + 2 * k));

  options.invariants = {"y < z"};
  expect_errors(text, {"0:0 --invariant: unknown name 'z'\n    y < z\n        ^"}, options);
  options.invariants = {"y"};
  expect_errors(text, {"0:0 --invariant: a property must be a boolean, not an integer\n    y\n    ^"}, options);
  options.invariants = {"y <"};
  expect_errors(text, {"0:0 --invariant: syntax error: unexpected the end of the text\n    y <\n       ^"}, options);
}

}  // namespace
}  // namespace tideline::murphi
