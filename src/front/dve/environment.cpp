// SPDX-License-Identifier: MIT
#include "front/dve/environment.h"

#include <algorithm>

namespace tideline::dve {

Environment::Changes Environment::take(std::size_t mark) {
  Changes changes(trail_.begin() + static_cast<std::ptrdiff_t>(mark), trail_.end());
  std::ranges::sort(changes, {}, [](const auto& change) { return change.first; });
  const auto is_same = [](const auto& a, const auto& b) { return a.first == b.first; };
  changes.erase(std::unique(changes.begin(), changes.end(), is_same), changes.end());
  for (auto& [slot, value] : changes)
    value = values_[slot];
  undo(mark);
  return changes;
}

void Environment::set_joined(const Changes& a, const Changes& b) {
  auto other = b.begin();
  for (const auto& [slot, value] : a) {
    while (other != b.end() && other->first < slot)
      ++other;
    if (other != b.end() && other->first == slot)
      set(slot, join(value, other->second));
  }
}

void Environment::set_all(const Changes& changes) {
  for (const auto& [slot, value] : changes)
    set(slot, value);
}

}  // namespace tideline::dve
