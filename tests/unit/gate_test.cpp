// SPDX-License-Identifier: MIT
// The gate and the barrier together: a thread that waits for the others to end a layer helps with their changes.
#include "store/gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "search/layer_barrier.h"

namespace tideline {
namespace {

constexpr std::uint64_t kPieces = 1000;

TEST(Gate, WhoIsOutsideHasNothingToHelpWithWhileThereIsNoChange) {
  Gate gate(2, [](std::uint64_t) { FAIL(); });
  EXPECT_FALSE(gate.help());
  gate.enter(0);
  EXPECT_FALSE(gate.help());
  gate.leave(0);
}

// The first thread makes a change whose pieces take until another thread has done one, which can only be the second:
// that has arrived at the barrier.
TEST(Gate, AThreadAtTheBarrierDoesPieces) {
  std::vector<std::atomic<unsigned>> done(kPieces);
  std::atomic<bool> second_helps = false;
  const std::thread::id first = std::this_thread::get_id();
  Gate gate(2, [&](std::uint64_t piece) {
    ++done[piece];
    if (std::this_thread::get_id() != first)
      second_helps = true;
    while (!second_helps)
      std::this_thread::yield();
  });
  unsigned layers = 0;
  LayerBarrier barrier(2, [&layers] { ++layers; });
  std::atomic<bool> is_waiting = false;
  std::jthread second([&] {
    barrier.arrive_and_wait([&] {
      is_waiting = true;
      return gate.help() || !second_helps;
    });
  });
  while (!is_waiting)
    std::this_thread::yield();
  gate.enter(0);
  bool begun = false;
  gate.change(0, [&begun] { return std::exchange(begun, true) ? 0 : kPieces; });
  gate.leave(0);
  barrier.arrive_and_wait([] { return false; });
  second.join();
  EXPECT_TRUE(second_helps);
  EXPECT_EQ(layers, 1U);
  for (const std::atomic<unsigned>& times : done)
    EXPECT_EQ(times, 1U);
}

}  // namespace
}  // namespace tideline
