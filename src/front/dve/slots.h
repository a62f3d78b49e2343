// SPDX-License-Identifier: MIT
// What the narrowing analysis keeps an interval for, as numbers. In this order: the variables (an array is one slot,
// for all of its elements), the items of buffered channels (one slot for all places of a buffer), and the *terms*:
// array elements whose index is written as a number or as a scalar variable, `a[3]` or `a[i]`. What a guard says about
// such an element is known of this element until something it depends on is stored.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "front/dve/interval.h"

namespace tideline::dve {

using SlotId = std::uint32_t;

struct Term {
  VariableId array = kNothing;
  VariableId index = kNothing;  // kNothing: the number
  std::int64_t number = 0;
};

class Slots {
 public:
  explicit Slots(const Model& model);

  [[nodiscard]] SlotId item(ChannelId channel, std::size_t position) const {
    return first_items_[channel] + static_cast<SlotId>(position);
  }
  // The term that a kElement expression is, or kNothing.
  [[nodiscard]] SlotId term(ExprId element) const { return term_of_element_[element]; }
  // The term that the target of a store is, or kNothing.
  [[nodiscard]] SlotId find_term(VariableId array, ExprId index) const;
  [[nodiscard]] const Term& term_at(SlotId slot) const { return terms_[slot - first_term_]; }
  // Terms that are elements of the variable, or have it as index.
  [[nodiscard]] const std::vector<SlotId>& terms_of(VariableId variable) const { return terms_of_[variable]; }
  // Slots that are part of the state come first.
  [[nodiscard]] SlotId first_term() const { return first_term_; }
  [[nodiscard]] SlotId size() const { return first_term_ + static_cast<SlotId>(terms_.size()); }

 private:
  using Key = std::tuple<VariableId, VariableId, std::int64_t>;

  void add_term(ExprId element);

  const Model& model_;
  std::vector<SlotId> first_items_;
  SlotId first_term_ = 0;
  std::vector<Term> terms_;
  std::map<Key, SlotId> ids_;
  std::vector<std::vector<SlotId>> terms_of_;  // by VariableId
  std::vector<SlotId> term_of_element_;        // by ExprId
};

}  // namespace tideline::dve
