// SPDX-License-Identifier: MIT
#include "search/bfs_path.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "base/check.h"

namespace tideline::bfs {
namespace {

// States taken from the layer at once.
constexpr std::size_t kTakeStates = 64;

struct Predecessor {
  std::vector<Word> state;
  ir::CommandId command = 0;
};

// The command that leads to `target` among the entries of `out`, if any.
bool find_target(const Successors& out, const std::vector<Word>& target, ir::CommandId& command) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out.proper(i) || std::memcmp(out.state(i), target.data(), target.size() * sizeof(Word)) != 0)
      continue;
    command = out.command(i);
    return true;
  }
  return false;
}

// The search for one state's predecessor in the current layer, shared by the workers: the first to find one ends it.
struct Hunt {
  VisitedSet& set;
  const std::vector<Word>& target;
  std::atomic<bool> found = false;
  Predecessor predecessor;  // written by the worker that changes `found`
};

void hunt_part(Hunt& hunt, Worker& worker, unsigned id) {
  const std::size_t words = hunt.target.size();
  Successors out(words);
  std::vector<Word> sources(kTakeStates * words + 1);
  while (const std::size_t count = hunt.set.take(id, kTakeStates, sources.data())) {
    for (const Word* source = sources.data(); source != sources.data() + count * words; source += words) {
      if (hunt.found.load(std::memory_order_relaxed))
        return;
      out.clear();
      worker.model().expand(source, out);
      worker.canonicalise(out);
      ir::CommandId command = 0;
      if (find_target(out, hunt.target, command) && !hunt.found.exchange(true))
        hunt.predecessor = {{source, source + words}, command};
    }
  }
}

std::optional<Predecessor> find_predecessor(Shared& shared, std::uint64_t layer, const std::vector<Word>& target) {
  CHECK(shared.set->restart(layer));
  Hunt hunt{*shared.set, target, false, {}};
  {
    std::vector<std::jthread> threads;
    for (unsigned id = 1; id < shared.workers.size(); ++id)
      threads.emplace_back([&shared, &hunt, id] { hunt_part(hunt, *shared.workers[id], id); });
    hunt_part(hunt, *shared.workers[0], 0);
  }
  if (!hunt.found) {
    CHECK(!shared.set->trouble().is_ok());
    shared.stop = Stop::kTrouble;
    return std::nullopt;
  }
  return std::move(hunt.predecessor);
}

}  // namespace

std::optional<std::vector<PathStep>> find_path(Shared& shared, std::vector<Word> state, std::uint64_t depth) {
  std::vector<PathStep> path;
  for (std::uint64_t layer = depth; layer > 0; --layer) {
    std::optional<Predecessor> predecessor = find_predecessor(shared, layer - 1, state);
    if (!predecessor)
      return std::nullopt;
    path.push_back({predecessor->command, std::move(state)});
    state = std::move(predecessor->state);
  }
  Successors starts(state.size());
  shared.workers[0]->model().initial(starts);
  shared.workers[0]->canonicalise(starts);
  PathStep start;
  CHECK(find_target(starts, state, start.command));
  start.state = std::move(state);
  path.push_back(std::move(start));
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace tideline::bfs
