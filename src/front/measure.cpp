// SPDX-License-Identifier: MIT
#include "front/measure.h"

#include <fmt/format.h>

#include "ir/progress.h"

namespace tideline {

void check_progress_bits(const ir::Program& program, const std::vector<Location>& places, Diagnostics& diagnostics) {
  const unsigned bits = ir::progress_bits(program);
  if (bits <= ir::kProgressBitsMax)
    return;
  std::size_t largest = 0;
  for (std::size_t i = 1; i < program.progress.size(); ++i)
    if (ir::progress_bits(program.progress[i]) > ir::progress_bits(program.progress[largest]))
      largest = i;
  diagnostics.error(
      places[largest],
      fmt::format("the progress measure takes {} bits, and its key has {}", bits, ir::kProgressBitsMax),
      fmt::format("the largest component, '{}', takes {}; leave it out, or divide it by a constant, which "
                  "keeps the order",
                  program.progress[largest].text, ir::progress_bits(program.progress[largest])));
}

}  // namespace tideline
