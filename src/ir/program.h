// SPDX-License-Identifier: MIT
// Program: the one form that every front end produces and that engines, searches and reports consume.
//
// A step of the program: choose a rule and values of its parameters (a *command*), evaluate its bindings and its guard
// in the packed state, run the body on a copy, put every multiset into canonical order (slots sorted descending as
// unsigned integers, so empty ones are last). A result in which an assumption is false is *outside*: it counts as a
// step (an edge, and for deadlocks), but it is not a state of the model. If the bindings, the guard, the body or an
// assumption fails, the command *fails* in that state; that is a violation.
//
// An assume statement that is false in a function called by a binding, a guard or a property takes that instance out.
//
// An expansion lists commands in order. A binding that fails yields one failed entry, for the command whose remaining
// parameters are least, and ends the enumeration of those remaining parameters.
//
// Priorities: only commands whose rule has the least priority among the enabled ones are run in a state; the guards of
// the others are still evaluated, and may fail (CMurphi's `rule 20 "name" ...`).
//
// P1  commands of rule r are numbered from r.first_command, last parameter fastest; see command_id().
// P2  initial states are produced by `starts` in the same way (no guard) from the all-zero state.
// P3  rules are sorted by priority, equal ones in the order of the source.
// P4  functions called in guards, properties, bindings, assumptions and the progress measure do not write the state
//     (Function::writes_state).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "ir/stmt.h"

namespace tideline::ir {

using CommandId = std::uint64_t;

enum class LocalKind : std::uint8_t {
  kValue,   // one simple value, kUndefined at first
  kPacked,  // a packed object, all zero at first: aggregates, and simple locals to which a reference is taken
  kAlias,   // a reference
};

struct Local {
  std::string name;
  const Type* type = nullptr;
  LocalKind kind = LocalKind::kValue;
};

// The local slots of one rule, property or function. Slots are not reused, so a slot means one thing.
// A local variable of a block is reset to undefined by an explicit kUndefine where the block begins, if it is in a
// loop.
struct Frame {
  std::vector<Local> locals;
};

struct Function {
  std::string name;
  Location where;
  Frame frame;  // the parameters are the first slots
  std::uint32_t param_count = 0;
  const Domain* result = nullptr;  // null: procedure. Aggregate results are passed by a leading alias parameter.
  Block body;
  bool writes_state = false;  // writes the state, itself or through what it calls or its alias parameters' targets
  bool is_recursive = false;  // can reach itself by calls: depth is limited to Program::recursion_limit
};

enum class BindingKind : std::uint8_t {
  kParameter,  // slot runs over domain
  kChoose,     // slot runs over the occupied slots of the multiset ref
  kAlias,      // alias slot := address of ref
  kValue,      // value slot := value
};

// Evaluated in order; each sees the slots of the earlier ones.
struct Binding {
  BindingKind kind = BindingKind::kParameter;
  SlotIndex slot = 0;
  const Domain* domain = nullptr;  // kParameter; kChoose: the slot numbers 0..capacity-1
  Ref ref;
  ExprPtr value;
};

struct Rule {
  std::string name;
  Location where;
  Frame frame;
  std::vector<Binding> bindings;
  ExprPtr guard;  // null: true
  Block body;
  std::int64_t priority = 0;  // P3
  CommandId first_command = 0;
  CommandId command_count = 1;  // product of the hull sizes of kParameter and kChoose bindings
};

enum class PropertyKind : std::uint8_t { kInvariant, kAssumption, kCover, kLiveness };

// Holds in a state if `condition` holds for all values of its parameters (kCover: for some).
struct Property {
  PropertyKind kind = PropertyKind::kInvariant;
  std::string name;
  Location where;
  Frame frame;
  std::vector<Binding> bindings;
  ExprPtr condition;
  std::uint32_t cover = 0;  // kCover
};

struct CoverPoint {
  std::string name;
  Location where;
};

struct Variable {
  std::string name;
  const Type* type = nullptr;
  std::uint64_t offset = 0;  // bits
  Location where;
  std::uint64_t declared_bits = 0;  // of the type as declared, where an analysis found a smaller one; else 0
};

// A variable of the model that is not in the state because it always has the same value.
struct FixedVariable {
  std::string name;
  std::int64_t value = 0;
  std::uint64_t declared_bits = 0;
};

// One expression of a progress measure, most significant first (ir/progress.h has the key that they make).
struct ProgressComponent {
  std::string text;  // as reports show it
  Frame frame;
  ExprPtr value;                   // an integer, an enumeration or a boolean; its range gives the bits of its code
  bool descending = false;         // smaller values are further
  const Domain* domain = nullptr;  // whose labels name its values; null: they are numbers
};

// A process of the model: its part of the state.
struct Component {
  std::string name;
  std::vector<std::size_t> variables;  // numbers in Program::variables
};

struct Program {
  std::string file;
  // Owners; deques keep addresses stable.
  std::deque<Domain> domains;
  std::deque<Type> types;
  std::deque<Function> functions;

  std::vector<Variable> variables;
  std::uint64_t state_bits = 0;
  std::vector<FixedVariable> fixed;
  std::vector<Component> components;  // empty if the language has no processes
  std::vector<Rule> starts;
  std::vector<Rule> rules;
  std::vector<Property> properties;
  std::vector<CoverPoint> covers;
  std::vector<ProgressComponent> progress;  // empty: no measure
  std::uint64_t loop_limit = 1000;
  std::uint32_t recursion_limit = 1000;

  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Words of a packed state; unused high bits of the last one are zero. Never 0.
  [[nodiscard]] std::size_t state_words() const { return state_bits == 0 ? 1 : (state_bits + 63) / 64; }
  [[nodiscard]] bool has_assumptions() const;
  [[nodiscard]] std::uint64_t bits_of(const Component& component) const;
  // Appends a variable behind the others; the caller has checked that the state does not grow beyond kObjectBitsMax.
  Variable& add_variable(std::string name, const Type* type, Location where);
};

// Sorts rules by priority (P3), sizes and numbers their commands (P1). False if there are more than 2^62 of them.
[[nodiscard]] bool number_commands(Program& program);

// The command of `rule` (a rule or start rule) for the given slot values of its kParameter and kChoose bindings, in
// order.
CommandId command_id(const Rule& rule, const std::vector<std::int64_t>& parameters);
// Its inverse; the rule is found by binary search in `rules`.
struct Command {
  const Rule* rule = nullptr;
  std::vector<std::int64_t> parameters;
};
Command decode_command(const std::vector<Rule>& rules, CommandId id);
// "name, i = 3, j = pid_1" as shown in traces.
std::string show_command(const Command& command);

// Makers for types: compute layout; null if the object would exceed kObjectBitsMax. Domains must belong to the program.
Domain* add_domain(Program& program, Domain domain);
const Type* add_simple_type(Program& program, const Domain* domain, std::string name = {});
const Type* add_array_type(Program& program, const Domain* index, const Type* element, std::string name = {});
const Type* add_record_type(Program& program, std::vector<Field> fields, std::string name = {});
const Type* add_multiset_type(Program& program, std::uint64_t capacity, const Type* element, std::string name = {});

}  // namespace tideline::ir
