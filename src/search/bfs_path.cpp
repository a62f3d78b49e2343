// SPDX-License-Identifier: MIT
#include "search/bfs_path.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <thread>

#include "base/check.h"

namespace tideline::bfs {
namespace {

// Layers smaller than this are searched by one thread.
constexpr std::uint64_t kParallelFrom = 20000;

struct Predecessor {
  bool found = false;
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

// Searches one worker's part of a layer. `first_owner` is the least owner that has found a predecessor: the others give
// up in its favour, so the answer does not depend on timing.
void search_part(Worker& worker, unsigned id, std::uint64_t layer, const std::vector<Word>& target,
                 std::atomic<unsigned>& first_owner, Predecessor& predecessor) {
  Successors out(target.size());
  std::vector<Word> source(target.size() + 1);
  for (std::uint64_t i = worker.layer_begin(layer); i < worker.layer_begin(layer + 1); ++i) {
    if (first_owner.load(std::memory_order_relaxed) < id)
      return;
    worker.table().states().load(i, source.data());
    out.clear();
    worker.model().expand(source.data(), out);
    if (!find_target(out, target, predecessor.command))
      continue;
    predecessor.found = true;
    predecessor.state.assign(source.begin(), source.end() - 1);
    unsigned least = first_owner.load();
    while (id < least && !first_owner.compare_exchange_weak(least, id)) {
    }
    return;
  }
}

Predecessor find_predecessor(Shared& shared, std::uint64_t layer, const std::vector<Word>& target) {
  std::uint64_t layer_size = 0;
  for (const auto& worker : shared.workers)
    layer_size += worker->layer_begin(layer + 1) - worker->layer_begin(layer);
  std::atomic<unsigned> first_owner = std::numeric_limits<unsigned>::max();
  std::vector<Predecessor> parts(shared.workers.size());
  std::vector<std::jthread> threads;
  for (unsigned id = 0; id < shared.workers.size(); ++id) {
    auto search = [&shared, &target, &first_owner, &parts, layer, id] {
      search_part(*shared.workers[id], id, layer, target, first_owner, parts[id]);
    };
    if (layer_size < kParallelFrom || shared.workers.size() == 1)
      search();
    else
      threads.emplace_back(search);
  }
  threads.clear();
  const auto found = std::find_if(parts.begin(), parts.end(), [](const Predecessor& p) { return p.found; });
  CHECK(found != parts.end());
  return *found;
}

}  // namespace

std::vector<PathStep> find_path(Shared& shared, std::vector<Word> state, std::uint64_t depth) {
  std::vector<PathStep> path;
  for (std::uint64_t layer = depth; layer > 0; --layer) {
    Predecessor predecessor = find_predecessor(shared, layer - 1, state);
    path.push_back({predecessor.command, std::move(state)});
    state = std::move(predecessor.state);
  }
  Successors starts(state.size());
  shared.workers[0]->model().initial(starts);
  PathStep start;
  CHECK(find_target(starts, state, start.command));
  start.state = std::move(state);
  path.push_back(std::move(start));
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace tideline::bfs
