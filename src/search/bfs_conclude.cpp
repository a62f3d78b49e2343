// SPDX-License-Identifier: MIT
#include "search/bfs_conclude.h"

#include <algorithm>

#include "base/check.h"
#include "search/bfs_path.h"
#include "search/bfs_rerun.h"
#include "search/real_path.h"
#include "search/sweep_path.h"

namespace tideline::bfs {
namespace {

// The kind of a failure is the interpreter's to say: a failed assertion, or another run-time error.
Reason classify_failure(const ir::Program& program, const Candidate& candidate) {
  Interpreter interpreter(program);
  std::optional<Failure> failure;
  if (!candidate.command_fails) {
    failure = interpreter.evaluate(program.properties[candidate.property], candidate.state.data()).failure;
  } else {
    std::vector<Word> next(program.state_words() + 1);
    failure = (candidate.state.empty() ? interpreter.start(candidate.command, next.data())
                                       : interpreter.step(candidate.state.data(), candidate.command, next.data()))
                  .failure;
  }
  CHECK(failure.has_value());
  return failure->kind == FailureKind::kAssertion ? Reason::kAssertion : Reason::kError;
}

// From representatives to states of the program.
void make_real(Shared& shared, Violation& violation) {
  if (violation.path.empty())
    return;
  Worker& worker = *shared.workers[0];
  violation.path = real_path(worker.model(), *worker.representative(), violation.path);
  if (violation.command_fails)
    violation.failing_command =
        real_failing_command(shared.program, worker.model(), violation.path.back().state, violation.failing_command);
}

// Null if there is a violation but no path to it could be found; shared.stop says why.
std::optional<Violation> make_violation(Shared& shared, const Candidate& candidate) {
  Violation violation;
  violation.reason =
      candidate.reason == Reason::kError ? classify_failure(shared.program, candidate) : candidate.reason;
  violation.property = candidate.property;
  violation.command_fails = candidate.command_fails;
  violation.failing_command = candidate.command;
  const std::uint64_t depth = candidate.depth - (candidate.command_fails ? 1 : 0);
  if (candidate.state.empty())
    return violation;
  if (shared.sweep != nullptr && !shared.options.sweep.record_tree) {
    violation.path = {{0, candidate.state}};
    violation.path_is_known = false;
    return violation;
  }
  std::optional<std::vector<PathStep>> path;
  const bool on_disk = shared.set->on_disk();
  if (shared.sweep != nullptr)
    path = find_sweep_path(shared, candidate);
  else if (shared.set->restart(depth) || (on_disk && rebuild_layers(shared, depth)))
    path = find_path(shared, candidate.state, depth);
  else if (!on_disk)
    path = find_path_by_rerun(shared, candidate.state);
  if (!path)
    return std::nullopt;
  violation.path = std::move(*path);
  if (shared.reduction)
    make_real(shared, violation);
  return violation;
}

void conclude_stopped(const Shared& shared, SearchResult& result) {
  result.verdict = Verdict::kUnknown;
  switch (shared.stop.load()) {
    case Stop::kMemory:
      result.reason = Reason::kMemory;
      break;
    case Stop::kTime:
      result.reason = Reason::kTime;
      break;
    case Stop::kTrouble:
      result.trouble = shared.why_trouble().message();
      result.reason = shared.why_trouble().is_limit() ? Reason::kDisk : Reason::kEnvironment;
      break;
    case Stop::kNo:
    case Stop::kNoPath:
    case Stop::kInterrupted:
      result.reason = Reason::kInterrupted;
      break;
  }
}

// A complete search: holds, unless a cover point was never reached.
void conclude_complete(const Shared& shared, SearchResult& result) {
  std::vector<bool> reached(shared.program.covers.size(), false);
  for (std::size_t i = 0; i < shared.before.covered.size(); ++i)
    reached[i] = shared.before.covered[i] != 0;
  for (const auto& worker : shared.workers) {
    const std::vector<std::uint8_t> covered = worker->covered();
    for (std::size_t i = 0; i < covered.size(); ++i)
      reached[i] = reached[i] || covered[i] != 0;
  }
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i])
      continue;
    Violation violation;
    violation.reason = Reason::kCover;
    violation.property = static_cast<std::uint32_t>(i);
    result.violations.push_back(std::move(violation));
  }
  result.verdict = result.violations.empty() ? Verdict::kHolds : Verdict::kViolated;
  result.reason = result.violations.empty() ? Reason::kComplete : Reason::kCover;
}

}  // namespace

std::optional<Candidate> best_candidate(const Shared& shared) {
  std::optional<Candidate> best = shared.before.best;
  for (const auto& worker : shared.workers)
    if (worker->best() && (!best || *worker->best() < *best))
      best = worker->best();
  return best;
}

SearchResult conclude(Shared& shared) {
  SearchResult result;
  result.figures = shared.figures();
  result.engine = shared.engine.load()->name();
  result.on_disk = shared.set->on_disk();
  const std::optional<Candidate> best = best_candidate(shared);
  const std::optional<Violation> violation = best ? make_violation(shared, *best) : std::nullopt;
  if (violation) {
    result.violations.push_back(*violation);
    result.verdict = Verdict::kViolated;
    result.reason = violation->reason;
  } else if (shared.stop.load() != Stop::kNo) {
    // Also if there is a violation to which no path could be found.
    conclude_stopped(shared, result);
  } else {
    CHECK(!best);  // a violation that was seen is never "holds"
    conclude_complete(shared, result);
  }
  result.figures.seconds = shared.seconds();
  return result;
}

void run(Shared& shared) {
  for (unsigned id = 0; id < shared.options.threads; ++id)
    shared.workers.push_back(std::make_unique<Worker>(shared, id));
  shared.trouble = shared.begin();
  if (shared.trouble.is_ok())
    shared.run_workers();
  else
    shared.request_stop(Stop::kTrouble);
}

}  // namespace tideline::bfs
