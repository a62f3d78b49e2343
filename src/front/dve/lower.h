// SPDX-License-Identifier: MIT
// From a resolved model to the intermediate form.
//
// Asynchronous systems: a transition without a partner is a rule; a handshake is a rule for every pair of a send and a
// receive of different processes. Guards begin with the locations, so that ir/dispatch.h finds the few rules of a
// state: the rules of a process lie together, sorted by source; a send's partners are sorted by process.
// With committed states, a rule whose sources are not all committed needs all processes to be elsewhere.
//
// Synchronous systems: one rule with the transitions of the processes as parameters (lower_sync.cpp).
//
// The property process takes no part: it is kept in the model for the temporal searches.
#pragma once

#include <memory>
#include <string>

#include "base/diagnostics.h"
#include "front/dve/model.h"
#include "front/dve/narrow.h"
#include "ir/program.h"

namespace tideline::dve {

// Null if the model is too large for a packed state, or has too many pairs, or its measure too many bits; the
// diagnostics say which. The model must have been simplified.
std::unique_ptr<ir::Program> lower(const Model& model, const Narrowing& narrowing, OnError on_error,
                                   const std::string& file, Diagnostics& diagnostics);

}  // namespace tideline::dve
