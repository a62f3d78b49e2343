// SPDX-License-Identifier: MIT
// The sets on disk against std::set, with memory for a handful of states: layers, threads, going from RAM to disk in
// the middle of a layer, saving and loading.
#include "store/run_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <thread>

#include "store/collapse_set.h"
#include "store/plain_set.h"
#include "store/short_set.h"
#include "store/spilling_set.h"

namespace tideline {
namespace {

using State = std::vector<Word>;

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

struct Small {
  std::uint64_t candidates;
  std::uint64_t run_bytes;
  std::uint64_t ram_states;  // not 0: begins in RAM
  bool collapse = false;
  std::uint64_t filter_bytes = 0;
  std::uint64_t automaton_states = 0;
  bool keys = false;
};

std::vector<StatePart> parts_of(std::uint64_t bits) {
  std::vector<StatePart> parts;
  for (std::uint64_t begin = 0; begin < bits; begin += 50)
    parts.push_back({{begin, std::min<std::uint64_t>(50, bits - begin)}});
  return parts;
}

class RunSetTest : public testing::TestWithParam<Small> {
 protected:
  RunSetTest() : env_(make_real_env(false)), workdir_(*env_, "", 0), budget_(kBudget, 0) {}

  std::unique_ptr<CollapsedRunSet> make_run_set(std::uint64_t bits, unsigned threads, bool keep_layers = false) {
    CollapsedRunSetOptions set_options;
    if (GetParam().keys)
      set_options.parts = parts_of(bits);
    RunSetOptions& options = set_options.runs;
    options.state_bits = bits;
    options.threads = threads;
    options.keep_layers = keep_layers;
    options.candidates_max = GetParam().candidates;
    options.run_bytes_max = GetParam().run_bytes;
    options.filter_bytes_max = GetParam().filter_bytes;
    options.automaton_states_min = GetParam().automaton_states;
    return std::make_unique<CollapsedRunSet>(set_options, workdir_, budget_);
  }
  std::unique_ptr<VisitedSet> make(std::uint64_t bits, unsigned threads) {
    std::unique_ptr<VisitedSet> set = make_run_set(bits, threads);
    if (GetParam().ram_states != 0) {
      std::unique_ptr<VisitedSet> ram;
      if (GetParam().collapse)
        ram = std::make_unique<CollapseSet>(StateParts(bits, parts_of(bits)), threads, budget_);
      else
        ram = std::make_unique<PlainSet>(bits, threads, budget_);
      if (bits <= ShortKey::kStateBitsMax && !GetParam().collapse && GetParam().candidates == 0)
        ram = std::make_unique<ShortSet>(ShortKey(bits), threads, budget_);
      set = std::make_unique<SpillingSet>(std::move(ram), make_run_set(bits, threads),
                                          SpillOptions{threads, GetParam().ram_states, nullptr}, budget_);
    }
    EXPECT_TRUE(set->begin().is_ok());
    return set;
  }

  static State random_state(std::mt19937_64& random, std::uint64_t bits, std::uint64_t variety) {
    State state((bits + 63) / 64, 0);
    for (Word& word : state)
      word = (random() % variety) * 0x9e3779b97f4a7c15ULL;
    if (bits % 64 != 0)
      state.back() &= (Word{1} << (bits % 64)) - 1;
    return state;
  }
  static std::multiset<State> take(VisitedSet& set, std::size_t words, std::size_t most, std::size_t limit) {
    std::multiset<State> states;
    std::vector<Word> out(most * words + 1);
    while (states.size() < limit) {
      const std::size_t count = set.take(0, most, out.data());
      if (count == 0)
        break;
      for (std::size_t i = 0; i < count; ++i)
        states.emplace(out.begin() + static_cast<std::ptrdiff_t>(i * words),
                       out.begin() + static_cast<std::ptrdiff_t>((i + 1) * words));
    }
    return states;
  }
  static std::multiset<State> take_all(VisitedSet& set, std::size_t words) {
    return take(set, words, 7, ~std::size_t{0});
  }

