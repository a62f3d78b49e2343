// SPDX-License-Identifier: MIT
// Searches by parts over random graphs, with tiny parts and queues, threads, and a stop in the middle: every reachable
// state is taken once.
#include "store/part_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <map>
#include <random>
#include <set>
#include <thread>

namespace tideline {
namespace {

constexpr std::size_t kWords = 2;
constexpr std::uint64_t kBits = 72;
using State = std::vector<Word>;

// A graph over numbers below `size`: near steps and a few far ones. A number is spread over both words.
struct Graph {
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  static State state(std::uint64_t number) { return {number << 40 | number % 7, number >> 4 & 0xff}; }
  static std::uint64_t number(const Word* state) { return state[0] >> 40; }
  [[nodiscard]] std::vector<std::uint64_t> successors(std::uint64_t number) const {
    std::mt19937_64 random(seed * size + number);
    std::vector<std::uint64_t> all = {(number + 1 + random() % 3) % size, (number + size - random() % 5) % size};
    if (random() % 4 == 0)
      all.push_back(random() % size);
    return all;
  }
  [[nodiscard]] std::set<std::uint64_t> reachable() const {
    std::set<std::uint64_t> found = {0};
    std::vector<std::uint64_t> todo = {0};
    while (!todo.empty()) {
      const std::uint64_t number = todo.back();
      todo.pop_back();
      for (const std::uint64_t next : successors(number))
        if (found.insert(next).second)
          todo.push_back(next);
    }
    return found;
  }
};

class Search {
 public:
  Search(const Graph& graph, Workdir& workdir, unsigned threads, std::uint64_t part_states_max)
      : graph_(graph), threads_(threads), budget_(std::uint64_t{64} << 20, 0) {
    PartSetOptions options;
    options.state_bits = kBits;
    options.threads = threads;
    options.slots = {{0, 3}, {40, 24}, {64, 8}};
    options.part_states_max = part_states_max;
    options.expand = [&graph](const Word* state, Successors& out) {
      for (const std::uint64_t next : graph.successors(Graph::number(state))) {
        tl_buffer* buffer = out.raw();
        if (buffer->count == buffer->capacity)
          buffer->grow(buffer);
        std::copy_n(Graph::state(next).data(), kWords, buffer->states + buffer->count * kWords);
        buffer->commands[buffer->count++] = 0;
      }
    };
    set_ = std::make_unique<PartSet>(std::move(options), workdir, budget_);
  }
  PartSet& set() { return *set_; }

  void seed() {
    ASSERT_TRUE(set_->begin().is_ok());
    std::vector<Word> start = Graph::state(0);
    start.push_back(0);
    std::vector<std::uint32_t> fresh;
    ASSERT_TRUE(set_->insert(0, start.data(), 1, fresh));
    set_->next_layer();
  }
  // Takes layers until none is left, or until stop() says so between two layers. Taken numbers are counted.
  void run(std::map<std::uint64_t, int>& taken, const std::function<bool()>& stop) {
    std::vector<std::map<std::uint64_t, int>> by_thread(threads_);
    bool done = false;
    std::barrier barrier(threads_, [&]() noexcept { done = set_->next_layer() == 0 || stop(); });
    {
      std::vector<std::jthread> threads;
      for (unsigned id = 0; id < threads_; ++id)
        threads.emplace_back([&, id] {
          while (!done) {
            expand_layer(id, by_thread[id]);
            barrier.arrive_and_wait();
          }
        });
    }
    for (const auto& some : by_thread)
      for (const auto& [number, times] : some)
        taken[number] += times;
  }

 private:
  void expand_layer(unsigned id, std::map<std::uint64_t, int>& taken) {
    std::vector<Word> sources(5 * kWords + 1);
    std::vector<std::uint32_t> fresh;
    while (const std::size_t count = set_->take(id, 5, sources.data())) {
      std::vector<Word> next;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t number = Graph::number(sources.data() + i * kWords);
        ++taken[number];
        for (const std::uint64_t successor : graph_.successors(number)) {
          const State state = Graph::state(successor);
          next.insert(next.end(), state.begin(), state.end());
        }
      }
      const std::size_t states = next.size() / kWords;
      next.push_back(0);
      ASSERT_TRUE(set_->insert(id, next.data(), states, fresh)) << set_->trouble().message();
    }
  }

