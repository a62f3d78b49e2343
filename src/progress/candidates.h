// SPDX-License-Identifier: MIT
// What could be the next component of a measure: for every cell and every group, orders of its values that suit the
// edges on which the components before it do not change. A component behind others matters on those edges only, so a
// value that runs in cycles over the whole graph may well have an order there.
//
// Orders that are tried: natural, upwards and downwards; by strongly connected components; by feedback arcs, and by
// components when little weight is ignored; and from the program's text, the control flow's components and spanning
// tree (value_order.h, program_facts.h).
#pragma once

#include <array>
#include <vector>

#include "progress/columns.h"
#include "progress/program_facts.h"

namespace tideline::progress {

// The sample's parts, which are judged apart: breadth-first and walks.
inline constexpr std::size_t kParts = 2;

struct SampledEdge {
  StateIndex source = 0;
  StateIndex target = 0;
  std::uint32_t part = 0;
};

using PartCounts = std::array<std::uint64_t, kParts>;

struct Candidate {
  Term term;
  PartCounts lowered{};  // edges, of those given
  PartCounts raised{};
};

struct CandidateSource {
  const Cells& cells;
  const Columns& columns;
  const std::vector<CellFacts>& facts;
};

// `edges`: on which no component before changes. `all_edges`: how many the sample has.
std::vector<Candidate> find_candidates(const CandidateSource& source, const std::vector<SampledEdge>& edges,
                                       std::uint64_t all_edges);

}  // namespace tideline::progress
