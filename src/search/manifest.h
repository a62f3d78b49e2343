// SPDX-License-Identifier: MIT
// What a stopped search needs to go on, as one small file of its working directory (docs/formats/manifest.md): the
// settings that decide the result, the figures so far, and the files and numbers of the visited set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/workdir.h"
#include "search/search.h"
#include "store/visited_set.h"

namespace tideline {

// The settings of a run; a run that is resumed must have the same.
struct Settings {
  std::string model;       // path
  std::string model_hash;  // of its text
  std::string build;       // of the program
  std::vector<std::pair<std::string, std::string>> options;
  std::uint64_t state_bits = 0;
};

// A violation as a search sees it before it knows the path. The best of a layer is the least: shortest path first, then
// by kind, property and state, so that it does not depend on the number of threads.
struct Candidate {
  std::uint64_t depth = 0;  // steps to `state`, plus one for a failing command
  Reason reason = Reason::kInvariant;
  std::uint32_t property = 0;
  std::vector<Word> state;
  bool command_fails = false;
  ir::CommandId command = 0;
  std::uint64_t number = 0;  // of the state, in a sweep's spanning tree
  auto operator<=>(const Candidate&) const = default;
};

// Where a breadth-first search is between two layers.
struct SearchState {
  std::uint64_t depth = 0;  // of the layer to be expanded, plus one
  std::uint64_t visited = 0;
  std::uint64_t edges = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t errors = 0;
  std::uint64_t error_level = 0;
  double seconds = 0;
  std::vector<std::uint8_t> covered;  // by cover point
  std::optional<Candidate> best;      // if the search went on after an error
};

struct Manifest {
  Settings settings;
  SearchState state;
  std::string search;  // what loads the set: "runs"; empty: the search had not come to the disk
  SavedSet set;
  std::uint64_t names_given = 0;
  std::uint64_t state_reads = 0;
  std::uint64_t state_writes = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
};

// Writes the manifest; the set's files must have been synced.
Status write_manifest(const Manifest& manifest, Workdir& workdir);
// For a search that goes on: locks the directory, keeps what the manifest names and removes the rest. The directory is
// kept until somebody says otherwise.
Status reopen_workdir(const Manifest& manifest, Workdir& workdir);
// Reads and checks it.
Result<Manifest> read_manifest(Env& env, const std::string& directory);

}  // namespace tideline
