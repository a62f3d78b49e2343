// SPDX-License-Identifier: MIT
// Statements of guarded commands and functions. A statement completes, returns, fails (a run-time error of the model),
// or discards the step (a failed assumption: the successor is as if it had never been produced).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace tideline::ir {

struct Stmt;
using Block = std::vector<std::unique_ptr<Stmt>>;

enum class StmtKind : std::uint8_t {
  kAssign,  // ref (simple) := value. The value is evaluated first, then the reference's subscripts. An undefined value
            // is stored as undefined; a value outside the domain fails ("range").
  kCopy,    // ref := source, same layout, bit by bit (undefined members too)
  kUndefine,  // all bits of ref := 0 (multisets become empty)
  kClear,     // every simple member := least value of its domain; multisets become empty
  kIf,        // condition, body, other
  kFor,       // slot, loop, body
  kWhile,     // condition, body; fails after Program::loop_limit iterations
  kAssert,    // condition, message: fails if false
  kError,     // message: fails
  kAssume,    // condition: discards the step if false
  kCover,     // condition: cover point `cover` is reached if true
  kPut,       // message and/or value or ref: printed by simulate and by replays; never fails, never prints in a search
  kReturn,    // value, or none
  kBind,      // alias slot := address of ref (its subscripts are evaluated now)
  kCall,      // value: an expression of kind kCall whose result, if any, is dropped
  kMultisetAdd,     // ref: multiset; source: element. First empty slot is filled; fails if there is none
  kMultisetRemove,  // ref: multiset; value: slot number. Fails unless it is an occupied slot; slot becomes all zero
  kMultisetRemoveWhere,  // ref: multiset; slot, condition: each occupied slot where the condition holds becomes all
                         // zero
};

struct Stmt {
  StmtKind kind = StmtKind::kError;
  Location where;
  Ref ref;
  Ref source;
  ExprPtr value;  // also the condition
  Block body;
  Block other;
  SlotIndex slot = 0;
  LoopRange loop;
  std::string message;
  std::uint32_t cover = 0;
};

}  // namespace tideline::ir
