// SPDX-License-Identifier: MIT
// Keys of states: there and back, through wider fields, which keep the order, and back to states when keys do not pay.
#include "store/collapse_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "em/state_order.h"
#include "io/workdir.h"
#include "store/collapsed_run_set.h"

namespace tideline {
namespace {

using State = std::vector<Word>;
using Change = CollapseCode::Change;

constexpr std::uint64_t kBits = 150;
constexpr std::size_t kWords = 3;

std::vector<StatePart> four_parts() {
  return {{{0, 50}}, {{50, 10}, {140, 10}}, {{60, 64}}, {{124, 16}}};
}

State random_state(std::mt19937_64& random, std::uint64_t variety) {
  State state(kWords + 1, 0);
  for (std::size_t i = 0; i < kWords; ++i)
    state[i] = (random() % variety) * 0x9e3779b97f4a7c15U;
  state[kWords - 1] &= (Word{1} << (kBits % 64)) - 1;
  return state;
}

class CollapseCodeTest : public testing::Test {
 protected:
  CollapseCodeTest() : budget_(std::uint64_t{256} << 20, 0) {}

  CollapseCode make(std::uint64_t bytes_max = std::uint64_t{64} << 20) {
    const std::vector<StatePart> parts = four_parts();
    return {kBits, parts, 1, bytes_max, budget_};
  }
  // The key of a state that the code has room for.
  static State key_of(CollapseCode& code, const State& state) {
    const Word* key = code.encode(0, state.data(), 1);
    EXPECT_NE(key, nullptr);
    State copy(key, key + code.key_words());
    copy.resize(copy.size() + 2);
    return copy;
  }