  std::unique_ptr<Env> env_;
  Workdir workdir_;
  MemoryBudget budget_;
};

void insert(VisitedSet& set, unsigned thread, const std::vector<State>& states) {
  std::vector<Word> flat;
  for (const State& state : states)
    flat.insert(flat.end(), state.begin(), state.end());
  flat.push_back(0);
  std::vector<std::uint32_t> fresh;
  ASSERT_TRUE(set.insert(thread, flat.data(), states.size(), fresh)) << set.trouble().message();
}

// Layers as std::set makes them; states are inserted while the layer is being taken.
TEST_P(RunSetTest, LayersAreThoseOfAStdSet) {
  for (const std::uint64_t bits : {20U, 53U, 64U, 100U, 130U, 712U}) {
    SCOPED_TRACE(bits);
    const std::size_t words = (bits + 63) / 64;
    const std::unique_ptr<VisitedSet> set = make(bits, 1);
    std::set<State> model;
    std::multiset<State> layer;
    std::mt19937_64 random(bits);
    for (int round = 0; round < 30; ++round) {
      std::multiset<State> taken = take(*set, words, 3, layer.size() / 2);
      std::multiset<State> next;
      for (int batch = 0; batch < 3; ++batch) {
        std::vector<State> states;
        const std::size_t count = random() % 120;
        for (std::size_t i = 0; i < count; ++i) {
          states.push_back(random_state(random, bits, words == 1 ? 20000 : 200));
          if (model.insert(states.back()).second)
            next.insert(states.back());
        }
        insert(*set, 0, states);
      }
      taken.merge(take_all(*set, words));
      ASSERT_EQ(taken, layer) << "round " << round;
      ASSERT_EQ(set->next_layer(), next.size()) << "round " << round;
      layer = std::move(next);
    }
    EXPECT_EQ(set->size(), model.size());
  }
}

TEST_P(RunSetTest, ThreadsInsertTheSameStates) {
  constexpr unsigned kThreads = 4;
  constexpr Word kStates = 3000;
  const std::unique_ptr<VisitedSet> set = make(100, kThreads);
  for (Word layer = 0; layer < 4; ++layer) {
    {
      std::vector<std::jthread> threads;
      for (unsigned thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&, thread] {
          std::mt19937_64 random(thread);
          std::vector<Word> order(kStates + 500);
          for (Word i = 0; i < order.size(); ++i)
            order[i] = layer * kStates + i;
          std::shuffle(order.begin(), order.end(), random);
          for (std::size_t begin = 0; begin < order.size(); begin += 70) {
            std::vector<State> batch;
            for (std::size_t i = begin; i < std::min(order.size(), begin + 70); ++i)
              batch.push_back({order[i] * 0x9e3779b97f4a7c15ULL, order[i] % 37});
            insert(*set, thread, batch);
          }
        });
    }
    const std::uint64_t expected = layer == 0 ? kStates + 500 : kStates;
    ASSERT_EQ(set->next_layer(), expected);
    const std::multiset<State> taken = take_all(*set, 2);
    EXPECT_EQ(std::set<State>(taken.begin(), taken.end()).size(), expected);
  }
  EXPECT_EQ(set->size(), 4 * kStates + 500);
}

TEST_P(RunSetTest, KeptLayersCanBeTakenAgain) {
  const std::unique_ptr<CollapsedRunSet> set = make_run_set(64, 1, true);
  ASSERT_TRUE(set->begin().is_ok());
  for (Word layer = 0; layer < 5; ++layer) {
    insert(*set, 0, {{layer}, {layer + 100}, {layer / 2}});
    EXPECT_EQ(set->next_layer(), 2U);
  }
  for (const Word layer : {4U, 2U, 0U}) {
    ASSERT_TRUE(set->restart(layer));
    EXPECT_EQ(take_all(*set, 1), (std::multiset<State>{{layer}, {layer + 100}}));
  }
}

TEST_P(RunSetTest, ALoadedSetGoesOnAsTheSavedOne) {
  std::mt19937_64 random(3);
  std::unique_ptr<VisitedSet> set = make(90, 1);
  std::vector<State> all;
  for (int round = 0; round < 20; ++round) {
    std::vector<State> states;
    for (int i = 0; i < 100; ++i)
      states.push_back(random_state(random, 90, 300));
    all.insert(all.end(), states.begin(), states.end());
    insert(*set, 0, states);
    (void)set->next_layer();
  }
  ASSERT_TRUE(set->can_save());
  SavedSet saved;
  ASSERT_TRUE(set->save(saved).is_ok());
  const std::uint64_t size = set->size();
  const std::multiset<State> frontier = take_all(*set, 2);

  const std::unique_ptr<CollapsedRunSet> loaded = make_run_set(90, 2);
  ASSERT_TRUE(loaded->load(saved).is_ok());
  ASSERT_TRUE(loaded->begin().is_ok());
  EXPECT_EQ(loaded->size(), size);
  EXPECT_EQ(take_all(*loaded, 2), frontier);
  insert(*loaded, 1, all);
  insert(*loaded, 0, {{1, 1}});
  EXPECT_EQ(loaded->next_layer(), 1U) << "what was saved is not new";

  if (saved.numbers.contains("parts")) {
    saved.numbers["parts"] ^= 1;
    EXPECT_FALSE(make_run_set(90, 2)->load(saved).is_ok()) << "keys of other parts mean other states";
  }
}

TEST_P(RunSetTest, AFullDiskIsTroubleAndNotALayer) {
  Workdir bounded(*env_, "", 3000);
  RunSetOptions options;
  options.state_bits = 64;
  options.candidates_max = GetParam().candidates;
  options.run_bytes_max = 1;
  RunSet set(options, bounded, budget_);
  ASSERT_TRUE(set.begin().is_ok());
  std::mt19937_64 random(1);
  bool ended = false;
  for (int round = 0; round < 1000 && !ended; ++round) {
    std::vector<Word> states(101);
    for (Word& state : states)
      state = random();
    std::vector<std::uint32_t> fresh;
    ended = !set.insert(0, states.data(), 100, fresh) || set.next_layer() == 0;
  }
  EXPECT_TRUE(ended);
  EXPECT_FALSE(set.trouble().is_ok());
  EXPECT_TRUE(set.trouble().is_limit()) << set.trouble().message();
  EXPECT_LE(bounded.counts().disk_peak_bytes, 3000U);
}

// Memory ends at all sorts of moments (in the table, in the queue, in the index), and no state is lost.
TEST(SpillingSet, LosesNothingWhereverMemoryEnds) {
  constexpr Word kStates = 150000;
  const std::unique_ptr<Env> env = make_real_env(false);
  for (const std::uint64_t bits : {40U, 100U})
    for (std::uint64_t free_bytes = 900000; free_bytes < 3500000; free_bytes += 260000) {
      SCOPED_TRACE(std::to_string(bits) + " bits, " + std::to_string(free_bytes));
      Workdir workdir(*env, "", 0);
      MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - free_bytes);
      RunSetOptions options;
      options.state_bits = bits;
      std::unique_ptr<VisitedSet> ram;
      if (bits <= ShortKey::kStateBitsMax)
        ram = std::make_unique<ShortSet>(ShortKey(bits), 1, budget);
      else
        ram = std::make_unique<PlainSet>(bits, 1, budget);
      SpillingSet set(std::move(ram),
                      std::make_unique<CollapsedRunSet>(CollapsedRunSetOptions{options, {}, 0}, workdir, budget), {},
                      budget);
      ASSERT_TRUE(set.begin().is_ok());
      const std::size_t words = (bits + 63) / 64;
      for (Word layer = 0; layer < 2; ++layer) {
        std::vector<Word> batch(100 * words + 1, 0);
        std::vector<std::uint32_t> fresh;
        for (Word next = 0; next < kStates; next += 100) {
          for (Word i = 0; i < 100; ++i)
            batch[i * words] = (next + i + layer * kStates / 2) * 5;
          fresh.clear();
          ASSERT_TRUE(set.insert(0, batch.data(), 100, fresh)) << set.trouble().message();
        }
        ASSERT_EQ(set.next_layer(), layer == 0 ? kStates : kStates / 2);
        std::vector<Word> out(50 * words + 1);
        std::set<Word> taken;
        while (const std::size_t count = set.take(0, 50, out.data()))
          for (std::size_t i = 0; i < count; ++i)
            ASSERT_TRUE(taken.insert(out[i * words]).second);
        ASSERT_EQ(taken.size(), layer == 0 ? kStates : kStates / 2);
      }
      EXPECT_TRUE(set.on_disk() || free_bytes > 1500000);
      EXPECT_LE(budget.used(), budget.total());
    }
}

