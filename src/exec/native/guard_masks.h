// SPDX-License-Identifier: MIT
// Guard masks: which instances of a rule with parameters are worth a closer look.
//
// A ruleset over sixteen pairs of nodes tests sixteen conditions, of which few hold, and which ones the processor
// cannot foretell. So one conjunct of the guard is evaluated first for all values of the parameters that it mentions,
// without a branch, into the bits of a word, and the rule's loops run over the bits that are set. Rules with the same
// conjunct share the word. Rules that compare one variable with constants (`state[p] = Waiting`, `state[p] = Critical`)
// share a pass that puts each instance into the word of its value: an index by control location. Others have their
// loops.
//
// M1  the conjunct comes before all in its guard that can fail or mark a cover point, and cannot do so itself.
// M2  no binding inside a loop of the rule can fail.    M3  bits are in the order of the loops.
// With these the same commands are enabled and fail, in the same order (docs/design/native.md).
// Cost: a pass over at most 64 instances for each word or index, per state.
#pragma once

#include <string>
#include <vector>

#include "exec/native/emitter.h"
#include "exec/native/instances.h"

namespace tideline::native {

// The loops of levels first .. last become one over the bits of word number `word`.
struct GuardMask {
  std::size_t first = 0;
  std::size_t last = 0;
  const ir::Expr* conjunct = nullptr;  // true for all instances whose bit is set
  std::size_t word = 0;

  [[nodiscard]] bool has(std::size_t level) const { return first <= level && level <= last; }
};

class GuardMasks {
 public:
  struct Guard {
    const ir::Rule* rule = nullptr;
    std::vector<const ir::Expr*> conjuncts;  // those that are to be tested
  };

  GuardMasks(const Module& module, const std::vector<Guard>& guards);

  // For guard number i of those given; null: the rule has its loops.
  [[nodiscard]] const GuardMask* of(std::size_t i) const {
    return masks_[i].conjunct == nullptr ? nullptr : &masks_[i];
  }
  // Words of all masks.
  [[nodiscard]] std::size_t words() const { return words_; }
  // Functions w0, w1, ... that fill words.
  [[nodiscard]] const std::string& functions() const { return functions_; }
  // Statements that fill all words of an array `m`.
  [[nodiscard]] const std::string& calls() const { return calls_; }

 private:
  const Module& module_;
  std::vector<GuardMask> masks_;
  std::size_t words_ = 0;
  std::string functions_;
  std::string calls_;
};

// The bits of an instance: "(v0 - lo) * n + (v1 - lo)" for the parameters of the levels first .. last.
std::string instance_bit_text(const Instances& instances, const Emitter& emitter, std::size_t first, std::size_t last);

}  // namespace tideline::native
