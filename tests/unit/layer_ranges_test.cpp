// SPDX-License-Identifier: MIT
// Layers in ranges of numbers: each number is handed out once, to the thread that has added it while it has some.
#include "store/layer_ranges.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace tideline {
namespace {

std::vector<std::uint64_t> numbers_of(const std::vector<NumberRange>& ranges) {
  std::vector<std::uint64_t> numbers;
  for (const NumberRange& range : ranges)
    for (std::uint64_t i = range.begin; i < range.end; ++i)
      numbers.push_back(i);
  return numbers;
}

std::vector<std::uint64_t> take(LayerRanges& layers, unsigned thread, std::uint64_t most) {
  std::vector<NumberRange> ranges;
  const std::uint64_t count = layers.take(thread, most, [&ranges](NumberRange range) { ranges.push_back(range); });
  std::vector<std::uint64_t> numbers = numbers_of(ranges);
  EXPECT_EQ(numbers.size(), count);
  return numbers;
}

using Numbers = std::vector<std::uint64_t>;

TEST(LayerRanges, AThreadGetsItsOwnFirst) {
  LayerRanges layers(3);
  layers.add(0, {0, 3});
  layers.add(1, {3, 5});
  layers.add(0, {5, 7});
  layers.add(2, {7, 7});
  EXPECT_EQ(layers.next_layer(), 7U);
  EXPECT_EQ(take(layers, 1, 1), (Numbers{3}));
  EXPECT_EQ(take(layers, 0, 4), (Numbers{0, 1, 2, 5}));
  EXPECT_EQ(layers.rest().size(), 2U);
  EXPECT_EQ(numbers_of(layers.rest()), (Numbers{6, 4}));
  EXPECT_EQ(numbers_of(layers.taken_since(0)), (Numbers{0, 1, 2, 5, 3}));
  EXPECT_EQ(take(layers, 2, 9), (Numbers{6})) << "it has none, and takes those of the next";
  EXPECT_EQ(take(layers, 2, 9), (Numbers{4}));
  EXPECT_TRUE(take(layers, 0, 1).empty());
  EXPECT_TRUE(layers.rest().empty());
  layers.restart(0);
  EXPECT_EQ(numbers_of(layers.rest()), (Numbers{0, 1, 2, 5, 6, 3, 4}));
}

TEST(LayerRanges, RangesThatFollowEachOtherShareAPiece) {
  LayerRanges layers(2);
  layers.add(0, {0, 3});
  layers.next_layer();
  layers.add(0, {3, 5});
  layers.add(1, {5, 6});
  layers.next_layer();
  layers.add(0, {6, 16});
  layers.add(1, {16, 18});
  const std::vector<NumberRange> pieces = layers.pieces(4);
  Numbers sizes;
  for (const NumberRange& piece : pieces)
    sizes.push_back(piece.size());
  EXPECT_EQ(numbers_of(pieces), (Numbers{0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 5, 16, 17}));
  EXPECT_EQ(sizes, (Numbers{4, 1, 4, 4, 2, 1, 2}));
}

TEST(LayerRanges, ThreadsAtOnceGetEveryNumberOnce) {
  constexpr unsigned kThreads = 4;
  constexpr std::uint64_t kNumbers = 100000;
  LayerRanges layers(kThreads);
  for (std::uint64_t i = 0; i < kNumbers; i += 100)
    layers.add(i / 100 % 7 < 5 ? 1 : 3, {i, i + 100});
  EXPECT_EQ(layers.next_layer(), kNumbers);
  std::vector<Numbers> taken(kThreads);
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread)
      threads.emplace_back([&layers, &taken, thread] {
        const auto keep = [&taken, thread](NumberRange range) {
          for (std::uint64_t i = range.begin; i < range.end; ++i)
            taken[thread].push_back(i);
        };
        while (layers.take(thread, 1 + thread * 13, keep) > 0) {
        }
      });
  }
  std::set<std::uint64_t> all;
  std::size_t count = 0;
  for (const Numbers& numbers : taken) {
    all.insert(numbers.begin(), numbers.end());
    count += numbers.size();
  }
  EXPECT_EQ(count, kNumbers);
  EXPECT_EQ(all.size(), kNumbers);
}

}  // namespace
}  // namespace tideline
