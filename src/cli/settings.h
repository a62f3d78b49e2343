// SPDX-License-Identifier: MIT
// Option texts turned into the types of the layers below, where more than one command needs it.
#pragma once

#include "base/options.h"
#include "cli/load_model.h"
#include "search/search.h"

namespace tideline::cli {

// A state of a DVE model is a deadlock if nothing is enabled, whatever leads to a different state.
inline DeadlockMode deadlock_mode(const Options& options, Language language) {
  return options.deadlock == "off"                                   ? DeadlockMode::kOff
         : options.deadlock == "stuck" || language == Language::kDve ? DeadlockMode::kStuck
                                                                     : DeadlockMode::kStuttering;
}

}  // namespace tideline::cli