// Wherever the disk is full while the change is made: trouble, and nothing that looks like a set.
TEST(SpillingSet, AFullDiskAtTheChangeIsReported) {
  const std::unique_ptr<Env> env = make_real_env(false);
  bool changes = false;
  for (std::uint64_t limit = 30000; !changes; limit += 15000) {
    Workdir workdir(*env, "", limit);
    MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - 1200000);
    RunSetOptions options;
    options.state_bits = 64;
    SpillingSet set(std::make_unique<PlainSet>(64, 1, budget),
                    std::make_unique<CollapsedRunSet>(CollapsedRunSetOptions{options, {}, 0}, workdir, budget), {},
                    budget);
    ASSERT_TRUE(set.begin().is_ok());
    std::mt19937_64 random(1);
    std::vector<Word> batch(101);
    std::vector<std::uint32_t> fresh;
    bool room = true;
    for (int i = 0; i < 10000 && room && !set.on_disk(); ++i) {
      for (Word& word : batch)
        word = random();
      room = set.insert(0, batch.data(), 100, fresh);
    }
    changes = room;
    if (changes)
      continue;
    EXPECT_FALSE(set.trouble().is_ok());
    EXPECT_FALSE(set.restart(0));
    EXPECT_EQ(set.next_layer(), 0U);
    EXPECT_EQ(set.take(0, 1, batch.data()), 0U);
  }
}

