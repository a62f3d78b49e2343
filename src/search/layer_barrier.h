// SPDX-License-Identifier: MIT
// Where the threads of a search meet at the end of a layer: the last to arrive does what ends the layer, the others
// wait for it. std::barrier sleeps after a few rounds of waiting; to sleep and to be woken takes longer than a layer of
// a few hundred states, of which some models have thousands, so that we wait awake for a while first.
//
// While it waits awake a thread calls `idle`, which does what there is to do for the others and says whether there was
// any.
//
// L1  what a thread did before it arrived happens before the completion, and that before any thread goes on.
// Cost: one atomic addition per thread and layer. Threads: `threads` of them, each arrives once per layer.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace tideline {

template <typename Completion>
class LayerBarrier {
 public:
  LayerBarrier(unsigned threads, Completion completion) : threads_(threads), completion_(std::move(completion)) {}

  template <typename Idle>
  void arrive_and_wait(Idle idle) {
    const std::uint32_t layer = layer_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      completion_();
      layer_.store(layer + 1, std::memory_order_release);
      layer_.notify_all();
      return;
    }
    for (unsigned i = 0; i < kRoundsAwake; ++i) {
      if (layer_.load(std::memory_order_acquire) != layer)
        return;
      if (idle())
        i = 0;
      pause();
    }
    layer_.wait(layer, std::memory_order_acquire);
  }

 private:
  // Some 100 microseconds.
  static constexpr unsigned kRoundsAwake = 4000;

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
  }

  unsigned threads_;
  Completion completion_;
  alignas(64) std::atomic<unsigned> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> layer_ = 0;
};

}  // namespace tideline
