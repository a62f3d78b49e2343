// SPDX-License-Identifier: MIT
// The native engine: C text for a program, compiled with the machine's C compiler, kept in a cache by content hash,
// loaded with dlopen. Building is asynchronous so that a search can begin on the interpreter and change over
// (search/bfs.h).
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "ir/program.h"
#include "model/next_state.h"

namespace tideline {

struct NativeOptions {
  std::string cache_dir;  // empty: $TIDELINE_CACHE, else $XDG_CACHE_HOME/tideline, else ~/.cache/tideline
  std::string compiler;   // empty: $CC, else "cc"
};

// One build: emit, look in the cache, compile in a child process if it is not there, load.
class NativeBuild {
 public:
  // Emits the C text and looks in the cache; does not start the compiler.
  static std::unique_ptr<NativeBuild> prepare(const ir::Program& program, const NativeOptions& options);
  ~NativeBuild();  // ends a compiler that is still running
  NativeBuild(const NativeBuild&) = delete;
  NativeBuild& operator=(const NativeBuild&) = delete;

  [[nodiscard]] bool cached() const;
  // Starts the compiler (no effect if cached or already started).
  void start();
  // Done, successfully or not? Never blocks.
  bool poll();
  // Blocks until done; the engine, or why there is none ("no C compiler: ...", the compiler's first error lines).
  // Called once. Starts the compiler if that was not done.
  Result<std::unique_ptr<Engine>> take();
  [[nodiscard]] double compile_seconds() const;
  // Why the result could not be kept in the cache; empty if it could. Known after take().
  [[nodiscard]] const std::string& warning() const;

 private:
  struct Impl;
  explicit NativeBuild(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tideline
