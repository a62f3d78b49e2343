// SPDX-License-Identifier: MIT
// Syntax: every spelling that one of the two dialects accepts, precedence, syntax errors and recovery from them.
#include "front/murphi/builder.h"
#include "murphi_support.h"

namespace tideline::murphi {
namespace {

// ---- what is accepted ----

TEST(MurphiParse, AcceptsBothDialects) {
  const std::vector<std::string> bodies{
      // Sections in any order and repeated, between functions and rules.
      "const N: 3; type t: 0..N; const M: N + 1; var a: t; procedure p(); begin y := 1; end; var b: 0..M; "
      "rule true ==> begin p(); a := 1; b := 4; end; const K: 1; rule y = K ==> begin y := 2; end;",
      // Semicolons missing after rules and declarations, and doubled.
      "type e: enum {A, B} t: 0..1 var v: e w: t rule true ==> begin v := A; end rule y = 1 ==> y := 2 end",
      "rule true ==> begin y := 1;; y := 2;;; end;;;",
      // Bodies without begin.
      "procedure p(); y := 1; end; rule true ==> p(); end;",
      "function f(): boolean; return true; end; rule f() ==> y := 1; end;",
      "rule y := 1; end;",
      "rule \"only a name\" y := 1; end;",
      "rule y = 1 ==> end;",
      "function f(): boolean var z: 0..1 begin z := 1; return z = 1 end rule f() ==> y := 1 end",
      // All closing words.
      "type r: record a: 0..1; endrecord; var v: r; procedure p(); begin y := 1; endprocedure; function f(): 0..1; "
      "begin return 1; endfunction; ruleset i: 0..1 do rule true ==> if y = 1 then y := 2; endif; for k: 0..1 do "
      "y := k; endfor; while y > 5 do y := 0; endwhile; switch y case 1: y := 2; endswitch; alias z: y do z := 1; "
      "endalias; endrule; endruleset; alias q: y do rule q = 1 ==> q := 2; endrule; endalias; startstate y := 1; "
      "endstartstate; invariant forall i: 0..1 do i < 2 endforall & exists i: 0..1 do i = 1 endexists;",
      // Keywords in any case, names in one case only.
      "VAR Y: 0..3; RULE \"r\" TRUE ==> BEGIN Y := 1; IF y = 1 THEN y := 2; ENDIF; END;",
      // Comments and line ends.
      "-- to the end of the line\n/* over\n * several ** / lines **/ rule true ==> /**/ y := 1; /* * */ end;\r\n--",
      // Operators of Rumur.
      "rule y == 1 && y != 2 || y <= 3 ==> y := (y << 1 | 1) & ~2 ^ (4 >> 1); end;",
      "rule ¬(y ≠ 1) ∧ y ≤ 2 ∨ y ≥ 3 → y = 1 ⇒ begin y ≔ 1; end; invariant ∀ i: 0..1 do ∃ j: 0..1 do i = j end end;",
      "rule “curly quotes” true ==> y := 0x1F % 0Xa; end;",
      // A colon for do, several quantifiers at once.
      "rule true ==> for i: 0..1 : y := i; end; for i: 0..1; j: 0..1 do y := i; end; end;",
      "rule forall i: 0..1; j: 0..2 do i = j end | exists i := 0 to 4 by 2 do i = y end ==> y := 1; end;",
      "ruleset i: 0..1; j := 0 to 6 by 3; do rule true ==> y := j; end; end;",
      // Lists of names, trailing commas.
      "var a, b: 0..1; type e: enum {A, B,}; r: record p, q: e; s: boolean end; procedure f(a, b: 0..1; var c: e;); "
      "begin c := A; end; var v: e; rule true ==> f(1, 0, v,); end;",
      // Properties, with the text on either side, and as statements.
      "invariant \"a\" y < 10; invariant y < 10 \"b\"; invariant y < 10; assert \"c\" y < 10; assume y < 9 \"d\"; "
      "cover "
      "\"e\" y = 1; liveness \"f\" y = 0; rule true ==> assert y = 0 \"g\"; assert \"h\" y = 0; assume y = 0; cover y "
      "= 0 \"i\"; invariant y = 0; y := 1; end;",
      // Rule priorities.
      "rule 20 \"p\" y = 1 ==> y := 2; end; rule 10 y = 1 ==> y := 2; end; rule 5 y := 1; end; rule 1 < y ==> y := 1; "
      "end;",
      // Words of one dialect as names of the other.
      "var cover, liveness: 0..1; choose: 0..1; union: boolean; multiset: 0..1; rule cover = 1 & union ==> cover := 0; "
      "liveness := cover; choose := multiset; end;",
      // Numbers, strings.
      "rule \"escapes \\\" \\\\ \\n \\t and\na line end\" true ==> error \"\"; end;",
      // Conditional expressions and implications nest to the right.
      "rule y = 1 -> y = 2 -> y = 3 ==> y := y = 1 ? 2 : y = 2 ? 3 : 4; end;",
      "rule true ==> return; end;",
      "rule true ==> put \"y is \"; put y; put y + 1; put true; end;",
  };
  for (const std::string& body : bodies)
    expect_loads(with_y(body));
}

TEST(MurphiParse, FieldsMayShareNamesWithAnything) {
  expect_loads(
      "type e: enum {A, B}; r: record e: e; A: boolean; y: 0..3; r: 0..1; end; var x: r; y: 0..3; startstate x.e := A; "
      "x.A := true; x.y := 1; x.r := 1; y := x.y; end; rule x.A ==> x.e := B; end;");
}

// ---- precedence ----

// The tree of an expression with every operator in parentheses.
std::string shape(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kName:
      return expr.name.text;
    case ExprKind::kNumber:
      return std::to_string(expr.number);
    case ExprKind::kUnary:
      return "(" + std::string(1, "!-+~"[static_cast<int>(expr.op) - static_cast<int>(Op::kNot)]) +
             shape(*expr.args[0]) + ")";
    case ExprKind::kConditional:
      return "(" + shape(*expr.args[0]) + "?" + shape(*expr.args[1]) + ":" + shape(*expr.args[2]) + ")";
    case ExprKind::kBinary: {
      static const char* const kSpellings[] = {
          "&&", "||", "&", "|", "^", "->", "=", "!=", "<", "<=", ">", ">=", "<<", ">>", "+", "-", "*", "/", "%"};
      std::string text = "(";
      for (std::size_t i = 0; i < expr.args.size(); ++i)
        text += (i == 0 ? "" : kSpellings[static_cast<std::size_t>(expr.op)]) + shape(*expr.args[i]);
      return text + ")";
    }
    default:
      return "?";
  }
}

TEST(MurphiParse, Precedence) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"a && b | c", "(a&&(b|c))"},
      {"a & b || c", "((a&b)||c)"},
      {"a | b ∧ c", "((a|b)&&c)"},
      {"a & b | c & d", "((a&b)|(c&d))"},
      {"a | b ^ c & d", "(a|(b^(c&d)))"},
      {"a & b & c", "(a&b&c)"},
      {"a & (b & c) & d", "(a&(b&c)&d)"},
      {"(a & b) & c", "((a&b)&c)"},
      {"! a = b", "(!(a=b))"},
      {"! a & b", "((!a)&b)"},
      {"a << b + c = d", "((a<<(b+c))=d)"},
      {"~ a + b", "((~a)+b)"},
      {"- a * b", "((-a)*b)"},
      {"- a + b * c - d", "(((-a)+(b*c))-d)"},
      {"a - b - c", "((a-b)-c)"},
      {"a / b % c * d", "(((a/b)%c)*d)"},
      {"a -> b -> c", "(a->(b->c))"},
      {"a | b -> c & d", "((a|b)->(c&d))"},
      {"a ? b : c ? d : e", "(a?b:(c?d:e))"},
      {"a = b ? c + 1 : d", "((a=b)?(c+1):d)"},
  };
  for (const auto& [text, expected] : cases) {
    Diagnostics diagnostics("test", text);
    const ExprPtr expr = parse_expression(text, true, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.render();
    EXPECT_EQ(shape(*expr), expected) << text;
  }
}

