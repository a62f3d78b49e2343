// SPDX-License-Identifier: MIT
// The narrow interface between what a model is and how it is searched: packed states in, packed successors out
// (LTSmin's PINS is the example [blom.10.cav]). Everything a search may ask of a model is here; a C++ program can
// implement it directly and use every search.
//
// N1  a state is words() 64-bit words; bits above state_bits are zero; equal states are equal words.
// N2  successors are appended in command order, so two engines fill a buffer identically.
// N3  an object is used by one thread at a time; different objects may be used at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "exec/runtime/tideline_runtime.h"

namespace tideline {

using Word = std::uint64_t;

// A growing flat buffer of successor states and the commands that led to them. A command whose bindings, guard or body
// failed (a run-time error of the model) has an entry of its own, marked failed, whose state is meaningless. A
// successor in which an assumption of the model is false is marked outside: it was a step, but it is not to be
// explored.
class Successors {
 public:
  explicit Successors(std::size_t words);
  ~Successors();
  Successors(const Successors&) = delete;
  Successors& operator=(const Successors&) = delete;

  void clear() { buffer_.count = buffer_.failures = buffer_.outside = 0; }
  [[nodiscard]] std::size_t size() const { return buffer_.count; }
  [[nodiscard]] std::size_t failures() const { return buffer_.failures; }
  [[nodiscard]] const Word* state(std::size_t i) const { return buffer_.states + i * buffer_.words; }
  [[nodiscard]] std::uint64_t command(std::size_t i) const { return buffer_.commands[i] & ~(TL_FAILED | TL_OUTSIDE); }
  [[nodiscard]] bool failed(std::size_t i) const { return (buffer_.commands[i] & TL_FAILED) != 0; }
  [[nodiscard]] bool outside(std::size_t i) const { return (buffer_.commands[i] & TL_OUTSIDE) != 0; }
  // Neither failed nor outside: a state to explore.
  [[nodiscard]] bool proper(std::size_t i) const { return (buffer_.commands[i] & (TL_FAILED | TL_OUTSIDE)) == 0; }
  [[nodiscard]] bool all_proper() const { return buffer_.failures == 0 && buffer_.outside == 0; }
  tl_buffer* raw() { return &buffer_; }

 private:
  tl_buffer buffer_;
};

// Result of checking the invariants of one state.
struct CheckResult {
  enum class Kind : std::uint8_t { kHolds, kViolated, kFailed } kind = Kind::kHolds;
  std::uint32_t property = 0;  // index in Program::properties of the first invariant that is false or fails
};

class NextState {
 public:
  virtual ~NextState() = default;
  [[nodiscard]] virtual std::size_t words() const = 0;
  // Appends the initial states (duplicates possible).
  virtual void initial(Successors& out) = 0;
  // Appends the successors of `state`, which must be followed by one readable word (unaligned loads run over its end).
  virtual void expand(const Word* state, Successors& out) = 0;
  // Invariants, in the program's order; also marks the cover properties that hold.
  virtual CheckResult check(const Word* state) = 0;
  // The keys of `count` states, one behind the other and one readable word behind the last, under the program's
  // progress measure (ir/progress.h); 0 without one.
  virtual void progress(const Word* states, std::size_t count, std::uint64_t* keys);
  // One byte per cover point, non-zero once reached by this object.
  [[nodiscard]] virtual const std::vector<std::uint8_t>& covered() const = 0;
};

// Makes NextState objects for threads.
class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual const char* name() const = 0;  // "interp" or "native"
  virtual std::unique_ptr<NextState> make() = 0;
};

}  // namespace tideline
