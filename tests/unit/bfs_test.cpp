// SPDX-License-Identifier: MIT
// The search on models written in C++ against the next-state interface, so that no front end or engine is involved.
#include "search/bfs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "io/budget.h"

namespace tideline {
namespace {

constexpr Word kSide = 150;

// Points of a square grid; commands go right (0) and up (1). Invariant 0 is false from `bad` on.
class GridModel final : public NextState {
 public:
  GridModel(Word bad, bool slow) : bad_(bad), slow_(slow) {}
  [[nodiscard]] std::size_t words() const override { return 1; }
  void initial(Successors& out) override { add(out, 0, 0); }
  void expand(const Word* state, Successors& out) override {
    const Word x = *state % kSide;
    const Word y = *state / kSide;
    if (slow_ && *state % 100 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (x + 1 < kSide)
      add(out, *state + 1, 0);
    if (y + 1 < kSide)
      add(out, *state + kSide, 1);
  }
  CheckResult check(const Word* state) override {
    if (*state == bad_)
      return {CheckResult::Kind::kViolated, 0};
    return {};
  }
  [[nodiscard]] const std::vector<std::uint8_t>& covered() const override { return covered_; }

 private:
  static void add(Successors& out, Word state, std::uint64_t command) {
    tl_buffer* buffer = out.raw();
    if (buffer->count == buffer->capacity)
      buffer->grow(buffer);
    buffer->states[buffer->count] = state;
    buffer->commands[buffer->count++] = command;
  }
  Word bad_;
  bool slow_;  // takes some 0.2 s for the grid
  std::vector<std::uint8_t> covered_;
};

class GridEngine final : public Engine {
 public:
  explicit GridEngine(const char* name, Word bad = ~Word{0}, bool slow = false) : name_(name), bad_(bad), slow_(slow) {}
  [[nodiscard]] const char* name() const override { return name_; }
  std::unique_ptr<NextState> make() override { return std::make_unique<GridModel>(bad_, slow_); }

 private:
  const char* name_;
  Word bad_;
  bool slow_;
};

// Begins with one engine and offers the other at the first poll.
class TwoEngines final : public EngineSource {
 public:
  TwoEngines(Engine& first, Engine* second) : first_(first), second_(second) {}
  Engine& current() override { return first_; }
  Engine* poll() override { return std::exchange(second_, nullptr); }

 private:
  Engine& first_;
  Engine* second_;
};

class BfsTest : public testing::TestWithParam<unsigned> {
 protected:
  BfsTest() {
    ir::Domain domain;
    domain.parts = {{0, 65535}};
    domain.has_undefined = false;
    program_.add_variable("point", ir::add_simple_type(program_, ir::add_domain(program_, domain)), {});
    program_.properties.emplace_back();
    options_.threads = GetParam();
    options_.memory_bytes = std::uint64_t{128} << 20;
    options_.deadlock = DeadlockMode::kOff;
  }

  SearchResult run(Word bad = ~Word{0}) {
    GridEngine engine("interp", bad);
    TwoEngines engines(engine, nullptr);
    return search_bfs(program_, engines, options_, monitor_);
  }

