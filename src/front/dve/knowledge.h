// SPDX-License-Identifier: MIT
// What the narrowing analysis knows of the reachable states.
//
// K1  in every reachable state, every slot s of the state has a value in everywhere[s].
// K2  a process that is in state q in a reachable state has at[process][q], and the slot own[process][i] has a value in
//     at[process][q][i] then.
// A process's own slots are the variables that no other process writes: its locals, and many globals.
#pragma once

#include <optional>
#include <vector>

#include "front/dve/slots.h"
#include "front/dve/widening.h"

namespace tideline::dve {

using OwnSlots = std::vector<std::vector<SlotId>>;  // by ProcessId

OwnSlots own_slots(const Model& model);

struct Knowledge {
  using Place = std::optional<std::vector<Bound>>;

  std::vector<Bound> everywhere;
  std::vector<std::vector<Place>> at;

  // Of the initial state.
  Knowledge(const Model& model, const Slots& slots, const OwnSlots& own);

  // Takes what `other` knows in addition; false if that is nothing.
  bool meet_with(const Knowledge& other, const OwnSlots& own);
};

}  // namespace tideline::dve
