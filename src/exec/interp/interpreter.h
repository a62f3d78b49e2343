// SPDX-License-Identifier: MIT
// The reference engine: walks the program's trees exactly as ir/expr.h, ir/stmt.h and ir/program.h say. Every test
// takes it as the judge and every counterexample is replayed on it, so it favours plainness over speed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "model/next_state.h"

namespace tideline {

enum class FailureKind : std::uint8_t {
  kUndefined,   // undefined value where one is needed
  kRange,       // value outside the domain of what it is assigned or passed to
  kIndex,       // subscript outside the index domain, or an empty multiset slot
  kArithmetic,  // division by zero, overflow, bad shift, step 0
  kAssertion,   // assert
  kError,       // error statement
  kLimit,       // while loop or recursion limit
  kMultiset,    // adding to a full multiset
  kNoReturn,    // function ended without a value
};

// A run-time error of the model.
struct Failure {
  FailureKind kind = FailureKind::kError;
  std::string message;  // one sentence, for example: value 4 is outside the range 0..3 of x
  Location where;
};

struct StepResult {
  enum class Outcome : std::uint8_t {
    kDone,       // the successor was written
    kDisabled,   // the guard is false (or a choose slot is empty)
    kDiscarded,  // an assume statement was false: as if the command had not been enabled
    kOutside,    // the successor was written; an assumption is false in it
    kFailed,
  } outcome = Outcome::kDone;
  std::optional<Failure> failure;  // with kFailed
  std::string output;              // what put statements printed
};

struct PropertyResult {
  bool holds = true;  // meaningless with a failure
  std::optional<Failure> failure;
};

class Interpreter final : public NextState {
 public:
  // The program must outlive the interpreter.
  explicit Interpreter(const ir::Program& program);
  ~Interpreter() override;

  [[nodiscard]] std::size_t words() const override;
  void initial(Successors& out) override;
  void expand(const Word* state, Successors& out) override;
  CheckResult check(const Word* state) override;
  void progress(const Word* states, std::size_t count, std::uint64_t* keys) override;
  [[nodiscard]] const std::vector<std::uint8_t>& covered() const override;

  // One start command, from the all-zero state; `out` has words() + 1 words.
  StepResult start(ir::CommandId command, Word* out);
  // One command in `state` (words() words).
  StepResult step(const Word* state, ir::CommandId command, Word* out);
  // Any property: an invariant or assumption (for all parameters), a cover property (for some).
  PropertyResult evaluate(const ir::Property& property, const Word* state);

 private:
  class Stepper;
  const ir::Program& program_;
  std::unique_ptr<Stepper> stepper_;
};

class InterpEngine final : public Engine {
 public:
  explicit InterpEngine(const ir::Program& program) : program_(program) {}
  [[nodiscard]] const char* name() const override { return "interp"; }
  std::unique_ptr<NextState> make() override { return std::make_unique<Interpreter>(program_); }

 private:
  const ir::Program& program_;
};

}  // namespace tideline
