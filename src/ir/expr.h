// SPDX-License-Identifier: MIT
// Expressions, references and their evaluation rules. The rules are stated once, here; exec/interp follows them to the
// letter and exec/native must not be told apart from it.
//
// Evaluation is left to right; kAnd, kOr, kImplies, kConditional and the quantifiers stop as soon as the result is
// known. An evaluation either yields a value (perhaps kUndefined where may_be_undefined) or *fails*: a run-time error
// of the model. Failures: undefined value where one is needed, index outside its domain, division or modulo by zero,
// 64-bit overflow, shift by a negative amount, loop or recursion limit, a call that fails. Nothing else fails.
//
// E1  `range` contains every value, other than kUndefined, that the expression can yield.
// E2  without may_be_undefined it never yields kUndefined.
// E3  operands of every operator except kEqual and kNotEqual are needed: an undefined one fails.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "ir/type.h"

namespace tideline::ir {

struct Expr;
struct Function;
using ExprPtr = std::unique_ptr<Expr>;
using SlotIndex = std::uint32_t;

// Where an object is stored.
enum class Root : std::uint8_t {
  kState,  // the packed state
  kLocal,  // slot of the current frame that holds a value or a packed object
  kAlias,  // slot of the current frame that holds a reference (alias, var parameter)
};

// One subscript: adds (index - hull.lo) * stride bits. Fails if the index is undefined or not in the domain. A
// subscript of a multiset (`is_slot`) fails, too, if the slot is empty.
struct Subscript {
  ExprPtr index;
  const Domain* domain = nullptr;
  std::uint64_t stride = 0;
  bool is_slot = false;
  std::uint64_t offset_before = 0;  // constant bits (fields) between the previous subscript and this one
  Location where;
};

// A designator: root, subscripts evaluated left to right, and a constant rest. Its address is root + sum over
// subscripts of (offset_before + (index - lo) * stride) + offset.
struct Ref {
  Root root = Root::kState;
  SlotIndex slot = 0;  // kLocal, kAlias
  std::vector<Subscript> subscripts;
  std::uint64_t offset = 0;
  const Type* type = nullptr;  // of the designated object
  std::string text;            // as written, for messages
  Location where;
};

enum class ExprOp : std::uint8_t {
  kConstant,        // constant
  kUndefinedValue,  // the undefined value
  kRead,            // refs[0], simple; fails on undefined if `checked`
  kNot,             // booleans are 0 and 1
  kNegate,
  kComplement,  // bitwise, 64 bits
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,  // truncates toward zero
  kModulo,  // sign of the dividend
  kBitAnd,
  kBitOr,
  kBitXor,
  kShiftLeft,   // multiplication by 2^amount, overflow included
  kShiftRight,  // arithmetic; amount >= 64 gives 0 or -1
  kAnd,
  kOr,
  kImplies,
  kConditional,  // args[0] ? args[1] : args[2]
  kEqual,        // undefined equals undefined and nothing else
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kForall,  // slot, loop, args[0]
  kExists,
  kIsUndefined,    // refs[0], simple
  kInDomain,       // args[0] in domain; false on undefined (the one operator that accepts it)
  kMultisetCount,  // over occupied slots of refs[0]: `slot` is the slot number; counts where args[0]
  kSameBits,       // refs[0], refs[1] of the same layout are equal bit by bit
  kCall,           // callee, arguments; callee->result is the domain of the result
};

// What a for statement or quantifier runs over: the parts of a domain in order, or from..to by step (evaluated once; an
// upward loop with to < from, and a downward one with to > from, runs zero times; step 0 fails).
struct LoopRange {
  const Domain* domain = nullptr;  // null: from, to, by
  ExprPtr from;
  ExprPtr to;
  ExprPtr by;  // null: 1
};

// An actual parameter. For a parameter slot of kind kValue: `value`, which must lie in the parameter's domain or fails
// ("range"). For kPacked: `value` likewise if the parameter is simple, else `ref`, copied bit by bit. For kAlias:
// `ref`, bound.
struct Argument {
  ExprPtr value;
  std::unique_ptr<Ref> ref;
};

struct Expr {
  ExprOp op = ExprOp::kConstant;
  Interval range;
  bool may_be_undefined = false;
  bool checked = true;        // kRead
  bool may_overflow = false;  // arithmetic: the 64-bit result must be checked
  Location where;
  std::int64_t constant = 0;
  std::vector<ExprPtr> args;
  std::vector<Ref> refs;
  SlotIndex slot = 0;              // kForall, kExists, kMultisetCount
  LoopRange loop;                  // kForall, kExists
  const Domain* domain = nullptr;  // kInDomain
  const Function* callee = nullptr;
  std::vector<Argument> arguments;
};

}  // namespace tideline::ir
