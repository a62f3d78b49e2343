// SPDX-License-Identifier: MIT
// Which uses of scalarsets are shown to be symmetric and which are not.
#include "symmetry/asymmetry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "exec/interp/start_facts.h"
#include "ir/build.h"
#include "murphi_support.h"
#include "symmetry/failing_quantifiers.h"

namespace tideline {
namespace {

// Declarations that the texts below share.
const std::string kHead =
    "type mode: enum{on, off}; val: scalarset(2); mixed: union{mode, val}; pid: scalarset(3); one: scalarset(1); col: "
    "enum{red, green};\n"
    "  node: union{one, pid}; spot: union{pid, col}; rev: union{col, pid};\n"
    "  msg: record src: pid; n: 0..9; end; cell: record p: pid; f: boolean; t: array[val] of 0..9; end;\n"
    "var a, b: array[pid] of 0..9; g: array[pid] of array[pid] of boolean; q: array[pid] of pid;\n"
    "  c: array[node] of cell; s: array[spot] of boolean; r: array[0..2] of pid; seen: array[val] of boolean;\n"
    "  last, other: pid; n: 0..9; flag: boolean; u: node; h: val; w: array[pid] of val; z: rev; y: mixed;\n"
    "  net: multiset[4] of msg; nets: array[pid] of multiset[3] of msg;\n";

// A model with `body` as the body of a ruleset's rule over x: pid, behind `declarations`.
std::string model(const std::string& body, const std::string& declarations = {}) {
  return kHead + declarations + "startstate begin undefine a; end;\nruleset x: pid do rule \"r\" true ==>\n" + body +
         "\nend; end;\n";
}

std::vector<symmetry::Asymmetry> find(const std::string& text, std::unique_ptr<murphi::Loaded>& loaded) {
  loaded = std::make_unique<murphi::Loaded>(text);
  EXPECT_NE(loaded->program, nullptr) << text << loaded->diagnostics.render();
  return loaded->program ? symmetry::find_asymmetries(*loaded->program) : std::vector<symmetry::Asymmetry>();
}

void expect_symmetric_text(const std::string& text) {
  std::unique_ptr<murphi::Loaded> loaded;
  for (const symmetry::Asymmetry& one : find(text, loaded))
    ADD_FAILURE() << text << "\n" << one.where.line << ":" << one.where.column << " " << one.what;
}

void expect_symmetric(const std::string& body, const std::string& declarations = {}) {
  expect_symmetric_text(model("begin " + body, declarations));
}

void expect_asymmetric_text(const std::string& text, const std::string& scalarset, bool certain) {
  std::unique_ptr<murphi::Loaded> loaded;
  const std::vector<symmetry::Asymmetry> found = find(text, loaded);
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const symmetry::Asymmetry& one) {
    return one.scalarset->name == scalarset;
  })) << text;
  for (const symmetry::Asymmetry& one : found) {
    EXPECT_EQ(one.certain, certain) << text << one.what;
    EXPECT_GT(one.where.line, 0U) << text;
  }
}

void expect_asymmetric(const std::string& body, bool certain = false, const std::string& declarations = {}) {
  expect_asymmetric_text(model("begin " + body, declarations), "pid", certain);
}

// ---- loops ----

TEST(Asymmetry, ElementsOfTheLoopVariableAreIndependent) {
  expect_symmetric("for i: pid do a[i] := 0; end;");
  expect_symmetric("for i: pid do a[i] := b[i]; b[i] := 3; end;");
  expect_symmetric("for i: pid do for j: pid do g[i][j] := false; end; end;");
  expect_symmetric("for i: pid do for j: pid do g[j][i] := i = j; end; end;");
  expect_symmetric("for i: pid do g[x][i] := g[i][i]; end;");  // element i of rows x and i
  expect_symmetric("for i: node do c[i].f := true; undefine c[i].p; for v: val do c[i].t[v] := 1; end; end;");
  expect_symmetric("for i: pid do q[i] := i; end;");
  expect_symmetric("for i: spot do s[i] := false; end;");
  expect_symmetric("for i: pid do c[i].p := i; end;");
  expect_symmetric("for i: pid do undefine q; undefine q[i]; end;");
}

