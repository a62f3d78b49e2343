// SPDX-License-Identifier: MIT
#include "search/component_parts.h"

#include <algorithm>
#include <utility>

#include "search/component_order.h"

namespace tideline {
namespace {

// Neighbours that have at most so many bits together are merged: more would give dictionaries that leave the cache.
constexpr std::uint64_t kMergeBits = 16;

std::uint64_t bits_of(const StatePart& part) {
  std::uint64_t bits = 0;
  for (const BitOrder::Segment& segment : part)
    bits += segment.width;
  return bits;
}

// Cuts what belongs together into the fewest parts that are short enough, all about equally long.
void add_cut(const StatePart& whole, std::vector<StatePart>& parts) {
  const std::uint64_t bits = bits_of(whole);
  if (bits == 0)
    return;
  const std::uint64_t pieces = (bits + StateParts::kPartBits - 1) / StateParts::kPartBits;
  const std::uint64_t most = (bits + pieces - 1) / pieces;
  StatePart part;
  std::uint64_t room = most;
  for (BitOrder::Segment rest : whole)
    while (rest.width > 0) {
      const std::uint64_t width = std::min(rest.width, room);
      part.push_back({rest.bit, width});
      rest.bit += width;
      rest.width -= width;
      room -= width;
      if (room > 0)
        continue;
      parts.push_back(std::move(part));
      part.clear();
      room = most;
    }
  if (!part.empty())
    parts.push_back(std::move(part));
}

// Neighbours that are short together become one part.
std::vector<StatePart> merge_short(const std::vector<StatePart>& parts) {
  std::vector<StatePart> merged;
  for (const StatePart& part : parts) {
    if (!merged.empty() && bits_of(merged.back()) + bits_of(part) <= kMergeBits)
      merged.back().insert(merged.back().end(), part.begin(), part.end());
    else
      merged.push_back(part);
  }
  return merged;
}

}  // namespace

std::vector<StatePart> parts_by_component(const ir::Program& program) {
  std::vector<StatePart> parts;
  std::vector<bool> placed(program.variables.size(), false);
  for (const ir::Component& component : program.components) {
    StatePart whole;
    for (const std::size_t variable : component.variables) {
      whole.push_back({program.variables[variable].offset, program.variables[variable].type->bits});
      placed[variable] = true;
    }
    add_cut(whole, parts);
  }
  if (program.components.empty())
    for (const StatePart& whole : array_components(program, placed))
      add_cut(whole, parts);
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (!placed[i])
      add_cut({{program.variables[i].offset, program.variables[i].type->bits}}, parts);
  return merge_short(parts);
}

}  // namespace tideline
