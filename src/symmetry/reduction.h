// SPDX-License-Identifier: MIT
// Symmetry reduction of one search: which scalarsets are permuted, and how representatives are found.
#pragma once

#include <memory>
#include <vector>

#include "ir/program.h"
#include "symmetry/representative.h"

namespace tideline {

enum class SymmetryMode : std::uint8_t {
  kOff,
  kOn,          // symmetry/canonicaliser.h
  kExhaustive,  // symmetry/exhaustive.h: slow, to check the other
};

// "off", "on", "exhaustive": as on the command line and in reports.
const char* symmetry_name(SymmetryMode mode);

namespace symmetry {

class Reduction {
 public:
  // `mode` is not kOff. `example` is a state of the program; representatives depend on it, so it must be the same in
  // all runs that share states. The program must outlive the reduction.
  Reduction(const ir::Program& program, SymmetryMode mode, const std::vector<ir::Interval>& scalarsets,
            const Word* example);
  // One for each thread, made by that thread: nothing in it is shared with another, not even a cache line.
  [[nodiscard]] std::unique_ptr<Representative> make() const;

 private:
  const ir::Program& program_;
  SymmetryMode mode_;
  std::vector<ir::Interval> scalarsets_;
  std::vector<Word> example_;
};

}  // namespace symmetry
}  // namespace tideline
