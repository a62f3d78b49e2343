// SPDX-License-Identifier: MIT
// A DVE model after parsing and name resolution: what the narrowing analysis and the lowering read. Names are gone
// (numbers instead), constants are folded where they are used, sources of transitions are filled in.
//
// X1  an expression's operands have smaller numbers than it: a loop over Model::exprs visits operands first, and no
//     pass needs recursion.
// X2  chains of && (and of ||) are balanced trees; every other nesting is at most kNestingMax deep. So the depth of
//     an expression never depends on the length of a guard, and later passes may recurse.
// X3  every number is a valid index; arity and kinds (scalar, array, channel with or without values) have been checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "ir/domain.h"

namespace tideline::dve {

using ExprId = std::uint32_t;
using VariableId = std::uint32_t;
using ChannelId = std::uint32_t;
using ProcessId = std::uint32_t;
using StateId = std::uint32_t;

inline constexpr std::uint32_t kNothing = ~std::uint32_t{0};
inline constexpr unsigned kNestingMax = 1000;

enum class BaseType : std::uint8_t { kByte, kInt };  // 0..255, -32768..32767

// What a store outside the type's range does: fails (a run-time error of the model), or keeps the low 8 or 16 bits.
enum class OnError : std::uint8_t { kFail, kWrap };

ir::Interval type_range(BaseType type);

enum class Op : std::uint8_t {
  kNumber,    // value
  kVariable,  // variable (a scalar)
  kElement,   // variable (an array), index left
  kInState,   // process is in state: 0 or 1
  kNot,       // left
  kMinus,
  kComplement,
  kAdd,  // left, right
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kBitAnd,
  kBitOr,
  kBitXor,
  kShiftLeft,
  kShiftRight,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAnd,  // && || imply: short circuit; any number other than 0 is true; the result is 0 or 1
  kOr,
  kImply,
};

struct Expr {
  Op op = Op::kNumber;
  Location where;
  std::int64_t value = 0;
  VariableId variable = kNothing;
  ProcessId process = kNothing;
  StateId state = kNothing;
  ExprId left = kNothing;
  ExprId right = kNothing;
};

struct Variable {
  std::string name;  // "x", local ones "P.x"
  Location where;
  BaseType type = BaseType::kByte;
  ProcessId owner = kNothing;  // kNothing: global
  bool is_constant = false;    // not in the state; `initial` has its values (scalar constants are folded away)
  bool is_array = false;
  std::vector<std::int64_t> initial;  // one per element; a scalar has one
};

// Capacity 0: handshake. Handshake channels without declared types take any values; typed ones convert them.
struct Channel {
  std::string name;
  Location where;
  bool is_typed = false;
  std::vector<BaseType> types;
  std::uint32_t capacity = 0;
};

enum class SyncKind : std::uint8_t { kNone, kSend, kReceive };

struct Assignment {
  VariableId variable = kNothing;
  ExprId index = kNothing;  // of an array
  ExprId value = kNothing;
  Location where;
};

struct Transition {
  StateId source = 0;
  StateId target = 0;
  Location where;           // of the source state's name, or of "->" where the source is omitted
  ExprId guard = kNothing;  // none: true
  SyncKind sync = SyncKind::kNone;
  ChannelId channel = kNothing;
  std::vector<ExprId> sent;          // kSend
  std::vector<Assignment> received;  // kReceive: where to; `value` is kNothing
  std::vector<Assignment> effects;
};

struct Assertion {
  StateId state = 0;
  ExprId condition = kNothing;
  Location where;
  std::string text;  // as written
};

struct State {
  std::string name;
  Location where;
  bool is_committed = false;
};

enum class AcceptKind : std::uint8_t { kBuchi, kGenBuchi, kMuller, kRabin, kStreett };

struct Acceptance {
  AcceptKind kind = AcceptKind::kBuchi;
  std::vector<std::vector<StateId>> sets;  // Rabin, Streett: first and second set of each pair in turn
};

struct Process {
  std::string name;
  Location where;
  std::vector<State> states;
  StateId initial = 0;
  std::optional<Acceptance> acceptance;
  std::vector<Assertion> assertions;
  std::vector<Transition> transitions;
};

struct Invariant {
  ExprId condition = kNothing;
  std::string text;
};

// Of the progress measure: an expression, or the location of a process.
struct MeasureComponent {
  ExprId value = kNothing;
  ProcessId process = kNothing;
  bool descending = false;
  std::string text;  // as written
  Location where;
};

struct Model {
  std::vector<Expr> exprs;
  std::vector<Variable> variables;
  std::vector<Channel> channels;
  std::vector<Process> processes;
  std::vector<Invariant> invariants;       // --invariant
  std::vector<MeasureComponent> progress;  // --progress, or the annotation
  bool is_synchronous = false;             // system sync
  ProcessId property = kNothing;           // the property process
};

}  // namespace tideline::dve
