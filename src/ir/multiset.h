// SPDX-License-Identifier: MIT
// Canonical order of multisets inside packed objects: slots sorted descending as unsigned integers, so that the
// occupied ones come first and equal multisets are equal bits.
#pragma once

#include <cstdint>

#include "ir/type.h"

namespace tideline::ir {

// Sorts one multiset: `count` slots of `stride` bits from bit `at` on.
void sort_slots(std::uint64_t* words, std::uint64_t at, std::uint64_t stride, std::uint64_t count);

// Sorts every multiset inside the object of `type` that starts at bit `at`. Elements of multisets contain no multisets:
// front ends refuse that.
void sort_multisets(const Type& type, std::uint64_t* words, std::uint64_t at);

}  // namespace tideline::ir
