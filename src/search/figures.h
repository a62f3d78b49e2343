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

// What a sweep counts; JSON's `sweep`.
#define TIDELINE_SWEEP_FIGURES(X)                                               \
  X(std::uint64_t, sweeps, "", "times that the sweep-line passed")              \
  X(std::uint64_t, layers, "", "progress layers, in all sweeps")                \
  X(std::uint64_t, persistent, "", "targets of regress edges, never forgotten") \
  X(std::uint64_t, regress_edges, "", "edges that lower progress")              \
  X(std::uint64_t, forward_edges, "", "edges that raise progress")              \
  X(std::uint64_t, stationary_edges, "", "edges within a layer")                \
  X(std::uint64_t, largest_layer, "", "most states of one layer")

// Where a sweep is; for the live line.
#define TIDELINE_SWEEP_PLACE(X)                                     \
  X(std::uint64_t, layer_key, "", "progress of the current layer")  \
  X(std::uint64_t, layer_rank, "", "its number in this sweep")      \
  X(std::uint64_t, layers_ahead, "", "layers that wait in RAM")     \
  X(std::uint64_t, layer_states, "", "states of the current layer") \
  X(std::uint64_t, queue_ram, "", "states that wait in RAM")        \
  X(std::uint64_t, queue_disk, "", "states that wait on disk")

struct Figures {
#define TIDELINE_DECLARE(type, name, unit, meaning) std::optional<type> name;
  TIDELINE_FIGURES(TIDELINE_DECLARE)
  TIDELINE_IO_FIGURES(TIDELINE_DECLARE)
  TIDELINE_SWEEP_FIGURES(TIDELINE_DECLARE)
  TIDELINE_SWEEP_PLACE(TIDELINE_DECLARE)
#undef TIDELINE_DECLARE
};

}  // namespace tideline
