// SPDX-License-Identifier: MIT
#include "symmetry/reduction.h"

#include "symmetry/canonicaliser.h"
#include "symmetry/exhaustive.h"

namespace tideline {

const char* symmetry_name(SymmetryMode mode) {
  switch (mode) {
    case SymmetryMode::kOff:
      break;
    case SymmetryMode::kOn:
      return "on";
    case SymmetryMode::kExhaustive:
      return "exhaustive";
  }
  return "off";
}

namespace symmetry {

Reduction::Reduction(const ir::Program& program, SymmetryMode mode, const std::vector<ir::Interval>& scalarsets,
                     const Word* example)
    : program_(program), mode_(mode), scalarsets_(scalarsets), layout_(program, scalarsets, example) {}

std::unique_ptr<Representative> Reduction::make() const {
  if (mode_ == SymmetryMode::kExhaustive)
    return std::make_unique<Exhaustive>(program_, scalarsets_);
  return std::make_unique<Canonicaliser>(layout_);
}

}  // namespace symmetry
}  // namespace tideline
