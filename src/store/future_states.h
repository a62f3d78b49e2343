// SPDX-License-Identifier: MIT
// The states of future layers that are in RAM, each once, by layer: a hash table over cells of a pool, and for every
// key a list of its cells. The lists stand in the order of their keys, so the next layer and the last ones are found at
// once; keys only grow during a sweep, so there is no heap to keep (a monotone queue [cherkassky.99.jcomp]).
//
// With a state goes a word that says where it comes from, its origin, if one is wanted; the first one counts.
//
// F1  a cell is in one list or free. Cost: ceil(bits / 8) + 4 bytes per state, 8 with origins, and position_index.h's;
// kLayerBytes per key. Memory once taken is kept, but for that of the keys. Threads: one.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "io/growing_pages.h"
#include "store/position_index.h"
#include "store/state_array.h"
#include "store/state_hash.h"

namespace tideline {

class FutureStates {
 public:
  enum class Insert : std::uint8_t { kNew, kKnown, kFull };

  FutureStates(std::uint64_t state_bits, bool with_origins, MemoryBudget& budget);
  ~FutureStates();
  FutureStates(const FutureStates&) = delete;
  FutureStates& operator=(const FutureStates&) = delete;

  [[nodiscard]] std::uint64_t size() const { return index_.size(); }
  [[nodiscard]] bool empty() const { return layers_.empty(); }
  [[nodiscard]] std::uint64_t layers() const { return layers_.size(); }
  [[nodiscard]] std::uint64_t least_key() const { return layers_.begin()->first; }
  [[nodiscard]] std::uint64_t bytes() const {
    return states_.bytes() + index_.bytes() + next_.size() + origins_.size() + layers_.size() * kLayerBytes;
  }
  void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }
  // `hash`: index_hash() of the state.
  Insert insert(const Word* state, std::uint64_t hash, std::uint64_t key, std::uint64_t origin);

  // Removes all states of the layer and calls take(state, origin) for each; the state has one readable word behind it.
  template <typename Take>
  void take_layer(std::uint64_t key, const Take& take) {
    const auto layer = layers_.find(key);
    if (layer == layers_.end())
      return;
    take_from(layer->second, layer->second.count, take);
    forget(layer);
  }
  // Removes the `count` states with the largest keys, and calls take(key, state, origin) for each, in the order of the
  // keys.
  template <typename Take>
  void take_largest(std::uint64_t count, const Take& take) {
    auto layer = layers_.end();
    std::uint64_t found = 0;
    while (layer != layers_.begin() && found < count)
      found += (--layer)->second.count;
    std::uint64_t left = found > count ? found - count : 0;  // of the first of these layers
    while (layer != layers_.end()) {
      const std::uint64_t key = layer->first;
      take_from(layer->second, layer->second.count - left,
                [&](const Word* state, std::uint64_t origin) { take(key, state, origin); });
      const auto done = layer++;
      if (left == 0)
        forget(done);
      left = 0;
    }
  }

 private:
  // A node of the map with its share of the allocator's cost.
  static constexpr std::uint64_t kLayerBytes = 80;
  static constexpr std::size_t kRecentKeys = 256;
  static constexpr std::uint32_t kEnd = PositionIndex::kNone;
  struct Layer {
    std::uint32_t first = kEnd;  // cell
    std::uint64_t count = 0;
  };
  using Layers = std::map<std::uint64_t, Layer>;

  template <typename Take>
  void take_from(Layer& layer, std::uint64_t count, const Take& take) {
    for (; count > 0; --count) {
      const std::uint32_t cell = layer.first;
      states_.load(cell, scratch_.data());
      index_.remove(index_hash(scratch_.data(), states_.words()), cell);
      layer.first = next()[cell];
      --layer.count;
      next()[cell] = free_;
      free_ = cell;
      take(scratch_.data(), with_origins_ ? origins()[cell] : 0);
    }
  }
  // The layer of a key; null if there is no memory for a new one.
  Layer* layer_of(std::uint64_t key);
  void forget(Layers::iterator layer);
  // A free cell; kEnd if the budget refuses.
  std::uint32_t take_cell();
  [[nodiscard]] std::uint32_t* next() const { return reinterpret_cast<std::uint32_t*>(next_.data()); }
  [[nodiscard]] std::uint64_t* origins() const { return reinterpret_cast<std::uint64_t*>(origins_.data()); }

  struct Recent {
    std::uint64_t key = 0;
    Layer* layer = nullptr;
  };
  MemoryBudget& budget_;
  bool with_origins_;
  StateArray states_;
  GrowingPages next_;     // a cell's successor in its list
  GrowingPages origins_;  // by cell
  PositionIndex index_;
  Layers layers_;
  std::array<Recent, kRecentKeys> recent_{};  // layers that were asked for, by a hash of the key
  std::uint64_t cells_ = 0;                   // ever used
  std::uint32_t free_ = kEnd;
  std::vector<Word> scratch_;
};

}  // namespace tideline
