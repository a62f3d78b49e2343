// SPDX-License-Identifier: MIT
// What the iterations of a loop read and write, and when two accesses of different iterations get in each other's way.
// Two iterations can be swapped if every write of one can be swapped with every access of the other. That is so if
//   - they never meet: different places, or elements that the loop variable itself chooses;
//   - they are never in two iterations: both happen only where the loop variable equals the same value;
//   - they are writes of which neither sees the other: the same value is stored, everything is undefined, numbers of
//     one sign are added up, truth values are joined, elements are put into a multiset.
//
// Run-time errors: which iteration fails first depends on the order, that one fails does not, since reads are not
// disturbed; sums leave their range at some point in every order if they do in one, since they grow in one direction.
#pragma once

#include <string>
#include <vector>

#include "symmetry/place.h"

namespace tideline::symmetry {

// An expression where it is evaluated.
struct Term {
  const ir::Expr* expr = nullptr;
  std::uint64_t activation = 0;
  std::vector<Place> reads;
  bool is_opaque = false;  // reads more than `reads`: calls, quantifiers
};

// Reached only where the variable equals the term.
struct Guard {
  VarId variable;
  Term value;
};

enum class Effect : std::uint8_t {
  kRead,
  kScope,     // a variable that begins its life here: of a loop, quantifier or call. Disturbs nobody.
  kWrite,     // anything
  kSet,       // simple; to `value`
  kUndefine,  // all bits become zero
  kAddUp,     // plus numbers >= 0
  kAddDown,   // plus numbers <= 0
  kOrIn,      // x := x | ...
  kAndIn,     // x := x & ...
  kInsert,    // into a multiset
};

struct Access {
  Effect effect = Effect::kRead;
  Place place;
  Term value;  // kSet
  std::vector<Guard> guards;
  std::string text;  // of the reference
  Location where;
  bool is_conditional = false;  // not a statement that every iteration of the surrounding loops runs
};

// The accesses of one loop.
struct LoopAccesses {
  VarId variable;
  std::vector<Access> accesses;
  std::vector<Place> privates;         // parts of local variables whose value does not outlive an iteration
  std::uint64_t first_activation = 0;  // of the calls in the body: all their variables are private
};

// Does the expression read what the reference designates, and nothing else?
bool reads(const ir::Expr& expr, const ir::Ref& ref);
// What an assignment does.
Effect effect_of_assignment(const ir::Stmt& stmt);
// The same expression, reading the same variables.
bool same_expr(const ir::Expr& a, const ir::Expr& b);
// Has the term the same value in all iterations?
bool is_invariant(const Term& term, const LoopAccesses& loop);
bool same_term(const Term& a, const Term& b);

bool is_private(const Place& place, const LoopAccesses& loop);

// A pair of accesses that cannot be swapped; the first is a write. Null if there is none.
struct Conflict {
  const Access* write = nullptr;
  const Access* other = nullptr;
};
Conflict find_conflict(const LoopAccesses& loop);

}  // namespace tideline::symmetry
