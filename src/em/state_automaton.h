// SPDX-License-Identifier: MIT
// A set of states as the least acyclic automaton that accepts them, byte by byte from the most significant on. States
// that differ in one part of a system have equal rests, and equal rests are stored once: a set that grows makes its
// automaton hardly larger, and millions of states take a few hundred thousand bytes [holzmann.99.sttt]. Made from
// states in increasing order, so each node is finished when the next state leaves it [daciuk.00.cl].
//
// We differ: a node that the table of nodes has forgotten is made once more (automaton_nodes.h), so memory is bounded
// and the automaton may be a little larger than the least.
//
// M1  accepts exactly the states that were added. Cost: docs/design/runs.md; a lookup takes a step per byte from the
// first on in which the state differs from the one looked up before. Threads: a finished automaton may be read by
// several at once, each with a cursor of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "em/automaton_nodes.h"
#include "model/next_state.h"

namespace tideline {

class StateAutomaton {
 public:
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::uint64_t states() const { return states_; }
  [[nodiscard]] std::uint64_t bytes() const { return nodes_.bytes(); }

 private:
  friend class StateAutomatonBuilder;
  friend class StateAutomatonCursor;
  StateAutomaton(RunMemory& memory, std::size_t words) : words_(words), nodes_(memory) {}
  [[nodiscard]] std::size_t levels() const { return words_ * sizeof(Word); }

  std::size_t words_;
  std::uint64_t states_ = 0;
  NodeAddress root_ = 0;
  AutomatonNodes nodes_;
};

class StateAutomatonBuilder {
 public:
  // `bytes_max`: of the automaton.
  StateAutomatonBuilder(RunMemory& memory, std::size_t words, std::uint64_t bytes_max);
  // States come in increasing order. False: there is not enough memory, or the automaton would be too large; nothing
  // can be done with it then.
  [[nodiscard]] bool add(const Word* state);
  // Null as add() is false, or if it was.
  std::unique_ptr<StateAutomaton> finish();
  // Memory that add() has taken.
  [[nodiscard]] std::uint64_t bytes_taken() const { return bytes_taken_; }
  // It was not for want of memory.
  [[nodiscard]] bool too_large() const { return too_large_; }

 private:
  [[nodiscard]] bool close_below(std::size_t level);
  [[nodiscard]] NodeAddress close(std::size_t level, bool& is_new);

  std::unique_ptr<StateAutomaton> automaton_;
  NodeRegister register_;
  std::uint64_t bytes_max_;
  // The nodes on the way of the last state, by level. One without branches has an edge to the state's byte, and is not
  // in open_: most are like that.
  std::vector<char> branches_;
  std::vector<OpenNode> open_;
  NodeAddress closed_ = 0;
  std::vector<Word> last_;
  std::uint64_t bytes_taken_ = 0;
  bool refused_ = false;
  bool too_large_ = false;
};

// Walks over an automaton's states, or looks states up: one or the other.
class StateAutomatonCursor {
 public:
  // The automaton must outlive it.
  explicit StateAutomatonCursor(const StateAutomaton& automaton);
  // To the first state.
  void begin();
  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] const Word* state() const { return state_.data(); }
  void next();
  // States may come in any order; increasing ones cost least.
  [[nodiscard]] bool contains(const Word* state);

 private:
  // A node on the way to the state, with edges that were not taken yet.
  struct Branch {
    AutomatonNode node;
    std::uint32_t edge;  // the one that leads to the state
    std::size_t level;
  };
  void descend(std::size_t level, NodeAddress address);
  void set_byte(std::size_t level, std::uint8_t byte) {
    reinterpret_cast<std::uint8_t*>(state_.data())[levels_ - 1 - level] = byte;
  }

  const StateAutomaton& automaton_;
  std::size_t levels_;
  std::vector<Branch> branches_;
  std::vector<NodeAddress> path_;  // of the state looked up last, by level,
  std::size_t found_ = 0;          // up to this level
  bool at_end_ = true;
  std::vector<Word> state_;  // or the one looked up last
};

}  // namespace tideline
