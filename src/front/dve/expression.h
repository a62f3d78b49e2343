// SPDX-License-Identifier: MIT
// Expressions: an operator-precedence parser with explicit stacks, whose memory and time are linear in the text. It
// resolves names and writes nodes as it goes, so operands come before their users (X1 of model.h).
//
// A run of && stays on the stack of operators until something else comes, and then becomes one balanced tree; the same
// for || (X2). Its operands keep their order, so what is evaluated, and when, is unchanged.
//
// E1  no tree is deeper than kNestingMax, and no more brackets and unary operators than that are open at once.
#pragma once

#include <string>
#include <vector>

#include "front/dve/cursor.h"
#include "front/dve/model.h"
#include "front/dve/names.h"

namespace tideline::dve {

// Where an expression stands.
struct Place {
  ProcessId process = kNothing;  // whose variables are visible; kNothing: only global ones
  bool allows_foreign = false;   // P->x
  bool allows_states = true;     // P.S
};

class ExpressionParser {
 public:
  ExpressionParser(Cursor& cursor, const Names& names, Model& model) : cursor_(cursor), names_(names), model_(model) {}

  // The expression at the cursor, which is left behind it; kNothing after a syntax error, with the cursor at it. Wrong
  // names are reported, too, and stand for 0.
  ExprId parse(const Place& place);

  // A variable to write to, at the cursor: x or a[e]. False after a syntax error.
  bool parse_target(const Place& place, Assignment& target);

 private:
  enum class Step : std::uint8_t { kOperand, kOperator, kDone, kFailed };  // what comes next
  enum class PendingKind : std::uint8_t { kBinary, kUnary, kParenthesis, kIndex };
  struct Pending {
    PendingKind kind = PendingKind::kBinary;
    Op op = Op::kNumber;
    std::uint8_t level = 0;
    Location where;
    VariableId variable = kNothing;  // kIndex; kNothing: the name was wrong, which has been reported
  };
  struct Operand {
    ExprId expr = kNothing;
    unsigned depth = 1;
  };
  struct Link {  // of a chain
    Operand operand;
    Location where;  // of the operator before it
  };

  Step operand();
  Step operation();
  Step end_of_bracket();

  Step name();
  Step state_test(const Token& process);
  Step foreign_variable(const Token& process);
  Step variable(const Token& name, VariableId variable);
  Step number(std::int64_t value, Location where);
  ProcessId resolve_process(const Token& name);
  VariableId resolve_variable(const Token& name);
  VariableId resolve_foreign(ProcessId process, const Token& name);
  void unknown_name(const Token& name);
  bool takes_part(ProcessId process, const Token& name);
  bool is_array_with_index(const Token& name, VariableId variable);
  bool is_scalar_without_index(const Token& name, VariableId variable);

  Step open(const Pending& pending);
  // Applies what is pending, from the top of the stack to the first that binds looser than `level`; a run of `next`
  // (&& or ||) stays.
  bool reduce(unsigned level, Op next);
  bool reduce_unary();
  bool reduce_binary();
  bool reduce_chain();
  bool join(Operand& left, const Operand& right, Op op, Location where);
  bool finish_index(const Pending& pending);
  void push(const Expr& expr, unsigned depth);
  bool too_deep(Location where);

  Cursor& cursor_;
  const Names& names_;
  Model& model_;
  Place place_;
  std::vector<Pending> pending_;
  std::vector<Operand> operands_;
  std::vector<Link> chain_;
  std::size_t open_count_ = 0;  // pending brackets and unary operators
};

}  // namespace tideline::dve
