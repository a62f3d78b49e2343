// SPDX-License-Identifier: MIT
#include "store/layer_table.h"

#include <vector>

#include "store/state_hash.h"

namespace tideline {
namespace {

// With fewer states than this part of the cells, they are removed one by one.
constexpr std::uint64_t kSparse = 16;

}  // namespace

void LayerTable::clear() {
  if (size_ * kSparse >= index_.capacity()) {
    index_.clear();
  } else {
    std::vector<Word> state(states_.words() + 1);
    for (std::uint64_t i = 0; i < size_; ++i) {
      states_.load(i, state.data());
      index_.remove(index_hash(state.data(), states_.words()), static_cast<std::uint32_t>(i));
    }
  }
  size_ = 0;
}

}  // namespace tideline