// ---- syntax errors ----

TEST(MurphiParse, ErrorsHaveAPlaceAndAHint) {
  expect_errors(with_y("rule true ==> y = 1; end;"),
                {"1:60 syntax error: unexpected '=', expected ':=', '.', '(' or '[' (':=' assigns, '=' compares)"});
  expect_errors(with_y("rule true ==>\n  y := 1 y := 2; end;"),
                {"2:10 syntax error: unexpected y (is a ';' missing before it?)"});
  expect_errors(with_y("rule true ==> y := ; end;"), {"1:63 syntax error: unexpected ';'"});
  expect_errors(with_y("procedure p(); var z: 0..1; z := 1; end;"),
                {"1:74 syntax error: unexpected ':=', expected ':' or ',' (local declarations end with 'begin')"});
  expect_errors(with_y("rule true ==> if y = 1 then y := 2;"),
                {"1:79 syntax error: unexpected the end of the text (is an 'end' missing?)"});
  expect_errors(with_y("rule true ==> if y = 1 then y := 2; endfor; end;"),
                {"1:80 'endfor' closes the 'if' begun before it (write 'end' or 'endif')"});
  expect_errors(with_y("rule y < 1 < 2 ==> y := 1; end;"), {"1:55 syntax error: unexpected '<'"});
}

