// SPDX-License-Identifier: MIT
// A loaded module as an engine.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "ir/program.h"
#include "model/next_state.h"

namespace tideline {

// Loads the shared object at `path` and checks that it belongs to this build and program. The file may be removed
// afterwards; the code stays loaded as long as the engine or one of its NextState objects.
Result<std::unique_ptr<Engine>> load_native(const ir::Program& program, const std::string& path);

}  // namespace tideline
