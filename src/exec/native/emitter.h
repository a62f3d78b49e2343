// SPDX-License-Identifier: MIT
// Emits the C statements for the expressions, references and statements of one frame (a rule, property or function).
//
// An expression becomes statements, for what must be checked, repeated or called, in the order of evaluation, and one C
// expression for its value. The C expression may be placed after later statements as long as those have no effects
// (Analysis::has_effects); where a later operand has, the earlier value is given a name first. Conditions become jumps,
// so that short circuits need no values. Checks that ir/analysis.h proves unnecessary are not emitted.
//
// G1  every emitted identifier is a letter and a number; nothing of the model's text is ever emitted.
// G2  the text depends on the program only.
// G3  a C expression is shorter than kTextMax characters plus one operator, so brackets never nest deeply.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exec/native/c_text.h"
#include "exec/native/value.h"
#include "ir/analysis.h"
#include "ir/program.h"

namespace tideline::native {

// What the functions of one generated module share.
struct Module {
  const ir::Program& program;
  ir::Analysis analysis;
  std::unordered_map<const ir::Function*, std::size_t> function_numbers;
  std::vector<std::size_t> with_multisets;  // numbers of the variables that contain multisets
  explicit Module(const ir::Program& the_program);
};

class Emitter {
 public:
  static constexpr std::size_t kTextMax = 160;

  // Statements to emit where control leaves.
  struct Exits {
    std::string fail;
    std::string discard;
    std::string leave;  // return without a value
  };

  Emitter(const Module& module, const ir::Frame& frame);

  CText& out() { return out_; }
  Exits& exits() { return exits_; }
  // The name of the pointer to the state.
  void set_state(std::string name) { state_ = std::move(name); }
  [[nodiscard]] const std::string& state() const { return state_; }
  // The result's domain and the name of the pointer to it, in a function that has one.
  void set_result(const ir::Domain* domain, std::string pointer);
  // A number that was not used before in this function.
  unsigned fresh() { return next_++; }
  std::string fresh_label() { return fmt::format("L{}", fresh()); }
  // For functions that may be deep in recursion: only tiny packed locals go to the C stack.
  void keep_off_stack() { stack_words_max_ = 4; }
  // Words of the arena that the packed locals declared so far take.
  [[nodiscard]] std::uint64_t arena_words() const { return arena_words_; }

  // Expressions (emit_expr.cpp, emit_logic.cpp, emit_call.cpp).
  Value value(const ir::Expr& expr);
  // A value that is not undefined: checked if necessary.
  Value needed(const ir::Expr& expr);
  // Any value as an int64_t.
  std::string as_integer(Value value);
  // Goes to the label if the condition's value is `when`.
  void jump(const ir::Expr& condition, bool when, const std::string& label);

  // References (emit_ref.cpp).
  Address address(const ir::Ref& ref);
  // The same with all that varies computed now and kept in names.
  Address captured(Address address);
  // Makes an alias slot mean the address from here on.
  void bind(ir::SlotIndex slot, const ir::Ref& ref);
  // The slot's occupied bit, as a condition.
  std::string occupied_text(const Address& multiset, const ir::Type& type, const std::string& position);
  // The packed local of a parameter is elsewhere.
  void set_packed(ir::SlotIndex slot, std::string pointer);

  // Statements (emit_stmt.cpp, emit_loop.cpp).
  void block(const ir::Block& block);
  // Declares the slots that are neither parameters, bindings nor variables of loops.
  void declare_locals(const std::vector<bool>& already_declared);
  // A loop over the values of a slot around what `body` emits.
  void for_each_value(const ir::LoopRange& loop, ir::SlotIndex slot, const std::function<void()>& body);
  void for_each_member(const ir::Domain& domain, const std::string& name, const std::function<void()>& body);
  // A loop over the occupied slots of a multiset.
  void for_each_occupied(const Address& multiset, const ir::Type& type, ir::SlotIndex slot,
                         const std::function<void()>& body);

