// SPDX-License-Identifier: MIT
// Option texts turned into the types of the layers below, where more than one command needs it.
#pragma once

#include "base/options.h"
#include "search/search.h"

namespace tideline::cli {

inline DeadlockMode deadlock_mode(const Options& options) {
  return options.deadlock == "off"     ? DeadlockMode::kOff
         : options.deadlock == "stuck" ? DeadlockMode::kStuck
                                       : DeadlockMode::kStuttering;
}

}  // namespace tideline::cli
