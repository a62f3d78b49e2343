// SPDX-License-Identifier: MIT
// How a sweep came to the states that it has expanded: a spanning tree, appended to disk state by state
// [kristensen.03.icfem]. The states are numbered as they come to the sweep-line; a record is the number of the state
// before and the command that led on, packed into one word, the *origin*, which a state carries while it waits. Nothing
// on disk is searched for while exploring; a path is one read per step.
//
// B1  record i is the origin of state number i.    B2  if a number does not fit its bits, or states were expanded
// that have no number, the tree is incomplete and gives no path: never a wrong one.
// Cost: 8 bytes per state before compression. Threads: one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "em/record_log.h"
#include "ir/program.h"
#include "store/visited_set.h"

namespace tideline {

class SpanningTree {
 public:
  static constexpr std::uint64_t kNoNumber = ~std::uint64_t{0};

  // `commands`: they are all below this.
  SpanningTree(Workdir& workdir, ir::CommandId commands);

  // What a start state and the successor of state `number` carry.
  [[nodiscard]] std::uint64_t start_origin(ir::CommandId command) const { return command; }
  [[nodiscard]] std::uint64_t origin(std::uint64_t number, ir::CommandId command) {
    if (number >= numbers_) {
      is_complete_ = false;
      return 0;
    }
    return (number + 1) << command_bits_ | command;
  }
  // The number of the state that comes next.
  [[nodiscard]] std::uint64_t size() const { return log_.end(); }
  Status add(std::uint64_t origin) { return log_.append_number(origin); }
  Result<std::uint64_t> origin_of(std::uint64_t number);
  // The commands to state `number`, a start command first. Empty: the tree does not know.
  Result<std::vector<ir::CommandId>> path_to(std::uint64_t number);

  Status save(SavedSet& out);
  Status load(const SavedSet& saved);

 private:
  unsigned command_bits_;
  std::uint64_t numbers_;  // that fit the other bits
  RecordLog log_;
  RecordLog::Cursor cursor_;
  bool is_complete_ = true;
};

}  // namespace tideline
