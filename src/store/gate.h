// SPDX-License-Identifier: MIT
// Lets the threads that work in a shared structure be stopped by one of them for a change that needs all of them out,
// and has those that were stopped help with it: a change is a short part done alone and pieces that are done by
// whoever is there, then perhaps again a part done alone, and so on.
//
// G1  between enter() and leave() no change is under way.    G2  a piece is done once, after the part done alone
// that announced it and before the next one, or before anybody enters again.    G3  threads that are elsewhere are not
// waited for. Cost: one sequentially consistent store per entry. Threads: each calls with a number of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace tideline {

class Gate {
 public:
  // `piece` does piece number i of the change under way; it is called by several threads at once.
  Gate(unsigned threads, std::function<void(std::uint64_t)> piece);

  void enter(unsigned thread);
  void leave(unsigned thread) { inside_[thread].flag.store(false, std::memory_order_release); }
  // For a thread that is inside: somebody waits for it. It should leave and enter again soon.
  [[nodiscard]] bool wanted() const { return changing_.load(std::memory_order_relaxed); }
  // For a thread that is outside and has nothing to do: does a piece of the change under way. False if there is none.
  bool help() { return to_begin_.load(std::memory_order_relaxed) > 0 && do_piece(); }
  // Called inside. Makes a change: `alone` runs while no thread is inside and returns the number of pieces; when they
  // are done it runs again, until it returns 0. If another thread is making a change already, only helps with that.
  // Inside again afterwards, in both cases.
  void change(unsigned thread, const std::function<std::uint64_t()>& alone);

 private:
  struct alignas(64) Flag {
    std::atomic<bool> flag = false;
  };
  bool do_piece();

  std::function<void(std::uint64_t)> piece_;
  std::vector<Flag> inside_;
  std::atomic<bool> changing_ = false;
  std::atomic<std::uint64_t> to_begin_ = 0;   // pieces that nobody has begun
  std::atomic<std::uint64_t> to_finish_ = 0;  // pieces that are not finished
};

}  // namespace tideline
