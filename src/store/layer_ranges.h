// SPDX-License-Identifier: MIT
// Which state numbers make up which breadth-first layer, when every thread appends in runs of numbers of its own: each
// thread's numbers as ranges, and where its layers begin among them. Hands out one layer, the current one, in pieces,
// to each thread first those that it has added itself: what it wrote is in its core's cache if the layer is thin.
//
// L1  a number is in one range, a range in one layer.    L2  take() hands out every number of the current layer once.
// Cost: 16 bytes per run and per layer and thread. Threads: add() with different threads and take() may run at once;
// the rest needs all others out.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace tideline {

// State numbers begin .. end-1.
struct NumberRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

class LayerRanges {
 public:
  explicit LayerRanges(unsigned threads) : logs_(threads), sections_(threads) {}

  // Numbers for the layer being built.
  void add(unsigned thread, NumberRange range);
  // The layer that was built becomes the current one; its size.
  std::uint64_t next_layer();
  // Makes an earlier layer the current one.
  void restart(std::uint64_t layer);
  [[nodiscard]] std::uint64_t layers() const { return layers_; }

  // Calls `use` with ranges of the current layer, of `most` numbers together at most; how many they are. 0: none is
  // left.
  template <typename Use>
  std::uint64_t take(unsigned thread, std::uint64_t most, Use use) {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      Section& section = sections_[(thread + i) % sections_.size()];
      if (section.taken.load(std::memory_order_relaxed) >= section.size)
        continue;
      const std::uint64_t first = section.taken.fetch_add(most, std::memory_order_relaxed);
      if (first >= section.size)
        continue;
      const std::uint64_t count = std::min(most, section.size - first);
      visit(section.begin + first, count, use);
      return count;
    }
    return 0;
  }
  // What take() has not handed out of the current layer.
  [[nodiscard]] std::vector<NumberRange> rest() const;
  // Of layers `first` and on, what take() has handed out, if it has handed out all of those before the current one.
  [[nodiscard]] std::vector<NumberRange> taken_since(std::uint64_t first) const;
  // What was added since the last next_layer().
  [[nodiscard]] std::vector<NumberRange> built() const;
  // Everything added so far, in pieces of at most `most` numbers; ranges that follow each other, of whatever layers,
  // share a piece.
  [[nodiscard]] std::vector<NumberRange> pieces(std::uint64_t most) const;

 private:
  struct alignas(64) Log {
    std::vector<NumberRange> ranges;
    std::vector<std::size_t> layers = {0};  // where layer k begins in `ranges`
  };
  // What a thread has added of the current layer.
  struct alignas(64) Section {
    std::uint64_t begin = 0;  // position
    std::uint64_t size = 0;
    std::atomic<std::uint64_t> taken = 0;  // from its beginning; may exceed the size
    [[nodiscard]] std::uint64_t gone() const { return std::min(size, taken.load(std::memory_order_relaxed)); }
  };
  struct Part {
    std::uint64_t position = 0;  // of the first number in the layer
    NumberRange range;
  };
  [[nodiscard]] std::size_t part_at(std::uint64_t position) const;

  template <typename Use>
  void visit(std::uint64_t position, std::uint64_t count, Use use) const {
    for (std::size_t i = count == 0 ? 0 : part_at(position); count > 0; ++i) {
      const std::uint64_t begin = current_[i].range.begin + (position - current_[i].position);
      const std::uint64_t end = std::min(current_[i].range.end, begin + count);
      use(NumberRange{begin, end});
      count -= end - begin;
      position += end - begin;
    }
  }

  std::vector<Log> logs_;
  std::uint64_t layers_ = 0;
  std::vector<Part> current_;
  std::uint64_t current_size_ = 0;
  std::vector<Section> sections_;  // of it, by thread
};

}  // namespace tideline
