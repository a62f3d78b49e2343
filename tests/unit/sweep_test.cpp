// SPDX-License-Identifier: MIT
// The sweep-line method on random graphs with random, mostly absurd, measures: whatever the measure, exactly the
// reachable states are expanded, each once if the measure is monotone, with the verdict of the breadth-first search.
#include "search/sweep.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>

#include "fault/faulty_env.h"
#include "search/bfs.h"
#include "search/manifest.h"

namespace tideline {
namespace {

// A graph with a number per node, its progress. Command i of a node is its i-th edge. Nodes are states.
struct Graph {
  std::vector<std::vector<Word>> edges;
  std::vector<std::uint64_t> progress;
  std::vector<Word> starts;
  Word bad = ~Word{0};  // invariant 0 is false there

  [[nodiscard]] std::set<Word> reachable() const {
    std::set<Word> found(starts.begin(), starts.end());
    std::vector<Word> todo = starts;
    while (!todo.empty()) {
      const Word node = todo.back();
      todo.pop_back();
      for (const Word next : edges[node])
        if (found.insert(next).second)
          todo.push_back(next);
    }
    return found;
  }
};

// Counts expansions, over all threads.
struct Census {
  std::mutex mutex;
  std::map<Word, std::uint64_t> expanded;
};

void append(Successors& out, Word state, std::uint64_t command) {
  tl_buffer* buffer = out.raw();
  if (buffer->count == buffer->capacity)
    buffer->grow(buffer);
  buffer->states[buffer->count] = state;
  buffer->commands[buffer->count++] = command;
}

class GraphModel final : public NextState {
 public:
  GraphModel(const Graph& graph, Census& census) : graph_(graph), census_(census) {}
  [[nodiscard]] std::size_t words() const override { return 1; }
  void initial(Successors& out) override {
    for (std::size_t i = 0; i < graph_.starts.size(); ++i)
      append(out, graph_.starts[i], i);
  }
  void expand(const Word* state, Successors& out) override {
    {
      const std::lock_guard lock(census_.mutex);
      ++census_.expanded[*state];
    }
    for (std::size_t i = 0; i < graph_.edges[*state].size(); ++i)
      append(out, graph_.edges[*state][i], i);
  }
  CheckResult check(const Word* state) override {
    return {*state == graph_.bad ? CheckResult::Kind::kViolated : CheckResult::Kind::kHolds, 0};
  }
  void progress(const Word* states, std::size_t count, std::uint64_t* keys) override {
    for (std::size_t i = 0; i < count; ++i)
      keys[i] = graph_.progress[states[i]];
  }
  [[nodiscard]] const std::vector<std::uint8_t>& covered() const override { return covered_; }

 private:
  const Graph& graph_;
  Census& census_;
  std::vector<std::uint8_t> covered_;
};

class GraphEngine final : public Engine, public EngineSource {
 public:
  GraphEngine(const Graph& graph, Census& census) : graph_(graph), census_(census) {}
  [[nodiscard]] const char* name() const override { return "graph"; }
  std::unique_ptr<NextState> make() override { return std::make_unique<GraphModel>(graph_, census_); }
  Engine& current() override { return *this; }
  Engine* poll() override { return nullptr; }

 private:
  const Graph& graph_;
  Census& census_;
};

enum class Measure { kConstant, kUnique, kRandomFew, kMonotone, kNearlyMonotone };

Graph random_graph(std::mt19937_64& random, Word nodes, Measure measure) {
  const auto below = [&random](Word bound) { return random() % bound; };
  Graph graph;
  graph.edges.resize(nodes);
  const Word reach = 1 + below(40);
  for (Word node = 0; node < nodes; ++node) {
    for (Word i = below(4); i > 0; --i) {
      const Word next = below(5) == 0 ? below(nodes) : node + below(reach);
      if (next < nodes && (measure != Measure::kMonotone || next >= node))
        graph.edges[node].push_back(next);
    }
    graph.progress.push_back(measure == Measure::kConstant    ? 7
                             : measure == Measure::kUnique    ? random()
                             : measure == Measure::kRandomFew ? below(12)
                                                              : node / (1 + reach));
  }
  for (Word i = 1 + below(3); i > 0; --i)
    graph.starts.push_back(below(10));
  return graph;
}

class SweepTest : public testing::TestWithParam<unsigned> {
 protected:
  SweepTest() {
    ir::Domain domain;
    domain.parts = {{0, 65535}};
    domain.has_undefined = false;
    program_.add_variable("node", ir::add_simple_type(program_, ir::add_domain(program_, domain)), {});
    program_.properties.emplace_back();
    program_.starts.emplace_back();
    program_.starts[0].command_count = 3;
    program_.rules.emplace_back();
    program_.rules[0].command_count = 4;
    options_.search = SearchKind::kSweep;
    options_.threads = GetParam();
    options_.memory_bytes = std::uint64_t{1} << 30;
    options_.deadlock = DeadlockMode::kOff;
  }

