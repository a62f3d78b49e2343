// SPDX-License-Identifier: MIT
// Errors in DVE models: each with its place and wording, recovery from them, --define and --invariant, and inputs that
// are broken at random.
#include <random>

#include "dve_support.h"

namespace tideline::dve {
namespace {

// ---- characters ----

TEST(DveCheck, Characters) {
  const std::string hint = " (outside comments a model consists of ASCII letters, digits and signs)";
  expect_errors("byte x@;\nbyte \xc3\xa4\xc3\xb6;",
                {"1:7 unexpected character '@'" + hint, "2:6 unexpected byte 0xc3" + hint});
  expect_errors(std::string("byte x;\0 ", 9), {"1:8 unexpected byte 0x00" + hint});
  expect_errors("byte x = 2147483648;", {"1:10 this number does not fit into 32 bits (the greatest is 2147483647)"});
  expect_errors("byte 2x;", {"1:6 a name cannot begin with a digit"});
  expect_errors("byte $x;", {"1:6 unexpected character '$'" + hint});
  expect_errors("byte x \\ ;", {"1:8 unexpected character '\\'" + hint});
  model_of(with_transition("byte x$1, y#;", "guard x$1 == 1and 0or y#;") + " \\ \t\r\n");
  expect_errors("byte " + std::string(256, 'x') + ";", {"1:6 this name is longer than 255 characters"});
  expect_errors("byte x;\n /* never /* closed", {"2:2 this comment is never closed (a comment ends with '*/')"});
}

TEST(DveCheck, Templates) {
  const std::string message =
      " this is an m4 template, and templates are not read (expand it first, for example with 'divine combine')";
  expect_errors("// comment\ndefault(N,4)\nbyte x;", {"2:1" + message});
  expect_errors("byte `x';\n  forloop(x, 1, 2, `byte a;')", {"2:3" + message});
  expect_errors("define(foo, 1)", {"1:1" + message});
  EXPECT_EQ(Parsed("", {}, "model.mdve").errors(), std::vector<std::string>{"0:0" + message});
  // As plain names they are possible.
  model_of(with_transition("byte define;", "guard\ndefine ==\n(define);"));
}

TEST(DveCheck, GarbageIsRefusedQuickly) {
  std::string garbage;
  for (int k = 0; k < 1000000; ++k)
    garbage += "@ ";
  EXPECT_EQ(Parsed(garbage).errors().size(), Diagnostics::kErrorsKept);
}

// ---- the whole ----

TEST(DveCheck, WholeModel) {
  const std::string missing = " the line that says what the system is, is missing (add 'system async;' at the end)";
  expect_errors("", {"1:1 the model has no process", "1:1" + missing});
  expect_errors("process P { state s; init s; }\n", {"2:1" + missing});
  expect_errors("byte x; system async;", {"1:9 the model has no process"});
  expect_errors(with_process("", "") + " byte x;",
                {"3:15 syntax error: unexpected 'byte', expected the end of the text (the line 'system ...;' is the "
                 "last one)"});
  expect_errors("process P { state s; init s; } system;",
                {"1:38 syntax error: unexpected ';', expected 'async' or 'sync'"});
  expect_errors("process P { state s; init s; } system async",
                {"1:44 syntax error: unexpected the end of the text, expected ';'"});
  expect_errors("process Prop { state s; init s; } system async property Prob;",
                {"1:57 unknown process 'Prob' (did you mean 'Prop'?)"});
  expect_errors("byte x; process P { state s; init s; } system async property x;", {"1:62 unknown process 'x'"});
  expect_errors("process P { state s; init s; }\nbyte x; channel c; system async;",
                {"2:1 variables and channels are declared before the processes",
                 "2:9 variables and channels are declared before the processes"});
  expect_errors("x = 1; byte y;" + with_process("", ""),
                {"1:1 syntax error: unexpected 'x', expected a declaration, 'process' or 'system'"});
}

TEST(DveCheck, SynchronousSystemsHaveNoChannels) {
  expect_errors("channel c; process P { state s; init s; trans s -> s { sync c!; }; } system sync;",
                {"1:56 a synchronous system cannot use channels"});
  expect_errors("channel c; process P { state s; init s; trans s -> s { sync c!; }; } system async property P;",
                {"1:56 the property process cannot use channels"});
}

// ---- declarations ----

TEST(DveCheck, Declarations) {
  expect_errors(with_process("const x = 1;", ""), {"1:7 syntax error: unexpected 'x', expected 'byte' or 'int'"});
  expect_errors(with_process("byte;", ""), {"1:5 syntax error: unexpected ';', expected the name of a variable"});
  expect_errors(with_process("byte guard;", ""),
                {"1:6 syntax error: unexpected 'guard', expected the name of a variable ('guard' is a keyword)"});
  expect_errors(with_process("byte x y;", ""), {"1:8 syntax error: unexpected 'y', expected ',' or ';'"});
  expect_errors(with_process("byte x\nint y;", ""), {"2:1 syntax error: unexpected 'int', expected ',' or ';'"});
  expect_errors(with_process("byte x[];", ""), {"1:8 syntax error: unexpected ']', expected the number of elements"});
  expect_errors(with_process("byte x[2;", ""), {"1:9 syntax error: unexpected ';', expected ']'"});
  expect_errors(with_process("byte x[0];", ""), {"1:8 an array has at least one element"});
  expect_errors(with_process("byte n; byte x[n], y[m];", ""),
                {"1:16 the size of an array must be a number or a constant",
                 "1:22 the size of an array must be a number or a constant"});
  expect_errors(with_process("byte x[8000000]; int y[8000000];", ""),
                {"1:22 the variables and buffers are too large (together they have at most 2^23 elements)"});
}

TEST(DveCheck, InitialValues) {
  expect_errors(with_process("byte x = 256; int y = -32769; byte z[2] = {1, -1};", ""),
                {"1:10 the initial value 256 of 'x' is outside of byte (0..255)",
                 "1:23 the initial value -32769 of 'y' is outside of int (-32768..32767)",
                 "1:47 the initial value -1 of 'z' is outside of byte (0..255)"});
  const std::string hint = " (it divides by 0 or leaves an array)";
  for (const std::string value : {"1 / 0", "1 % 0", "a[2]", "a[2147483647 + 1]"})
    expect_errors(with_process("byte a[2]; int x = " + value + ";", ""),
                  {"1:20 the initial value of 'x' cannot be computed" + hint});
  expect_errors(with_process("byte x = {1}; byte y[2] = 3;", ""),
                {"1:10 a list of values, but 'x' is not an array",
                 "1:27 'y' is an array and needs a list of values (write { ... })"});
  expect_errors(with_process("byte x = y, y = P.s;", ""),
                {"1:10 unknown name 'y'", "1:17 an initial value cannot depend on the state of a process"});
  expect_errors(with_process("byte x[2] = {1, };", ""), {"1:17 syntax error: unexpected '}', expected an expression"});
}

TEST(DveCheck, Duplicates) {
  expect_errors(with_process("byte x; channel y;\nint x; byte y;", "") + "",
                {"2:5 'x' is declared already, at line 1", "2:13 'y' is declared already, at line 1"});
  expect_errors("byte P;\nprocess P { byte x, x; state s, s; init s; }\nsystem async;",
                {"2:9 'P' is declared already, at line 1", "2:21 'x' is declared already, at line 2",
                 "2:33 's' is declared already, at line 2"});
}

TEST(DveCheck, Channels) {
  expect_errors(with_process("channel c[2];", ""),
                {"1:10 a channel with a buffer needs the types of its values (write channel {byte} c[...])"});
  expect_errors(with_process("channel {byte} c;", ""),
                {"1:17 syntax error: unexpected ';', expected '[' (a channel with types has a size: c[0] for one "
                 "without buffer)"});
  expect_errors(with_process("channel {} c[1];", ""), {"1:10 syntax error: unexpected '}', expected 'byte' or 'int'"});
  expect_errors(with_process("channel {byte} c[N];", ""),
                {"1:18 syntax error: unexpected 'N', expected the size of the buffer"});
  expect_errors(with_process("channel {byte} c[8388608];", ""),
                {"1:17 the variables and buffers are too large (together they have at most 2^23 elements)"});
}

TEST(DveCheck, UsesOfChannels) {
  const std::string channels = "channel c; channel {byte, int} d[2]; byte x;";
  expect_errors(with_process(channels, "trans s -> t { sync c!1; },\ns -> t { sync c?; }, s -> t { sync c!{1, 2}; };"),
                {"3:15 channel 'c' carries no value here, but 1 value at 2:53",
                 "3:36 channel 'c' carries 2 values here, but 1 value at 2:53"});
  expect_errors(with_transition(channels, "sync d!1;"), {"2:53 channel 'd' carries 2 values, but here 1 value"});
  expect_errors(with_transition(channels, "sync d?;"), {"2:53 channel 'd' carries 2 values, but here no value"});
  expect_errors(with_transition(channels, "sync x!;"), {"2:53 'x' is not a channel"});
  expect_errors(with_transition("channel inbox;", "sync inbix!;"),
                {"2:53 unknown channel 'inbix' (did you mean 'inbox'?)"});
  expect_errors(with_transition(channels, "sync c;"), {"2:54 syntax error: unexpected ';', expected '!' or '?'"});
  expect_errors(with_transition(channels, "sync c?5;"), {"2:55 syntax error: unexpected '5', expected a variable"});
  expect_errors(with_transition(channels, "sync d?{x};"), {"2:53 channel 'd' carries 2 values, but here 1 value"});
}

// ---- processes ----

TEST(DveCheck, Processes) {
  expect_errors("process P { init s; } system async;",
                {"1:13 syntax error: unexpected 'init', expected a variable or 'state'"});
  expect_errors("process P { state s; } system async;",
                {"1:9 process 'P' has no initial state (add 'init' and a state)"});
  expect_errors("process P(byte x) { state s; init s; } system async;",
                {"1:10 syntax error: unexpected '(', expected '{'"});
  expect_errors("process { state s; init s; } system async;",
                {"1:9 syntax error: unexpected '{', expected the name of a process"});
  expect_errors("process P { channel c; state s; init s; } system async;",
                {"1:13 channels are declared before the processes"});
  expect_errors(with_process("", "byte x; state u;"), {"2:33 the variables of a process are declared before its states",
                                                       "2:41 the states of a process are declared once, in one list"});
  expect_errors(with_process("", "init t;"), {"2:33 'init' is given already, at line 2"});
  expect_errors(with_process("", "trans s -> s {}; commit s; assert s: 1;"),
                {"2:50 'commit' must come before 'trans'", "2:60 'assert' must come before 'trans'"});
  expect_errors(with_process("", "foo;"),
                {"2:33 syntax error: unexpected 'foo', expected 'init', 'commit', 'accept', 'assert', 'trans' or '}'"});
  expect_errors("process P { state s; init s;\nprocess Q { state s; init s; } system async;",
                {"2:1 syntax error: unexpected 'process', expected '}' at the end of process 'P'"});
}

TEST(DveCheck, States) {
  const std::string unknown = " process 'P' has no state 'idl' (did you mean 'idle'?)";
  const auto process = [](const std::string& rest) { return "process P { state idle; " + rest + " } system async;"; };
  expect_errors(process("init idl;"), {"1:30" + unknown});
  expect_errors(process("init idle; commit idl;"), {"1:43" + unknown});
  expect_errors(process("init idle; accept idl;"), {"1:43" + unknown});
  expect_errors(process("init idle; accept rabin (;idl);"), {"1:51" + unknown});
  expect_errors(process("init idle; assert idl: 1;"), {"1:43" + unknown});
  expect_errors(process("init idle; trans idl -> idle {}, idle -> idl {};"), {"1:42" + unknown, "1:66" + unknown});
  expect_errors(process("init idle; trans idle -> idle { guard P.idl; };"), {"1:65" + unknown});
  expect_errors(process("init idle; accept genbuchi idle;"), {"1:52 syntax error: unexpected 'idle', expected '('"});
  expect_errors(process("init idle; accept streett (idle);"), {"1:56 syntax error: unexpected ')', expected ';'"});
  expect_errors(process("init idle; accept;"), {"1:42 syntax error: unexpected ';', expected the name of a state"});
  expect_errors(process("init idle; assert idle 1;"), {"1:48 syntax error: unexpected '1', expected ':'"});
}

TEST(DveCheck, Transitions) {
  expect_errors(with_process("", "trans -> t {};"), {"2:39 the first transition of a process needs a source state"});
  expect_errors(with_process("", "trans s => { s: 1, t: 2 }, s -> u {};"),
                {"2:41 probabilistic transitions are not supported", "2:65 process 'P' has no state 'u'"});
  expect_errors(with_process("", "trans s t {}, s -> u {};"),
                {"2:41 syntax error: unexpected 't', expected '->'", "2:52 process 'P' has no state 'u'"});
  expect_errors(with_process("", "trans s -> t {} s -> t {};"),
                {"2:49 syntax error: unexpected 's', expected ',' or ';'"});
  expect_errors(with_process("", "trans s -> t {}, ;"),
                {"2:50 syntax error: unexpected ';', expected the name of a state or '->'"});
  const std::string order = " (a transition has a guard, a sync and an effect, in this order, each at most once)";
  expect_errors(with_transition("byte x;", "effect x = 1; guard x;"), {"2:62 'guard' is not possible here" + order});
  expect_errors(with_transition("byte x;", "guard x; guard x;"), {"2:57 'guard' is not possible here" + order});
  expect_errors(with_transition("byte x;", "x = 1;"),
                {"2:48 syntax error: unexpected 'x', expected 'guard', 'sync', 'effect' or '}'"});
  expect_errors(with_transition("byte x;", "guard x = 1;"),
                {"2:56 syntax error: unexpected '=', expected ';' ('==' compares, '=' assigns)"});
  expect_errors(with_transition("byte x;", "guard x"), {"2:56 syntax error: unexpected '}', expected ';'"});
  expect_errors(with_transition("byte x;", "effect x == 1;"), {"2:57 syntax error: unexpected '==', expected '='"});
  expect_errors(with_transition("byte x;", "effect x++;"), {"2:56 syntax error: unexpected '+', expected '='"});
}

// ---- expressions ----

TEST(DveCheck, Names) {
  expect_errors(with_transition("byte counter;", "guard countr;"),
                {"2:54 unknown name 'countr' (did you mean 'counter'?)"});
  expect_errors(
      with_transition("channel c;", "guard c + P;"),
      {"2:54 'c' is a channel, but a variable is needed here", "2:58 'P' is a process, but a variable is needed here"});
  expect_errors(with_transition("", "guard s;"), {"2:54 unknown name 's' (a state is tested with P.s)"});
  expect_errors(with_transition("byte x;", "guard Q.s && x.s;"),
                {"2:54 unknown process 'Q'", "2:61 'x' is not a process"});
  expect_errors(
      with_transition("byte x, a[2];", "guard a && x[1]; effect a = 1, x[0] = 1;"),
      {"2:54 'a' is an array (write a[...] for an element)", "2:59 'x' is not an array and cannot be indexed",
       "2:72 'a' is an array (write a[...] for an element)", "2:79 'x' is not an array and cannot be indexed"});
  // Variables of a process are its own.
  expect_errors(
      "process P { byte x; state s; init s; }\nprocess Q { state s; init s; trans s -> s { guard x; }; }\nsystem "
      "async;",
      {"2:51 unknown name 'x'"});
}

TEST(DveCheck, Constants) {
  expect_errors(with_transition("const byte N = 1, A[2] = {1, 2}; channel c;", "effect N = 2, A[0] = 1;"),
                {"2:55 'N' is a constant and cannot be written", "2:62 'A' is a constant and cannot be written"});
  expect_errors(with_transition("const byte N = 1; channel c;", "sync c?N;"),
                {"2:55 'N' is a constant and cannot be written"});
}

TEST(DveCheck, ForeignVariables) {
  const auto model = [](const std::string& content) {
    return "process P { byte value, a[2]; state s; init s; }\nprocess Q { state s; init s; " + content +
           " }\nprocess R { state s; init s; trans s -> s { guard P->valu > P->a; }; }\n";
  };
  const std::string forbidden =
      " only the property process, --invariant and --progress can read the variables of other processes (make the "
      "variable global)";
  expect_errors(model("trans s -> s { guard P->value; };") + "system async property R;",
                {"2:51" + forbidden, "3:54 process 'P' has no variable 'valu' (did you mean 'value'?)",
                 "3:64 'a' is an array (write a[...] for an element)"});
  expect_errors(
      model("assert s: P->value; trans s -> s { effect P->value = 1; };") + "system async property Q;",
      {"2:40" + forbidden, "2:72 a process cannot write the variables of another one (make the variable global)",
       "3:51" + forbidden, "3:61" + forbidden});
}

TEST(DveCheck, ThePropertyProcessIsUnknownToOthers) {
  const std::string hidden = " 'L' is the property process, which takes no part";
  const auto model = [](const std::string& guard, const std::string& effect) {
    return "byte g;\nprocess P { state s; init s; trans s -> s { guard " + guard +
           "; }; }\nprocess L { byte y, a[2]; state u, v; init u; trans u -> v { guard L.u and P.s; effect " + effect +
           "; }; }\nsystem async property L;";
  };
  const std::string good = model("g == 0", "y = 1");
  model_of(good);
  expect_errors(model("L.v", "y = 1, a[1] = y"), {"2:51" + hidden});
  expect_errors(model("g == 0", "y = 1, g = 1"), {"3:95 the property process cannot write global variables"});
  for (const std::string invariant : {"L.u", "L->y == 0", "L->a[L->y] == 0"}) {
    const std::vector<std::string> errors = Parsed(good, ParseOptions{{}, {invariant}}).errors();
    ASSERT_FALSE(errors.empty()) << invariant;
    EXPECT_NE(errors.front().find(hidden), std::string::npos) << errors.front();
  }
}

TEST(DveCheck, Expressions) {
  expect_errors(with_transition("", "guard ;"), {"2:54 syntax error: unexpected ';', expected an expression"});
  expect_errors(with_transition("", "guard 1 +;"), {"2:57 syntax error: unexpected ';', expected an expression"});
  expect_errors(with_transition("", "guard (1;"), {"2:56 syntax error: unexpected ';', expected ')'"});
  expect_errors(with_transition("", "guard (1];"), {"2:56 syntax error: unexpected ']', expected ')'"});
  expect_errors(with_transition("byte a[2];", "guard a[1);"), {"2:57 syntax error: unexpected ')', expected ']'"});
  expect_errors(with_transition("", "guard 1);"), {"2:55 syntax error: unexpected ')', expected ';'"});
  expect_errors(with_transition("", "guard 1 2;"), {"2:56 syntax error: unexpected '2', expected ';'"});
  expect_errors(with_transition("", "guard P.;"), {"2:56 syntax error: unexpected ';', expected the name of a state"});
  expect_errors(with_transition("", "guard P->1;"),
                {"2:57 syntax error: unexpected '1', expected the name of a variable"});
}

TEST(DveCheck, SeveralErrorsPerRun) {
  expect_errors(
      "byte x = ;\n"
      "channel 3;\n"
      "process P {\n"
      "  byte y z;\n"
      "  state s;\n"
      "  init s\n"
      "  trans s -> s { guard (x; effect x = 1; },\n"
      "        s -> s { sync c!{1, 2; effect x = 1; }, s -> s {};\n"
      "}\n"
      "process Q { state s; init t; }\n"
      "system async;",
      {"1:10 syntax error: unexpected ';', expected an expression",
       "2:9 syntax error: unexpected '3', expected the name of a channel",
       "4:10 syntax error: unexpected 'z', expected ',' or ';'", "7:3 syntax error: unexpected 'trans', expected ';'",
       "7:26 syntax error: unexpected ';', expected ')'", "8:23 unknown channel 'c'",
       "8:30 syntax error: unexpected ';', expected '}'",
       "10:1 syntax error: unexpected 'process', expected ',' or ';'", "10:27 process 'Q' has no state 't'"});
}

// ---- the command line ----

TEST(DveCheck, Defines) {
  const std::string text = with_transition("const byte N = 3, M = N + 1, A[2] = {1}; byte x[N];", "guard M;");
  const auto with = [](const std::string& name, const std::string& value) { return ParseOptions{{{name, value}}, {}}; };
  const Model model = model_of(text, ParseOptions{{{"N", "1"}, {"N", "7"}}, {}});
  EXPECT_EQ(model.variables[3].initial.size(), 7U);
  EXPECT_EQ(shape(model, model.processes[0].transitions[0].guard), "8");
  expect_errors(text, {"0:0 --define NN=1: the model has no constant 'NN' (did you mean 'N'?)"}, with("NN", "1"));
  expect_errors(text, {"0:0 --define x=1: the model has no constant 'x'"}, with("x", "1"));
  expect_errors(text, {"0:0 --define N=256: the value must be an integer within byte (0..255)"}, with("N", "256"));
  expect_errors(text, {"0:0 --define N=2x: the value must be an integer within byte (0..255)"}, with("N", "2x"));
  expect_errors(text, {"0:0 --define N=: the value must be an integer within byte (0..255)"}, with("N", ""));
  expect_errors(text, {"0:0 --define A=1: the constant 'A' is an array, which cannot be given"}, with("A", "1"));
}

TEST(DveCheck, Invariants) {
  const std::string text = "byte count; process P { byte x; state s; init s; }\nsystem async;";
  const auto with = [](const std::string& invariant) { return ParseOptions{{}, {invariant}}; };
  EXPECT_EQ(model_of(text, with("P->x < 3 && P.s && count >= 0")).invariants.size(), 1U);
  expect_errors(text, {"0:0 --invariant: unknown name 'coun' (did you mean 'count'?)\n    coun < 3\n    ^"},
                with("coun < 3"));
  expect_errors(text, {"0:0 --invariant: unknown name 'x' (write P->x)\n    0 < x\n        ^"}, with("0 < x"));
  expect_errors(text,
                {"0:0 --invariant: syntax error: unexpected ';', expected an operator or the end of the text\n"
                 "    count;\n         ^"},
                with("count;"));
  expect_errors(text,
                {"0:0 --invariant: syntax error: unexpected the end of the text, expected an expression\n    \n    ^"},
                with(""));
  expect_errors(
      text,
      {"0:0 --invariant: unexpected character '@' (outside comments a model consists of ASCII letters, digits "
       "and signs)\n    @\n    ^"},
      with("@"));
}

// ---- broken at random ----

const char* const kEverything =
    "channel {byte,int} c[3], d[0]; channel e; const byte N=3; byte x[N]={1,2};\n"
    "process P { int z=-1; state a,b; init a; commit b; accept rabin (a;b),(;a); assert a: z<3, b: P.a;\n"
    "trans a->b{guard not z==1 imply x[z]&&(z||x[1]*2); sync c!{z,1}; effect x[0]=~z, z=(z<<1)^3;}, ->a {sync e?;}; }\n"
    "process Q { state q; init q; accept genbuchi (q),(); trans q->q { guard P->z && P.b || true;}; }\n"
    "system async property Q;";

// A model or errors, whatever is deleted, doubled or replaced.
TEST(DveCheck, MutatedModels) {
  model_of(kEverything);
  const std::string original = kEverything;
  const std::string_view signs = "(){}[];,:.!?=<>&|^~+-*/% \nab0";
  std::mt19937 random(20261116);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < 5000; ++round) {
    std::string text = original;
    for (std::size_t change = 0; change <= below(3); ++change) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min<std::size_t>(1 + below(12), text.size() - at);
      if (below(3) == 0)
        text.erase(at, length);
      else if (below(2) == 0)
        text.insert(below(text.size()), text.substr(at, length));
      else
        text[at] = signs[below(signs.size())];
    }
    const Parsed parsed(text);
    ASSERT_NE(parsed.model.has_value(), parsed.diagnostics.has_errors()) << text;
    static_cast<void>(parsed.diagnostics.render());
  }
}

}  // namespace
}  // namespace tideline::dve