TEST(Asymmetry, ElementsOfOthersAreNot) {
  expect_asymmetric("for i: pid do a[i] := a[q[i]]; end;");
  expect_asymmetric("for i: pid do a[q[i]] := a[i]; end;");
  expect_asymmetric("for i: pid do q[x] := i; end;");
  expect_asymmetric("for i: pid do g[i][x] := g[x][i]; end;");
  expect_asymmetric("for i: pid do b[i] := n; n := 3; end;");
  expect_asymmetric("for i: pid do c[i].f := c[x].f; end;");
  expect_asymmetric("for i: pid do r[n] := i; end;");
  expect_asymmetric("for i: pid do a[i] := 1; if exists j: pid do a[j] = 2 end then flag := true; end; end;");
  expect_asymmetric("for i: pid do undefine q; q[i] := i; end;");
}

TEST(Asymmetry, LastMemberIsCertain) {
  expect_asymmetric("for i: pid do last := i; end;", true);
  expect_asymmetric("for i: pid do for j: 0..2 do last := i; end; end;", true);
  expect_asymmetric("for i: node do u := i; end;", true);
  expect_asymmetric("for i: rev do z := i; end;", true);
  expect_asymmetric("for i: pid do r[1] := i; end;", true);
  expect_asymmetric("for i: pid do if flag then last := i; end; end;");
  expect_asymmetric("for i: pid do if a[i] = 1 then last := i; end; end;");
  // The last iteration is for a colour: nothing is certain.
  expect_asymmetric("for i: spot do flag := s[i]; end;");
  const std::string text = model("begin for i: pid do last := i; end;");
  std::unique_ptr<murphi::Loaded> loaded;
  const auto found = find(text, loaded);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].what,
            "the loop over scalarset 'pid' assigns 'last' a value that depends on the order of the iterations");
}

TEST(Asymmetry, SameValueManyTimes) {
  expect_symmetric("for i: pid do if a[i] = 1 then flag := true; end; end;");
  expect_symmetric("for i: pid do if a[i] = 1 then last := x; end; end;");
  expect_symmetric("for i: pid do if a[i] = 1 then undefine last; end; end;");
  expect_symmetric("for i: pid do seen[w[i]] := true; end;");
  expect_symmetric("for i: pid do n := b[x]; end;");
  expect_asymmetric("for i: pid do if a[i] = 1 then flag := true; else flag := false; end; end;");
  expect_asymmetric("for i: pid do if flag then a[i] := 1; end; flag := true; end;");
  expect_asymmetric("for i: pid do if a[i] = 1 then a[x] := 1; end; end;");
  expect_asymmetric("for i: pid do last := other; other := x; undefine q[i]; end;");
}

TEST(Asymmetry, Sums) {
  expect_symmetric("n := 0; for i: pid do if a[i] = 1 then n := n + 1; end; end;");
  expect_symmetric("for i: pid do n := n - 1; end;");
  expect_symmetric("for i: pid do n := a[i] + n; end;");
  expect_symmetric("for i: pid do flag := flag | a[i] = 1; end;");
  expect_symmetric("for i: pid do flag := flag & a[i] = 1; end;");
  expect_asymmetric("for i: pid do flag := a[i] = 1 | flag; end;");    // reads flag in some orders only
  expect_asymmetric("for i: pid do flag := flag | f(i); end;", false,  // f is not called in some orders
                    "function f(i: pid): boolean; begin c[i].f := true; return a[i] = 1; end;\n");
  expect_asymmetric("for i: pid do n := n + (a[i] - 2); end;");  // may leave the range on the way
  expect_asymmetric("for i: pid do n := n + 1; n := n - 1; a[i] := 0; end;");
  expect_asymmetric("for i: pid do n := n + 1; a[i] := n; end;");
  expect_asymmetric("for i: pid do n := n + n; a[i] := 0; end;");
  expect_asymmetric("for i: pid do n := 3 - n; a[i] := 0; end;");
  expect_asymmetric("for i: pid do n := n * a[i]; end;");
  expect_asymmetric("for i: pid do if n < 2 then n := n + a[i]; end; end;");
}

