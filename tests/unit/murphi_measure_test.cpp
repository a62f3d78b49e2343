// SPDX-License-Identifier: MIT
// Progress measures of Murphi models: --progress and the annotation, what they may say, and where errors are.
#include "exec/interp/interpreter.h"
#include "ir/progress.h"
#include "murphi_support.h"

namespace tideline::murphi {
namespace {

constexpr const char* kModel =
    "type phase: enum {Idle, Busy, Done}; who: scalarset(3); either: union {phase, who};\n"
    "var x: 0..9; p: phase; b: boolean; w: who; u: either; a: array [0..2] of 0..5; r: record n: -4..4; end;\n"
    "  down: 0..3; big: 0..1000000000000000;\n"
    "function half(n: 0..9): 0..4; begin return n / 2; end;\n"
    "function down2(n: 0..9): 0..9; begin return 9 - n; end;\n"
    "function push(): 0..9; begin x := 1; return 1; end;\n"
    "startstate x := 3; p := Busy; b := true; down := 2; r.n := -1; end;\n"
    "rule true ==> x := x; end;\n";

Options with(std::string progress) {
  Options options;
  options.progress = std::move(progress);
  return options;
}

// "text/bits", with "down " before it where it counts down.
std::vector<std::string> components(const Loaded& loaded) {
  std::vector<std::string> all;
  EXPECT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  if (loaded.program == nullptr)
    return all;
  for (const ir::ProgressComponent& one : loaded.program->progress)
    all.push_back((one.descending ? "down " : "") + one.text + "/" + std::to_string(ir::progress_bits(one)));
  return all;
}

std::uint64_t start_key(const Loaded& loaded) {
  Interpreter interp(*loaded.program);
  Successors initial(interp.words());
  interp.initial(initial);
  std::uint64_t key = 0;
  interp.progress(initial.state(0), 1, &key);
  return key;
}

// The one error of --progress.
void expect_refused(const std::string& progress, const std::string& message, std::size_t column) {
  expect_errors(kModel,
                {"0:0 --progress: " + message + "\n    " + progress + "\n    " + std::string(column - 1, ' ') + "^"},
                with(progress));
}

std::vector<std::string> warnings(const Loaded& loaded) {
  std::vector<std::string> all;
  for (const Diagnostic& one : loaded.diagnostics.all())
    if (one.severity == Severity::kWarning)
      all.push_back(std::to_string(one.where.line) + ":" + std::to_string(one.where.column) + " " + one.message);
  return all;
}

using Texts = std::vector<std::string>;

TEST(MurphiMeasure, TakesIntegersBooleansAndEnumerations) {
  const Loaded loaded(kModel, with("p, down x,b , down r.n + 1, x < 4 | b, half(x)"));
  EXPECT_EQ(components(loaded), (Texts{"p/2", "down x/4", "b/2", "down r.n + 1/4", "x < 4 | b/2", "half(x)/3"}));
  // Busy 2, down 3 from 0..9, true 2, down 0 from -3..5, true 2, 1 of 0..4.
  EXPECT_EQ(start_key(loaded), 0b10'0111'10'0110'10'010U);
  EXPECT_EQ(loaded.program->progress[0].domain->show(loaded.program->progress[0].value->range.hi), "Done");
  EXPECT_EQ(loaded.program->progress[1].domain, nullptr);
  EXPECT_EQ(loaded.program->progress[1].value->where.line, 0U);
}

TEST(MurphiMeasure, CommasInsideAComponentDoNotDivideIt) {
  EXPECT_EQ(components(Loaded(kModel, with("ismember(u, phase), (x)"))), (Texts{"ismember(u, phase)/2", "(x)/4"}));
}

TEST(MurphiMeasure, DownIsAWordOnlyBeforeAnOperand) {
  EXPECT_EQ(components(Loaded(kModel, with("down, DOWN down, down (x), down -x, (down - x), x - down"))),
            (Texts{"down/3", "down down/3", "down (x)/4", "down -x/4", "(down - x)/4", "x - down/4"}));
  EXPECT_EQ(components(Loaded(kModel, with("down2(x), down down2(x)"))), (Texts{"down2(x)/4", "down down2(x)/4"}));
}

TEST(MurphiMeasure, UndefinedValuesAndFailuresAreZero) {
  EXPECT_EQ(start_key(Loaded(kModel, with("a[0], x"))), 4U);
  EXPECT_EQ(start_key(Loaded(kModel, with("a[x], x"))), 4U);
  EXPECT_EQ(start_key(Loaded(kModel, with("a[0] + 1, x"))), 4U);
}

TEST(MurphiMeasure, RefusesWhatHasNoOrder) {
  const std::string must =
      "a component of a progress measure must be an integer, a boolean or a member of an enumeration, not ";
  expect_refused("x, w", must + "a value of type 'who' (the members of a scalarset have no order)", 4);
  expect_refused("down u", must + "a value of type 'either' (the members of a union have no order)", 6);
  expect_refused("a",
                 must +
                     "a value of type 'array[0..2] of 0..5' (choose a field, an element, or something computed from "
                     "them)",
                 1);
  expect_refused("undefined", must + "UNDEFINED", 1);
}

TEST(MurphiMeasure, ErrorsAreInTheTextOfTheOption) {
  expect_refused("x, y + 1", "unknown name 'y'", 4);
  expect_refused("x y", "syntax error: unexpected y", 3);
  expect_refused("x,", "syntax error: unexpected the end of the text", 3);
  expect_refused("x, b + 1", "an operand of '+' must be an integer, not a boolean", 4);
}

TEST(MurphiMeasure, CannotChangeTheState) {
  expect_errors(kModel,
                {"0:0 'push' changes the state and cannot be called in a progress measure (only functions without side "
                 "effects can)"},
                with("push()"));
  expect_errors(
      std::string(kModel) + "-- tideline: progress x, push()",
      {"9:26 'push' changes the state and cannot be called in a progress measure (only functions without side "
       "effects can)"});
}

TEST(MurphiMeasure, TheKeyHas64Bits) {
  EXPECT_EQ(components(Loaded(kModel, with("big, x, x, x"))).size(), 4U);
  expect_refused(
      "x, big, x, x, x",
      "the progress measure takes 66 bits, and its key has 64 (the largest component, 'big', takes 50; leave "
      "it out, or divide it by a constant, which keeps the order)",
      4);
  expect_refused(
      "x, big * big",
      "the progress measure takes 68 bits, and its key has 64 (the largest component, 'big * big', takes 64; "
      "leave it out, or divide it by a constant, which keeps the order)",
      4);
  EXPECT_EQ(components(Loaded(kModel, with("x, big / 1024, x, x, x"))),
            (Texts{"x/4", "big / 1024/40", "x/4", "x/4", "x/4"}));
}

// ---- the annotation ----

TEST(MurphiMeasure, AnAnnotationIsACommentLine) {
  const std::string text = std::string("--tideline: progress  p , down x -- the phases\n") + kModel;
  const Loaded loaded(text);
  EXPECT_EQ(components(loaded), (Texts{"p/2", "down x/4"}));
  EXPECT_TRUE(warnings(loaded).empty());
  EXPECT_EQ(components(Loaded(std::string(kModel) + "-- tideline: progress x\r\n")), Texts{"x/4"});
  EXPECT_EQ(components(Loaded(std::string(kModel) + "-- a tideline: progress x\n-- Tideline: progress b")), Texts{});
}

TEST(MurphiMeasure, StringsAndBlockCommentsHaveNoAnnotations) {
  const std::string text =
      std::string(kModel) + "rule \"a\n-- tideline: progress x\" end; /* -- tideline: progress b\n-- tideline: odd */";
  const Loaded loaded(text);
  EXPECT_EQ(components(loaded), Texts{});
  EXPECT_TRUE(warnings(loaded).empty());
}

TEST(MurphiMeasure, TheOptionIsStrongerThanTheAnnotation) {
  const std::string text = std::string(kModel) + "-- tideline: progress nonsense +";
  EXPECT_EQ(components(Loaded(text, with("b"))), Texts{"b/2"});
  EXPECT_EQ(components(Loaded(text, with(""))), Texts{});
}

TEST(MurphiMeasure, ErrorsOfAnAnnotationAreInTheModel) {
  const std::string first = "--  tideline: progress x, nobody\n";
  expect_errors(first + kModel, {"1:27 unknown name 'nobody'"});
  expect_errors("-- tideline: progress (x\n" + std::string(kModel),
                {"1:25 syntax error: unexpected the end of the text"});
  expect_errors("-- tideline: progress\n" + std::string(kModel), {"1:22 syntax error: unexpected the end of the text"});
  expect_errors(std::string(kModel) + "  -- tideline: progress x\n -- tideline: progress b",
                {"10:15 the progress measure is given already, at line 9"});
  expect_errors(
      std::string(kModel) + "-- tideline: progress x, big, big",
      {"9:26 the progress measure takes 104 bits, and its key has 64 (the largest component, 'big', takes 50; "
       "leave it out, or divide it by a constant, which keeps the order)"});
}

TEST(MurphiMeasure, UnknownAnnotationsAreWarnings) {
  const Loaded loaded(std::string(kModel) + "-- tideline: progess x\n-- tideline:");
  EXPECT_EQ(components(loaded), Texts{});
  EXPECT_EQ(warnings(loaded), (Texts{"9:14 'progess' is no annotation that this version knows",
                                     "10:13 '' is no annotation that this version knows"}));
}

}  // namespace
}  // namespace tideline::murphi