  // Is there an assignment to this value slot? The variable of a loop or binding is then a copy.
  [[nodiscard]] bool is_assigned(ir::SlotIndex slot) const { return assigned_slots_[slot]; }
  [[nodiscard]] std::string slot_name(ir::SlotIndex slot) const { return fmt::format("v{}", slot); }

 private:
  void fail_if(const std::string& condition) { out_.line("if (TL_SELDOM({})) {}", condition, exits_.fail); }
  std::string declare_packed(std::uint64_t bits);
  std::string loop_name(ir::SlotIndex slot);
  void copy_loop_name(ir::SlotIndex slot, const std::string& name);
  Value defined(Value value);
  Value named(Value value);
  Value shortened(Value value);
  // Operands from left to right; each is named if a later one has effects.
  Value operand(const ir::Expr& expr, std::size_t i, bool is_needed);
  // An int64_t that is not undefined.
  static Value plain(std::string text);
  Value arithmetic(const ir::Expr& expr);
  Value checked_arithmetic(const ir::Expr& expr, const std::string& a, const std::string& b);
  Value shift(const ir::Expr& expr, const std::string& a, const Value& amount);
  Value comparison(const ir::Expr& expr);
  Value equality(const ir::Expr& expr);
  Value read(const ir::Expr& expr);
  Value conditional(const ir::Expr& expr);
  Value short_circuit(const ir::Expr& expr);
  Value quantified(const ir::Expr& expr);
  Value multiset_count(const ir::Expr& expr);
  Value same_bits(const ir::Expr& expr);
  Value call(const ir::Expr& expr);
  void pass_argument(const ir::Function& callee, std::size_t i, const ir::Argument& argument, bool keep,
                     std::string& passed);
  void jump_quantifier(const ir::Expr& expr, bool when, const std::string& label);

  // The code of a value to be stored in a domain, range checked if necessary.
  std::string code_for(Value value, const ir::Expr& expr, const ir::Domain& domain);
  // A value for a kValue slot of a domain, range checked if necessary, as an int64_t.
  std::string integer_for(Value value, const ir::Expr& expr, const ir::Domain& domain);
  [[nodiscard]] std::string base_text(const Address& address) const;
  std::string read_bits(const Address& address, std::uint64_t width);
  void write_bits(const Address& address, std::uint64_t width, const std::string& code);
  void copy_bits(const Address& to, const Address& from, std::uint64_t width);
  void zero_bits(const Address& address, std::uint64_t width);
  void clear_object(const Address& address, const ir::Type& type);
  [[nodiscard]] bool is_value_slot(const ir::Ref& ref) const;

  void statement(const ir::Stmt& stmt);
  void assign(const ir::Stmt& stmt);
  void undefine(const ir::Stmt& stmt);
  void clear(const ir::Stmt& stmt);
  void branch(const ir::Stmt& stmt);
  void while_loop(const ir::Stmt& stmt);
  void leave(const ir::Stmt& stmt);
  void multiset_add(const ir::Stmt& stmt);
  void multiset_remove(const ir::Stmt& stmt);
  void multiset_remove_where(const ir::Stmt& stmt);

  const Module& module_;
  const ir::Frame& frame_;
  CText out_;
  Exits exits_;
  std::string state_;
  const ir::Domain* result_ = nullptr;
  std::string result_pointer_;
  std::vector<Address> places_;        // of packed locals and aliases bound once
  std::vector<unsigned> bind_counts_;  // aliases bound in several places are kept in variables
  std::vector<bool> assigned_slots_;
  std::vector<bool> loop_slots_;  // declared by their loops
  unsigned next_ = 0;
  std::uint64_t stack_words_max_ = 32;  // larger packed locals live in the context's arena
  std::uint64_t arena_words_ = 0;
};

}  // namespace tideline::native
