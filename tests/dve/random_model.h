// SPDX-License-Identifier: MIT
// Random small DVE models: every operator, scalars and arrays, constants, locals, handshakes and buffers with and
// without types, synchronous systems. They mean nothing, but have few states where they can: counters are often
// guarded.
#pragma once

#include <cstdint>

#include "front/dve/model.h"

namespace tideline::test {

// The same seed gives the same model, on every machine.
dve::Model random_dve_model(std::uint64_t seed);

}  // namespace tideline::test
