// SPDX-License-Identifier: MIT
#include "search/real_path.h"

#include <algorithm>

#include "base/check.h"

namespace tideline {
namespace {

// The first entry whose state has the representative.
PathStep step_to(const Successors& out, symmetry::Representative& representative, const std::vector<Word>& target) {
  std::vector<Word> canonical(target.size() + 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out.proper(i))
      continue;
    std::copy_n(out.state(i), target.size(), canonical.begin());
    representative.canonicalise(canonical.data());
    if (std::equal(target.begin(), target.end(), canonical.begin()))
      return {out.command(i), std::vector<Word>(out.state(i), out.state(i) + target.size())};
  }
  CHECK(false && "a step between representatives is no step of the program");
  return {};
}

std::vector<Word> padded(const std::vector<Word>& state) {
  std::vector<Word> copy = state;
  copy.push_back(0);
  return copy;
}

}  // namespace

std::vector<PathStep> real_path(NextState& model, symmetry::Representative& representative,
                                const std::vector<PathStep>& path) {
  std::vector<PathStep> real;
  Successors out(model.words());
  for (const PathStep& step : path) {
    out.clear();
    if (real.empty())
      model.initial(out);
    else
      model.expand(padded(real.back().state).data(), out);
    real.push_back(step_to(out, representative, step.state));
  }
  return real;
}

ir::CommandId real_failing_command(const ir::Program& program, NextState& model, const std::vector<Word>& state,
                                   ir::CommandId command) {
  const ir::Rule* rule = ir::decode_command(program.rules, command).rule;
  Successors out(model.words());
  model.expand(padded(state).data(), out);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out.failed(i) && ir::decode_command(program.rules, out.command(i)).rule == rule)
      return out.command(i);
  CHECK(false && "a command that fails in the representative fails in no real state");
  return command;
}

}  // namespace tideline
