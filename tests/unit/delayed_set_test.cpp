// SPDX-License-Identifier: MIT
// The set on disk against std::set, with a table in RAM of a few entries, exact and with signatures, with all of the
// disk and with a cloud of it; then threads, saving and loading, and a disk that is full.
#include "store/delayed_set.h"

#include <gtest/gtest.h>

#include "store/signature_set.h"
#include "visited_set_contract.h"

namespace tideline {
namespace {

class DelayedSetTest : public ::testing::Test {
 protected:
  std::unique_ptr<DelayedSet> make(const DelayedSet::Settings& settings) {
    return std::make_unique<DelayedSet>(settings, workdir_, budget_);
  }

  std::unique_ptr<Env> env_ = make_real_env(false);
  Workdir workdir_{*env_, "", 0};
  MemoryBudget budget_{kContractBudget, 0};
};

DelayedSet::Settings settings_for(std::uint64_t bits, bool compact, std::uint64_t recent_max) {
  DelayedSet::Settings settings;
  settings.state_bits = bits;
  settings.signature_bits = compact ? 64 : 0;
  settings.recent_max = recent_max;
  return settings;
}

DiskCloud::Parameters small_cloud() {
  DiskCloud::Parameters cloud;
  cloud.blocks_max = 7;
  cloud.block_entries_min = 5;
  return cloud;
}

std::vector<Word> flat(const std::vector<State>& states) {
  std::vector<Word> words;
  for (const State& state : states)
    words.insert(words.end(), state.begin(), state.end());
  words.push_back(0);
  return words;
}

// Inserts random states; the layer that must come out, in the order of insertion.
std::vector<State> insert_some(DelayedSet& set, std::set<State>& model, std::mt19937_64& random, std::uint64_t bits) {
  std::vector<State> states;
  std::vector<State> layer;
  for (std::size_t count = random() % 300; count > 0; --count) {
    states.push_back(random_state(random, bits, 30));
    if (model.insert(states.back()).second)
      layer.push_back(states.back());
  }
  std::vector<std::uint32_t> fresh;
  EXPECT_TRUE(set.insert(0, flat(states).data(), states.size(), fresh));
  EXPECT_GE(fresh.size(), layer.size());
  return layer;
}

TEST_F(DelayedSetTest, MatchesStdSet) {
  for (const bool compact : {false, true})
    for (const std::uint64_t bits : {5U, 8U, 63U, 64U, 65U, 200U})
      for (const std::uint64_t recent_max : {1U, 3U, 50U, 100000U}) {
        SCOPED_TRACE(std::to_string(bits) + " bits, " + std::to_string(recent_max) + (compact ? ", compact" : ""));
        const std::unique_ptr<DelayedSet> set = make(settings_for(bits, compact, recent_max));
        std::set<State> model;
        std::mt19937_64 random(bits);
        for (int round = 0; round < 10; ++round) {
          const std::vector<State> layer = insert_some(*set, model, random, bits);
          ASSERT_EQ(set->next_layer(), layer.size());
          ASSERT_EQ(take_all(*set, (bits + 63) / 64, 1 + random() % 50), layer);
        }
        EXPECT_EQ(set->size(), model.size());
        EXPECT_TRUE(set->counts_distinct());
        EXPECT_TRUE(set->trouble().is_ok());
        EXPECT_LE(set->bytes(), budget_.used());
      }
  EXPECT_EQ(budget_.used(), 0U);
}

// With a cloud, every new state comes out in its layer; old ones may, too.
TEST_F(DelayedSetTest, ACloudLosesNothing) {
  std::uint64_t repeats = 0;
  for (const bool compact : {false, true}) {
    DelayedSet::Settings settings = settings_for(70, compact, 20);
    settings.cloud = small_cloud();
    const std::unique_ptr<DelayedSet> set = make(settings);
    std::set<State> model;
    std::mt19937_64 random(7);
    for (int round = 0; round < 20; ++round) {
      const std::vector<State> layer = insert_some(*set, model, random, 70);
      const std::uint64_t count = set->next_layer();
      const std::vector<State> taken = take_all(*set, 2, 10);
      EXPECT_EQ(taken.size(), count);
      for (const State& state : layer)
        ASSERT_NE(std::find(taken.begin(), taken.end(), state), taken.end());
      for (const State& state : taken)
        ASSERT_TRUE(model.contains(state));
      repeats += taken.size() - layer.size();
    }
    EXPECT_FALSE(set->counts_distinct());
  }
  EXPECT_GT(repeats, 0U);
}

// A search over the numbers below `size`: n leads to n + 1, 2 n and n / 2, so that edges go far back.
std::uint64_t explore(DelayedSet& set, Word size, std::set<Word>& seen) {
  std::uint64_t visited = 0;
  std::vector<std::uint32_t> fresh;
  const Word start[] = {1, 0};
  EXPECT_TRUE(set.insert(0, start, 1, fresh));
  while (set.next_layer() > 0) {
    Word out[2];
    while (set.take(0, 1, out) > 0) {
      ++visited;
      seen.insert(out[0]);
      const Word next[] = {(out[0] + 1) % size, 2 * out[0] % size, out[0] / 2, 0};
      fresh.clear();
      EXPECT_TRUE(set.insert(0, next, 3, fresh));
    }
  }
  return visited;
}

TEST_F(DelayedSetTest, ASearchWithACloudEnds) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    DelayedSet::Settings settings = settings_for(20, seed % 2 == 0, 100);
    settings.cloud = small_cloud();
    settings.cloud->seed = seed;
    const std::unique_ptr<DelayedSet> set = make(settings);
    std::set<Word> seen;
    const std::uint64_t visited = explore(*set, 20000, seen);
    EXPECT_EQ(seen.size(), 20000U);
    EXPECT_GE(visited, 20000U);
    EXPECT_EQ(set->size(), visited);
  }
}

