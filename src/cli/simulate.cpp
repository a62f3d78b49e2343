// SPDX-License-Identifier: MIT
// `tideline simulate`: a random walk, or one in which the user chooses each rule.
#include "search/simulate.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/load_model.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "io/text_file.h"
#include "report/format.h"
#include "report/json.h"
#include "report/text.h"

namespace tideline::cli {

namespace {

constexpr const char* kInteractiveHelp =
    "  NUMBER  take that rule          u  undo one step       s  show the whole state\n"
    "  r       take one at random      q  quit                ?  this help\n";

class Simulation {
 public:
  Simulation(const LoadedModel& model, const Options& options, const std::atomic<bool>& interrupted)
      : model_(model),
        options_(options),
        interrupted_(interrupted),
        walk_(*model.program, deadlock_mode(options, model.language)),
        random_(options.seed) {}

  int run() {
    const int status = options_.interactive ? run_interactive() : run_random();
    if (options_.trace.empty())
      return status;
    std::vector<ReplayedStep> steps;
    for (const WalkStep& step : walk_.path())
      steps.push_back({step.rule, step.state, step.output});
    const Status written =
        write_text_file(options_.trace, walk_json(*model_.program, model_.path, steps, finding_message_));
    if (written.is_ok())
      return status;
    print_err(fmt::format("tideline: {}\n", written.message()));
    return kExitEnvironment;
  }

 private:
  // To standard output, or to standard error if the trace goes there.
  void say(const std::string& text) const {
    if (options_.trace == "-")
      print_err(text);
    else
      print_out(text);
  }

  int run_random() {
    if (walk_.moves().empty())
      return report_no_start();
    for (std::uint64_t step = 0; step <= options_.steps && !interrupted_.load(); ++step) {
      if (walk_.moves().empty()) {
        say(fmt::format("ENDED  no rule is enabled after {}\n", show_plural(step - 1, "step")));
        return kExitHolds;
      }
      if (take(random_.below(walk_.moves().size())).has_value())
        return kExitViolated;
    }
    if (interrupted_.load())
      return kExitInterrupted;
    say(fmt::format("OK  no violation in {} (seed {}); other paths may have one\n", show_plural(options_.steps, "step"),
                    options_.seed));
    return kExitHolds;
  }

  int run_interactive() {
    if (walk_.moves().empty())
      return report_no_start();
    bool violated = false;
    bool list = true;
    while (true) {
      if (list)
        list_moves();
      say("choice [?]: ");
      std::fflush(stdout);
      std::string word;
      if (!std::getline(std::cin, word)) {
        say("\n");
        break;
      }
      word.erase(0, word.find_first_not_of(" \t\r"));
      word.erase(word.find_last_not_of(" \t\r") + 1);
      list = false;
      if (word == "q")
        break;
      if (word == "?" || word.empty()) {
        say(kInteractiveHelp);
      } else if (word == "s") {
        show_state();
      } else if (word == "u") {
        list = walk_.undo();
        say(list ? "undone\n" : "nothing to undo\n");
        if (list)
          show_state();
      } else {
        list = choose(word, violated);
      }
    }
    return interrupted_.load() ? kExitInterrupted : violated ? kExitViolated : kExitHolds;
  }

  // True if a move was taken.
  bool choose(const std::string& word, bool& violated) {
    const std::size_t count = walk_.moves().size();
    std::size_t index = count;
    if (word == "r" && count > 0)
      index = random_.below(count);
    else if (const std::optional<std::uint64_t> number = parse_count(word); number.has_value() && *number > 0)
      index = *number - 1;
    if (index >= count) {
      say(count == 0 ? "no rule is enabled: u, s or q\n"
                     : fmt::format("'{}' is no choice: 1 to {}, or ? for help\n", printable(word), count));
      return false;
    }
    violated = take(index).has_value() || violated;
    return true;
  }

  // Takes a move and shows the step and what was found.
  std::optional<WalkFinding> take(std::size_t index) {
    const std::size_t length = walk_.path().size();
    std::optional<WalkFinding> finding = walk_.take(index);
    const bool silent = options_.quiet && !options_.interactive;
    if (!silent && walk_.path().size() > length)
      show_steps(length);
    if (silent && finding.has_value())
      show_steps(0);
    if (finding.has_value()) {
      finding_message_ = finding->message;
      say(fmt::format("\nVIOLATED  after {}: {}\n",
                      show_plural(walk_.path().empty() ? 0 : walk_.path().size() - 1, "step"),
                      printable(finding->message)));
      if (finding->where.line > 0)
        say(located_text(model_.path, model_.text, finding->where, finding->message));
    }
    return finding;
  }

  // The steps from `first` on, with what each changed.
  void show_steps(std::size_t first) const {
    for (std::size_t k = first; k < walk_.path().size(); ++k) {
      const WalkStep& step = walk_.path()[k];
      const Word* before = k == 0 ? nullptr : walk_.path()[k - 1].state.data();
      say(step_text(k, step.rule, ir::state_changes(*model_.program, before, step.state.data())));
      say(output_text(step.output));
    }
  }

  void show_state() const {
    if (walk_.path().empty())
      return;
    const WalkStep& step = walk_.path().back();
    say(step_text(walk_.path().size() - 1, step.rule, ir::state_changes(*model_.program, nullptr, step.state.data())));
  }

  void list_moves() const {
    say(walk_.path().empty() ? "\nstart states:\n" : "\nenabled rules:\n");
    std::size_t number = 0;
    for (const Move& move : walk_.moves())
      say(fmt::format("{:>5}  {}{}\n", ++number, printable(walk_.move_name(move)), move.fails ? "  (fails)" : ""));
    if (walk_.moves().empty())
      say("       none\n");
  }

  int report_no_start() const {
    say("ENDED  the model has no start state\n");
    return kExitHolds;
  }

  const LoadedModel& model_;
  const Options& options_;
  const std::atomic<bool>& interrupted_;
  Walk walk_;
  WalkRandom random_;
  std::string finding_message_;
};

}  // namespace

int run_simulate(const CommandLine& line) {
  const Status writable = line.options.trace.empty() ? Status::ok() : check_writable(line.options.trace);
  if (!writable.is_ok()) {
    print_err(fmt::format("tideline: {}\n", writable.message()));
    return kExitUsage;
  }
  const std::atomic<bool>& interrupted = watch_interrupts();
  const LoadedModel model = load_model(line.model, line.options);
  if (model.program == nullptr)
    return kExitUsage;
  return Simulation(model, line.options, interrupted).run();
}

}  // namespace tideline::cli
