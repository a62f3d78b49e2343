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
namespace {

// A canonicaliser with a layout of its own.
class OwnCanonicaliser final : public Representative {
 public:
  OwnCanonicaliser(const ir::Program& program, const std::vector<ir::Interval>& scalarsets, const Word* example)
      : layout_(program, scalarsets, example), canonicaliser_(layout_) {}
  void canonicalise(Word* state) override { canonicaliser_.canonicalise(state); }

 private:
  Layout layout_;
  Canonicaliser canonicaliser_;
};

}  // namespace

Reduction::Reduction(const ir::Program& program, SymmetryMode mode, const std::vector<ir::Interval>& scalarsets,
                     const Word* example)
    : program_(program), mode_(mode), scalarsets_(scalarsets), example_(example, example + program.state_words()) {}

std::unique_ptr<Representative> Reduction::make() const {
  if (mode_ == SymmetryMode::kExhaustive)
    return std::make_unique<Exhaustive>(program_, scalarsets_);
  return std::make_unique<OwnCanonicaliser>(program_, scalarsets_, example_.data());
}

}  // namespace symmetry
}  // namespace tideline