TEST_F(DelayedSetTest, LayersCanBeTakenAgain) {
  for (const bool compact : {false, true}) {
    DelayedSet::Settings settings = settings_for(70, compact, 20);
    EXPECT_EQ(make(settings)->restart(0), !compact);
    settings.keep_layers = true;
    const std::unique_ptr<DelayedSet> set = make(settings);
    std::set<State> model;
    std::mt19937_64 random(3);
    std::vector<std::vector<State>> layers;
    for (int round = 0; round < 10; ++round) {
      layers.push_back(insert_some(*set, model, random, 70));
      set->next_layer();
    }
    for (const std::size_t layer : {9U, 0U, 4U, 5U}) {
      ASSERT_TRUE(set->restart(layer));
      EXPECT_EQ(take_all(*set, 2, 10), layers[layer]);
    }
  }
}

TEST_F(DelayedSetTest, ThreadsFindEveryStateOnce) {
  const MakeSet plenty = [this](std::uint64_t bits, unsigned threads, MemoryBudget& budget) {
    DelayedSet::Settings settings = settings_for(bits, bits == 301, 0);
    settings.threads = threads;
    return std::make_unique<DelayedSet>(settings, workdir_, budget);
  };
  for (const unsigned threads : {1U, 2U, 4U})
    for (const std::uint64_t bits : {300U, 301U})
      ThreadsOnOneSet(plenty, threads, bits).run();
}

// Many checks while threads insert; each state is taken once. "Fresh" does not count.
TEST_F(DelayedSetTest, ThreadsWithASmallTable) {
  constexpr unsigned kThreads = 4;
  constexpr Word kStates = 4000;
  for (const bool compact : {false, true}) {
    DelayedSet::Settings settings = settings_for(64, compact, 300);
    settings.threads = kThreads;
    const std::unique_ptr<DelayedSet> set = make(settings);
    {
      std::vector<std::jthread> threads;
      for (unsigned thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&set, thread] {
          std::vector<std::uint32_t> fresh;
          std::vector<Word> states(101);
          for (Word begin = 0; begin < kStates; begin += 100) {
            for (Word i = 0; i < 100; ++i)
              states[i] = (begin * (thread + 1) + i * 37) % kStates * 0x9e3779b97f4a7c15U;
            EXPECT_TRUE(set->insert(thread, states.data(), 100, fresh));
          }
          for (Word i = 0; i < kStates; ++i) {
            states[0] = i * 0x9e3779b97f4a7c15U;
            EXPECT_TRUE(set->insert(thread, states.data(), 1, fresh));
          }
        });
    }
    EXPECT_EQ(set->next_layer(), kStates);
    const std::vector<State> taken = take_all(*set, 1, 100);
    EXPECT_EQ(std::set<State>(taken.begin(), taken.end()).size(), kStates);
    EXPECT_EQ(taken.size(), kStates);
    EXPECT_GT(set->checks(), 10U);
  }
}

