// SPDX-License-Identifier: MIT
// States divided into the layers of a measure that grows term by term.
//
// Q1  layers are in the order of the measure; a refinement divides layers and never joins any.
// Cost of trying a term: linear in the states of layers that are not small.
#pragma once

#include <cstdint>
#include <vector>

#include "progress/sample.h"

namespace tideline::progress {

struct LayerSizes {
  std::uint64_t largest = 0;
  double mean = 0;  // size of the layer of a random state
};

class Partition {
 public:
  // One layer.
  explicit Partition(std::vector<StateIndex> states);

  [[nodiscard]] LayerSizes sizes() const;
  // The sizes if each layer were divided by rank[column[state]]. Layers far below the largest are not looked at.
  [[nodiscard]] LayerSizes sizes_with(const std::vector<std::uint32_t>& column,
                                      const std::vector<std::uint32_t>& rank) const;
  void refine(const std::vector<std::uint32_t>& column);

 private:
  std::vector<StateIndex> members_;  // layer by layer
  std::vector<std::size_t> begins_;  // of the layers, and the end
};

}  // namespace tideline::progress
