// SPDX-License-Identifier: MIT
// What a search asks of symmetry reduction: one state to stand for all that permutations of scalarset members make of
// it [ip.96.fmsd].
#pragma once

#include "model/next_state.h"

namespace tideline::symmetry {

// Used by one thread at a time.
class Representative {
 public:
  virtual ~Representative() = default;
  // Replaces the state (one readable word behind its words) by the representative of its orbit.
  virtual void canonicalise(Word* state) = 0;
};

}  // namespace tideline::symmetry
