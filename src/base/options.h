// SPDX-License-Identifier: MIT
// The options of the command line, from one table. A line of it yields the member of struct Options, the registration
// on the command line (cli/command_line.cpp), the line in --help, the range check, and the record in the report.
// tests/tidy finds options that no code reads and options that the manual does not mention.
//
// Ranges: "a|b|c" for a Choice, "lo..hi" for numbers ("lo.." without an upper end), "" for no limit.
// The name on the command line is the member's with '-' for '_'.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tideline {

enum class OptionKind : std::uint8_t {
  kChoice,    // one of the words of the range
  kText,      // any text
  kList,      // any text, repeatable
  kFlag,      // present or not; takes no value
  kCount,     // an unsigned integer
  kSize,      // bytes: 64M, 1.5G, 4GiB
  kSeconds,   // a time: 30, 30s, 5m, 2h
  kFraction,  // a number with or without a point: 0.15
};

enum class OptionGroup : std::uint8_t { kBehaviour, kPerformance, kDebug };

// Bits that say which commands take an option.
inline constexpr unsigned kForCheck = 1;
inline constexpr unsigned kForInfo = 2;
inline constexpr unsigned kForSimulate = 4;
inline constexpr unsigned kForProgress = 16;
inline constexpr unsigned kForAll = kForCheck | kForInfo | kForSimulate | kForProgress;
inline constexpr unsigned kForResume = 8;  // what may differ from the run that was stopped

namespace option_type {
using Choice = std::string;
using Text = std::string;
using List = std::vector<std::string>;
using Flag = bool;
using Count = std::uint64_t;
using Size = std::uint64_t;
using Seconds = double;
using Fraction = double;
}  // namespace option_type

