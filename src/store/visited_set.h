// SPDX-License-Identifier: MIT
// What a breadth-first search asks of its visited set: a set of states that is its queue as well. Every kind (plain,
// tree, signatures) keeps this contract, so the search does not know which one it has.
//
// S1  a state that was inserted is handed out by take() exactly once, in the layer after the one being handed out when
//     it was inserted; states inserted before the first next_layer() form layer 0.
// S2  insert() and take() may be called by all threads at once, each with a number of its own below threads();
//     next_layer() and restart() are called by one thread while no other is in the set.
// S3  an exact set (omission_probability() == 0) decides equality on whole states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/next_state.h"

namespace tideline {

class VisitedSet {
 public:
  virtual ~VisitedSet() = default;
  VisitedSet() = default;
  VisitedSet(const VisitedSet&) = delete;
  VisitedSet& operator=(const VisitedSet&) = delete;

  // Inserts `count` states (words each, one behind the other, one readable word behind the last). Appends to `fresh`
  // the positions (0..count-1) of those that were not in the set; equal states inserted by two threads are fresh for
  // one. False if memory ended: then some of the states are missing from the set, and the search is incomplete.
  [[nodiscard]] virtual bool insert(unsigned thread, const Word* states, std::size_t count,
                                    std::vector<std::uint32_t>& fresh) = 0;
  // Copies up to `most` states of the current layer to `out` (room for most * words + 1 words). 0: none is left.
  virtual std::size_t take(unsigned thread, std::size_t most, Word* out) = 0;
  // What was inserted since the last call becomes the current layer; its size. What take() has left is dropped.
  virtual std::uint64_t next_layer() = 0;
  // Makes layer `layer` current again, for take() only. False if this kind of set does not keep its layers.
  virtual bool restart(std::uint64_t layer) = 0;

  // The rest may be called at any time by any thread; while others insert, they are a moment old.
  [[nodiscard]] virtual std::uint64_t size() const = 0;   // states inserted
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;  // memory held, the queue included
  // An upper bound on the probability that a state was taken for another one (0: exact).
  [[nodiscard]] virtual double omission_probability() const = 0;
};

}  // namespace tideline