TEST(Asymmetry, OneIterationOnly) {
  expect_symmetric("for i: pid do if i = x then n := 3; last := i; end; end;");
  expect_symmetric("for i: pid do if a[i] = 1 & q[x] = i then n := b[i]; end; end;");
  expect_symmetric("for i: pid do if i != x then a[i] := 1; else n := 2 - n; end; end;");
  expect_asymmetric("for i: pid do if i != x then n := 2; last := i; end; end;");
  expect_asymmetric("for i: pid do if i = last then last := x; end; end;");  // x is not fixed: it is what is written
  expect_asymmetric("for i: pid do if i = x then n := 3; end; a[i] := n; end;");
  expect_asymmetric("for i: pid do if i = x then n := 3; end; if i = other then n := 2; end; end;");
  expect_asymmetric("for i: pid do if i = x | flag then last := i; end; end;");
}

TEST(Asymmetry, VariablesOfTheIteration) {
  expect_symmetric("for i: pid do alias e: c[i] do switch e.f case true: undefine e; e.f := false; end; end; end;");
  const std::string locals = "var k: pid; m: 0..9; begin ";
  expect_symmetric_text(model(locals + "for i: pid do k := i; a[i] := 1; end;"));
  expect_symmetric_text(model(locals + "for i: pid do if a[i] = 1 then k := q[i]; b[i] := m; end; end;"));
  expect_asymmetric_text(model(locals + "for i: pid do k := i; end; last := k;"), "pid", false);
  expect_asymmetric_text(model(locals + "for i: pid do b[i] := m; m := 3; end;"), "pid", false);
  expect_asymmetric_text(model(locals + "for i: pid do if a[i] = 1 then m := 1; end; b[i] := m; end;"), "pid", false);
  expect_asymmetric_text(model(locals + "for i: pid do alias e: m do b[i] := e; e := 3; end; end;"), "pid", false);
}

TEST(Asymmetry, Calls) {
  const std::string functions =
      "procedure zero(i: pid); begin a[i] := 0; c[i].f := false; end;\n"
      "procedure set(var y: pid; i: pid); begin y := i; end;\n"
      "procedure swap(i, j: pid); var t: 0..9; begin t := a[i]; a[i] := a[j]; a[j] := t; end;\n"
      "function count(i: pid): 0..9; var m: 0..9; begin m := a[i]; return m; end;\n"
      "function bump(): 0..9; begin n := 2 - n; return n; end;\n"
      "procedure fill(var y: array[pid] of 0..9); begin for i: pid do y[i] := 1; end; end;\n"
      "procedure blend(var y: array[pid] of 0..9; var t: 0..9); begin for i: pid do y[i] := t; t := t; end; end;\n"
      "procedure deep(i: pid); begin if a[i] > 0 then a[i] := a[i] - 1; deep(i); end; end;\n"
      "procedure send(i: pid); var m: msg; begin m.src := i; multisetadd(m, net); end;\n";
  expect_symmetric("for i: pid do zero(i); end;", functions);
  expect_symmetric("for i: pid do set(q[i], i); end;", functions);
  expect_symmetric("for i: pid do b[i] := count(i); end;", functions);
  expect_symmetric("fill(a); fill(b);", functions);
  expect_symmetric("for i: pid do send(i); end;", functions);
  expect_symmetric("deep(x);", functions);
  expect_asymmetric("for i: pid do set(last, i); end;", false, functions);
  expect_asymmetric("for i: pid do zero(q[i]); b[i] := a[i]; end;", false, functions);
  expect_asymmetric("for i: pid do swap(i, x); end;", false, functions);
  expect_asymmetric("for i: pid do b[i] := bump(); end;", false, functions);
  expect_asymmetric("for i: pid do deep(i); end;", false, functions);
  expect_asymmetric("blend(a, a[x]);", false, functions);
  expect_asymmetric("blend(a, n);", false, functions);
  // Only one of the calls mixes what it reads and writes.
  expect_asymmetric("fill(a); blend(b, b[x]);", false, functions);
}

