// SPDX-License-Identifier: MIT
#include "store/tree_shape.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_set>

#include "store/state_hash.h"

namespace tideline {
namespace {

// A range with fewer different values than this share of the sample is cut in the middle: it costs next to nothing
// wherever it is cut, and an even tree is a shallow one.
constexpr std::size_t kWorthASearch = 64;

std::uint64_t words_touched(std::uint64_t begin, std::uint64_t end) {
  std::uint64_t mask = 0;
  for (std::uint64_t word = begin / 64; word * 64 < end; ++word)
    mask |= std::uint64_t{1} << std::min<std::uint64_t>(word, 63);
  return mask;
}

std::uint64_t hash_range(const Word* state, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t hash = 0;
  for (std::uint64_t at = begin; at < end; at += 64)
    hash = hash_word(hash * 31 + 1 + bits_of(state, at, static_cast<unsigned>(std::min<std::uint64_t>(64, end - at))));
  return hash;
}

}  // namespace

TreeShape::TreeShape(std::uint64_t state_bits) {
  add(0, state_bits, nullptr);
  find_levels();
}

TreeShape::TreeShape(std::uint64_t state_bits, const Word* sample, std::size_t count, std::size_t words) {
  Sample all{sample, words, count, std::vector<std::uint32_t>(count)};
  std::iota(all.chosen.begin(), all.chosen.end(), 0U);
  add(0, state_bits, &all);
  find_levels();
}

unsigned TreeShape::key_bits() const {
  if (!root().is_pair())
    return root().bits();
  return node(root().left).reference_bits() + node(root().right).reference_bits();
}

namespace {

// One state for each value of the range that occurs among `states`.
template <typename StateAt>
std::vector<std::uint32_t> different(const std::vector<std::uint32_t>& states, const StateAt& state_at,
                                     std::uint64_t begin, std::uint64_t end) {
  std::unordered_set<std::uint64_t> seen;
  std::vector<std::uint32_t> result;
  for (const std::uint32_t state : states)
    if (seen.insert(hash_range(state_at(state), begin, end)).second)
      result.push_back(state);
  return result;
}

}  // namespace

std::uint32_t TreeShape::add(std::uint64_t begin, std::uint64_t end, const Sample* sample) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({begin, end, words_touched(begin, end), 0, 0});
  if (end - begin <= kLeafBits)
    return index;
  std::uint64_t cut = begin + (end - begin) / 2;
  if (sample == nullptr || sample->chosen.size() < std::max<std::size_t>(2, sample->all / kWorthASearch)) {
    nodes_[index].left = add(begin, cut, nullptr);
    nodes_[index].right = add(cut, end, nullptr);
    return index;
  }
  const auto state_at = [sample](std::uint32_t state) { return sample->states + state * sample->words; };
  Sample left{sample->states, sample->words, sample->all, {}};
  Sample right = left;
  // The left side's values become more with the cut, the right side's fewer: the search is for where they cross.
  for (std::uint64_t low = begin + 1, high = end - 1; low <= high;) {
    cut = low + (high - low) / 2;
    left.chosen = different(sample->chosen, state_at, begin, cut);
    right.chosen = different(sample->chosen, state_at, cut, end);
    if (left.chosen.size() < right.chosen.size())
      low = cut + 1;
    else
      high = cut - 1;
  }
  nodes_[index].left = add(begin, cut, &left);
  nodes_[index].right = add(cut, end, &right);
  return index;
}

void TreeShape::find_levels() {
  std::vector<std::size_t> height(nodes_.size(), 0);
  for (std::size_t i = nodes_.size(); i-- > 1;) {
    if (nodes_[i].is_pair())
      height[i] = 1 + std::max(height[nodes_[i].left], height[nodes_[i].right]);
    levels_.resize(std::max(levels_.size(), height[i] + 1));
    levels_[height[i]].push_back(static_cast<std::uint32_t>(i));
  }
}

TreeFolder::TreeFolder(const TreeShape& shape, NodeTable& nodes, std::size_t words)
    : shape_(&shape),
      nodes_(&nodes),
      words_(words),
      last_(words, 0),
      references_((kBatch + 1) * shape.size(), 0),
      lookups_(kBatch * shape.size() + 1) {}

