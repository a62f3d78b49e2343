// SPDX-License-Identifier: MIT
// Parsing DVE texts in tests of the front end.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/dve/parse.h"

namespace tideline::dve {

// The result of parsing a text that is kept here, because the diagnostics refer to it.
struct Parsed {
  std::string text;
  Diagnostics diagnostics;
  std::optional<Model> model;

  explicit Parsed(std::string source, const ParseOptions& options = {}, const std::string& file = "test.dve")
      : text(std::move(source)), diagnostics(file, text), model(parse(text, options, diagnostics)) {}
  Parsed(const Parsed&) = delete;
  Parsed& operator=(const Parsed&) = delete;

  // "line:column message (hint)" of every diagnostic of this severity, in order.
  [[nodiscard]] std::vector<std::string> all(Severity severity) const {
    std::vector<std::string> lines;
    for (const Diagnostic& one : diagnostics.all()) {
      if (one.severity != severity)
        continue;
      std::string line = std::to_string(one.where.line) + ":" + std::to_string(one.where.column) + " " + one.message;
      if (!one.hint.empty())
        line += " (" + one.hint + ")";
      lines.push_back(std::move(line));
    }
    return lines;
  }
  [[nodiscard]] std::vector<std::string> errors() const { return all(Severity::kError); }
};

// The model of a text without errors; an empty one, and a failed test, otherwise.
inline Model model_of(const std::string& text, const ParseOptions& options = {}) {
  Parsed parsed(text, options);
  EXPECT_TRUE(parsed.model.has_value()) << text << "\n" << parsed.diagnostics.render();
  return parsed.model ? std::move(*parsed.model) : Model{};
}

// `text` has exactly these errors; each as Parsed::errors() words it.
inline void expect_errors(const std::string& text, const std::vector<std::string>& expected,
                          const ParseOptions& options = {}) {
  const Parsed parsed(text, options);
  EXPECT_FALSE(parsed.model.has_value()) << text;
  EXPECT_EQ(parsed.errors(), expected) << parsed.diagnostics.render();
}

// Line 1: `globals`. Line 2: a process P with states s and t and this content. Line 3: the system.
inline std::string with_process(std::string_view globals, std::string_view content) {
  return std::string(globals) + "\nprocess P { state s, t; init s; " + std::string(content) + " }\nsystem async;";
}

// The same with a transition whose content, beginning at 2:48, is `content`.
inline std::string with_transition(std::string_view globals, std::string_view content) {
  return with_process(globals, "trans s -> t { " + std::string(content) + " };");
}

// An expression with every operator in parentheses.
std::string shape(const Model& model, ExprId id);

inline const char* sign(Op op) {
  constexpr const char* kSigns[] = {"",  "",  "",   "",   "!", "-",  "~", "+",  "-",  "*",  "/",  "%",  "&",
                                    "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "imply"};
  return kSigns[static_cast<unsigned>(op)];
}

inline std::string shape(const Model& model, ExprId id) {
  const Expr& expr = model.exprs[id];
  switch (expr.op) {
    case Op::kNumber:
      return std::to_string(expr.value);
    case Op::kVariable:
      return model.variables[expr.variable].name;
    case Op::kElement:
      return model.variables[expr.variable].name + "[" + shape(model, expr.left) + "]";
    case Op::kInState:
      return model.processes[expr.process].name + "@" + model.processes[expr.process].states[expr.state].name;
    case Op::kNot:
    case Op::kMinus:
    case Op::kComplement:
      return std::string("(") + sign(expr.op) + shape(model, expr.left) + ")";
    default:
      return "(" + shape(model, expr.left) + " " + sign(expr.op) + " " + shape(model, expr.right) + ")";
  }
}

}  // namespace tideline::dve
