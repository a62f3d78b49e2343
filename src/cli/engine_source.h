// SPDX-License-Identifier: MIT
// Which engine a search runs on. `auto` begins on the interpreter at once; when the run outlives a moment the C
// compiler is started in the background and the native engine takes over when it is ready. A program that was compiled
// before comes from the cache almost at once. Short runs never pay for a compiler. Threads: poll() by one thread;
// label() and compile_seconds() by any.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "exec/interp/interpreter.h"
#include "exec/native/native.h"
#include "search/search.h"

namespace tideline::cli {

class CliEngineSource final : public EngineSource {
 public:
  // `choice` is the value of --engine; `say` prints one line to the user.
  CliEngineSource(const ir::Program& program, const std::string& choice, std::function<void(const std::string&)> say);

  // --engine native: compiles now. Ends early, with an error, when interrupted.
  Status compile_first(const std::atomic<bool>& interrupted);

  Engine& current() override { return *current_; }
  Engine* poll() override;

  // What the progress line shows: "interp", "interp, compiling", "native".
  [[nodiscard]] const char* label() const { return label_.load(); }
  // 0 if no compiler ran.
  [[nodiscard]] double compile_seconds() const { return compile_seconds_; }

 private:
  [[nodiscard]] double elapsed_seconds() const;

  const ir::Program& program_;
  std::function<void(const std::string&)> say_;
  InterpEngine interp_;
  std::unique_ptr<NativeBuild> build_;
  std::unique_ptr<Engine> native_;
  Engine* current_ = &interp_;
  bool may_compile_;
  bool started_ = false;
  double compile_seconds_ = 0;
  std::atomic<const char*> label_{"interp"};
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace tideline::cli