TEST(MurphiParse, SeveralErrorsPerRun) {
  expect_errors(
      "const N = 3;\n"
      "var y: 0..;\n"
      "startstate y := ; end;\n"
      "rule y + ==> y := 1; end;\n"
      "rule true ==> y := 1; x[ := 2; y := 3; end;\n"
      "rule true ==> y := (1; end;\n",
      {"1:9 syntax error: unexpected '=', expected ':' or ','", "2:11 syntax error: unexpected ';'",
       "3:17 syntax error: unexpected ';'", "4:10 syntax error: unexpected '==>'", "5:26 syntax error: unexpected ':='",
       "6:22 syntax error: unexpected ';'"});
}

TEST(MurphiParse, LexicalErrors) {
  expect_errors(with_y("rule true ==> y := 1 @ 2; end;"),
                {"1:65 unexpected character '@'", "1:67 syntax error: unexpected 2 (is a ';' missing before it?)"});
  expect_errors(with_y("/* never closed"), {"1:44 this comment is never closed (a comment ends with '*/')"});
  EXPECT_EQ(Loaded(with_y("rule \"never closed")).errors().front(),
            "1:49 this string is never closed (a string ends with '\"')");
  expect_errors(with_y("rule true ==> y := 9223372036854775808; end;"),
                {"1:63 this number does not fit into 64 bits (the greatest is 9223372036854775807)"});
  expect_errors(with_y("rule true ==> y := 0x10000000000000000; end;"),
                {"1:63 this number does not fit into 64 bits (the greatest is 9223372036854775807)"});
  expect_errors(with_y("rule true ==> y := 1.5; end;"),
                {"1:63 real numbers are not supported (use integers, for example a fixed-point scale)"});
  expect_errors("var " + std::string(300, 'a') + ": 0..1; startstate end;",
                {"1:5 this name is longer than 255 characters"});
}

TEST(MurphiParse, WhatIsNotSupportedIsSaid) {
  expect_errors("var x: real(6, 99); startstate end;",
                {"1:8 real types are not supported (use an integer range, for example a fixed-point scale)"});
  expect_errors("externfun f(a: 0..1): boolean \"f.h\"; externproc p(); startstate end;",
                {"1:1 external C functions are not supported (write the function in Murphi)",
                 "1:38 external C functions are not supported (write the function in Murphi)"});
}

}  // namespace
}  // namespace tideline::murphi
