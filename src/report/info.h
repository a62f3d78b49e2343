// SPDX-License-Identifier: MIT
// What a model consists of, for people: variables with their bits, rules with their instances, properties, functions,
// components, the progress measure.
#pragma once

#include <string>

#include "ir/program.h"

namespace tideline {

std::string info_text(const ir::Program& program, const std::string& model);

}  // namespace tideline
