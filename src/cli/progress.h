// SPDX-License-Identifier: MIT
// Progress on standard error: one line that overwrites itself on a terminal, a plain line every few seconds elsewhere.
// Nothing appears in the first moments, so short runs stay silent.
// Threads: all functions may be called at once.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "search/figures.h"

namespace tideline::cli {

enum class ProgressMode : std::uint8_t { kSilent, kPlain, kTerminal };

class Progress {
 public:
  explicit Progress(ProgressMode mode) : mode_(mode) {}
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // kTerminal or kPlain, by what standard error is.
  static ProgressMode detect(bool quiet);

  void update(const Figures& figures, const char* engine);
  // A line of its own, also when silent.
  void note(const std::string& text);
  // Removes the line from the terminal.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void erase_line();

  std::mutex mutex_;
  ProgressMode mode_;
  bool line_shown_ = false;
  Clock::time_point begin_ = Clock::now();
  double next_seconds_ = 0;  // when the next line is due
  double last_seconds_ = 0;
  std::uint64_t last_states_ = 0;
  double rate_ = 0;
};

// The line, fields dropped from the right until it fits into `width` columns. `resident_bytes` 0: not shown.
std::string progress_line(const Figures& figures, double states_per_second, std::uint64_t resident_bytes,
                          const char* engine, std::size_t width);

}  // namespace tideline::cli