  ir::Program program_;
  SearchOptions options_;
  Monitor monitor_;
};

TEST_P(BfsTest, CountsTheGrid) {
  const SearchResult result = run();
  EXPECT_EQ(result.verdict, Verdict::kHolds);
  EXPECT_EQ(result.figures.states, kSide * kSide);
  EXPECT_EQ(result.figures.visited, kSide * kSide);
  EXPECT_EQ(result.figures.edges, 2 * kSide * (kSide - 1));
  EXPECT_EQ(result.figures.levels, 2 * (kSide - 1));
  EXPECT_EQ(result.engine, "interp");
}

TEST_P(BfsTest, FindsAShortestPath) {
  const SearchResult result = run(20 + 30 * kSide);
  ASSERT_EQ(result.verdict, Verdict::kViolated);
  EXPECT_EQ(result.reason, Reason::kInvariant);
  const std::vector<PathStep>& path = result.violations.at(0).path;
  ASSERT_EQ(path.size(), 51U);
  EXPECT_EQ(path.front().state[0], 0U);
  for (std::size_t i = 1; i < path.size(); ++i)
    EXPECT_EQ(path[i].state[0] - path[i - 1].state[0], path[i].command == 0 ? 1U : kSide);
  EXPECT_EQ(path.back().state[0], 20 + 30 * kSide);
}

TEST_P(BfsTest, ViolatedStartState) {
  const SearchResult result = run(0);
  ASSERT_EQ(result.verdict, Verdict::kViolated);
  EXPECT_EQ(result.violations.at(0).path.size(), 1U);
}

TEST_P(BfsTest, TheCornerIsADeadlock) {
  for (const DeadlockMode mode : {DeadlockMode::kStuttering, DeadlockMode::kStuck}) {
    options_.deadlock = mode;
    const SearchResult result = run();
    ASSERT_EQ(result.verdict, Verdict::kViolated);
    EXPECT_EQ(result.reason, Reason::kDeadlock);
    EXPECT_EQ(result.violations.at(0).path.size(), 2 * (kSide - 1) + 1);
  }
}

TEST_P(BfsTest, AnotherEngineTakesOver) {
  GridEngine first("interp", ~Word{0}, true);
  GridEngine second("native");
  TwoEngines engines(first, &second);
  const SearchResult result = search_bfs(program_, engines, options_, monitor_);
  EXPECT_EQ(result.engine, "native");
  EXPECT_EQ(result.figures.states, kSide * kSide);
  EXPECT_EQ(result.verdict, Verdict::kHolds);
}

TEST_P(BfsTest, InterruptionIsNeverAVerdict) {
  class Endless final : public NextState {
   public:
    [[nodiscard]] std::size_t words() const override { return 1; }
    void initial(Successors& out) override { expand(nullptr, out); }
    void expand(const Word* state, Successors& out) override {
      tl_buffer* buffer = out.raw();
      for (Word i = 0; i < 2; ++i) {
        if (buffer->count == buffer->capacity)
          buffer->grow(buffer);
        buffer->states[buffer->count] = state == nullptr ? i : 2 * *state + i;
        buffer->commands[buffer->count++] = i;
      }
    }
    CheckResult check(const Word*) override { return {}; }
    [[nodiscard]] const std::vector<std::uint8_t>& covered() const override { return covered_; }

   private:
    std::vector<std::uint8_t> covered_;
  };
  class EndlessEngine final : public Engine {
   public:
    [[nodiscard]] const char* name() const override { return "endless"; }
    std::unique_ptr<NextState> make() override { return std::make_unique<Endless>(); }
  };
  ir::Domain wide;
  wide.parts = {{0, (std::int64_t{1} << 47) - 1}};
  wide.has_undefined = false;
  program_.add_variable("rest", ir::add_simple_type(program_, ir::add_domain(program_, wide)), {});
  EndlessEngine engine;
  TwoEngines engines(engine, nullptr);
  std::atomic<bool> interrupted = true;
  monitor_.interrupted = &interrupted;
  EXPECT_EQ(search_bfs(program_, engines, options_, monitor_).reason, Reason::kInterrupted);
  interrupted = false;
  options_.time_limit_seconds = 0.1;
  EXPECT_EQ(search_bfs(program_, engines, options_, monitor_).reason, Reason::kTime);
  options_.time_limit_seconds = 0;
  options_.memory_bytes = kMemoryBudgetFloor;
  const SearchResult result = search_bfs(program_, engines, options_, monitor_);
  EXPECT_EQ(result.reason, Reason::kMemory);
  EXPECT_EQ(result.verdict, Verdict::kUnknown);
}

INSTANTIATE_TEST_SUITE_P(Threads, BfsTest, testing::Values(1U, 2U, 4U));

}  // namespace
}  // namespace tideline
