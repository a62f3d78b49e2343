// SPDX-License-Identifier: MIT
// The intervals of all slots while one step is analysed, with a trail of changes: a step that touches five of a
// thousand variables costs five, and the two sides of an `or` start from the same values.
#pragma once

#include <utility>
#include <vector>

#include "front/dve/slots.h"

namespace tideline::dve {

class Environment {
 public:
  using Changes = std::vector<std::pair<SlotId, Interval>>;

  explicit Environment(SlotId slots) : values_(slots, kAnyNumber) {}

  [[nodiscard]] const Interval& operator[](SlotId slot) const { return values_[slot]; }
  void set(SlotId slot, const Interval& value) {
    if (values_[slot] == value)
      return;
    trail_.emplace_back(slot, values_[slot]);
    values_[slot] = value;
  }
  // Not on the trail: only while the trail is empty.
  void set_base(SlotId slot, const Interval& value) { values_[slot] = value; }

  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark) {
    while (trail_.size() > mark) {
      values_[trail_.back().first] = trail_.back().second;
      trail_.pop_back();
    }
  }
  // Undoes, and returns what was undone: each slot once, by number, with its last value.
  Changes take(std::size_t mark);
  // Keeps what both say: a slot that changed on one side only may have its old value.
  void set_joined(const Changes& a, const Changes& b);
  void set_all(const Changes& changes);

 private:
  std::vector<Interval> values_;
  Changes trail_;
};

}  // namespace tideline::dve
