// SPDX-License-Identifier: MIT
// How owners of the hash space pass candidate states to each other: in chunks, one lock per chunk, none per state.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "model/next_state.h"

namespace tideline {

// States one behind the other and their hashes.
struct StateChunk {
  std::vector<Word> states;
  std::vector<std::uint64_t> hashes;

  void add(const Word* state, std::size_t words, std::uint64_t hash) {
    states.insert(states.end(), state, state + words);
    hashes.push_back(hash);
  }
  void clear() {
    states.clear();
    hashes.clear();
  }
};

// Any thread posts, the owner collects.
class Mailbox {
 public:
  void post(std::unique_ptr<StateChunk> chunk) {
    const std::lock_guard lock(mutex_);
    chunks_.push_back(std::move(chunk));
    waiting_.store(chunks_.size(), std::memory_order_release);
  }
  // Moves everything posted so far to `out`, which must be empty.
  void collect(std::vector<std::unique_ptr<StateChunk>>& out) {
    if (waiting() == 0)
      return;
    const std::lock_guard lock(mutex_);
    out.swap(chunks_);
    waiting_.store(0, std::memory_order_release);
  }
  [[nodiscard]] std::size_t waiting() const { return waiting_.load(std::memory_order_acquire); }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<StateChunk>> chunks_;
  std::atomic<std::size_t> waiting_ = 0;
};

}  // namespace tideline
