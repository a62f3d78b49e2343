// SPDX-License-Identifier: MIT
#include "symmetry/canonicaliser.h"

#include <algorithm>
#include <cstring>

namespace tideline::symmetry {

// Keeps the least state of the leaves, the last one beside it.
struct Canonicaliser::Leaves {
  Canonicaliser& self;
  const Word* state;
  Word* least = nullptr;
  Word* last = nullptr;

  void visit(std::span<const Element> order) {
    last = least == self.leaf_.data() ? self.other_.data() : self.leaf_.data();
    if (Permuter::is_identity(order))
      std::copy_n(state, self.words_, last);
    else
      self.permuter_.permute(state, order, last);
    if (least == nullptr || std::lexicographical_compare(last, last + self.words_, least, least + self.words_))
      least = last;
  }
  void keep(std::size_t number) {
    if (self.kept_.size() <= number)
      self.kept_.resize(number + 1);
    self.kept_[number].assign(last, last + self.words_);
  }
  [[nodiscard]] bool is_kept(std::size_t number) const {
    return std::equal(last, last + self.words_, self.kept_[number].begin());
  }
};

Canonicaliser::Canonicaliser(const Layout& layout)
    : relations_(layout),
      labelling_(layout),
      permuter_(layout),
      leaf_(layout.words() + 1),
      other_(layout.words() + 1),
      words_(layout.words()) {}

void Canonicaliser::canonicalise(Word* state) {
  relations_.collect(state);
  Leaves leaves{*this, state};
  labelling_.search(relations_, leaves);
  std::copy_n(leaves.least, words_, state);
}

}  // namespace tideline::symmetry
