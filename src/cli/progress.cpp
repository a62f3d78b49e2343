// SPDX-License-Identifier: MIT
// The progress line.
#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cli/output.h"
#include "io/budget.h"
#include "report/format.h"

namespace tideline::cli {

namespace {

constexpr double kTerminalFirstSeconds = 0.3;
constexpr double kTerminalEverySeconds = 0.2;
constexpr double kPlainEverySeconds = 5;
constexpr std::size_t kPlainWidth = 200;

std::size_t terminal_width() {
  struct winsize size {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
    return size.ws_col;
  return 80;
}

void add_sweep_fields(const Figures& figures, std::vector<std::string>& fields) {
  fields.push_back("sweep " + show_count(figures.sweeps.value_or(0)));
  fields.push_back(fmt::format("layer {} (key {}, {} ahead) of {}", show_count(figures.layer_rank.value_or(0)),
                               figures.layer_key.value_or(0), show_count(figures.layers_ahead.value_or(0)),
                               show_count(figures.layer_states.value_or(0))));
  fields.push_back(fmt::format("queue {} + {} in files", show_count(figures.queue_ram.value_or(0)),
                               show_count(figures.queue_disk.value_or(0))));
  if (figures.persistent.value_or(0) > 0)
    fields.push_back("persistent " + show_count(*figures.persistent));
}

}  // namespace

std::string progress_line(const Figures& figures, double states_per_second, std::uint64_t resident_bytes,
                          const char* engine, std::size_t width) {
  std::vector<std::string> fields;
  if (figures.states.has_value() || !figures.visited.has_value())
    fields.push_back(show_count(figures.states.value_or(0)) + " states");
  else
    fields.push_back(show_count(*figures.visited) + " visited");
  fields.push_back(show_rate(states_per_second));
  if (figures.frontier.has_value() && !figures.sweeps.has_value())
    fields.push_back("frontier " + show_count(*figures.frontier));
  if (figures.sweeps.has_value())
    add_sweep_fields(figures, fields);
  if (figures.levels.has_value())
    fields.push_back("level " + show_count(*figures.levels));
  if (resident_bytes > 0 && figures.memory_budget_bytes.has_value())
    fields.push_back(show_bytes(resident_bytes) + " of " + show_bytes(*figures.memory_budget_bytes));
  fields.emplace_back(engine);
  std::string line;
  for (const std::string& field : fields) {
    const std::string separator = line.empty() ? "" : "  ";
    if (line.size() + separator.size() + field.size() >= width)
      break;
    line += separator + field;
  }
  return line;
}

ProgressMode Progress::detect(bool quiet) {
  if (quiet)
    return ProgressMode::kSilent;
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return ::isatty(STDERR_FILENO) == 1 && !is_dumb ? ProgressMode::kTerminal : ProgressMode::kPlain;
}

void Progress::update(const Figures& figures, const char* engine) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (mode_ == ProgressMode::kSilent)
    return;
  const bool is_terminal = mode_ == ProgressMode::kTerminal;
  const double now = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (now < next_seconds_ || now < (is_terminal ? kTerminalFirstSeconds : kPlainEverySeconds))
    return;
  next_seconds_ = now + (is_terminal ? kTerminalEverySeconds : kPlainEverySeconds);
  const std::uint64_t states = figures.states.value_or(figures.visited.value_or(0));
  if (now > last_seconds_ && states >= last_states_) {
    const double recent = static_cast<double>(states - last_states_) / (now - last_seconds_);
    rate_ = last_states_ == 0 || !is_terminal ? recent : 0.7 * rate_ + 0.3 * recent;
  }
  last_seconds_ = now;
  last_states_ = states;
  const std::size_t width = is_terminal ? terminal_width() : kPlainWidth;
  const std::string line = progress_line(figures, rate_, resident_bytes(), engine, width);
  if (is_terminal)
    print_err(fmt::format("\r{}\x1b[K", line));
  else
    print_err(fmt::format("{}\n", line));
  std::fflush(stderr);
  line_shown_ = is_terminal;
}

void Progress::erase_line() {
  if (line_shown_)
    print_err("\r\x1b[K");
  line_shown_ = false;
}

void Progress::note(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  erase_line();
  print_err(fmt::format("tideline: {}\n", text));
}

void Progress::finish() {
  const std::lock_guard<std::mutex> lock(mutex_);
  erase_line();
  std::fflush(stderr);
  mode_ = ProgressMode::kSilent;
}

}  // namespace tideline::cli
