// SPDX-License-Identifier: MIT
// The C functions for rules, properties and functions of a program.
//
// A rule becomes one function with a loop per parameter. Conjuncts of the guard are tested in the outermost loop that
// knows all they mention, where that cannot change which commands fail (docs/design/native.md has the argument):
//
// H1  a conjunct is tested at a level only if no binding of a deeper level can fail and every earlier conjunct that can
//     fail was tested at this level or further out.
// H2  if testing it early fails, nothing is concluded: the loops inside run and evaluate the whole guard in order.
// H3  a conjunct that can mark a cover point is tested in the innermost loop, in order, and counts as one that can
// fail.
#pragma once

#include <cstddef>
#include <string>

#include "exec/native/emitter.h"
#include "exec/native/guard_masks.h"

namespace tideline::native {

// A function of the generated module.
struct CFunction {
  std::string text;
  std::uint64_t arena_words = 0;  // of its own packed locals
};

// Names: rules r0, r1, ... (starts s0, s1, ...), properties h0, ..., functions f0, ..., multisets of variables z0, ...
// Parts of the dispatch tree and conditions in it are d0, ... and e0, ... (emit_dispatch.h).
// A *maskable* rule, in a program with priorities, takes one more argument, not 0 if no body may be run, and returns
// whether a command was enabled. `conjuncts` are those of the guard that are to be tested, in order. A rule that is not
// maskable may have a guard mask: then it takes an array of words, m, as one more argument.
CFunction emit_rule(const Module& module, const ir::Rule& rule, const std::vector<const ir::Expr*>& conjuncts,
                    const std::string& name, bool maskable, const GuardMask* mask = nullptr);
// The same, not maskable, as a block with labels of its own, to be placed in a function with parameters (c, s, b).
CFunction emit_rule_block(const Module& module, const ir::Rule& rule, const std::vector<const ir::Expr*>& conjuncts);
// Can a binding or the guard fail?
bool condition_may_fail(const Module& module, const ir::Rule& rule);
// Returns 1 if it holds, 0 if not, 2 if it failed.
CFunction emit_property(const Module& module, const ir::Property& property, const std::string& name);
CFunction emit_function(const Module& module, const ir::Function& function);
// What a function's definition begins with, without a brace or semicolon.
std::string function_head(const Module& module, const ir::Function& function);
// Sorts the multisets of a variable.
std::string emit_sort(const ir::Variable& variable, const std::string& name);

}  // namespace tideline::native
