// SPDX-License-Identifier: MIT
// The dispatch tree (ir/dispatch.h) as C: a switch on packed codes, shared conditions as if, rules in place. Compilers
// take more than linear time for a function and a good deal for each: the tree is cut into functions (d0, d1, ...) of
// about kFunctionBytes of text. What needs statements before it can be tested is a function (e0, e1, ...), too.
#pragma once

#include "exec/native/emit_rule.h"
#include "ir/dispatch.h"

namespace tideline::native {

struct CDispatch {
  std::string functions;          // of rules, shared conditions and parts of the tree
  std::string calls;              // statements that run the tree
  std::uint64_t arena_words = 0;  // the most of one rule
};

// For a program without priorities. The functions take (c, s, b), as those of rules.
CDispatch emit_dispatch(const Module& module);

}  // namespace tideline::native
