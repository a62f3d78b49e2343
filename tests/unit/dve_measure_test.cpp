// SPDX-License-Identifier: MIT
// Progress measures of DVE models: --progress and the annotation, what they may say, and where errors are.
#include <memory>

#include "dve_support.h"
#include "exec/interp/interpreter.h"
#include "front/dve/dve.h"
#include "ir/progress.h"

namespace tideline::dve {
namespace {

constexpr const char* kModel =
    "byte x = 3, a[3], down, fixed = 7; byte table[3] = {5, 6, 9}; int wide;\n"
    "process P { byte y = 1; state idle, busy, done; init busy;\n"
    "  trans busy -> done {}, -> busy { guard x < 9; effect x = x + 1, y = x % 4, a[0] = 1, down = x % 2, wide = x * "
    "1000; }; }\n"
    "process Once { state only; init only; }\n"
    "system async;\n";

class Loaded {
 public:
  explicit Loaded(std::string text, std::optional<std::string> progress = std::nullopt)
      : text_(std::move(text)), diagnostics_("test.dve", text_) {
    Options options;
    options.progress = std::move(progress);
    program_ = load("test.dve", text_, options, diagnostics_);
  }
  [[nodiscard]] const ir::Program& program() const { return *program_; }

  // "text/bits", with "down " before it where it counts down.
  [[nodiscard]] std::vector<std::string> components() const {
    std::vector<std::string> all;
    EXPECT_NE(program_, nullptr) << diagnostics_.render();
    if (program_ == nullptr)
      return all;
    for (const ir::ProgressComponent& one : program_->progress)
      all.push_back((one.descending ? "down " : "") + one.text + "/" + std::to_string(ir::progress_bits(one)));
    return all;
  }

  // "line:column message (hint)" of every error and warning.
  [[nodiscard]] std::vector<std::string> said() const {
    std::vector<std::string> all;
    for (const Diagnostic& one : diagnostics_.all())
      all.push_back(std::to_string(one.where.line) + ":" + std::to_string(one.where.column) + " " + one.message +
                    (one.hint.empty() ? "" : " (" + one.hint + ")"));
    return all;
  }

  // Of the initial state.
  [[nodiscard]] std::uint64_t key() const {
    Interpreter interp(*program_);
    Successors initial(interp.words());
    interp.initial(initial);
    std::uint64_t found = 0;
    interp.progress(initial.state(0), 1, &found);
    return found;
  }

