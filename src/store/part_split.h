// SPDX-License-Identifier: MIT
// How to split a part that has outgrown its memory: by the slot and threshold that divide a sample of its states evenly
// and that few of its steps cross. Evangelista and Kristensen take the component that the fewest events modify, or
// measure one [evangelista.13.scp]; we measure every slot and threshold on sampled steps and take the least ratio cut
// [wei.91.tcad], crossing steps / (states below * states above), among those that leave a fifth on either side.
//
// Cost: states and steps of the sample, times the number of slots, times a logarithm. Threads: one.
#pragma once

#include <optional>
#include <vector>

#include "store/part_tree.h"

namespace tideline {

// States of one part, and steps from some of them to states of the same part, each as two states, one behind the other.
struct PartSample {
  std::size_t words = 1;
  std::vector<Word> states;
  std::vector<Word> steps;
};

// Null if all states are equal.
std::optional<PartSplit> choose_split(PartNumber part, const std::vector<StateSlot>& slots, const PartSample& sample);

}  // namespace tideline
