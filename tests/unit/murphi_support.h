// SPDX-License-Identifier: MIT
// Loading Murphi texts in tests of the front end.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "front/murphi/murphi.h"

namespace tideline::murphi {

// The result of loading a text that is kept here, because the diagnostics refer to it.
struct Loaded {
  std::string text;
  Diagnostics diagnostics;
  std::unique_ptr<ir::Program> program;

  explicit Loaded(std::string source, const Options& options = {})
      : text(std::move(source)), diagnostics("test.m", text), program(load("test.m", text, options, diagnostics)) {}

  // "line:column message (hint)" of every error, in order.
  [[nodiscard]] std::vector<std::string> errors() const {
    std::vector<std::string> all;
    for (const Diagnostic& one : diagnostics.all()) {
      if (one.severity != Severity::kError)
        continue;
      std::string line = std::to_string(one.where.line) + ":" + std::to_string(one.where.column) + " " + one.message;
      if (!one.hint.empty())
        line += " (" + one.hint + ")";
      all.push_back(std::move(line));
    }
    return all;
  }
};

// A model with a variable y: 0..9, a start state, and `more`.
inline std::string with_y(std::string_view more) {
  return "var y: 0..9; startstate begin y := 0; end; " + std::string(more);
}

inline void expect_loads(const std::string& text, const Options& options = {}) {
  const Loaded loaded(text, options);
  EXPECT_NE(loaded.program, nullptr) << text << "\n" << loaded.diagnostics.render();
}

// `text` has exactly these errors; each as Loaded::errors() words it.
inline void expect_errors(const std::string& text, const std::vector<std::string>& expected,
                          const Options& options = {}) {
  const Loaded loaded(text, options);
  EXPECT_EQ(loaded.program, nullptr) << text;
  EXPECT_EQ(loaded.errors(), expected) << loaded.diagnostics.render();
}

}  // namespace tideline::murphi