TEST(Asymmetry, Returns) {
  const auto returning = [](const std::string& body) {
    return "function f(k: pid): boolean; begin " + body + " return false; end;\n";
  };
  expect_symmetric("flag := f(x);", returning("for i: pid do if a[i] = 1 then return true; end; end;"));
  expect_symmetric("flag := f(x);", returning("for i: pid do if a[i] = 1 then return g[k][k]; end; end;"));
  expect_asymmetric("flag := f(x);", false, returning("for i: pid do if a[i] = 1 then return g[i][k]; end; end;"));
  expect_asymmetric(
      "flag := f(x);", false,
      returning("for i: pid do if a[i] = 1 then return true; elsif a[i] = 2 then return false; end; end;"));
  expect_asymmetric("flag := f(x);", false,
                    returning("for i: pid do b[i] := 0; if a[i] = 1 then return true; end; end;"));
  expect_asymmetric("flag := f(x);", false,
                    returning("for i: pid do assert b[i] = 0; if a[i] = 1 then return true; end; end;"));
  expect_asymmetric("for i: pid do a[i] := 1; if b[i] = 0 then return; end; end;");
}

TEST(Asymmetry, StatementsThatWatch) {
  expect_symmetric("for i: pid do assert a[i] = 0; end;");
  expect_symmetric("for i: pid do if a[i] = 1 then error \"one\"; end; put i; end;");
  expect_asymmetric("for i: pid do assume a[i] = 0; b[i] := 1; end;");
}

TEST(Asymmetry, IterationsThatAreTheSame) {
  expect_symmetric("for i: pid do flag := !flag; last := q[last]; end;");
  expect_symmetric("for i: pid do for j: 0..2 do r[j] := last; end; if flag then return; end; end;");
  expect_asymmetric("for i: pid do flag := !flag; if i = x then last := q[last]; end; end;");
}

TEST(Asymmetry, OtherLoopsMayBeOrdered) {
  expect_symmetric("for i: 0..2 do last := r[i]; end;");
  expect_symmetric("for i: col do z := i; end;");
  expect_symmetric("for i: one do u := i; end;");
  expect_symmetric("while n < 5 do n := n + 1; last := q[last]; end;");
  expect_symmetric("for i := 0 to 2 do r[i] := x; end;");
}

// ---- multisets ----

TEST(Asymmetry, Multisets) {
  const std::string local = "var m: msg; begin ";
  expect_symmetric_text(model(local + "for i: pid do undefine m; m.src := i; multisetadd(m, net); end;"));
  expect_symmetric_text(model(local + "for i: pid do undefine m; m.src := i; multisetadd(m, nets[i]); end;"));
  expect_symmetric_text(model(local + "m.n := 1; for i: pid do m.src := i; multisetadd(m, net); end;"));
  expect_asymmetric_text(model(local + "for i: pid do m.src := i; multisetadd(m, net); end; last := m.src;"), "pid",
                         false);
  expect_asymmetric_text(model(local + "for i: pid do multisetadd(m, net); m.src := i; end;"), "pid", false);
  expect_asymmetric_text(model(local + "for i: pid do if flag then m.src := i; end; multisetadd(m, net); end;"), "pid",
                         false);
  expect_asymmetric_text(
      model(local +
            "for i: pid do undefine m; m.src := i; m.n := multisetcount(k: net, true); multisetadd(m, net); end;"),
      "pid", false);
  expect_asymmetric("for i: pid do multisetremovepred(k: net, net[k].src = i); end;");
  expect_symmetric("for i: pid do multisetremovepred(k: nets[i], true); end;");
}

// A model whose rule is inside of `choose k: net` and has the locals m, y.
std::string choosing(const std::string& body, const std::string& around = "choose k: net do") {
  return kHead + "procedure send(i: pid); var m: msg; begin m.src := i; multisetadd(m, net); end;\n" +
         "startstate begin undefine a; end;\nruleset x: pid do " + around + " rule \"r\" net[k].n = 1 ==>\n" +
         "var m: msg; begin " + body + "\nend; end; end;\n";
}