  const Graph& graph_;
  unsigned threads_;
  MemoryBudget budget_;
  std::unique_ptr<PartSet> set_;
};

void expect_all_once(const Graph& graph, const std::map<std::uint64_t, int>& taken) {
  const std::set<std::uint64_t> reachable = graph.reachable();
  EXPECT_EQ(taken.size(), reachable.size());
  for (const auto& [number, times] : taken) {
    ASSERT_EQ(times, 1) << number;
    ASSERT_TRUE(reachable.contains(number));
  }
}

TEST(PartSet, EveryStateIsTakenOnce) {
  const std::unique_ptr<Env> env = make_real_env(false);
  for (const unsigned threads : {1U, 3U})
    for (const std::uint64_t part_states : {0U, 2U, 30U, 500U}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(part_states) + " states in a part");
      const Graph graph{part_states == 2 ? 300U : 4000U, part_states};
      Workdir workdir(*env, "", 0);
      Search search(graph, workdir, threads, part_states);
      search.seed();
      std::map<std::uint64_t, int> taken;
      search.run(taken, [] { return false; });
      expect_all_once(graph, taken);
      EXPECT_EQ(search.set().size(), taken.size());
      EXPECT_GE(search.set().loads(), search.set().parts());
      EXPECT_EQ(search.set().parts() == 1, part_states == 0);
      EXPECT_EQ(search.set().next_layer(), 0U);
    }
}

TEST(PartSet, GoesOnFromWhatItSaved) {
  const std::unique_ptr<Env> env = make_real_env(false);
  const Graph graph{3000, 9};
  for (std::uint64_t stop_after = 1; stop_after < 200; stop_after += 23) {
    Workdir workdir(*env, "", 0);
    SavedSet saved;
    std::map<std::uint64_t, int> taken;
    {
      Search search(graph, workdir, 1, 100);
      search.seed();
      search.run(taken, [&search, stop_after] { return search.set().loads() > stop_after && search.set().can_save(); });
      if (search.set().can_save()) {
        ASSERT_TRUE(search.set().save(saved).is_ok());
        std::set<std::string> names;
        for (const SavedSet::SavedFile& file : saved.files)
          names.insert(file.name);
        ASSERT_TRUE(workdir.write_manifest("{}", names).is_ok());
      }
    }
    if (saved.files.empty()) {  // it was done before
      expect_all_once(graph, taken);
      continue;
    }
    Search search(graph, workdir, 2, 100);
    ASSERT_TRUE(search.set().load(saved).is_ok());
    ASSERT_TRUE(search.set().begin().is_ok());
    search.run(taken, [] { return false; });
    expect_all_once(graph, taken);
    EXPECT_EQ(search.set().size(), taken.size());
  }
}

TEST(PartSet, ALimitOfTheDiskIsTrouble) {
  const std::unique_ptr<Env> env = make_real_env(false);
  const Graph graph{200000, 1};
  Workdir workdir(*env, "", 1);
  MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - (std::uint64_t{2} << 20));
  PartSetOptions options;
  options.state_bits = kBits;
  options.slots = {{40, 24}};
  options.expand = [](const Word*, Successors&) {};
  PartSet set(std::move(options), workdir, budget);
  ASSERT_TRUE(set.begin().is_ok());
  std::vector<std::uint32_t> fresh;
  bool room = true;
  for (std::uint64_t i = 0; room && i < graph.size; ++i) {
    State state = Graph::state(i);
    state.push_back(0);
    room = set.insert(0, state.data(), 1, fresh);
  }
  EXPECT_FALSE(room);
  EXPECT_TRUE(set.trouble().is_limit());
  EXPECT_EQ(set.next_layer(), 0U);
}

TEST(PartSet, WrongDescriptionsAreErrors) {
  const std::unique_ptr<Env> env = make_real_env(false);
  Workdir workdir(*env, "", 0);
  const Graph graph{10, 1};
  for (const char* name : {"split 0 part", "split 0 width", "split 0 bit"}) {
    SavedSet saved;
    saved.numbers = {{"splits", 1}, {"split 0 part", 0}, {"split 0 bit", 64}, {"split 0 width", 8}};
    saved.numbers[name] = 5000;
    Search search(graph, workdir, 1, 10);
    EXPECT_FALSE(search.set().load(saved).is_ok()) << name;
  }
  for (const char* role : {"part 1 visited", "part 0 seen", "part", "part x queue", ""}) {
    SavedSet saved;
    saved.files = {{role, "run-000001", 1}};
    Search search(graph, workdir, 1, 10);
    EXPECT_FALSE(search.set().load(saved).is_ok()) << role;
  }
}

}  // namespace
}  // namespace tideline
