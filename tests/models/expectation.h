// SPDX-License-Identifier: MIT
// What a model says about itself: the lines `-- expect: key=value ...` (in DVE `// expect: ...`) in the comment at its
// top (models/README.md).
// The reader is strict: a line that is not understood is an error with file and line, never an expectation less.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tideline::testing {

struct Expectation {
  std::size_t line = 0;                    // in the model
  std::string verdict;                     // holds | violated
  std::optional<std::string> reason;       // of a violation: invariant | deadlock | assertion | error | cover
  std::optional<std::string> property;     // name of what is violated
  std::optional<std::uint64_t> states;     // distinct states
  std::optional<std::uint64_t> edges;      // rules fired
  std::optional<std::uint64_t> orbits;     // states up to symmetry; without it the runs are made without reduction only
  std::optional<std::uint64_t> levels;     // largest distance from a start state
  std::optional<std::uint64_t> deadlocks;  // states without an enabled command
  std::optional<std::uint64_t> trace;      // completed steps of a shortest counterexample
  std::vector<std::string> options = {};   // further words for the command line
};

// The expectations of a model's text, whose language the suffix of its name says; throws
// std::runtime_error("NAME:LINE: what is wrong").
std::vector<Expectation> read_expectations(std::string_view text, const std::string& name);

}  // namespace tideline::testing
