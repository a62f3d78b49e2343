// SPDX-License-Identifier: MIT
#include "store/part_split.h"

#include <algorithm>

namespace tideline {
namespace {

// A split that leaves fewer than a fifth of the states on one side is taken only if there is no other.
constexpr std::size_t kFewest = 5;

struct Choice {
  PartSplit split;
  bool balanced = false;
  double cost = 0;
  [[nodiscard]] bool better_than(const Choice& other) const {
    return balanced != other.balanced ? balanced : cost < other.cost;
  }
};

// Sorted values of one slot: of the states, and of both ends of the steps that change it.
struct SlotValues {
  std::vector<Word> states;
  std::vector<Word> low_ends;
  std::vector<Word> high_ends;
};

SlotValues values_of(const StateSlot& slot, const PartSample& sample) {
  SlotValues values;
  const std::size_t words = sample.words;
  for (std::size_t at = 0; at < sample.states.size(); at += words)
    values.states.push_back(slot.of(sample.states.data() + at));
  for (std::size_t at = 0; at < sample.steps.size(); at += 2 * words) {
    const Word from = slot.of(sample.steps.data() + at);
    const Word to = slot.of(sample.steps.data() + at + words);
    if (from == to)
      continue;
    values.low_ends.push_back(std::min(from, to));
    values.high_ends.push_back(std::max(from, to));
  }
  for (std::vector<Word>* list : {&values.states, &values.low_ends, &values.high_ends})
    std::sort(list->begin(), list->end());
  return values;
}

std::size_t not_above(const std::vector<Word>& sorted, Word threshold) {
  return static_cast<std::size_t>(std::upper_bound(sorted.begin(), sorted.end(), threshold) - sorted.begin());
}

void try_slot(const PartSplit& split, const PartSample& sample, std::optional<Choice>& best) {
  const SlotValues values = values_of(split.slot, sample);
  const std::size_t count = values.states.size();
  for (std::size_t low = 0; low < count;) {
    Choice choice{split, false, 0};
    choice.split.threshold = values.states[low];
    low = not_above(values.states, choice.split.threshold);
    const std::size_t high = count - low;
    if (high == 0)
      return;
    choice.balanced = kFewest * std::min(low, high) >= count;
    const std::size_t crossing =
        not_above(values.low_ends, choice.split.threshold) - not_above(values.high_ends, choice.split.threshold);
    choice.cost = (static_cast<double>(crossing) + 1) / (static_cast<double>(low) * static_cast<double>(high));
    if (!best || choice.better_than(*best))
      best = choice;
  }
}

}  // namespace

std::optional<PartSplit> choose_split(PartNumber part, const std::vector<StateSlot>& slots, const PartSample& sample) {
  std::optional<Choice> best;
  for (const StateSlot& slot : slots)
    try_slot({part, slot, 0}, sample, best);
  // The slots may leave bits out.
  for (std::size_t word = 0; word < sample.words && !best; ++word)
    try_slot({part, {word * 64, 64}, 0}, sample, best);
  if (!best)
    return std::nullopt;
  return best->split;
}

}  // namespace tideline
