// SPDX-License-Identifier: MIT
#include "store/run_map.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "em/state_order.h"

namespace tideline {

RunMap::RunMap(Rule rule, Workdir& workdir, RunMemory& memory, std::size_t read_ahead, PageBuffer room)
    : rule_(std::move(rule)),
      workdir_(workdir),
      memory_(memory),
      read_ahead_(read_ahead),
      room_(std::move(room)),
      old_(rule_.old_words + 2) {}

Result<RunMap::Runs> RunMap::operator()(const RunPointer& run) {
  if (const auto made = shared_.find(run); made != shared_.end())
    return made->second;
  RunCursor cursor(run, read_ahead_);
  cursor.begin();
  Result<Runs> runs = rest(cursor, run->records());
  if (!runs.is_ok())
    return runs;
  std::uint64_t records = 0;
  for (const RunPointer& one : runs.value())
    records += one->records();
  CHECK(records == run->records());  // P1
  if (run.use_count() > 1)
    shared_[run] = runs.value();
  return runs;
}

Result<RunMap::Runs> RunMap::rest(RunCursor& cursor, std::uint64_t expected) {
  return rule_.keeps_order ? in_order(cursor, expected) : sorted(cursor);
}

void RunMap::next(RunCursor& cursor, Word* now) {
  std::copy_n(cursor.state(), rule_.old_words, old_.data());
  rule_.map(old_.data(), now);
  cursor.next();
}

Result<RunMap::Runs> RunMap::in_order(RunCursor& cursor, std::uint64_t expected) {
  std::vector<Word> now(rule_.words + 1);
  RunBuilder builder(workdir_, memory_, rule_.words, expected);
  while (!cursor.at_end()) {
    next(cursor, now.data());
    if (Status status = builder.add(now.data()); !status.is_ok())
      return status;
  }
  if (!cursor.status().is_ok())
    return cursor.status();
  Result<RunPointer> run = builder.finish();
  if (!run.is_ok())
    return run.status();
  return Runs{std::move(run.value())};
}

Result<RunMap::Runs> RunMap::sorted(RunCursor& cursor) {
  const std::size_t most = room_.size() / sizeof(Word) / rule_.words;
  if (most < 2)
    return Status::error("no memory is left to sort states again; --memory raises it");
  auto* states = reinterpret_cast<Word*>(room_.data());
  Runs runs;
  std::size_t count = 0;
  while (!cursor.at_end()) {
    next(cursor, states + count * rule_.words);
    if (++count < most - 1 && !cursor.at_end())
      continue;
    Result<RunPointer> run = sort_piece(count);
    if (!run.is_ok())
      return run.status();
    runs.push_back(std::move(run.value()));
    count = 0;
  }
  if (!cursor.status().is_ok())
    return cursor.status();
  return runs;
}

Result<RunPointer> RunMap::sort_piece(std::size_t count) {
  auto* states = reinterpret_cast<Word*>(room_.data());
  sort_states(states, count, rule_.words);
  RunBuilder builder(workdir_, memory_, rule_.words, count);
  for (std::size_t i = 0; i < count; ++i)
    if (Status status = builder.add(states + i * rule_.words); !status.is_ok())
      return status;
  return builder.finish();
}

}  // namespace tideline