TEST(Asymmetry, SlotsMeanElements) {
  expect_symmetric_text(choosing("m := net[k]; multisetremove(k, net); last := m.src; multisetadd(m, net);"));
  expect_symmetric_text(choosing("alias e: net[k] do last := e.src; send(e.src); multisetremove(k, net); end;"));
  expect_symmetric_text(choosing("if flag then multisetremove(k, net); send(x); else last := net[k].src; end;"));
  expect_symmetric_text(choosing("n := multisetcount(l: net, l = k | net[l].n = net[k].n);"));
  expect_asymmetric_text(choosing("multisetremove(k, net); multisetadd(m, net); last := net[k].src;"), "pid", false);
  expect_asymmetric_text(choosing("alias e: net[k] do multisetremovepred(l: net, true); send(x); last := e.src; end;"),
                         "pid", false);
  expect_asymmetric_text(choosing("while n < 3 do last := net[k].src; undefine net; send(x); end;"), "pid", false);
}

TEST(Asymmetry, RemovingWhileLooking) {
  expect_symmetric_text(choosing("multisetremovepred(l: net, net[l].src = x & net[l].n = n);"));
  expect_symmetric_text(choosing("last := net[k].src; multisetremovepred(l: net, net[l].src = last);"));
  expect_symmetric_text(choosing("multisetremovepred(l: nets[x], nets[x][l].src = net[k].src);"));
  // Once element k is gone, its slot cannot be read any more.
  expect_asymmetric_text(choosing("multisetremovepred(l: net, net[l].src = net[k].src);"), "pid", false);
  expect_asymmetric_text(choosing("multisetremovepred(l: net, multisetcount(j: net, true) > 1);"), "pid", false);
  expect_asymmetric_text(choosing("alias e: net[k] do multisetremovepred(l: net, net[l].src = e.src); end;"), "pid",
                         false);
}

TEST(Asymmetry, SlotsOfAnotherMultiset) {
  const auto with = [](const std::string& body) {
    return kHead + "startstate begin undefine a; end;\nruleset x: pid; y: pid do choose k: nets[x] do\n" +
           "rule \"r\" nets[x][k].n = 1 ==> begin " + body + " end; end; end;\n";
  };
  expect_symmetric_text(with("last := nets[x][k].src; multisetremove(k, nets[x]);"));
  expect_asymmetric_text(with("last := nets[y][k].src;"), "pid", false);
  expect_asymmetric_text(with("multisetremove(k, nets[y]);"), "pid", false);
  expect_asymmetric_text(with("n := multisetcount(l: nets[y], l = k);"), "pid", false);
}

// ---- other uses ----

TEST(Asymmetry, Clear) {
  expect_asymmetric("clear last;", true);
  expect_asymmetric("clear c;", true);
  expect_asymmetric("clear q;", true);
  expect_symmetric("clear a; clear n; clear g; clear net; clear s;");
  expect_symmetric("clear y;");  // the union's first member is of the enumeration
}

TEST(Asymmetry, QuantifiersWithEffects) {
  const std::string functions =
      "function f(i: pid): boolean; begin return a[i] = 1; end;\n"
      "function e(i: pid): boolean; begin last := i; return a[i] = 1; end;\n"
      "function t(i: pid): boolean; begin assert a[i] < 2; return a[i] = 1; end;\n"
      "function v(i: pid): boolean; begin return t(i); end;\n"
      "function w1(m: cell): boolean; var k: 0..9; begin k := 1; return m.f & k = 1; end;\n"
      "function w2(var m: cell): boolean; begin m.f := false; return true; end;\n";
  expect_symmetric("flag := exists i: pid do f(i) end;", functions);
  expect_symmetric("flag := forall i: pid do q[i] != i -> exists j: pid do q[j] = i end end;", functions);
  expect_asymmetric("flag := exists i: pid do e(i) end;", false, functions);
  expect_asymmetric("n := multisetcount(k: net, e(net[k].src));", false, functions);
  expect_asymmetric("flag := exists i: pid do v(i) end;", false, functions);
  expect_symmetric("flag := exists i: pid do w1(c[i]) end;", functions);
  expect_asymmetric("flag := exists i: pid do w2(c[i]) end;", false, functions);
}

TEST(Asymmetry, RulesAndProperties) {
  expect_symmetric_text(
      kHead +
      "startstate begin undefine a; end;\n"
      "ruleset i: pid; v: val do startstate begin last := i; h := v; end; end;\n"
      "ruleset i: node do alias e: c[i] do rule \"r\" e.f ==> begin u := i; e.p := last; end; end; end;\n"
      "invariant forall i: pid do exists j: pid do q[i] = j end end;\n"
      "invariant ismember(u, pid) -> u != last;\n");
}

