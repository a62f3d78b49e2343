// SPDX-License-Identifier: MIT
// Hash consing: equal expressions get the same number, so that what a template repeats is kept once. Of equal ones the
// first one's place in the text stands for all.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "front/dve/model.h"

namespace tideline::dve {

class Interner {
 public:
  // Expressions that are in the list already are not looked for.
  explicit Interner(std::vector<Expr>& exprs) : exprs_(exprs) {}

  // The number of an equal expression that was added before, or else of this one, which is appended.
  ExprId add(const Expr& expr);
  // Takes the nodes from `first` on, which are one expression and its parts, off the list and adds them again. Returns
  // the new number of `root`.
  ExprId add_again(std::size_t first, ExprId root);

 private:
  struct Key {
    Op op;
    std::int64_t value;
    std::uint32_t variable, process, state, left, right;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  std::vector<Expr>& exprs_;
  std::unordered_map<Key, ExprId, KeyHash> known_;
};

}  // namespace tideline::dve
