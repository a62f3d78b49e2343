// SPDX-License-Identifier: MIT
// The text of a model that was made without one: what a failed random test shows.
#pragma once

#include <string>

#include "front/dve/model.h"

namespace tideline::test {

std::string print_model(const dve::Model& model);

}  // namespace tideline::test
