// SPDX-License-Identifier: MIT
// Random Murphi programs about scalarsets, unions of them, and multisets of records that name their members, with small
// state spaces. Most treat the members of scalarsets alike; loops over scalarsets may do anything, so some do not, and
// symmetry::find_asymmetries has to tell. Undefined values occur wherever reading them is no error.
#pragma once

#include <cstdint>
#include <string>

namespace tideline::cross {

// The same seed gives the same text on every machine.
std::string random_symmetric(std::uint64_t seed);

}  // namespace tideline::cross
