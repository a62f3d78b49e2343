// SPDX-License-Identifier: MIT
// The judge of symmetry reduction: orbits of reachable states under all permutations of some scalarsets, found by
// permuting states one by one, value by value. It shares nothing with the canonicaliser but the order of multisets.
#pragma once

#include <cstdint>
#include <random>

#include "naive_explorer.h"

namespace tideline::cross {

struct NaiveOrbits {
  std::uint64_t orbits = 0;
  std::uint64_t edges = 0;      // summed over one state of each orbit
  bool is_closed = true;        // every permutation of a state seen was seen
  bool has_equal_edges = true;  // states of one orbit have the same number of edges
};

// A scalarset is given by its interval of values.
NaiveOrbits count_orbits(const ir::Program& program, const std::vector<ir::Interval>& scalarsets,
                         const SeenStates& seen);

// Do the outcomes of all commands and properties in a permuted state come from those in the state by permuting them?
// The states seen and `count` random ones, reachable or not, with transpositions of neighbouring members,
// from which all permutations can be made.
bool is_equivariant(const ir::Program& program, const std::vector<ir::Interval>& scalarsets, const SeenStates& seen,
                    int count, std::mt19937_64& random);

// Are the start states closed under permutations? They need not be for a reduced search to be right; but if not, a
// permutation of a reachable state may be unreachable, or nearer to a start state.
bool has_symmetric_starts(const ir::Program& program, const std::vector<ir::Interval>& scalarsets);

}  // namespace tideline::cross
