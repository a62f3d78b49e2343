// SPDX-License-Identifier: MIT
// One walk through the state space on the reference interpreter: at each state the enabled commands are listed, one is
// taken (by chance or by the user), invariants are checked. Steps can be undone. Nothing is stored but the path.
//
// W1  path()[0] is a start state, path()[k] a successor of path()[k-1].     W2  moves() belong to the last state of
// path(). The choice depends on the seed alone: our own generator and reduction, not the library's distributions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exec/interp/interpreter.h"
#include "ir/program.h"
#include "search/search.h"

namespace tideline {

// splitmix64 [steele.14.oopsla].
class WalkRandom {
 public:
  explicit WalkRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // A number below `bound` (> 0); the bias is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t state_;
};

// An enabled command of the current state; before the first step, a start command.
struct Move {
  ir::CommandId command = 0;
  bool fails = false;  // taking it is a violation
};

struct WalkStep {
  std::string rule;
  std::vector<Word> state;
  std::string output;  // of put statements
};

// Why a walk cannot go on, or what is wrong with the state it reached.
struct WalkFinding {
  Reason reason = Reason::kInvariant;
  std::string message;
  Location where;
};

class Walk {
 public:
  // The program must outlive the walk.
  Walk(const ir::Program& program, DeadlockMode deadlock);

  [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
  [[nodiscard]] const std::vector<WalkStep>& path() const { return path_; }
  [[nodiscard]] std::string move_name(const Move& move) const;

  // Takes moves()[index]. The finding, if there is one: the command failed (the path does not grow), an invariant is
  // false, or the new state is a deadlock.
  std::optional<WalkFinding> take(std::size_t index);
  // Back by one step; at a start state back to the choice of start states. False if there is nothing to undo.
  bool undo();

 private:
  void list_moves();
  std::optional<WalkFinding> judge_state();

  const ir::Program& program_;
  DeadlockMode deadlock_;
  Interpreter interpreter_;
  Successors successors_;
  std::vector<Move> moves_;
  std::vector<WalkStep> path_;
};

}  // namespace tideline