  SearchResult run(const Graph& graph, Census& census) {
    FaultyEnv env;  // nothing fails
    Workdir workdir(env, "/var/tmp/run", 0);
    options_.workdir = &workdir;
    GraphEngine engine(graph, census);
    return search_sweep(program_, engine, options_, {});
  }

  SearchResult run_bfs(const Graph& graph) {
    Census census;
    GraphEngine engine(graph, census);
    SearchOptions options = options_;
    options.search = SearchKind::kBfs;
    return search_bfs(program_, engine, options, {});
  }

  // Begins, or goes on if there is a manifest.
  SearchResult go_on(const Graph& graph, FaultyEnv& env, std::optional<Manifest>& manifest) {
    const std::string path = "/var/tmp/again";
    Workdir workdir(env, path, 0);
    options_.workdir = &workdir;
    manifest.reset();
    if (env.exists(path + "/" + kManifestName)) {
      Result<Manifest> read = read_manifest(env, path);
      EXPECT_TRUE(read.is_ok()) << read.status().message();
      manifest = std::move(read.value());
      std::uint64_t waiting_files = 0;
      for (const SavedSet::SavedFile& file : manifest->set.files)
        waiting_files += file.role == "queue" ? 1U : 0U;
      most_waiting_files_ = std::max(most_waiting_files_, waiting_files);
      if (!reopen_workdir(*manifest, workdir).is_ok())
        return {};
    } else if (env.exists(path)) {
      const Result<std::vector<std::string>> names = env.list(path);
      for (const std::string& name : names.value())
        EXPECT_TRUE(env.remove(path + "/" + name).is_ok());
    }
    options_.resume = manifest ? &*manifest : nullptr;
    Census census;
    GraphEngine engine(graph, census);
    SearchResult result = search_sweep(program_, engine, options_, {});
    workdir.keep(result.verdict == Verdict::kUnknown);
    return result;
  }

  // The power fails again and again, each time within so many steps; the search goes on from its last checkpoint.
  SearchResult crash_and_go_on(const Graph& graph, std::mt19937_64& random, std::uint64_t steps) {
    const Settings settings;
    options_.settings = &settings;
    options_.checkpoint_seconds = 0;
    FaultyEnv env;
    std::optional<Manifest> manifest;
    SearchResult result;
    unsigned crashes = 0;
    do {
      if (crashes < 20)
        env.plan(env.steps() + 1 + random() % steps, Fault::kCrash);
      result = go_on(graph, env, manifest);
      if (!env.crashed())
        break;
      random() % 2 == 0 ? env.reboot(random()) : env.restart();
      ++crashes;
    } while (result.verdict == Verdict::kUnknown && crashes < 30);
    options_.settings = nullptr;
    options_.resume = nullptr;
    return result;
  }

  // Little room everywhere, so that all of the disk is met.
  void squeeze(std::mt19937_64& random) {
    const auto some = [&random](std::uint64_t bound) { return random() % 2 == 0 ? 0 : 1 + random() % bound; };
    options_.sweep.queue = {some(50), some(20), static_cast<std::uint32_t>(some(10)), some(4)};
    if (options_.sweep.queue.level_files == 1)
      options_.sweep.queue.level_files = 2;
    options_.sweep.layer_states_max = some(60);
    options_.sweep.found_states_max = some(10);
    options_.sweep.saved_states_max = some(10);
    options_.sweep.record_tree = random() % 4 != 0;
  }

