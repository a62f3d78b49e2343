// SPDX-License-Identifier: MIT
// What every search takes and gives: limits in, verdict, figures and a path out. One algorithm per file stands on this.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "exec/interp/interpreter.h"
#include "io/workdir.h"
#include "ir/program.h"
#include "model/next_state.h"
#include "search/figures.h"
#include "store/disk_cloud.h"
#include "store/sweep_set.h"
#include "symmetry/reduction.h"

namespace tideline {

enum class Verdict : std::uint8_t { kHolds, kViolated, kUnknown };

// Why the verdict is what it is; the word in JSON's `reason` is reason_name().
enum class Reason : std::uint8_t {
  kComplete,     // holds: every reachable state was visited
  kInvariant,    // violated
  kDeadlock,     // violated
  kAssertion,    // violated: assert
  kError,        // violated: error statement or another run-time error
  kCover,        // violated: a cover point was never reached (no path)
  kMemory,       // unknown: --memory reached
  kTime,         // unknown: --time-limit reached
  kInterrupted,  // unknown: Ctrl-C
  kDisk,         // unknown: --disk reached
  kEnvironment,  // unknown: the disk is full or failed
};

const char* verdict_name(Verdict verdict);
const char* reason_name(Reason reason);

// A state without a successor is a deadlock; what counts as one differs (docs/user/murphi.md).
enum class DeadlockMode : std::uint8_t {
  kOff,
  kStuttering,  // no command leads to a *different* state (CMurphi, Rumur's default)
  kStuck,       // no command is enabled
};

// How visited states are kept; all of these are exact (docs/design/tables.md).
enum class TableKind : std::uint8_t {
  kAuto,      // by the length of a state and the budget
  kPlain,     // whole states
  kCollapse,  // numbers of the values of their parts: half the bytes or fewer, up to twice the time
  kTree,  // compressed: several times smaller, and slower; states of at most 64 bits as numbers, which is not slower
};

// --search.
enum class SearchKind : std::uint8_t {
  kAuto,
  kBfs,        // visited states in RAM
  kRuns,       // in sorted runs, on disk (docs/design/runs.md)
  kDiskBfs,    // on disk, duplicates found late (docs/design/disk_bfs.md)
  kCloud,      // the same with a random part of the disk (docs/design/cloud.md)
  kPartition,  // one part in RAM, the others on disk (docs/design/partition.md)
  kSweep,      // by progress, forgetting what lies behind (docs/design/sweep.md)
  kDiskSweep,  // the same with little of its queue in RAM
};

struct Manifest;
struct Settings;

// What a search keeps in RAM before it uses the disk; 0: by the budget. Tests make them small.
struct DiskLimits {
  std::uint64_t ram_states_max = 0;        // of `auto`, before it goes to disk
  std::uint64_t candidates_max = 0;        // per thread, before they are sorted
  std::uint64_t run_bytes_max = 0;         // of runs
  std::uint64_t automaton_states_min = 0;  // in a run that is merged into an automaton, however large that is
  std::uint64_t key_state_bits_min = 97;   // states of so many bits have keys (collapse_code.h)
  std::uint64_t dictionary_bytes_max = 0;  // of these
};

// Of --search sweep and disk-sweep.
struct SweepSettings {
  SweepQueueOptions queue;
  bool record_tree = true;                           // for the path to a violation; without it none is shown
  std::uint64_t layer_states_max = 0;                // in RAM; 0: by the budget. Tests make it small.
  std::uint64_t found_states_max = 0;                // the same, of persistent states
  std::uint64_t saved_states_max = 0;                // the same, of a layer that is saved
  std::function<void(const LayerProfile&)> profile;  // may be empty
};

struct SearchOptions {
  SearchKind search = SearchKind::kBfs;
  Workdir* workdir = nullptr;  // for the searches that use the disk
  DiskCloud::Parameters cloud;
  SweepSettings sweep;
  std::uint64_t recent_states_max = 0;  // not 0: searches on disk keep at most this many recent states in RAM (tests)
  bool keep_layers = false;             // a search on disk keeps the states of all layers: for the way to a violation
  unsigned threads = 1;
  TableKind table = TableKind::kAuto;
  const Settings* settings = nullptr;           // not null: a search on disk leaves a manifest now and then
  const Manifest* resume = nullptr;             // not null: go on from there
  double checkpoint_seconds = 10;               // between two manifests at least
  std::function<void(const std::string&)> say;  // tells the user a sentence; may be empty
  unsigned compact_bits = 0;                    // not 0: keep signatures in place of states (docs/design/compaction.md)
  std::uint64_t seed = 1;                       // of the signatures
  DiskLimits limits;
  std::uint64_t memory_bytes = 0;  // budget of the process; see io/budget.h
  double time_limit_seconds = 0;   // 0: none
  DeadlockMode deadlock = DeadlockMode::kStuttering;
  bool error_is_state = false;  // run-time errors lead to one state without successors, and the search goes on
  SymmetryMode symmetry = SymmetryMode::kOff;
  std::vector<ir::Interval> scalarsets;  // that are permuted, by their values
};

// One step of a path: the command that led here (a start command for the first) and the state reached.
struct PathStep {
  ir::CommandId command = 0;
  std::vector<Word> state;
};

// A violation as found; report/ replays it before it is shown. kInvariant: property `property` is false in the path's
// last state. kDeadlock: the last state has no (different) successor. kAssertion and kError: `failing_command` fails in
// the last state (with an empty path: that start command fails) or, without command_fails, evaluating property
// `property` in the last state fails. kCover: cover point `property` was never reached; no path.
struct Violation {
  Reason reason = Reason::kInvariant;
  std::uint32_t property = 0;
  std::vector<PathStep> path;  // from a start state to the last state
  bool command_fails = false;
  ir::CommandId failing_command = 0;
  bool path_is_known = true;  // false: the user wanted no path (--trace none), and `path` has the last state alone
};

struct SearchResult {
  Verdict verdict = Verdict::kUnknown;
  Reason reason = Reason::kInterrupted;
  std::vector<Violation> violations;  // one if violated; several only for kCover
  Figures figures;
  std::string engine;    // that finished the run
  bool on_disk = false;  // did it use the disk?
  std::string trouble;   // kDisk, kEnvironment: what happened
};

// Where a search gets its engine from. It begins with current() and asks poll() now and then between batches: a new
// engine (the native one, when it is compiled) takes over; it produces the same successors in the same order.
class EngineSource {
 public:
  virtual ~EngineSource() = default;
  virtual Engine& current() = 0;
  // Null while nothing has changed; else the engine to use from now on. Called by one thread.
  virtual Engine* poll() = 0;
};

// Progress and interruption, called from one thread several times a second.
struct Monitor {
  std::function<void(const Figures&)> progress;    // may be empty
  const std::atomic<bool>* interrupted = nullptr;  // may be null
};

}  // namespace tideline
