// SPDX-License-Identifier: MIT
#include "store/gate.h"

#include <chrono>
#include <thread>
#include <utility>

namespace tideline {
namespace {

// A thread that waits lets others go first so many times, some milliseconds, then sleeps: changes on disk take seconds.
constexpr unsigned kYields = 8192;
constexpr auto kNap = std::chrono::microseconds(100);

class Patience {
 public:
  void wait() {
    if (yields_ < kYields) {
      ++yields_;
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(kNap);
    }
  }
  void renew() { yields_ = 0; }

 private:
  unsigned yields_ = 0;
};

}  // namespace

Gate::Gate(unsigned threads, std::function<void(std::uint64_t)> piece) : piece_(std::move(piece)), inside_(threads) {}

// The flag is set before `changing_` is read, and change() does the reverse, both sequentially consistent: one of the
// two sees the other (Dekker's way).
void Gate::enter(unsigned thread) {
  for (;;) {
    inside_[thread].flag.store(true);
    if (!changing_.load())
      return;
    leave(thread);
    Patience patience;
    while (changing_.load(std::memory_order_acquire)) {
      if (do_piece())
        patience.renew();
      else
        patience.wait();
    }
  }
}

bool Gate::do_piece() {
  std::uint64_t left = to_begin_.load(std::memory_order_acquire);
  do {
    if (left == 0)
      return false;
  } while (!to_begin_.compare_exchange_weak(left, left - 1, std::memory_order_acquire));
  piece_(left - 1);
  to_finish_.fetch_sub(1, std::memory_order_release);
  return true;
}

void Gate::change(unsigned thread, const std::function<std::uint64_t()>& alone) {
  leave(thread);
  bool changing = false;
  if (!changing_.compare_exchange_strong(changing, true)) {
    enter(thread);
    return;
  }
  for (const Flag& inside : inside_)
    while (inside.flag.load())
      std::this_thread::yield();
  while (const std::uint64_t pieces = alone()) {
    to_finish_.store(pieces, std::memory_order_relaxed);
    to_begin_.store(pieces, std::memory_order_release);
    while (do_piece()) {
    }
    while (to_finish_.load(std::memory_order_acquire) != 0)
      std::this_thread::yield();
  }
  inside_[thread].flag.store(true);
  changing_.store(false);
}

}  // namespace tideline