void TreeFolder::fold(const Word* states, std::size_t count, std::uint64_t* keys) {
  const TreeShape::Node& root = shape_->root();
  if (!root.is_pair()) {
    std::copy_n(states, count, keys);
    return;
  }
  find_changes(states, count);
  for (const std::vector<std::uint32_t>& level : shape_->levels())
    fold_level(level, states, count);
  const unsigned right_bits = shape_->node(root.right).reference_bits();
  for (std::size_t i = 0; i < count; ++i)
    keys[i] = std::uint64_t{references(i)[root.left]} << right_bits | references(i)[root.right];
  std::copy_n(references(count - 1), shape_->size(), references_.data());
}

void TreeFolder::find_changes(const Word* states, std::size_t count) {
  const Word* before = last_.data();
  for (std::size_t i = 0; i < count; ++i, before = states, states += words_) {
    changed_[i] = 0;
    for (std::size_t w = 0; w < words_; ++w)
      changed_[i] |= std::uint64_t{before[w] != states[w]} << std::min<std::size_t>(w, 63);
  }
  if (first_)
    changed_[0] = ~std::uint64_t{0};
  first_ = false;
  std::copy_n(before, words_, last_.data());
}

void TreeFolder::fold_level(const std::vector<std::uint32_t>& level, const Word* states, std::size_t count) {
  std::size_t found = 0;  // without branches: whether a range changed is hard to foresee
  for (const std::uint32_t index : level) {
    for (std::size_t i = 0; i < count; ++i) {
      lookups_[found].node = index;
      lookups_[found].state = static_cast<std::uint32_t>(i);
      found += (shape_->node(index).words & changed_[i]) != 0 ? 1U : 0U;
    }
  }
  const std::span<Lookup> lookups(lookups_.data(), found);
  for (Lookup& lookup : lookups)
    begin_lookup(lookup, states);
  for (Lookup& lookup : lookups)
    if (!shape_->node(lookup.node).is_direct())
      lookup.at = nodes_->find_candidate(lookup.hash);
  for (const Lookup& lookup : lookups)
    references(lookup.state)[lookup.node] = shape_->node(lookup.node).is_direct()
                                                ? static_cast<std::uint32_t>(lookup.value)
                                                : nodes_->number_of(lookup.value, lookup.hash, lookup.at);
  for (const std::uint32_t index : level) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = i + ((shape_->node(index).words & changed_[i]) != 0 ? 1U : 0U);
      references(i)[index] = references_[row * shape_->size() + index];
    }
  }
}

void TreeFolder::begin_lookup(Lookup& lookup, const Word* states) {
  const TreeShape::Node& node = shape_->node(lookup.node);
  const std::uint32_t* row = references(lookup.state);
  lookup.value = node.is_pair() ? std::uint64_t{row[node.left]} << 32 | row[node.right]
                                : bits_of(states + lookup.state * words_, node.begin, node.bits());
  if (node.is_direct())
    return;
  lookup.hash = hash_word(lookup.value);
  nodes_->prefetch(lookup.hash);
}

namespace {

void unfold_node(const TreeShape& shape, const NodeTable& nodes, std::uint32_t index, std::uint64_t reference,
                 Word* out) {
  const TreeShape::Node& node = shape.node(index);
  const std::uint64_t value = node.is_direct() ? reference : nodes.value(static_cast<std::uint32_t>(reference));
  if (!node.is_pair()) {
    set_bits(out, node.begin, node.bits(), value);
    return;
  }
  unfold_node(shape, nodes, node.left, value >> 32, out);
  unfold_node(shape, nodes, node.right, value & 0xffffffffU, out);
}

}  // namespace

void unfold(const TreeShape& shape, const NodeTable& nodes, std::uint64_t key, Word* out, std::size_t words) {
  std::fill_n(out, words, 0);
  const TreeShape::Node& root = shape.root();
  if (!root.is_pair()) {
    out[0] = key;
    return;
  }
  const unsigned right_bits = shape.node(root.right).reference_bits();
  unfold_node(shape, nodes, root.left, key >> right_bits, out);
  unfold_node(shape, nodes, root.right, key & ~(~std::uint64_t{0} << right_bits), out);
}

}  // namespace tideline