// ---- quantifiers that may fail ----

std::vector<std::uint32_t> failing_lines(const std::string& text) {
  murphi::Loaded loaded(text);
  EXPECT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  const ir::Analysis analysis(*loaded.program, undefined_at_start(*loaded.program));
  std::vector<std::uint32_t> lines;
  for (const symmetry::Asymmetry& one : symmetry::find_failing_quantifiers(*loaded.program, analysis))
    lines.push_back(one.where.line);
  return lines;
}

TEST(FailingQuantifiers, ThoseThatEndEarlyWithoutAViolation) {
  const std::string text =
      "type pid: scalarset(2); var d: array[pid] of 0..3; e: array[pid] of 0..3; f: boolean;\n"
      "function some(): boolean; begin\n"
      "  for i: pid do if e[i] = 0 then return true; end; end; return false; end;\n"
      "startstate begin for i: pid do d[i] := 0; end; f := false; end;\n"
      "rule exists i: pid do d[i] = 1 end ==> begin f := true; end;\n"
      "rule exists i: pid do e[i] = 1 end ==> begin f := true; end;\n"
      "rule f ==> begin assert forall i: pid do e[i] = 1 end; end;\n"
      "rule !some() ==> begin f := forall i: pid do e[i] = 1 end; end;\n"
      "invariant forall i: pid do d[i] = 0 -> e[i] = 0 end;\n"
      "invariant !exists i: pid do e[i] = 3 end & f;\n"
      "invariant f -> exists i: pid do e[i] = 0 end;\n"
      "invariant forall i: pid do e[i] = 0 end | f;\n"
      "invariant f | forall i: pid do e[i] = 0 end;\n";
  EXPECT_EQ(failing_lines(text), (std::vector<std::uint32_t>{3, 6, 8, 11, 12}));
}

// Front ends cannot be trusted with everything: a program made by hand.
TEST(Asymmetry, ConstantsAndOrder) {
  for (const int which : {0, 1, 2, 3}) {
    murphi::Loaded loaded(model("begin last := other; flag := last = other; a[last] := n + 1;"));
    ASSERT_NE(loaded.program, nullptr);
    ir::Block& body = loaded.program->rules[0].body;
    const std::int64_t first = body[0]->ref.type->domain->hull().lo;
    if (which == 0) {
      body[0]->value = ir::make_constant(first, {2, 3});
    } else if (which == 1) {
      body[1]->value->args[0] = ir::make_constant(first + 1, {2, 3});
    } else if (which == 2) {
      body[1]->value->op = ir::ExprOp::kLess;
    } else {
      body[2]->ref.offset += body[2]->ref.subscripts[0].offset_before;
      body[2]->ref.subscripts.clear();
    }
    const auto found = symmetry::find_asymmetries(*loaded.program);
    ASSERT_FALSE(found.empty()) << which;
    EXPECT_TRUE(found[0].certain);
    EXPECT_EQ(found[0].scalarset->name, "pid");
  }
}

// ---- models of others ----

TEST(Asymmetry, CorpusIsSymmetric) {
  namespace fs = std::filesystem;
  const char* chosen = std::getenv("TIDELINE_CORPUS");
  const fs::path corpus = chosen != nullptr ? fs::path(chosen) : fs::path(TIDELINE_SOURCE_DIR) / "../shared/corpus";
  if (!fs::exists(corpus / "murphi"))
    GTEST_SKIP() << "no corpus beside the repository and none in TIDELINE_CORPUS";
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(corpus / "murphi")) {
    if (entry.path().extension() != ".m")
      continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    SCOPED_TRACE(entry.path().filename().string());
    murphi::Loaded loaded(text.str());
    if (!loaded.program)
      continue;
    ++count;
    for (const symmetry::Asymmetry& one : symmetry::find_asymmetries(*loaded.program))
      ADD_FAILURE() << one.where.line << ":" << one.where.column << " " << one.what;
  }
  EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace tideline
