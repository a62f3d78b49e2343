// SPDX-License-Identifier: MIT
#include "front/dve/model.h"

namespace tideline::dve {

ir::Interval type_range(BaseType type) {
  return type == BaseType::kByte ? ir::Interval{0, 255} : ir::Interval{-32768, 32767};
}

}  // namespace tideline::dve