// clang-format off
// X(kind, name, default, range, group, commands, metavar, help)
#define TIDELINE_OPTIONS(X)                                                                                            \
  X(List, invariant, {}, "", Behaviour, kForAll, "EXPR", "check EXPR, too, in every state (repeatable)")               \
  X(List, define, {}, "", Behaviour, kForAll, "NAME=VALUE", "give a constant of the model another value (repeatable)") \
  X(Choice, deadlock, "on", "on|off|stuck", Behaviour, kForCheck | kForSimulate, "MODE",                               \
    "on: no step to a different state; stuck: no enabled rule")                                                        \
  X(Choice, on_error, "stop", "stop|state|wrap", Behaviour, kForAll, "MODE",                                           \
    "DVE: stop; go on, errors being one state; or wrap values around")                                                 \
  X(Flag, strict_undefined, false, "", Behaviour, kForAll, "", "read undefined values as Rumur does, not as CMurphi")  \
  X(Count, loop_limit, 1000, "1..1000000000", Behaviour, kForAll, "N",                                                 \
    "iterations of a while loop before it is an error")                                                                \
  X(Seconds, time_limit, 0, "0..", Behaviour, kForCheck | kForResume, "T",                                             \
    "stop after T: 30, 30s, 5m, 2h (0: no limit)")                                                                     \
  X(Text, json, {}, "", Behaviour, kForCheck | kForInfo | kForProgress | kForResume, "FILE",                           \
    "write the result as JSON ('-': standard output)")                                                                 \
  X(Text, trace, {}, "", Behaviour, kForCheck | kForSimulate | kForResume, "FILE",                                     \
    "write the path with all variables as JSON")                                                                       \
  X(Text, profile, {}, "", Behaviour, kForCheck | kForResume, "FILE",                                                  \
    "write the layers of a sweep as CSV")                                                                              \
  X(Flag, quiet, false, "", Behaviour, kForCheck | kForSimulate | kForResume, "",                                      \
    "print only the verdict, and the path if there is one")                                                            \
  X(Count, steps, 100, "0..10000000", Behaviour, kForSimulate, "N", "rules to fire at most")                           \
  X(Count, seed, 1, "0..", Behaviour, kForCheck | kForSimulate | kForProgress, "N",                                    \
    "choice of the random path, of the sample, of --compact's hash")                                                   \
  X(Count, level, 0, "0..6", Behaviour, kForProgress, "N", "regress edges: 1 none .. 6 up to 20 % (0: each level)")    \
  X(Count, compact, 0, "0..64", Behaviour, kForCheck, "BITS",                                                          \
    "keep 32..64-bit signatures: less memory, may miss states (0: off)")                                               \
  X(Flag, interactive, false, "", Behaviour, kForSimulate, "", "choose each rule yourself")                            \
  X(Choice, search, "auto", "auto|bfs|runs|disk-bfs|cloud|partition|sweep|disk-sweep", Performance, kForCheck, "S",    \
    "auto: in RAM, and on disk when memory ends; bfs: in RAM only")                                                    \
  X(Size, memory, 0, "0..", Performance, kForCheck | kForResume, "SIZE",                                               \
    "bound of the process: 512M, 8G (0: 3/4 of what is free)")                                                         \
  X(Text, workdir, {}, "", Performance, kForCheck, "DIR",                                                              \
    "where a search on disk keeps its files (default: /var/tmp)")                                                      \
  X(Size, disk, 0, "0..", Performance, kForCheck | kForResume, "SIZE",                                                 \
    "bound of the working directory: 20G (0: no bound)")                                                               \
  X(Seconds, checkpoint, 10, "0..", Performance, kForCheck | kForResume, "T",                                          \
    "time between saves of a search on disk (0: after each layer)")                                                    \
  X(Flag, direct_io, false, "", Debug, kForCheck | kForResume, "",                                                     \
    "go past the page cache, so that times show the disk")                                                             \
  X(Choice, table, "auto", "auto|plain|collapse|tree", Performance, kForCheck, "T",                                    \
    "visited states: whole, or shorter: collapse fast, tree slow")                                                     \
  X(Count, threads, 1, "1..256", Performance, kForCheck | kForResume, "N",                                             \
    "threads; verdict and counts do not depend on them")                                                               \
  X(Choice, engine, "auto", "auto|native|interp", Performance, kForCheck | kForProgress | kForResume, "E",             \
    "auto: interpret, compile C if the run lasts")                                                                     \
  X(Choice, symmetry, "on", "on|off|exhaustive", Performance, kForCheck | kForProgress, "MODE",                        \
    "off: tell the members of a scalarset apart")                                                                      \
  X(Text, progress, {}, "", Performance, kForCheck | kForInfo, "MEASURE",                                              \
    "measure of progress: 'EXPR, down EXPR', or none")                                                                 \
  X(Count, recent_states, 0, "0..", Debug, kForCheck, "N", "on disk: recent states in RAM (0: what fits)")             \
  X(Choice, queue, "budget", "budget|array-heap", Debug, kForCheck, "Q",                                               \
    "sweep: queue sized by the budget, or the SPIN 2012 paper's")                                                      \
  X(Count, queue_states, 0, "0..", Debug, kForCheck, "T", "sweep: waiting states in RAM (0: by --queue)")              \
  X(Count, queue_spill, 0, "0..", Debug, kForCheck, "B", "sweep: of these written at once (0: by --queue)")            \
  X(Count, queue_block, 0, "0..1000000", Debug, kForCheck, "K", "sweep: states read at once (0: by --queue)")          \
  X(Count, queue_files, 0, "0..10000", Debug, kForCheck, "N", "sweep: files of a level (0: by --queue)")               \
  X(Count, layer_states, 0, "0..", Debug, kForCheck, "N", "sweep: of a layer in RAM (0: what fits)")                   \
  X(Count, cloud_blocks, 100, "1..10000", Debug, kForCheck, "N", "cloud: blocks of the disk at most")                  \
  X(Count, cloud_block_min, 10000, "1..", Debug, kForCheck, "N", "cloud: states of a block at least")                  \
  X(Count, cloud_calibrate, 10, "1..", Debug, kForCheck, "N", "cloud: every Nth check reads all and learns")           \
  X(Fraction, cloud_speedup, 0.15, "0..10", Debug, kForCheck, "X", "cloud: growth when it misses most")                \
  X(Fraction, cloud_slowdown, 0.15, "0..0.99", Debug, kForCheck, "X", "cloud: shrinking when it misses little")        \
  X(Fraction, cloud_reset, 0.1, "0..1", Debug, kForCheck, "P", "cloud: probability of a reset when it stays large")
// clang-format on

struct Options {
#define TIDELINE_DECLARE(kind, name, default_value, range, group, commands, metavar, help) \
  option_type::kind name = default_value;
  TIDELINE_OPTIONS(TIDELINE_DECLARE)
#undef TIDELINE_DECLARE
};

// One line of the table.
struct OptionInfo {
  std::string name;  // on the command line, without the leading "--"
  OptionKind kind;
  std::string_view range;
  OptionGroup group;
  unsigned commands;
  std::string_view metavar;
  std::string_view help;
};

// The table, in its order.
std::span<const OptionInfo> option_table();

// Sets the option from its text on the command line (a list grows by it; a flag takes "on" or "off"). The error names
// the option, the text and what was expected.
Status set_option(Options& options, const OptionInfo& option, std::string_view text);

// The value as one would write it on the command line; a list's entries one by one.
std::vector<std::string> show_option(const Options& options, const OptionInfo& option);

// The options that differ from their defaults, as one would write them: "--threads 2 --define N=3". Empty if none.
std::string option_record(const Options& options);

// Words of a Choice's range.
std::vector<std::string> range_words(std::string_view range);

// "64M", "1.5GiB", "1000": bytes, in powers of 1024. Null if malformed or above 2^63.
std::optional<std::uint64_t> parse_size(std::string_view text);
// "30", "1.5h", "250ms": seconds. Null if malformed, negative or not finite.
std::optional<double> parse_seconds(std::string_view text);
// "0.15", "2": Null if malformed.
std::optional<double> parse_fraction(std::string_view text);
// Digits only. Null if malformed or above 2^64 - 1.
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace tideline
