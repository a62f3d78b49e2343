// SPDX-License-Identifier: MIT
#include "store/future_states.h"

namespace tideline {

FutureStates::FutureStates(std::uint64_t state_bits, bool with_origins, MemoryBudget& budget)
    : budget_(budget),
      with_origins_(with_origins),
      states_(state_bits, budget),
      next_(budget),
      origins_(budget),
      index_(budget),
      scratch_(states_.words() + 1) {}

FutureStates::~FutureStates() {
  budget_.release(layers_.size() * kLayerBytes);
}

FutureStates::Insert FutureStates::insert(const Word* state, std::uint64_t hash, std::uint64_t key,
                                          std::uint64_t origin) {
  if (index_.find(hash, [&](std::uint32_t cell) { return states_.equals(cell, state); }) != PositionIndex::kNone)
    return Insert::kKnown;
  if (!index_.reserve_one())
    return Insert::kFull;
  const std::uint32_t cell = take_cell();
  if (cell == kEnd)
    return Insert::kFull;
  Layer* layer = layer_of(key);
  if (layer == nullptr) {
    next()[cell] = free_;
    free_ = cell;
    return Insert::kFull;
  }
  states_.store(cell, state);
  if (with_origins_)
    origins()[cell] = origin;
  next()[cell] = layer->first;
  layer->first = cell;
  ++layer->count;
  index_.add(hash, cell);
  return Insert::kNew;
}

std::uint32_t FutureStates::take_cell() {
  if (free_ != kEnd) {
    const std::uint32_t cell = free_;
    free_ = next()[cell];
    return cell;
  }
  if (cells_ + 1 >= kEnd || !states_.reserve(cells_ + 1) || !next_.extend_to((cells_ + 1) * sizeof(std::uint32_t)) ||
      (with_origins_ && !origins_.extend_to((cells_ + 1) * sizeof(std::uint64_t))))
    return kEnd;
  return static_cast<std::uint32_t>(cells_++);
}

FutureStates::Layer* FutureStates::layer_of(std::uint64_t key) {
  Recent& recent = recent_[hash_word(key) % kRecentKeys];
  if (recent.layer != nullptr && recent.key == key)
    return recent.layer;
  auto layer = layers_.lower_bound(key);
  if (layer == layers_.end() || layer->first != key) {
    if (!budget_.charge(kLayerBytes))
      return nullptr;
    layer = layers_.emplace_hint(layer, key, Layer{});
  }
  recent = {key, &layer->second};
  return recent.layer;
}

void FutureStates::forget(Layers::iterator layer) {
  Recent& recent = recent_[hash_word(layer->first) % kRecentKeys];
  if (recent.layer == &layer->second)
    recent.layer = nullptr;
  layers_.erase(layer);
  budget_.release(kLayerBytes);
}

}  // namespace tideline
