// SPDX-License-Identifier: MIT
// Progress measures that were found, as a table and as JSON (docs/formats/json.md).
#pragma once

#include <string>

#include "progress/find_measure.h"

namespace tideline {

std::string measures_text(const progress::Findings& findings, const std::string& model, std::uint64_t seed);
std::string measures_json(const progress::Findings& findings, const std::string& model);

}  // namespace tideline