TEST_F(DelayedSetTest, SavedAndLoadedItGoesOnTheSameWay) {
  for (const bool compact : {false, true}) {
    DelayedSet::Settings settings = settings_for(70, compact, 20);
    settings.cloud = small_cloud();
    const std::unique_ptr<DelayedSet> first = make(settings);
    std::set<State> model;
    std::mt19937_64 random(3);
    for (int round = 0; round < 8; ++round) {
      insert_some(*first, model, random, 70);
      first->next_layer();
    }
    SavedSet saved;
    ASSERT_TRUE(first->save(saved).is_ok());
    std::set<std::string> names;  // neither set removes a file that the other needs
    for (const SavedSet::SavedFile& file : saved.files)
      names.insert(file.name);
    ASSERT_TRUE(workdir_.write_manifest("{}", names).is_ok());
    const std::unique_ptr<DelayedSet> second = make(settings);
    ASSERT_TRUE(second->load(saved).is_ok());
    for (const char* name : {"distinct", "layer_size", "cloud.share"}) {
      SavedSet lacking = saved;
      lacking.numbers.erase(name);
      EXPECT_FALSE(make(settings)->load(lacking).is_ok()) << name;
    }
    SavedSet shorter = saved;
    shorter.files.pop_back();
    EXPECT_FALSE(make(settings)->load(shorter).is_ok());
    EXPECT_EQ(first->size(), second->size());
    EXPECT_EQ(first->counts_distinct(), second->counts_distinct());
    EXPECT_EQ(take_all(*first, 2, 10), take_all(*second, 2, 10));
    for (int round = 0; round < 8; ++round) {
      std::set<State> model_again = model;
      std::mt19937_64 random_again = random;
      insert_some(*first, model, random, 70);
      insert_some(*second, model_again, random_again, 70);
      EXPECT_EQ(first->next_layer(), second->next_layer());
      EXPECT_EQ(take_all(*first, 2, 10), take_all(*second, 2, 10));
    }
    if (!compact) {
      ASSERT_TRUE(first->restart(5) && second->restart(5));
      EXPECT_EQ(take_all(*first, 2, 10), take_all(*second, 2, 10));
    }
  }
}

TEST_F(DelayedSetTest, AFullDiskIsTroubleThatStays) {
  for (const bool compact : {false, true}) {
    Workdir small(*env_, "", 300000);
    DelayedSet set(settings_for(200, compact, 1000), small, budget_);
    std::vector<std::uint32_t> fresh;
    std::vector<Word> state(5, 0);
    bool fine = true;
    for (Word i = 0; fine && i < 1000000; ++i) {
      state[0] = state[1] = state[2] = i * 0x9e3779b97f4a7c15U;
      fine = set.insert(0, state.data(), 1, fresh);
    }
    EXPECT_FALSE(fine);
    EXPECT_TRUE(set.trouble().is_limit());
    EXPECT_FALSE(set.insert(0, state.data(), 1, fresh));
    EXPECT_EQ(set.next_layer(), 0U);
    EXPECT_EQ(set.take(0, 1, state.data()), 0U);
  }
}

// Every call from the `fails_at`th on fails.
struct FailingEnv final : Env {
  bool fails() { return ++calls >= fails_at; }
  static Status failure() { return Status::error("the test's disk failed"); }

  class FailingFile final : public File {
   public:
    FailingFile(std::unique_ptr<File> file, FailingEnv& env) : file_(std::move(file)), env_(env) {}
    Status append(const void* data, std::size_t bytes) override {
      return env_.fails() ? failure() : file_->append(data, bytes);
    }
    Status read(std::uint64_t offset, void* data, std::size_t bytes) override {
      return env_.fails() ? failure() : file_->read(offset, data, bytes);
    }
    Status flush() override { return env_.fails() ? failure() : file_->flush(); }
    Status sync() override { return env_.fails() ? failure() : file_->sync(); }
    [[nodiscard]] std::uint64_t size() const override { return file_->size(); }

   private:
    std::unique_ptr<File> file_;
    FailingEnv& env_;
  };

