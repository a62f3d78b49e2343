// SPDX-License-Identifier: MIT
// The statistics of a run, from one table: name (the same in terminal, JSON and benchmarks), unit, what it means.
// A figure that a search cannot know is null, never a guess.
#pragma once

#include <cstdint>
#include <optional>

namespace tideline {

// X(type, name, unit, meaning)
#define TIDELINE_FIGURES(X)                                                         \
  X(std::uint64_t, states, "", "distinct states")                                   \
  X(std::uint64_t, visited, "", "expansions, counting repeats")                     \
  X(std::uint64_t, edges, "", "transitions fired")                                  \
  X(std::uint64_t, deadlocks, "", "states without an enabled command")              \
  X(std::uint64_t, levels, "", "largest distance from a start state")               \
  X(std::uint64_t, frontier, "", "states found and not yet expanded")               \
  X(std::uint64_t, state_bits, "bits", "packed state")                              \
  X(double, seconds, "s", "wall-clock time of the search")                          \
  X(double, compile_seconds, "s", "time of the C compiler, if it was needed")       \
  X(std::uint64_t, peak_rss_bytes, "bytes", "largest resident size of the process") \
  X(std::uint64_t, peak_states, "", "most states in RAM at once")                   \
  X(std::uint64_t, store_bytes, "bytes", "memory held by the visited set")          \
  X(std::uint64_t, memory_budget_bytes, "bytes", "--memory, or its default")        \
  X(double, omission_probability, "", "bound of the probability of a missed state (0: exact)")

// What a search moved to and from the disk; JSON's `io`.
#define TIDELINE_IO_FIGURES(X)                                                 \
  X(std::uint64_t, state_reads, "", "states read from disk")                   \
  X(std::uint64_t, state_writes, "", "states written to disk")                 \
  X(std::uint64_t, bytes_read, "bytes", "read from the working directory")     \
  X(std::uint64_t, bytes_written, "bytes", "written to the working directory") \
  X(std::uint64_t, disk_peak_bytes, "bytes", "largest size of the working directory")

struct Figures {
#define TIDELINE_DECLARE(type, name, unit, meaning) std::optional<type> name;
  TIDELINE_FIGURES(TIDELINE_DECLARE)
  TIDELINE_IO_FIGURES(TIDELINE_DECLARE)
#undef TIDELINE_DECLARE
};

}  // namespace tideline
