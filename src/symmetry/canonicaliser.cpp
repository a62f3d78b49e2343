// SPDX-License-Identifier: MIT
#include "symmetry/canonicaliser.h"

#include <algorithm>
#include <cstring>

namespace tideline::symmetry {

// Keeps the least state of the leaves.
struct Canonicaliser::Leaves {
  Canonicaliser& self;
  const Word* state;
  std::size_t count = 0;

  void visit(std::span<const Element> order) {
    if (Permuter::is_identity(order))
      std::copy_n(state, self.words_, self.leaf_.begin());
    else
      self.permuter_.permute(state, order, self.leaf_.data());
    const auto end = self.leaf_.end() - 1;
    if (count++ == 0 ||
        std::lexicographical_compare(self.leaf_.begin(), end, self.least_.begin(), self.least_.end() - 1))
      self.least_ = self.leaf_;
  }
  void keep(std::size_t number) {
    if (self.kept_.size() <= number)
      self.kept_.resize(number + 1);
    self.kept_[number] = self.leaf_;
  }
  [[nodiscard]] bool is_kept(std::size_t number) const {
    return std::equal(self.leaf_.begin(), self.leaf_.end() - 1, self.kept_[number].begin());
  }
};

Canonicaliser::Canonicaliser(const Layout& layout)
    : relations_(layout),
      labelling_(layout),
      permuter_(layout),
      leaf_(layout.words() + 1),
      least_(layout.words() + 1),
      words_(layout.words()) {}

void Canonicaliser::canonicalise(Word* state) {
  relations_.collect(state);
  Leaves leaves{*this, state};
  labelling_.search(relations_, leaves);
  std::copy_n(least_.begin(), words_, state);
}

}  // namespace tideline::symmetry