  Result<std::unique_ptr<File>> wrap(Result<std::unique_ptr<File>> file) {
    if (!file.is_ok())
      return file;
    return std::unique_ptr<File>(std::make_unique<FailingFile>(std::move(file.value()), *this));
  }
  Result<std::unique_ptr<File>> create(const std::string& path) override {
    return fails() ? failure() : wrap(real->create(path));
  }
  Result<std::unique_ptr<File>> open(const std::string& path) override {
    return fails() ? failure() : wrap(real->open(path));
  }
  Status rename(const std::string& from, const std::string& to) override { return real->rename(from, to); }
  Status remove(const std::string& path) override {
    Status status = real->remove(path);
    return fails() ? failure() : status;
  }
  Result<std::vector<std::string>> list(const std::string& directory) override { return real->list(directory); }
  Result<bool> make_directory(const std::string& path) override {
    return fails() ? failure() : real->make_directory(path);
  }
  [[nodiscard]] bool allows_background() const override { return false; }
  Status remove_directory(const std::string& path) override { return real->remove_directory(path); }
  Status sync_directory(const std::string& path) override { return real->sync_directory(path); }
  bool exists(const std::string& path) override { return real->exists(path); }
  Result<std::unique_ptr<DirectoryLock>> lock(const std::string& directory) override { return real->lock(directory); }

  std::unique_ptr<Env> real = make_real_env(false);
  std::uint64_t calls = 0;
  std::uint64_t fails_at = ~std::uint64_t{0};
};

// A search of three layers of a few blocks each; true if it came to its end without trouble.
bool search_on(FailingEnv& env, bool compact) {
  Workdir workdir(env, "", 0);
  MemoryBudget budget(kContractBudget, kContractBudget - (std::uint64_t{5} << 20));
  DelayedSet::Settings settings = settings_for(3000, compact, 100);
  DelayedSet set(settings, workdir, budget);
  std::vector<Word> states(100 * 47 + 1, 0);
  std::vector<Word> out(100 * 47 + 1);
  std::vector<std::uint32_t> fresh;
  bool fine = true;
  std::uint64_t taken = 0;
  for (Word layer = 0; layer < 3 && fine; ++layer) {
    for (Word begin = 0; begin < 300 && fine; begin += 100) {
      for (Word i = 0; i < 100 * 47; ++i)
        states[i] = i % 47 == 46 ? 0 : (layer * 1000 + begin + i / 47) * 0x9e3779b97f4a7c15U + i;
      fine = set.insert(0, states.data(), 100, fresh);
    }
    fine = fine && set.next_layer() == 300;
    while (const std::size_t count = set.take(0, 100, out.data()))
      taken += count;
  }
  SavedSet saved;
  fine = fine && set.next_layer() == 0 && set.save(saved).is_ok() && set.restart(0) == !compact;
  while (const std::size_t count = fine && !compact ? set.take(0, 100, out.data()) : 0)
    taken += count;
  EXPECT_EQ(fine && taken == (compact ? 900U : 1200U), set.trouble().is_ok() && fine);
  return fine && set.trouble().is_ok();
}

TEST_F(DelayedSetTest, EveryFailureOfTheDiskIsTrouble) {
  for (const bool compact : {false, true}) {
    FailingEnv whole;
    ASSERT_TRUE(search_on(whole, compact));
    EXPECT_GT(whole.calls, 20U);
    const std::uint64_t steps = whole.calls;
    std::uint64_t unharmed = 0;
    for (std::uint64_t step = 1; step <= steps; ++step) {
      FailingEnv env;
      env.fails_at = step;
      unharmed += search_on(env, compact) ? 1U : 0U;
    }
    EXPECT_LT(unharmed, steps / 2);  // only calls at the end, where files are removed, do no harm
  }
}

TEST_F(DelayedSetTest, WithoutMemoryNothingIsInserted) {
  MemoryBudget none(kMemoryBudgetFloor, kMemoryBudgetFloor - 10000);
  DelayedSet set(settings_for(64, false, 0), workdir_, none);
  std::vector<std::uint32_t> fresh;
  const Word state[] = {1, 0};
  EXPECT_FALSE(set.insert(0, state, 1, fresh));
  EXPECT_TRUE(set.trouble().is_ok());
}

TEST_F(DelayedSetTest, SignaturesGiveABound) {
  DelayedSet::Settings settings = settings_for(64, true, 0);
  settings.signature_bits = Signature::length(32);
  const std::unique_ptr<DelayedSet> set = make(settings);
  std::vector<Word> states(1001);
  for (Word i = 0; i < 1000; ++i)
    states[i] = i;
  std::vector<std::uint32_t> fresh;
  ASSERT_TRUE(set->insert(0, states.data(), 1000, fresh));
  EXPECT_EQ(set->next_layer(), 1000U);
  EXPECT_NEAR(set->omission_probability() / (1000.0 * 1001.0 / std::ldexp(1.0, 51)), 1.0, 1e-9);
}

}  // namespace
}  // namespace tideline