  MemoryBudget budget_;
};

TEST_F(CollapseCodeTest, KeysThatBecomeWiderKeepTheirStatesAndTheirOrder) {
  CollapseCode code = make();
  std::mt19937_64 random(1);
  std::vector<std::pair<State, State>> known;  // keys and states
  unsigned changes = 0;
  for (int i = 0; i < 2000; ++i) {
    const State state = random_state(random, 2 + static_cast<std::uint64_t>(i) / 20);
    while (code.encode(0, state.data(), 1) == nullptr) {
      if (code.make_room())
        continue;
      std::sort(known.begin(), known.end(), [&](const auto& a, const auto& b) {
        return compare_states(a.first.data(), b.first.data(), code.key_words()) < 0;
      });
      ASSERT_EQ(code.change(), Change::kWider);
      ++changes;
      for (auto& [key, of] : known) {
        State wider(code.key_words() + 2);
        code.widen_key(key.data(), wider.data());
        key = wider;
        ASSERT_EQ(key, key_of(code, of));
      }
      ASSERT_TRUE(std::is_sorted(known.begin(), known.end(), [&](const auto& a, const auto& b) {
        return compare_states(a.first.data(), b.first.data(), code.key_words()) < 0;
      }));
      code.forget_old();
    }
    known.emplace_back(key_of(code, state), state);
  }
  EXPECT_GT(changes, 5U);
  EXPECT_LT(code.key_bits(), kBits / 2);
  for (const auto& [key, state] : known) {
    std::copy_n(key.data(), code.key_words(), code.keys_to_decode(0, 1));
    State decoded(kWords + 1);
    code.decode(0, 1, decoded.data());
    EXPECT_TRUE(std::equal(decoded.begin(), decoded.begin() + kWords, state.begin()));
  }
}

TEST_F(CollapseCodeTest, StatesTakeThePlaceOfKeysThatDoNotPay) {
  for (const std::uint64_t bytes_max : {40000U, 400000U}) {
    CollapseCode code = make(bytes_max);
    std::mt19937_64 random(2);
    std::map<State, State> known;
    while (!code.is_plain()) {
      const State state = random_state(random, ~std::uint64_t{0});
      while (!code.is_plain() && code.encode(0, state.data(), 1) == nullptr) {
        if (code.make_room())
          continue;
        const bool wider = code.change() == Change::kWider;
        std::map<State, State> changed;
        for (const auto& [key, of] : known) {
          State now(wider ? code.key_words() + 2 : kWords + 1);
          if (wider) {
            code.widen_key(key.data(), now.data());
          } else {
            code.old_state(key.data(), now.data());
            EXPECT_TRUE(std::equal(of.begin(), of.begin() + kWords, now.begin()));
          }
          changed[now] = of;
        }
        ASSERT_EQ(changed.size(), known.size());
        known = std::move(changed);
        code.forget_old();
      }
      if (!code.is_plain())
        known[key_of(code, state)] = state;
      ASSERT_LT(known.size(), 10000000U);
    }
    EXPECT_GT(known.size(), 100U);
    EXPECT_EQ(code.key_bits(), kBits);
    EXPECT_EQ(code.bytes(), 0U);
  }
}

// States of three words: keys of one word pay, keys of two are given up as soon as they would be made.
TEST_F(CollapseCodeTest, KeysHaveAtMostHalfOfTheStatesWords) {
  CollapseCode code = make();
  std::mt19937_64 random(3);
  std::uint64_t bits = 0;
  while (!code.is_plain()) {
    EXPECT_EQ(code.key_words(), 1U);
    bits = code.key_bits();
    const State state = random_state(random, ~std::uint64_t{0});
    while (!code.is_plain() && code.encode(0, state.data(), 1) == nullptr) {
      if (code.make_room())
        continue;
      ASSERT_NE(code.change(), Change::kNone);
    }
    code.forget_old();
  }
  EXPECT_GT(bits, 48U);  // it was not for want of memory
}

// States of which few values of each part occur stay keys to the end; those of many become states again. Both are found
// again as what they were.
TEST(CollapsedRunSet, KeysAreKeptWhileTheyPay) {
  const std::unique_ptr<Env> env = make_real_env(false);
  for (const bool few : {true, false}) {
    Workdir workdir(*env, "", 0);
    MemoryBudget budget(std::uint64_t{64} << 20, 0);
    CollapsedRunSetOptions options;
    options.runs.state_bits = kBits;
    options.runs.candidates_max = 500;
    options.parts = four_parts();
    if (!few)
      options.dictionary_bytes_max = 60000;
    CollapsedRunSet set(options, workdir, budget);
    ASSERT_TRUE(set.begin().is_ok());
    std::mt19937_64 random(3);
    std::vector<Word> all;
    for (int i = 0; i < 6000; ++i) {
      const State state = random_state(random, few ? 40 : 4000);
      all.insert(all.end(), state.begin(), state.begin() + kWords);
    }
    all.push_back(0);
    std::vector<std::uint32_t> fresh;
    ASSERT_TRUE(set.insert(0, all.data(), 6000, fresh)) << set.trouble().message();
    const std::uint64_t size = set.next_layer();
    EXPECT_EQ(set.key_bits() < kBits, few);
    ASSERT_TRUE(set.insert(0, all.data(), 6000, fresh)) << set.trouble().message();
    std::vector<Word> out(10 * kWords + 1);
    std::uint64_t taken = 0;
    while (const std::size_t count = set.take(0, 10, out.data()))
      taken += count;
    EXPECT_EQ(taken, size);
    EXPECT_EQ(set.next_layer(), 0U) << "all were known";
  }
}

// Pieces in which parts take more and more values, so that keys change in the middle of a piece and between two, and
// some are sorted in the background: at the end every state is there as what it was.
TEST(CollapsedRunSet, WhatIsAdoptedStaysWhatItWas) {
  constexpr std::size_t kPieces = 9;
  constexpr std::size_t kPieceStates = 700;
  const std::unique_ptr<Env> env = make_real_env(false);
  for (const std::uint64_t growth : {2U, 3U, 6U}) {
    SCOPED_TRACE(growth);
    Workdir workdir(*env, "", 0);
    MemoryBudget budget(std::uint64_t{64} << 20, 0);
    CollapsedRunSetOptions options;
    options.runs.state_bits = kBits;
    options.parts = four_parts();
    if (growth == 6)
      options.dictionary_bytes_max = 60000;
    CollapsedRunSet set(options, workdir, budget);
    std::mt19937_64 random(growth);
    std::set<State> all;
    std::vector<std::vector<Word>> pieces;
    std::uint64_t variety = 10;
    for (std::size_t k = 0; k < kPieces; ++k, variety = variety * growth / 2 + growth) {
      std::vector<Word>& piece = pieces.emplace_back();
      while (piece.size() < kPieceStates * kWords) {
        State state = random_state(random, variety);
        state.resize(kWords);
        if (all.insert(state).second)
          piece.insert(piece.end(), state.begin(), state.end());
      }
      piece.push_back(0);
    }
    std::vector<Word> frontier = pieces.back();
    const std::vector<std::vector<Word>> before = pieces;
    for (std::vector<Word>& piece : pieces)
      ASSERT_TRUE(set.adopt(Known::kVisited, piece.data(), kPieceStates).is_ok());
    ASSERT_TRUE(set.adopt(Known::kFrontier, frontier.data(), kPieceStates).is_ok());
    ASSERT_TRUE(set.adopt(Known::kNext, nullptr, 0).is_ok());
    ASSERT_TRUE(set.begin().is_ok());
    EXPECT_EQ(set.key_bits() < kBits, growth != 6);
    EXPECT_EQ(set.size(), all.size());
    std::vector<Word> out(kPieceStates * kWords + 1);
    std::set<State> taken;
    while (const std::size_t count = set.take(0, kPieceStates, out.data()))
      for (std::size_t i = 0; i < count; ++i)
        taken.emplace(out.data() + i * kWords, out.data() + (i + 1) * kWords);
    EXPECT_EQ(taken.size(), kPieceStates);
    for (std::size_t i = 0; i < kPieceStates; ++i)
      EXPECT_TRUE(taken.contains({before.back().data() + i * kWords, before.back().data() + (i + 1) * kWords}));
    std::vector<std::uint32_t> fresh;
    for (const std::vector<Word>& piece : before)
      ASSERT_TRUE(set.insert(0, piece.data(), kPieceStates, fresh)) << set.trouble().message();
    EXPECT_EQ(set.next_layer(), 0U) << "all were known";
  }
}

}  // namespace
}  // namespace tideline
