// SPDX-License-Identifier: MIT
// What can be said about a program without running it: which expressions and functions cannot fail, which slots and
// which parts of the state never hold the undefined value, what aliases can mean, which variables a rule may change.
// The native engine leaves out every check that these facts make impossible to fail; everything here errs on the side
// of "it may".
//
// The facts about undefined values are an inductive invariant, found as a greatest fixpoint: assume that every
// candidate is always defined, drop those to which an undefined value may be stored under that assumption, repeat.
// Candidates in the state are those that are defined in every initial state, which the caller finds out by making them;
// they count as defined only in code that cannot run while an initial state is being made.
//
// A1  references to an object given by a Frame of this program are only valid with that frame (slots are per frame).
// A2  parts of the state are named by canonical bits: the address of the part with every array subscript at its least.
// Cost: a few passes over the program; memory in the size of the program plus a bit per state bit.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace tideline::ir {

// A run of state bits, `end` exclusive.
struct Region {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] bool meets(std::uint64_t other_begin, std::uint64_t other_end) const {
    return begin < other_end && other_begin < end;
  }
};

// What a reference can designate, over all runs of its code.
struct Target {
  static constexpr std::size_t kBasesMax = 32;

  bool anywhere = false;          // nothing is known about the state addresses
  bool local = false;             // may be a packed local
  std::set<std::uint64_t> bases;  // canonical first bits in the state
  Region region;                  // all state bits it may cover; empty if begin == end

  [[nodiscard]] bool in_state() const { return anywhere || !bases.empty(); }
  // Adds what `other` can be; true if that changed anything.
  bool join(const Target& other);
};

// One piece of code that owns a frame: a start rule, a rule, a property, a component of the measure or a function.
struct Code {
  const Frame* frame = nullptr;
  const std::vector<Binding>* bindings = nullptr;  // null: none
  const Expr* condition = nullptr;                 // guard, condition or component; null: none
  const Block* body = nullptr;                     // null: none
  const Function* function = nullptr;              // null: not a function
  bool is_start = false;    // runs while an initial state is being made: a start rule, an assumption
  bool is_measure = false;  // a failure is no error there
};

class Analysis {
 public:
  // The program must outlive the analysis and not change.
  // `undefined_at_start`: for every bit of the state, is it the first of a simple part that is undefined in some
  // initial state? Empty: not known.
  Analysis(const Program& program, const std::vector<bool>& undefined_at_start);

  // Can evaluating it fail, discard the step (a call of a function with an assumption), or mark a cover point? If not,
  // nobody sees whether it was evaluated.
  [[nodiscard]] bool may_fail(const Expr& expr, const Frame& frame) const;
  // Can evaluating it mark a cover point?
  [[nodiscard]] bool may_cover(const Expr& expr) const;
  // The same for finding the object a reference designates.
  [[nodiscard]] bool may_fail(const Ref& ref, const Frame& frame) const;
  [[nodiscard]] bool may_fail(const Function& function) const;
  [[nodiscard]] bool may_discard(const Function& function) const { return discarding_.contains(&function); }
  // Can a successful evaluation yield the undefined value?
  [[nodiscard]] bool may_be_undefined(const Expr& expr, const Frame& frame) const;
  // Can the simple object that the reference designates be undefined?
  [[nodiscard]] bool holds_undefined(const Ref& ref, const Frame& frame) const;
  // Do all defined values of the expression lie in the domain?
  [[nodiscard]] static bool fits(const Expr& expr, const Domain& domain);
  // Does evaluation write anything that an expression can read?
  [[nodiscard]] static bool has_effects(const Expr& expr);
  [[nodiscard]] static bool has_effects(const Ref& ref);
  // May running the rule's body change a bit of the variable?
  [[nodiscard]] bool may_change(const Rule& rule, const Variable& variable) const;

  [[nodiscard]] Target target_of(const Ref& ref, const Frame& frame) const;
  // All code of the program, the code of one frame, and the functions that a piece of code can reach by calls.
  [[nodiscard]] const std::vector<Code>& codes() const { return codes_; }
  [[nodiscard]] const Code& code_of(const Frame& frame) const { return codes_[code_numbers_.at(&frame)]; }
  [[nodiscard]] const std::set<const Function*>& reachable(const Frame& frame) const { return reachable_.at(&frame); }
  // Can this code run while an initial state is being made?
  [[nodiscard]] bool runs_in_start(const Frame& frame) const { return in_start_.contains(&frame); }
  // The address of the same part with every array subscript at its least (A2).
  [[nodiscard]] std::uint64_t canonical_bit(std::uint64_t bit) const;
  // How many simple parts of the state (arrays count once) were proved to be always defined, of how many that could be
  // undefined.
  [[nodiscard]] std::size_t defined_count() const { return defined_.size(); }

 private:
  void collect_codes();
  void find_reachable();
  void find_targets();
  void find_written_regions();
  void find_undefined(const std::vector<bool>& undefined_at_start);
  void find_candidates(const std::vector<bool>& undefined_at_start);
  bool drop_undefined_slots(const Code& code);
  bool drop_undefined_parts(const Code& code);
  bool drop_parts(const Target& target, const Type& type);
  bool drop_copied_parts(const Stmt& stmt, const Frame& frame);
  bool join_arguments(const Expr& call, const Frame& frame);
  bool drop_arguments(const Expr& call, const Frame& frame);
  bool join_slot(const Frame& frame, SlotIndex slot, const Target& target);
  bool drop_slot(const Frame& frame, SlotIndex slot);
  void find_failing();
  [[nodiscard]] bool block_may_fail(const Block& block, const Frame& frame) const;
  [[nodiscard]] bool stmt_may_fail(const Stmt& stmt, const Frame& frame) const;
  [[nodiscard]] bool loop_may_fail(const LoopRange& loop, const Frame& frame) const;
  [[nodiscard]] bool call_may_fail(const Expr& call, const Frame& frame) const;
  [[nodiscard]] bool needed_may_fail(const Expr& expr, const Frame& frame) const;

  const Program& program_;
  std::vector<Code> codes_;
  std::unordered_map<const Frame*, std::size_t> code_numbers_;
  std::map<const Frame*, std::set<const Function*>> reachable_;
  std::set<const Frame*> in_start_;
  std::unordered_map<const Frame*, std::vector<Target>> targets_;        // per slot
  std::unordered_map<const Frame*, std::vector<Region>> written_;        // by the code itself, not what it calls
  std::unordered_map<const Frame*, std::vector<bool>> undefined_slots_;  // kValue slots that may hold kUndefined
  std::set<const Function*> undefined_results_;                          // functions that may return kUndefined
  std::set<std::uint64_t> defined_;                                      // canonical bits of parts always defined
  std::set<const Function*> failing_;
  std::set<const Function*> discarding_;
  std::set<const Function*> covering_;
};

// Calls visit(offset, type) for every simple part of an object, arrays counting as their first element; the insides of
// multisets are left out.
template <typename Visit>
void for_each_part(const Type& type, std::uint64_t offset, Visit&& visit) {
  switch (type.kind) {
    case TypeKind::kSimple:
      visit(offset, type);
      break;
    case TypeKind::kArray:
      for_each_part(*type.element, offset, visit);
      break;
    case TypeKind::kRecord:
      for (const Field& field : type.fields)
        for_each_part(*field.type, offset + field.offset, visit);
      break;
    case TypeKind::kMultiset:
      break;
  }
}

}  // namespace tideline::ir
