// SPDX-License-Identifier: MIT
// Structural equality of expressions: the same tree, whatever the places in the source and the texts for messages. Two
// expressions that are the same have the same value in a state, provided that neither mentions a slot that the rule
// around it binds; slots that a quantifier inside the expression binds are compared by number.
#pragma once

#include "ir/expr.h"

namespace tideline::ir {

bool same_expr(const Expr& a, const Expr& b);
bool same_ref(const Ref& a, const Ref& b);

}  // namespace tideline::ir
