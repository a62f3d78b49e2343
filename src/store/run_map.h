// SPDX-License-Identifier: MIT
// Makes runs of other states out of runs, state by state: when the keys of states become longer, or states take the
// place of keys (collapse_code.h). A run that is asked for twice is made once.
//
// P1  different states become different ones, so the new runs of a run have as many states as it has (CHECK).
// Cost: one pass over each run; if the order changes, pieces as large as the memory for them are sorted and are runs of
// their own. Threads: one.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "em/run.h"

namespace tideline {

class RunMap {
 public:
  using Runs = std::vector<RunPointer>;
  struct Rule {
    std::size_t old_words = 0;
    std::size_t words = 0;
    bool keeps_order = false;
    // `old` has two readable words behind it, `now` one that may be written.
    std::function<void(const Word* old, Word* now)> map;
  };

  // `room`: where states are sorted; not needed if the order stays.
  RunMap(Rule rule, Workdir& workdir, RunMemory& memory, std::size_t read_ahead, PageBuffer room);

  // All states of a run.
  Result<Runs> operator()(const RunPointer& run);
  // Those from the cursor on; `expected`: about so many.
  Result<Runs> rest(RunCursor& cursor, std::uint64_t expected);

 private:
  Result<Runs> in_order(RunCursor& cursor, std::uint64_t expected);
  Result<Runs> sorted(RunCursor& cursor);
  Result<RunPointer> sort_piece(std::size_t count);
  // The next state, mapped.
  void next(RunCursor& cursor, Word* now);

  Rule rule_;
  Workdir& workdir_;
  RunMemory& memory_;
  std::size_t read_ahead_;
  PageBuffer room_;
  std::vector<Word> old_;
  std::map<RunPointer, Runs> shared_;  // that others have, too, and may ask for again
};

}  // namespace tideline