  ir::Program program_;
  SearchOptions options_;
  std::uint64_t most_waiting_files_ = 0;  // of the queue, in a manifest
};

void expect_path(const Graph& graph, const std::vector<PathStep>& path) {
  ASSERT_FALSE(path.empty());
  EXPECT_EQ(path[0].state[0], graph.starts.at(path[0].command));
  for (std::size_t i = 1; i < path.size(); ++i)
    EXPECT_EQ(path[i].state[0], graph.edges.at(path[i - 1].state[0]).at(path[i].command));
  EXPECT_EQ(path.back().state[0], graph.bad);
}

void expect_same(const SearchResult& result, const SearchResult& expected) {
  EXPECT_EQ(result.verdict, expected.verdict) << result.trouble;
  EXPECT_EQ(result.figures.sweeps, expected.figures.sweeps);
  EXPECT_EQ(result.figures.layers, expected.figures.layers);
  EXPECT_EQ(result.figures.visited, expected.figures.visited);
  EXPECT_EQ(result.figures.edges, expected.figures.edges);
  EXPECT_EQ(result.figures.regress_edges, expected.figures.regress_edges);
  EXPECT_EQ(result.figures.persistent, expected.figures.persistent);
}

TEST_P(SweepTest, ExpandsExactlyTheReachableStates) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto measure = static_cast<Measure>(seed % 5);
    const Graph graph = random_graph(random, 30 + random() % 500, measure);
    squeeze(random);
    const std::set<Word> reachable = graph.reachable();
    Census census;
    const SearchResult result = run(graph, census);
    ASSERT_EQ(result.verdict, Verdict::kHolds) << result.trouble;
    std::uint64_t most = 0;
    std::uint64_t all = 0;
    std::set<Word> expanded;
    for (const auto& [node, times] : census.expanded) {
      expanded.insert(node);
      most = std::max(most, times);
      all += times;
    }
    EXPECT_EQ(expanded, reachable);
    EXPECT_EQ(result.figures.visited, all);
    EXPECT_LE(most, *result.figures.sweeps);
    if (result.figures.regress_edges == 0U)
      EXPECT_EQ(result.figures.states, reachable.size());
    else
      EXPECT_FALSE(result.figures.states.has_value());
    if (measure == Measure::kMonotone || measure == Measure::kConstant) {
      EXPECT_EQ(most, 1U);
      EXPECT_EQ(result.figures.sweeps, 1U);
    }
    EXPECT_EQ(*result.figures.regress_edges + *result.figures.forward_edges + *result.figures.stationary_edges,
              result.figures.edges);
  }
}

TEST_P(SweepTest, FindsViolationsAndTheWayToThem) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Graph graph = random_graph(random, 30 + random() % 300, static_cast<Measure>(seed % 5));
    squeeze(random);
    graph.bad = random() % graph.edges.size();
    Census census;
    const SearchResult result = run(graph, census);
    const SearchResult expected = run_bfs(graph);
    ASSERT_EQ(result.verdict, expected.verdict) << result.trouble;
    if (result.verdict == Verdict::kHolds)
      continue;
    ++found;
    const Violation& violation = result.violations.at(0);
    if (violation.path_is_known)
      expect_path(graph, violation.path);
    else
      EXPECT_EQ(violation.path.back().state.at(0), graph.bad);
  }
  EXPECT_GT(found, 20U);
}

// States of a layer on disk have no place in the tree: a breadth-first search finds the path.
TEST_P(SweepTest, AViolationInALayerOnDiskHasAPath) {
  constexpr Word kLeaves = 40;
  Graph graph;
  graph.edges.resize(kLeaves + 1);
  graph.progress.assign(kLeaves + 1, 7);
  graph.starts = {0};
  for (Word leaf = 1; leaf <= kLeaves; ++leaf)
    graph.edges[0].push_back(leaf);
  program_.rules[0].command_count = kLeaves;
  options_.sweep.layer_states_max = 5;
  for (graph.bad = 1; graph.bad <= kLeaves; ++graph.bad) {
    Census census;
    const SearchResult result = run(graph, census);
    ASSERT_EQ(result.verdict, Verdict::kViolated) << result.trouble;
    expect_path(graph, result.violations.at(0).path);
  }
}

TEST_P(SweepTest, GoesOnFromItsCheckpoints) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const Graph graph = random_graph(random, 30 + random() % 300, static_cast<Measure>(seed % 5));
    squeeze(random);
    options_.sweep.layer_states_max = 0;
    Census census;
    const SearchResult expected = run(graph, census);

    expect_same(crash_and_go_on(graph, random, 400), expected);
  }
  EXPECT_GT(most_waiting_files_, 4U);  // a layer in several pieces
}

INSTANTIATE_TEST_SUITE_P(Threads, SweepTest, testing::Values(1U, 2U, 3U));

}  // namespace
}  // namespace tideline
