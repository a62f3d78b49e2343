// SPDX-License-Identifier: MIT
#include "front/dve/intern.h"

namespace tideline::dve {

std::size_t Interner::KeyHash::operator()(const Key& key) const {
  auto hash = static_cast<std::uint64_t>(key.op);
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(key.value), std::uint64_t{key.variable}, std::uint64_t{key.process},
        std::uint64_t{key.state}, std::uint64_t{key.left}, std::uint64_t{key.right}})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u + (hash >> 29);
  return hash;
}

ExprId Interner::add(const Expr& expr) {
  const Key key{expr.op, expr.value, expr.variable, expr.process, expr.state, expr.left, expr.right};
  const auto [place, is_new] = known_.try_emplace(key, static_cast<ExprId>(exprs_.size()));
  if (is_new)
    exprs_.push_back(expr);
  return place->second;
}

ExprId Interner::add_again(std::size_t first, ExprId root) {
  const std::vector<Expr> nodes(exprs_.begin() + static_cast<std::ptrdiff_t>(first), exprs_.end());
  exprs_.resize(first);
  std::vector<ExprId> renamed;
  renamed.reserve(nodes.size());
  for (Expr node : nodes) {
    for (ExprId* operand : {&node.left, &node.right})
      if (*operand != kNothing && *operand >= first)
        *operand = renamed[*operand - first];
    renamed.push_back(add(node));
  }
  return renamed[root - first];
}

}  // namespace tideline::dve
