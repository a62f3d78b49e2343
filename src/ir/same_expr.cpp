// SPDX-License-Identifier: MIT
#include "ir/same_expr.h"

#include <algorithm>

namespace tideline::ir {
namespace {

template <typename Pointer, typename Same>
bool same_or_absent(const Pointer& a, const Pointer& b, Same same) {
  return (a == nullptr) == (b == nullptr) && (a == nullptr || same(*a, *b));
}

bool same_domain(const Domain* a, const Domain* b) {
  return a == b || (a != nullptr && b != nullptr && a->has_undefined == b->has_undefined && a->parts == b->parts);
}

bool same_subscript(const Subscript& a, const Subscript& b) {
  return a.stride == b.stride && a.is_slot == b.is_slot && a.offset_before == b.offset_before &&
         same_domain(a.domain, b.domain) && same_expr(*a.index, *b.index);
}

bool same_loop(const LoopRange& a, const LoopRange& b) {
  return same_domain(a.domain, b.domain) && same_or_absent(a.from, b.from, same_expr) &&
         same_or_absent(a.to, b.to, same_expr) && same_or_absent(a.by, b.by, same_expr);
}

bool same_argument(const Argument& a, const Argument& b) {
  return same_or_absent(a.value, b.value, same_expr) && same_or_absent(a.ref, b.ref, same_ref);
}

}  // namespace

bool same_ref(const Ref& a, const Ref& b) {
  return a.root == b.root && a.slot == b.slot && a.offset == b.offset && a.type->same_layout(*b.type) &&
         std::equal(a.subscripts.begin(), a.subscripts.end(), b.subscripts.begin(), b.subscripts.end(), same_subscript);
}

bool same_expr(const Expr& a, const Expr& b) {
  return a.op == b.op && a.constant == b.constant && a.checked == b.checked && a.slot == b.slot &&
         a.callee == b.callee && same_domain(a.domain, b.domain) && same_loop(a.loop, b.loop) &&
         std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [](const ExprPtr& x, const ExprPtr& y) { return same_expr(*x, *y); }) &&
         std::equal(a.refs.begin(), a.refs.end(), b.refs.begin(), b.refs.end(), same_ref) &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(), same_argument);
}

}  // namespace tideline::ir
