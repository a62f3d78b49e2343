// SPDX-License-Identifier: MIT
// Which state a state was discovered from, and by which command, in two to three bytes per state. A breadth-first
// search with one thread expands states in the order of discovery, so the predecessors of the states in that order
// never decrease: it is enough to write, for each expanded state, how many new ones it gave and by which commands.
//
// E1  record 0 is the start states' (its commands are start commands), record k + 1 is the expansion of state k.
// E2  states are numbered from 0 in the order of their commands in the log.
// Cost: variable-length numbers, one per state and one per expansion. origin() reads at most kRecordsPerMark records.
// Threads: one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/growing_pages.h"
#include "ir/program.h"

namespace tideline {

class PredecessorLog {
 public:
  explicit PredecessorLog(MemoryBudget& budget) : bytes_(budget) {}

  // The next record: the commands that led to new states, in their order. False if memory ended.
  [[nodiscard]] bool add(std::span<const ir::CommandId> commands);
  [[nodiscard]] std::uint64_t states() const { return states_; }

  struct Origin {
    std::uint64_t record = 0;
    ir::CommandId command = 0;
  };
  [[nodiscard]] Origin origin(std::uint64_t state) const;

 private:
  static constexpr std::uint64_t kRecordsPerMark = 256;
  // Where a record begins, every so many records.
  struct Mark {
    std::uint64_t first_state;
    std::uint64_t offset;
  };
  void write(std::uint64_t number);
  [[nodiscard]] std::uint64_t read(std::uint64_t& offset) const;

  GrowingPages bytes_;
  std::uint64_t end_ = 0;  // bytes written
  std::uint64_t records_ = 0;
  std::uint64_t states_ = 0;
  std::vector<Mark> marks_;
};

}  // namespace tideline
