// SPDX-License-Identifier: MIT
// Large DVE models: chains of && and || become balanced trees, other nesting has a limit, time is linear; and the
// corpus of models nobody here wrote, if it is there.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "dve_support.h"

namespace tideline::dve {
namespace {

// ---- chains ----

std::string guard(const std::string& text) {
  const Model model = model_of(with_transition("byte a, b, c, d, e[4];", "guard " + text + ";"));
  return model.processes.empty() ? "" : shape(model, model.processes[0].transitions[0].guard);
}

TEST(DveLimits, ChainsAreBalanced) {
  EXPECT_EQ(guard("a && b && c && d"), "((a && b) && (c && d))");
  EXPECT_EQ(guard("a || b || c || d || a"), "(((a || b) || (c || d)) || a)");
  // Only pure ones.
  EXPECT_EQ(guard("a && b || c || d && a && b"), "(((((a && b) || c) || d) && a) && b)");
}

std::vector<unsigned> depths(const Model& model) {
  std::vector<unsigned> result;
  for (const Expr& expr : model.exprs) {
    const unsigned left = expr.left == kNothing ? 0 : result[expr.left];
    const unsigned right = expr.right == kNothing ? 0 : result[expr.right];
    result.push_back(1 + std::max(left, right));
  }
  return result;
}

// The numbers in an expression, from left to right.
std::vector<std::int64_t> leaves(const Model& model, ExprId root) {
  std::vector<std::int64_t> result;
  std::vector<ExprId> open{root};
  while (!open.empty()) {
    const Expr& expr = model.exprs[open.back()];
    open.pop_back();
    if (expr.op == Op::kNumber)
      result.push_back(expr.value);
    if (expr.right != kNothing)
      open.push_back(expr.right);
    if (expr.left != kNothing)
      open.push_back(expr.left);
  }
  return result;
}

TEST(DveLimits, ChainsKeepTheirOrder) {
  for (const std::string op : {"&&", "||"}) {
    for (int count : {2, 3, 5, 8, 13, 100, 1000}) {
      std::string text = "0";
      for (int k = 1; k < count; ++k)
        text += " " + op + " " + std::to_string(k);
      const Model model = model_of(with_transition("", "guard " + text + ";"));
      const ExprId root = model.processes[0].transitions[0].guard;
      const std::vector<std::int64_t> found = leaves(model, root);
      ASSERT_EQ(found.size(), static_cast<std::size_t>(count));
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
      EXPECT_EQ(found.back(), count - 1);
      unsigned height = 1;
      while ((1 << (height - 1)) < count)
        ++height;
      EXPECT_EQ(depths(model)[root], height);
    }
  }
}

TEST(DveLimits, PlacesInsideChains) {
  const Model model = model_of(with_transition("byte a, b, c, d;", "guard a && b && c && d;"));
  const Expr& root = model.exprs[model.processes[0].transitions[0].guard];
  EXPECT_EQ(root.where.column, 61U);
  EXPECT_EQ(model.exprs[root.left].where.column, 56U);
  EXPECT_EQ(model.exprs[root.right].where.column, 66U);
}

// ---- limits ----

std::string repeated(std::string_view part, std::size_t count) {
  std::string result;
  result.reserve(part.size() * count);
  for (std::size_t k = 0; k < count; ++k)
    result += part;
  return result;
}

const std::string kTooDeep = " this is nested too deeply (the limit is 1000 levels; split it into several parts)";

TEST(DveLimits, NestingUpToTheLimit) {
  for (const auto& [open, close] :
       std::vector<std::pair<std::string, std::string>>{{"(", ")"}, {"-", ""}, {"e[", "]"}}) {
    const auto nested = [&, &open = open, &close = close](std::size_t levels) {
      return with_transition("byte a, e[4];", "guard " + repeated(open, levels) + "a" + repeated(close, levels) + ";");
    };
    model_of(nested(kNestingMax - 1));
    EXPECT_EQ(Parsed(nested(kNestingMax + 1)).errors().size(), 1U);
  }
  model_of(with_transition("byte a;", "guard a" + repeated("+a", kNestingMax - 1) + ";"));
  expect_errors(with_transition("byte a;", "guard a" + repeated("+a", kNestingMax) + "; effect b = 1;"),
                {"2:2053" + kTooDeep});
}

TEST(DveLimits, AMillionParentheses) {
  expect_errors(with_transition("", "guard " + repeated("(", 1000000) + ";"), {"2:1054" + kTooDeep});
  expect_errors(with_transition("", "guard " + repeated("not ", 1000000) + ";"), {"2:4054" + kTooDeep});
  expect_errors(with_transition("byte a[2];", "guard " + repeated("a[", 1000000) + ";"), {"2:2054" + kTooDeep});
  expect_errors("byte x = " + repeated("(", 1000000) + ";" + with_process("", ""), {"1:1010" + kTooDeep});
}

TEST(DveLimits, AMillionConjunctions) {
  const Model model = model_of(with_transition("byte a;", "guard a" + repeated("&&a", 1000000) + ";"));
  EXPECT_EQ(depths(model)[model.processes[0].transitions[0].guard], 21U);
  EXPECT_LT(model.exprs.size(), 100U);  // what is repeated is kept once
}

TEST(DveLimits, MixedConjunctionsNest) {
  EXPECT_EQ(Parsed(with_transition("byte a;", "guard a" + repeated("&&a||a", 1000000) + ";")).errors().size(), 1U);
}

TEST(DveLimits, OperandsComeFirst) {
  const Model model =
      model_of(with_transition("byte a, e[3];", "guard -a + e[a * 2] == 3 and a or not a imply a && a && ~a;"));
  for (std::size_t k = 0; k < model.exprs.size(); ++k) {
    const Expr& expr = model.exprs[k];
    EXPECT_TRUE(expr.left == kNothing || expr.left < k);
    EXPECT_TRUE(expr.right == kNothing || expr.right < k);
  }
}

// ---- the corpus ----

std::filesystem::path corpus() {
  if (const char* chosen = std::getenv("TIDELINE_CORPUS"))
    return std::filesystem::path(chosen) / "dve";
  return std::filesystem::path(TIDELINE_SOURCE_DIR) / ".." / "shared" / "corpus" / "dve";
}

TEST(DveLimits, Corpus) {
  if (!std::filesystem::exists(corpus()))
    GTEST_SKIP() << "no corpus beside the repository and none in TIDELINE_CORPUS";
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus())) {
    if (entry.path().extension() != ".dve")
      continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const Parsed parsed(text.str(), {}, entry.path().string());
    EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.render();
    ++count;
  }
  EXPECT_GT(count, 100U);
}

}  // namespace
}  // namespace tideline::dve
