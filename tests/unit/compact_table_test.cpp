// SPDX-License-Identifier: MIT
// The compact table and its parts against std::unordered_set, at all widths of keys and many sizes.
#include "store/compact_table.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <unordered_set>

#include "store/gate.h"
#include "store/key_mix.h"

namespace tideline {
namespace {

using Growth = CompactTable::Growth;
using Numbers = std::unordered_set<std::uint64_t>;

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return value & (~std::uint64_t{0} >> (64 - bits));
}

Numbers contents(const CompactTable& table) {
  Numbers keys;
  table.for_each([&](std::uint64_t key) { EXPECT_TRUE(keys.insert(key).second); });
  return keys;
}

TEST(KeyMix, IsABijection) {
  std::mt19937_64 random(1);
  for (unsigned bits = 16; bits <= 64; ++bits) {
    const KeyMix mix(bits);
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t key = low_bits(random(), bits);
      ASSERT_EQ(mix.mix(key), low_bits(mix.mix(key), bits));
      ASSERT_EQ(mix.unmix(mix.mix(key)), key);
      ASSERT_EQ(mix.mix(mix.unmix(key)), key);
    }
  }
}

TEST(BitBucket, KeepsSlotsOfEveryWidth) {
  std::mt19937_64 random(2);
  for (unsigned width = 9; width <= 64; ++width) {
    const BitBucket::Shape shape{std::min(BitBucket::kSlotsMax, BitBucket::kBitsForSlots / width), width};
    BitBucket bucket;
    std::vector<std::uint64_t> values;
    unsigned filled = 0;
    for (unsigned i = 0; i < shape.slots; ++i) {
      const std::uint64_t value = i == 0 ? 0 : low_bits(random(), width);
      ASSERT_FALSE(bucket.find(value, shape, filled));
      ASSERT_EQ(filled, i);
      bucket.lock();
      bucket.append(value, shape);
      values.push_back(value);
      ASSERT_EQ(bucket.count(), i + 1);
      for (unsigned k = 0; k <= i; ++k) {
        ASSERT_EQ(bucket.slot(k, shape), values[k]) << width;
        ASSERT_TRUE(bucket.find(values[k], shape, filled));
      }
    }
  }
}