 private:
  std::string text_;
  Diagnostics diagnostics_;
  std::unique_ptr<ir::Program> program_;
};

using Texts = std::vector<std::string>;

// The one error of --progress.
void expect_refused(const std::string& progress, const std::string& message, std::size_t column) {
  EXPECT_EQ(Loaded(kModel, progress).said(),
            Texts{"0:0 --progress: " + message + "\n    " + progress + "\n    " + std::string(column - 1, ' ') + "^"});
}

TEST(DveMeasure, TakesExpressionsAndForeignReferences) {
  const Loaded loaded(kModel, "x, down P->y+1, P.busy, x > 3 && P.idle");
  EXPECT_EQ(loaded.components(), (Texts{"x/3", "down P->y+1/3", "P.busy/2", "x > 3 && P.idle/2"}));
  // 3 of 3..9 is 1; P->y + 1 is 2 of 1..4; true; false.
  EXPECT_EQ(loaded.key(), 0b001'011'10'01U);
}

TEST(DveMeasure, AProcessIsItsLocation) {
  const Loaded loaded(kModel, "P, down P, Once, x");
  EXPECT_EQ(loaded.components(), (Texts{"P/2", "down P/2", "Once/1", "x/3"}));
  EXPECT_EQ(loaded.key(), 0b10'10'1'001U);
  EXPECT_EQ(loaded.program().progress[0].domain->show(2), "done");
  EXPECT_EQ(loaded.program().progress[2].domain, nullptr);
}

TEST(DveMeasure, DownIsAWordOnlyBeforeAnOperand) {
  EXPECT_EQ(Loaded(kModel, "down, down down, down (x), down -x, (down - x), x - down").components(),
            (Texts{"down/2", "down down/2", "down (x)/3", "down -x/3", "(down - x)/4", "x - down/4"}));
}

// Variables that nobody writes, or that have one value, are not in the state.
TEST(DveMeasure, SurvivesWhatTheFrontEndSimplifies) {
  const Loaded loaded(kModel, "fixed, table[1], table[x], 2 + 3, a[0], table[P->y]");
  EXPECT_EQ(loaded.components().size(), 6U);
  EXPECT_EQ(loaded.program().progress[0].value->constant, 7);
  EXPECT_EQ(loaded.program().progress[1].value->constant, 6);
  // table[3] fails: 0. a[0] is 0 of 0..1. table[1] is 6 of 5..9.
  EXPECT_EQ(loaded.key(), 0b1'1'000'1'01'010U);
}

TEST(DveMeasure, ErrorsAreInTheTextOfTheOption) {
  expect_refused("x, y", "unknown name 'y' (write P->y)", 4);
  expect_refused("x, P->z", "process 'P' has no variable 'z'", 7);
  expect_refused("P + 1", "'P' is a process, but a variable is needed here", 1);
  expect_refused("down a", "'a' is an array (write a[...] for an element)", 6);
  expect_refused("x x", "syntax error: unexpected 'x', expected an operator, ',' or the end of the text", 3);
  expect_refused("x,", "syntax error: unexpected the end of the text, expected an expression", 3);
  expect_refused("x, @",
                 "unexpected character '@' (outside comments a model consists of ASCII letters, digits and signs)", 4);
}

TEST(DveMeasure, ThePropertyProcessTakesNoPart) {
  const std::string text =
      "byte x; process P { state s, t; init s; trans s -> t {}; } process Q { state q; init q; } "
      "system async property Q;";
  EXPECT_EQ(Loaded(text, "P, Q").said(),
            Texts{"0:0 --progress: 'Q' is the property process, which takes no part\n    P, Q\n       ^"});
}

TEST(DveMeasure, TheKeyHas64Bits) {
  EXPECT_EQ(Loaded(kModel, "wide * wide * wide, x, x, wide * wide").said(),
            Texts{"0:0 the progress measure takes 66 bits, and its key has 64 (the largest component, 'wide * wide * "
                  "wide', takes 33; leave it out, or divide it by a constant, which keeps the order)"});
}

// ---- the annotation ----

TEST(DveMeasure, AnAnnotationIsACommentLine) {
  const Loaded loaded(std::string(kModel) + "//tideline: progress  P , down x // the clock\r\n");
  EXPECT_EQ(loaded.components(), (Texts{"P/2", "down x/3"}));
  EXPECT_EQ(loaded.said(), Texts{});
  const Loaded hidden(std::string(kModel) + "/* // tideline: progress x\n// tideline: odd */ // not tideline: odd");
  EXPECT_EQ(hidden.components(), Texts{});
  EXPECT_EQ(hidden.said(), Texts{});
}

TEST(DveMeasure, TheOptionIsStrongerThanTheAnnotation) {
  const std::string text = std::string(kModel) + "// tideline: progress nonsense +";
  EXPECT_EQ(Loaded(text, "x").components(), Texts{"x/3"});
  EXPECT_EQ(Loaded(text, "").components(), Texts{});
}

TEST(DveMeasure, ErrorsOfAnAnnotationAreInTheModel) {
  EXPECT_EQ(Loaded("//  tideline: progress x, nobody\n" + std::string(kModel)).said(),
            Texts{"1:27 unknown name 'nobody'"});
  EXPECT_EQ(Loaded("// tideline: progress\n" + std::string(kModel)).said(),
            Texts{"1:22 syntax error: unexpected the end of the text, expected an expression"});
  EXPECT_EQ(Loaded(std::string(kModel) + "  // tideline: progress x\n // tideline: progress P").said(),
            Texts{"7:15 the progress measure is given already, at line 6"});
  EXPECT_EQ(Loaded(std::string(kModel) + "// tideline: progress wide * wide, wide * wide * wide, x, x").said(),
            Texts{"6:36 the progress measure takes 66 bits, and its key has 64 (the largest component, 'wide * wide * "
                  "wide', takes 33; leave it out, or divide it by a constant, which keeps the order)"});
}

TEST(DveMeasure, UnknownAnnotationsAreWarnings) {
  const Loaded loaded(std::string(kModel) + "// tideline: progess x");
  EXPECT_EQ(loaded.components(), Texts{});
  EXPECT_EQ(loaded.said(),
            Texts{"6:14 'progess' is no annotation that this version knows (the one it knows is 'tideline: progress', "
                  "with the progress measure behind it)"});
}

}  // namespace
}  // namespace tideline::dve
