// SPDX-License-Identifier: MIT
// Random small DVE models: every operator, scalars and arrays (some that nobody writes), constants, locals, handshakes
// and buffers with and without types and with lists, committed states, assertions, synchronous systems. They mean
// nothing, but have few states where they can: counters are often guarded. Some guards and indices fail, some steps
// store to one scalar several times, some pairs write the same global variable.
#pragma once

#include <cstdint>

#include "front/dve/model.h"

namespace tideline::test {

// The same seed gives the same model, on every machine.
dve::Model random_dve_model(std::uint64_t seed);

}  // namespace tideline::test
