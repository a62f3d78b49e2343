// SPDX-License-Identifier: MIT
// The interpreter's machine: frames, references, expressions, statements. Internal to exec/interp.
//
// Failures of the model travel as C++ exceptions of type Failure, discarded steps as Discarded: both are rare, and the
// code that follows the rules of ir/expr.h and ir/stmt.h stays free of error plumbing.
//
// M1  references into the state are relative to state_, so that a body can run on a copy after its bindings were
//     evaluated in the original.    M2  a frame lives as long as the call; its packed storage never moves.
#pragma once

#include <string>
#include <vector>

#include "exec/interp/interpreter.h"
#include "ir/program.h"

namespace tideline::interp {

struct Discarded {};

// The address of an object: base null means the state.
struct Address {
  Word* base = nullptr;
  std::uint64_t bit = 0;
};

// Values of the local slots of one activation.
class Activation {
 public:
  explicit Activation(const ir::Frame& frame);
  // As after construction: values undefined, packed objects all zero.
  void reset();

  std::int64_t& value(ir::SlotIndex slot) { return slots_[slot].value; }
  Address& alias(ir::SlotIndex slot) { return slots_[slot].address; }
  // Address of a packed local.
  [[nodiscard]] Address packed(ir::SlotIndex slot) { return {storage_.data(), slots_[slot].address.bit}; }
  [[nodiscard]] ir::LocalKind kind(ir::SlotIndex slot) const { return frame_->locals[slot].kind; }

 private:
  struct Slot {
    std::int64_t value = ir::kUndefined;
    Address address;  // kAlias: the target; kPacked: bit offset in storage_
  };
  const ir::Frame* frame_;
  std::vector<Slot> slots_;
  std::vector<Word> storage_;
};

class Machine {
 public:
  explicit Machine(const ir::Program& program);

  // The state that references mean from now on (words + 1 words).
  void use_state(Word* state) { state_ = state; }
  // What put statements print is appended here; null: they do nothing.
  void use_output(std::string* output) { output_ = output; }
  std::vector<std::uint8_t>& covered() { return covered_; }
  void reset_depth() { depth_ = 0; }

  std::int64_t eval(const ir::Expr& expr, Activation& frame);
  bool eval_truth(const ir::Expr& expr, Activation& frame) { return needed(expr, frame) != 0; }
  Address resolve(const ir::Ref& ref, Activation& frame);
  void run(const ir::Block& block, Activation& frame) { (void)exec_block(block, frame); }
  // Is slot `index` of the multiset at `at` occupied?
  [[nodiscard]] bool occupied(const ir::Type& multiset, Address at, std::uint64_t index) const;

 private:
  enum class Flow : std::uint8_t { kNext, kReturn };

  // Expressions (machine_expr.cpp).
  std::int64_t needed(const ir::Expr& expr, Activation& frame);
  std::int64_t eval_read(const ir::Expr& expr, Activation& frame);
  std::int64_t eval_arithmetic(const ir::Expr& expr, Activation& frame);
  std::int64_t eval_compare(const ir::Expr& expr, Activation& frame);
  std::int64_t eval_quantifier(const ir::Expr& expr, Activation& frame);
  std::int64_t eval_multiset_count(const ir::Expr& expr, Activation& frame);
  std::int64_t eval_same_bits(const ir::Expr& expr, Activation& frame);
  std::int64_t eval_call(const ir::Expr& expr, Activation& frame);
  void pass_argument(const ir::Function& callee, ir::SlotIndex slot, const ir::Argument& argument, Activation& caller,
                     Activation& callee_frame);
  // Calls `each` (returns false to stop) for the values of a loop range, in order.
  template <typename Each>
  void for_each_value(const ir::LoopRange& loop, Location where, Activation& frame, Each each);

  // Statements (machine_stmt.cpp).
  Flow exec_block(const ir::Block& block, Activation& frame);
  Flow exec(const ir::Stmt& stmt, Activation& frame);
  Flow exec_for(const ir::Stmt& stmt, Activation& frame);
  Flow exec_while(const ir::Stmt& stmt, Activation& frame);
  void exec_assign(const ir::Stmt& stmt, Activation& frame);
  void exec_put(const ir::Stmt& stmt, Activation& frame);
  void exec_multiset_add(const ir::Stmt& stmt, Activation& frame);
  void exec_multiset_remove(const ir::Stmt& stmt, Activation& frame);
  void exec_multiset_remove_where(const ir::Stmt& stmt, Activation& frame);
  void clear_object(const ir::Type& type, Word* words, std::uint64_t at);

  // Simple objects and addresses.
  [[nodiscard]] Word* words_of(Address address) const { return address.base == nullptr ? state_ : address.base; }
  std::int64_t load(const ir::Ref& ref, Activation& frame);
  void store(const ir::Ref& ref, std::int64_t value, Location where, Activation& frame);

  const ir::Program& program_;
  Word* state_ = nullptr;
  std::string* output_ = nullptr;
  std::vector<std::uint8_t> covered_;
  std::uint32_t depth_ = 0;
  std::int64_t result_ = ir::kUndefined;  // of the last return statement
};

[[noreturn]] void fail(FailureKind kind, std::string message, Location where);

// ---------------------------------------------------------------------------------------------------------------------

template <typename Each>
void Machine::for_each_value(const ir::LoopRange& loop, Location where, Activation& frame, Each each) {
  if (loop.domain != nullptr) {
    for (const ir::Interval& part : loop.domain->parts)
      for (std::int64_t v = part.lo; v <= part.hi; ++v)
        if (!each(v))
          return;
    return;
  }
  const std::int64_t from = needed(*loop.from, frame);
  const std::int64_t to = needed(*loop.to, frame);
  const std::int64_t by = loop.by ? needed(*loop.by, frame) : 1;
  if (by == 0)
    fail(FailureKind::kArithmetic, "the step of this loop is 0", where);
  std::int64_t v = from;
  while (by > 0 ? v <= to : v >= to) {
    if (!each(v))
      return;
    if (__builtin_add_overflow(v, by, &v))
      return;
  }
}

}  // namespace tideline::interp
