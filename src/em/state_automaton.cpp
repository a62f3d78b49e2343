// SPDX-License-Identifier: MIT
#include "em/state_automaton.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace tideline {
namespace {

// The byte of a state that is the label at a level.
std::uint8_t label_at(const Word* state, std::size_t words, std::size_t level) {
  return reinterpret_cast<const std::uint8_t*>(state)[words * sizeof(Word) - 1 - level];
}

// The first level in which two different states differ; all levels if they do not.
std::size_t first_difference(const Word* a, const Word* b, std::size_t words) {
  for (std::size_t i = words; i-- > 0;)
    if (a[i] != b[i])
      return (words - 1 - i) * sizeof(Word) + static_cast<unsigned>(std::countl_zero(a[i] ^ b[i])) / 8;
  return words * sizeof(Word);
}

}  // namespace

StateAutomatonBuilder::StateAutomatonBuilder(RunMemory& memory, std::size_t words, std::uint64_t bytes_max)
    : automaton_(new StateAutomaton(memory, words)),
      register_(memory, automaton_->nodes_),
      bytes_max_(bytes_max),
      branches_(automaton_->levels(), false),
      open_(automaton_->levels()),
      last_(words) {
  open_.back().last_level = true;
}

bool StateAutomatonBuilder::add(const Word* state) {
  const std::size_t words = automaton_->words_;
  if (automaton_->states_ > 0) {
    const std::size_t level = first_difference(state, last_.data(), words);
    CHECK(level < open_.size());
    if (!close_below(level))
      return false;
    OpenNode& node = open_[level];
    if (!branches_[level])
      node.begin(label_at(last_.data(), words, level));
    branches_[level] = true;
    node.targets[node.edges - 1] = closed_;
    node.add(label_at(state, words, level));
  }
  std::memcpy(last_.data(), state, words * sizeof(Word));
  ++automaton_->states_;
  return true;
}

// The nodes below a level are complete. closed_ is the one directly below it then.
bool StateAutomatonBuilder::close_below(std::size_t level) {
  const std::size_t words = automaton_->words_;
  bool is_new = false;  // so are all nodes above it
  closed_ = 0;
  for (std::size_t i = open_.size() - 1; i > level; --i) {
    const bool in_chain = !branches_[i] && i + 1 < open_.size();
    const std::uint8_t label = label_at(last_.data(), words, i);
    NodeAddress address = 0;
    if (in_chain)
      address =
          is_new ? automaton_->nodes_.append_chain(closed_, label) : automaton_->nodes_.chain_above(closed_, label);
    closed_ = address != 0 ? address : close(i, is_new);
    if (closed_ == 0)
      return false;
  }
  return true;
}

// The node at a level, found or made; 0 if it is refused.
NodeAddress StateAutomatonBuilder::close(std::size_t level, bool& is_new) {
  OpenNode& node = open_[level];
  if (!branches_[level])
    node.begin(label_at(last_.data(), automaton_->words_, level));
  branches_[level] = false;
  node.targets[node.edges - 1] = closed_;
  if (!is_new)
    if (const NodeAddress found = register_.find(node); found != 0)
      return found;
  is_new = true;
  const NodeAddress address = automaton_->nodes_.append(node);
  too_large_ = automaton_->nodes_.node_bytes() > bytes_max_;
  refused_ = address == 0 || too_large_;
  if (refused_)
    return 0;
  register_.enter(address, node);
  return address;
}

std::unique_ptr<StateAutomaton> StateAutomatonBuilder::finish() {
  CHECK(automaton_->states_ > 0);
  bool is_new = true;
  if (!refused_ && close_below(0))
    automaton_->root_ = close(0, is_new);
  bytes_taken_ = automaton_->nodes_.bytes() + register_.bytes();
  if (automaton_->root_ == 0)
    return nullptr;
  automaton_->nodes_.finish();
  return std::move(automaton_);
}

StateAutomatonCursor::StateAutomatonCursor(const StateAutomaton& automaton)
    : automaton_(automaton), levels_(automaton.levels()), state_(automaton.words_) {}

void StateAutomatonCursor::begin() {
  at_end_ = false;
  descend(0, automaton_.root_);
}

// To the first state behind a node.
void StateAutomatonCursor::descend(std::size_t level, NodeAddress address) {
  for (;; ++level) {
    const std::uint8_t* head = automaton_.nodes_.head_of(address);
    if (*head == kChainHead) {
      set_byte(level, *(head - 1));
      address -= kChainBytes;
      continue;
    }
    const AutomatonNode node = automaton_.nodes_.at(address);
    set_byte(level, node.label(0));
    if (node.edges > 1)
      branches_.push_back({node, 0, level});
    if (level + 1 == levels_)
      return;
    address = node.target(0);
  }
}

void StateAutomatonCursor::next() {
  if (branches_.empty()) {
    at_end_ = true;
    return;
  }
  Branch& branch = branches_.back();
  ++branch.edge;
  set_byte(branch.level, branch.node.label(branch.edge));
  const std::size_t level = branch.level;
  const NodeAddress target = level + 1 == levels_ ? 0 : branch.node.target(branch.edge);
  if (branch.edge + 1 == branch.node.edges)
    branches_.pop_back();
  if (level + 1 < levels_)
    descend(level + 1, target);
}

bool StateAutomatonCursor::contains(const Word* state) {
  const std::size_t words = automaton_.words_;
  std::size_t level = 0;
  if (path_.empty())
    path_.resize(levels_, automaton_.root_);
  else
    level = std::min(found_, first_difference(state, state_.data(), words));
  std::memcpy(state_.data(), state, words * sizeof(Word));
  for (NodeAddress address = path_[level];; ++level) {
    path_[level] = address;
    found_ = level;
    const std::uint8_t* head = automaton_.nodes_.head_of(address);
    if (*head == kChainHead) {
      if (*(head - 1) != label_at(state, words, level))
        return false;
      address -= kChainBytes;
      continue;
    }
    const AutomatonNode node = automaton_.nodes_.at(address);
    const std::uint32_t edge = node.find(label_at(state, words, level));
    if (edge == node.edges)
      return false;
    if (level + 1 == path_.size())
      return true;
    address = node.target(edge);
  }
}

}  // namespace tideline
