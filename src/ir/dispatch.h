// SPDX-License-Identifier: MIT
// Dispatch: a decision tree over the rules of a program, so that a state costs the rules that can be enabled in it and
// not all of them. Models made of processes have thousands of rules whose guards begin with "this process is at s".
//
// A guard is a list of conjuncts. The tree takes conjuncts from the front of the guards of *adjacent* rules:
// a switch takes `variable = constant` tests of the same variable, a test takes one condition that the rules share.
// Whoever walks the tree from left to right finds the same enabled commands and the same failures, in the same order,
// as by testing every rule in turn (docs/design/native.md has the argument), because:
//
// J1  a conjunct is taken only if all before it in its guard were taken, and only if nobody sees whether it is
//     evaluated: it cannot fail, discard, mark a cover point or yield undefined (ir/analysis.h), and calls nothing.
// J2  rules below a node are in their order, and two rules of different cases of a switch are never both reached.
// J3  rules with bindings, and all rules of a program with several priorities, are leaves with their whole guard.
// J4  every rule is in the tree exactly once.
// Cost: each conjunct is looked at at most twice; memory in the number of conjuncts.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/analysis.h"
#include "ir/program.h"

namespace tideline::ir {

struct DispatchNode;
using Dispatch = std::vector<DispatchNode>;

struct DispatchCase {
  std::uint64_t code = 0;  // packed, of the variable's domain
  Dispatch body;
};

struct DispatchNode {
  enum class Kind : std::uint8_t {
    kRule,    // the rule, its first conjuncts being true
    kTest,    // `body` if the condition is true
    kSwitch,  // the body of the case of the value read, if there is one
  } kind = Kind::kRule;
  std::size_t rule = 0;                // kRule: its number; else the first below, in whose frame the condition is
  const Expr* condition = nullptr;     // kTest; kSwitch: the read of the variable
  std::vector<const Expr*> conjuncts;  // kRule: those that are left, in order
  std::vector<DispatchCase> cases;     // kSwitch: increasing by code
  Dispatch body;                       // kTest

  // kSwitch: what to do for a code, or null.
  [[nodiscard]] const Dispatch* find(std::uint64_t code) const;
};

// The operands of nested kAnd, in order of evaluation; empty for a null guard.
std::vector<const Expr*> conjuncts_of(const Expr* guard);

// The program and what the analysis was made of must outlive the tree.
Dispatch make_dispatch(const Program& program, const Analysis& analysis);

// Number of rules in a tree.
std::size_t rule_count(const Dispatch& dispatch);

}  // namespace tideline::ir