// `random_keys`: random numbers; else the numbers from 0 on, mixed, as the sets use the table.
void compare_with_set(unsigned bits, std::size_t count, bool random_keys, Growth growth, unsigned threads) {
  MemoryBudget budget(kBudget, 0);
  Numbers model;
  {
    CompactTable table(bits, growth, threads, budget);
    const KeyMix mix(bits);
    std::mt19937_64 random(bits);
    std::vector<std::uint64_t> keys(32);
    for (std::size_t begin = 0; begin < count; begin += keys.size()) {
      for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = random_keys ? low_bits(random(), bits) : mix.mix(low_bits(begin + i, bits));
      keys[7] = keys[random() % 7];
      std::vector<std::uint32_t> expected;
      for (std::size_t i = 0; i < keys.size(); ++i)
        if (model.insert(keys[i]).second)
          expected.push_back(static_cast<std::uint32_t>(100 + i));
      ASSERT_TRUE(table.has_room(keys.size()) || table.reserve(keys.size()));
      std::vector<std::uint32_t> fresh;
      const std::size_t middle = random() % keys.size();
      table.insert(keys, 0, middle, 100, fresh);
      table.insert(keys, middle, keys.size(), 100, fresh);
      ASSERT_EQ(fresh, expected) << bits << " bits, " << model.size() << " keys";
    }
    ASSERT_EQ(table.size(), model.size());
    ASSERT_EQ(contents(table), model);
    EXPECT_EQ(table.bytes(), budget.used());
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(CompactTable, MatchesAStandardSetAtEveryWidth) {
  for (unsigned bits = CompactTable::kKeyBitsMin; bits <= CompactTable::kKeyBitsMax; ++bits)
    compare_with_set(bits, 6000, true, bits % 2 == 0 ? Growth::kTight : Growth::kRoomy, 1 + bits / 2 % 2);
}

TEST(CompactTable, MatchesAStandardSetThroughManyGrowths) {
  for (const unsigned bits : {16U, 17U, 20U, 31U, 40U, 56U, 64U})
    for (const Growth growth : {Growth::kTight, Growth::kRoomy})
      for (const unsigned threads : {1U, 2U})
        compare_with_set(bits, 200000, false, growth, threads);
}

TEST(CompactTable, HoldsEveryNumberThereIs) {
  compare_with_set(16, 200000, true, Growth::kTight, 1);
  compare_with_set(16, 200000, true, Growth::kRoomy, 1);
}

// Numbers that are not spread at all have the same home; those that find no room go to the stash, and are found there.
TEST(CompactTable, CrowdedNumbersAreKeptExactly) {
  MemoryBudget budget(kBudget, 0);
  CompactTable table(40, Growth::kTight, 1, budget);
  Numbers model;
  for (std::uint64_t i = 0; table.stash_size() < 20; ++i) {
    ASSERT_LT(i, 10000U);
    ASSERT_TRUE(table.reserve(1));
    for (int twice = 0; twice < 2; ++twice) {
      std::vector<std::uint32_t> fresh;
      table.insert({&i, 1}, 0, 1, 0, fresh);
      ASSERT_EQ(fresh.size(), twice == 0 ? 1U : 0U);
    }
    model.insert(i);
  }
  EXPECT_EQ(contents(table), model);
  ASSERT_TRUE(table.reserve(10000));
  EXPECT_EQ(contents(table), model);
}

// However it grew before, the table is tight where memory ends.
void fill_until_memory_ends(Growth growth) {
  MemoryBudget budget(kMemoryBudgetFloor, kMemoryBudgetFloor - (std::uint64_t{3} << 20));
  CompactTable table(56, growth, 1, budget);
  const KeyMix mix(56);
  std::uint64_t count = 0;
  std::vector<std::uint32_t> fresh;
  for (; table.reserve(1); ++count) {
    const std::uint64_t key = mix.mix(count);
    table.insert({&key, 1}, 0, 1, 0, fresh);
    ASSERT_LT(count, std::uint64_t{1} << 20);
  }
  EXPECT_EQ(fresh.size(), count);
  EXPECT_LE(budget.used(), budget.total());
  EXPECT_GT(count * 64 / 10, std::uint64_t{3} << 20) << "below 6.4 bytes per key when memory is short";
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t key = mix.mix(i);
    table.insert({&key, 1}, 0, 1, 0, fresh);
  }
  EXPECT_EQ(fresh.size(), count);
}

TEST(CompactTable, EndOfMemoryIsReportedAndNothingIsLost) {
  fill_until_memory_ends(Growth::kTight);
  fill_until_memory_ends(Growth::kRoomy);
}

// The target that the design is built on: docs/design/tables.md.
TEST(CompactTable, IsCompact) {
  MemoryBudget budget(kBudget, 0);
  CompactTable table(56, Growth::kTight, 1, budget);
  const KeyMix mix(56);
  std::vector<std::uint32_t> fresh;
  for (std::uint64_t i = 0; i < 1500000; ++i) {
    ASSERT_TRUE(table.has_room(1) || table.reserve(1));
    const std::uint64_t key = mix.mix(i);
    table.insert({&key, 1}, 0, 1, 0, fresh);
    if (i > 1000000) {
      ASSERT_LT(table.bytes(), i * 15 / 2) << i;
    }
  }
  EXPECT_EQ(fresh.size(), 1500000U);
}

// Inserts the numbers below `count`, mixed, each thread all of them in another order. Those whose turn it is to wait
// for room help to move.
class Threads {
 public:
  Threads(unsigned threads, Growth growth)
      : threads_(threads),
        table_(48, growth, threads, budget_),
        gate_(threads, [this](std::uint64_t piece) { table_.move_piece(piece); }) {}

  void insert(std::uint64_t count) {
    {
      std::vector<std::jthread> threads;
      for (unsigned thread = 0; thread < threads_; ++thread)
        threads.emplace_back([this, thread, count] { insert_all(thread, count); });
    }
    EXPECT_EQ(fresh_, count);
    EXPECT_EQ(table_.size(), count);
    EXPECT_EQ(contents(table_).size(), count);
  }

 private:
  static constexpr std::uint64_t kBatch = 32;

  void insert_all(unsigned thread, std::uint64_t count) {
    const KeyMix mix(48);
    std::uint64_t keys[kBatch];
    std::vector<std::uint32_t> fresh;
    for (std::uint64_t begin = 0; begin < count; begin += kBatch) {
      for (std::uint64_t i = 0; i < kBatch; ++i)
        keys[i] = mix.mix(begin + (i * (2 * thread + 1)) % kBatch);
      gate_.enter(thread);
      while (!table_.has_room(threads_ * kBatch))
        gate_.change(thread, [this] { return table_.prepare_growth(threads_ * kBatch); });
      table_.insert(keys, 0, kBatch, 0, fresh);
      gate_.leave(thread);
    }
    fresh_ += fresh.size();
  }

  unsigned threads_;
  MemoryBudget budget_{kBudget, 0};
  CompactTable table_;
  Gate gate_;
  std::atomic<std::uint64_t> fresh_ = 0;
};

// At a million numbers a table has grown in rounds of several pieces, many times over.
TEST(CompactTable, ThreadsInsertAndMoveEachNumberOnce) {
  for (const Growth growth : {Growth::kTight, Growth::kRoomy})
    Threads(4, growth).insert(std::uint64_t{32} << 15);
}

}  // namespace
}  // namespace tideline
