// SPDX-License-Identifier: MIT
// The canonical representative of a state's orbit under permutations of scalarset members [ip.96.fmsd]. Exact: two
// states have the same representative if and only if a permutation takes one to the other. The representative is the
// least packed state among the leaves of the labelling (symmetry/labelling.h), usually the only one; multisets are
// sorted as always.
//
// The other implementation of the interface, symmetry/exhaustive.h, chooses another representative in another way; the
// number of representatives is the same, which the tests and the benchmarks of the large models check.
#pragma once

#include <vector>

#include "symmetry/labelling.h"
#include "symmetry/permuter.h"
#include "symmetry/relations.h"
#include "symmetry/representative.h"

namespace tideline::symmetry {

class Canonicaliser final : public Representative {
 public:
  // The layout must outlive it.
  explicit Canonicaliser(const Layout& layout);
  void canonicalise(Word* state) override;

 private:
  struct Leaves;

  Relations relations_;
  Labelling labelling_;
  Permuter permuter_;
  std::vector<Word> leaf_;
  std::vector<Word> other_;  // the least leaf and the last one take turns here and in leaf_
  std::vector<std::vector<Word>> kept_;
  std::size_t words_;
};

}  // namespace tideline::symmetry
