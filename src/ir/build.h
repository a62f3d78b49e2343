// SPDX-License-Identifier: MIT
// Makers for expressions. They compute range, may_be_undefined and may_overflow (invariants E1, E2 of expr.h), so that
// no front end does interval arithmetic of its own. Constant operands are folded where that cannot fail.
#pragma once

#include "ir/program.h"

namespace tideline::ir {

ExprPtr make_constant(std::int64_t value, Location where = {});
ExprPtr make_undefined(Location where = {});
// `checked`: an undefined value fails here; otherwise it is passed on.
ExprPtr make_read(Ref ref, bool checked, Location where);
// kNot, kNegate, kComplement
ExprPtr make_unary(ExprOp op, ExprPtr operand, Location where);
// Arithmetic, bit, logical and comparison operators.
ExprPtr make_binary(ExprOp op, ExprPtr left, ExprPtr right, Location where);
ExprPtr make_conditional(ExprPtr condition, ExprPtr then, ExprPtr otherwise, Location where);
ExprPtr make_quantifier(ExprOp op, SlotIndex slot, LoopRange loop, ExprPtr body, Location where);
ExprPtr make_is_undefined(Ref ref, Location where);
ExprPtr make_in_domain(ExprPtr operand, const Domain* domain, Location where);
ExprPtr make_multiset_count(Ref multiset, SlotIndex slot, ExprPtr body, Location where);
ExprPtr make_same_bits(Ref left, Ref right, Location where);
// `result_may_be_undefined`: the function may return the undefined value.
ExprPtr make_call(const Function* callee, std::vector<Argument> arguments, bool result_may_be_undefined,
                  Location where);

// A reference to a whole variable, local or alias slot.
Ref make_state_ref(const Variable& variable, Location where = {});
Ref make_local_ref(const Frame& frame, SlotIndex slot, Location where = {});
// Extend a reference by a field or a subscript; constant subscripts inside the domain are folded into the offset.
void append_field(Ref& ref, const Field& field);
void append_subscript(Ref& ref, ExprPtr index, Location where);

// Deep copies (an alias expanded twice, a rule shared by two contexts).
ExprPtr clone(const Expr& expr);
Ref clone(const Ref& ref);

}  // namespace tideline::ir
