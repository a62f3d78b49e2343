// SPDX-License-Identifier: MIT
#include "search/sweep_path.h"

#include "base/check.h"

namespace tideline::bfs {
namespace {

// The step by `command` among the entries of `out`.
PathStep step_by(const Successors& out, ir::CommandId command, std::size_t words) {
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out.proper(i) && out.command(i) == command)
      return {command, {out.state(i), out.state(i) + words}};
  CHECK(false && "a command of the spanning tree is not enabled");
}

}  // namespace

std::optional<std::vector<PathStep>> find_sweep_path(Shared& shared, const Candidate& candidate) {
  const Result<std::vector<ir::CommandId>> commands = shared.sweep->path_to(candidate.number);
  if (!commands.is_ok()) {
    shared.trouble = commands.status();
    shared.stop = Stop::kTrouble;
    return std::nullopt;
  }
  const std::size_t words = shared.program.state_words();
  Worker& worker = *shared.workers[0];
  Successors out(words);
  std::vector<PathStep> path;
  for (const ir::CommandId command : commands.value()) {
    out.clear();
    if (path.empty()) {
      worker.model().initial(out);
    } else {
      std::vector<Word> state = path.back().state;
      state.push_back(0);
      worker.model().expand(state.data(), out);
    }
    worker.canonicalise(out);
    path.push_back(step_by(out, command, words));
  }
  if (path.empty()) {
    shared.stop = Stop::kNoPath;
    return std::nullopt;
  }
  CHECK(path.back().state == candidate.state);
  return path;
}

}  // namespace tideline::bfs