// What was kept for the change holds states as soon as the index of the table would make more room for it.
TEST(SpillingSet, UsesWhatWasKeptForTheChange) {
  constexpr std::uint64_t kFree = std::uint64_t{12} << 20;
  const std::unique_ptr<Env> env = make_real_env(false);
  Workdir workdir(*env, "", 0);
  MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - kFree);
  RunSetOptions options;
  options.state_bits = 64;
  SpillingSet set(std::make_unique<PlainSet>(64, 1, budget),
                  std::make_unique<CollapsedRunSet>(CollapsedRunSetOptions{options, {}, 0}, workdir, budget), {},
                  budget);
  ASSERT_TRUE(set.begin().is_ok());
  std::vector<Word> batch(101);
  std::vector<std::uint32_t> fresh;
  Word next = 0;
  while (!set.on_disk()) {
    for (Word i = 0; i < 100; ++i)
      batch[i] = next + i;
    fresh.clear();
    ASSERT_TRUE(set.insert(0, batch.data(), 100, fresh));
    next += 100;
    if (next == 400000) {
      EXPECT_EQ(set.next_layer(), 400000U);
    }
  }
  EXPECT_GT(next * (8 + 6), kFree * 95 / 100);
  EXPECT_EQ(set.next_layer(), next - 400000);
  EXPECT_LE(budget.used(), budget.total());
}

INSTANTIATE_TEST_SUITE_P(Sizes, RunSetTest,
                         testing::Values(Small{9, 1, 0}, Small{40, 5000, 0}, Small{0, 0, 0}, Small{13, 1, 50},
                                         Small{0, 0, 1000}, Small{20, 9000, 700, true}, Small{40, 1, 0, false, 16384},
                                         Small{30, 2000, 300, false, 16384}, Small{40, 0, 0, false, 0, 1},
                                         Small{30, 300000, 300, false, 0, 100}, Small{9, 1, 0, false, 0, 0, true},
                                         Small{13, 1, 50, false, 16384, 0, true},
                                         Small{20, 9000, 700, true, 0, 1, true}, Small{0, 1, 0, false, 1024},
                                         Small{0, 1, 300, false, 1024}));

}  // namespace
}  // namespace tideline
