// SPDX-License-Identifier: MIT
// Splitting and judging the command line.
#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "base/diagnostics.h"
#include "cli/exit_status.h"

namespace tideline::cli {

namespace {

struct CommandName {
  const char* name;
  unsigned command;
};
constexpr std::array<CommandName, 5> kCommands = {{{"check", kForCheck},
                                                   {"info", kForInfo},
                                                   {"simulate", kForSimulate},
                                                   {"progress", kForProgress},
                                                   {"resume", kForResume}}};

// Named in the design, not there yet: said plainly instead of "unknown".
constexpr std::array<std::string_view, 4> kPlannedOptions = {"property", "ctl", "ltl", "html"};
constexpr std::array<std::string_view, 2> kPlannedSearches = {"columns", "cache"};

template <typename List>
bool is_in(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

const char* command_name(unsigned command) {
  for (const CommandName& known : kCommands) {
    if (known.command == command)
      return known.name;
  }
  return "";
}

ParsedLine refuse(const std::string& message, const std::string& see) {
  ParsedLine result;
  result.error = fmt::format("tideline: {}\n", message);
  if (!see.empty())
    result.error += fmt::format("See: {}\n", see);
  result.exit_status = kExitUsage;
  return result;
}

ParsedLine print(std::string text) {
  ParsedLine result;
  result.output = std::move(text);
  return result;
}

ParsedLine judge_command_name(const std::string& word) {
  const std::string see = "tideline --help";
  if (word.starts_with('-'))
    return refuse(fmt::format("the command comes first, then '{}'", word), see);
  if (word.find('.') != std::string::npos || word.find('/') != std::string::npos)
    return refuse(fmt::format("'{}' is not a command; to verify that model: tideline check {}", word, word), "");
  std::vector<std::string> names;
  for (const CommandName& known : kCommands)
    names.emplace_back(known.name);
  const std::string near = nearest_name(word, names);
  return refuse(
      fmt::format("unknown command '{}'{}", word, near.empty() ? "" : fmt::format("; did you mean '{}'?", near)), see);
}

// An option name that the command does not take.
std::string unknown_option(const std::string& word, unsigned command) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names = {"--help", "--help-all"};
  for (const OptionInfo& option : option_table()) {
    if ("--" + option.name == name)
      return fmt::format("'{}' is not an option of '{}'", name, command_name(command));
    if ((option.commands & command) != 0)
      names.push_back("--" + option.name);
  }
  if (name.starts_with("--") && is_in(kPlannedOptions, std::string_view(name).substr(2)))
    return fmt::format("the option '{}' is not in this version", name);
  const std::string near = nearest_name(name, names);
  return fmt::format("unknown option '{}'{}", name, near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

// The words of one command, split but not yet judged.
class Words {
 public:
  explicit Words(unsigned command) : app_("", "tideline") {
    app_.set_help_flag();
    app_.allow_extras();
    help_ = app_.add_flag("-h,--help")->disable_flag_override();
    all_help_ = app_.add_flag("--help-all")->disable_flag_override();
    app_.add_option("MODEL", model_);
    for (const OptionInfo& option : option_table()) {
      if ((option.commands & command) == 0)
        continue;
      const std::string flag = "--" + option.name;
      CLI::Option* registered =
          option.kind == OptionKind::kFlag
              ? app_.add_flag(flag)->disable_flag_override()
              : app_.add_option(flag, CLI::callback_t([](const CLI::results_t&) { return true; }));
      if (option.kind != OptionKind::kFlag)
        registered->type_name(std::string(option.metavar))->expected(1);
      registered->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      options_.emplace_back(&option, registered);
    }
  }

  // An error text, or empty.
  std::string split(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    try {
      app_.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
    return "";
  }

  [[nodiscard]] bool wants_help() const { return help_->count() > 0 || wants_all_help(); }
  [[nodiscard]] bool wants_all_help() const { return all_help_->count() > 0; }
  [[nodiscard]] const std::string& model() const { return model_; }
  [[nodiscard]] std::vector<std::string> extras() const { return app_.remaining(); }

  [[nodiscard]] std::vector<std::string> given() const {
    std::vector<std::string> names;
    for (const auto& [info, registered] : options_)
      if (registered->count() > 0)
        names.push_back(info->name);
    return names;
  }

  // An error text, or empty.
  std::string assign(Options& options) const {
    for (const auto& [info, registered] : options_) {
      if (registered->count() == 0)
        continue;
      if (info->kind == OptionKind::kFlag) {
        Status status = set_option(options, *info, "on");
        if (!status.is_ok())
          return status.message();
        continue;
      }
      const std::vector<std::string>& values = registered->results();
      if (values.size() > 1 && info->kind != OptionKind::kList)
        return fmt::format("--{} is given {} times", info->name, values.size());
      for (const std::string& value : values) {
        if (info->name == "search" && is_in(kPlannedSearches, value))
          return fmt::format("--search {} is not in this version; it has {}", value,
                             fmt::join(range_words(info->range), ", "));
        const Status status = set_option(options, *info, value);
        if (!status.is_ok())
          return status.message();
      }
    }
    return "";
  }

 private:
  CLI::App app_;
  CLI::Option* help_ = nullptr;
  CLI::Option* all_help_ = nullptr;
  std::string model_;
  std::vector<std::pair<const OptionInfo*, CLI::Option*>> options_;
};

// What the table cannot say: values that do not go together.
std::string judge_together(const Options& options) {
  if (options.json == "-" && options.trace == "-")
    return "--json - and --trace - cannot both use standard output";
  if (!options.json.empty() && options.json == options.trace)
    return fmt::format("--json and --trace cannot both write to '{}'", options.json);
  for (const std::string& define : options.define) {
    const std::size_t equals = define.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == define.size())
      return fmt::format("--define: '{}' is not NAME=VALUE", define);
  }
  return "";
}

// Text with lines of at most `width` characters, later lines indented.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  while (text.size() > width) {
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string_view::npos)
      cut = width;
    result += std::string(text.substr(0, cut)) + "\n" + std::string(indent, ' ');
    text.remove_prefix(text[cut] == ' ' ? cut + 1 : cut);
  }
  return result + std::string(text);
}

std::string option_help(const OptionInfo& option) {
  constexpr std::size_t kColumn = 24;
  constexpr std::size_t kWidth = 80;
  std::string text(option.help);
  const std::vector<std::string> initial = show_option(Options(), option);
  if (option.kind == OptionKind::kChoice)
    text = fmt::format("{} [{}]; {}", option.range, initial.front(), text);
  else if (option.kind == OptionKind::kCount || option.kind == OptionKind::kFraction)
    text += fmt::format(" [{}]", initial.front());
  const std::string left = fmt::format("  --{} {}", option.name, option.metavar);
  return fmt::format("{:<{}}{}\n", left, kColumn, wrapped(text, kWidth - kColumn, kColumn));
}

std::string group_help(unsigned command, OptionGroup group, const char* title) {
  std::string lines;
  for (const OptionInfo& option : option_table()) {
    if (option.group == group && (option.commands & command) != 0)
      lines += option_help(option);
  }
  return lines.empty() ? "" : fmt::format("\n{}:\n{}", title, lines);
}

constexpr const char* kProgramHelp = R"(Tideline: an explicit-state model checker.

  tideline check MODEL [options]      verify: visit every reachable state
  tideline simulate MODEL [options]   walk: random, or step by step
  tideline info MODEL [options]       variables, bits, rules, properties
  tideline progress MODEL [options]   find progress measures for a sweep
  tideline resume DIR [options]       go on with a search that was stopped
  tideline COMMAND --help             options of a command
  tideline --version

MODEL is a Murphi (.m) or DVE (.dve) file.

Exit status: 0 holds; 1 violated; 2 the command line or the model is wrong;
3 a limit (time, disk) was reached; 4 the environment failed (no compiler, no
space); 70 a bug in tideline; 130 interrupted.
)";

constexpr const char* kCheckHead = R"(Usage: tideline check MODEL [options]
Verify MODEL: visit every reachable state; a violation is shown with a shortest
path to it. Exit status: 0 holds, 1 violated, 2 bad input, 3 limit reached.
Options for experiments: tideline check --help-all
)";
constexpr const char* kCheckExamples = R"(
Examples:
  tideline check lock.m --memory 8G --threads 2
  tideline check lock.m --define N=4 --invariant 'count <= N' --json result.json
)";
constexpr const char* kResumeHead = R"(Usage: tideline resume DIR [options]
Go on with a search that was stopped, from its last checkpoint in the working
directory DIR, to the same verdict and counts. Options that are not given are
those of the stopped run; the model must not have changed.
)";
constexpr const char* kResumeExamples = R"(
Examples:
  tideline check lock.m --memory 300M --workdir /data/lock --time-limit 8h
  tideline resume /data/lock --time-limit 0
)";
constexpr const char* kInfoHead = R"(Usage: tideline info MODEL [options]
Show the variables with their bits, the rules with their instances, the
properties and the progress measure of MODEL. Nothing is searched.
)";
constexpr const char* kInfoExamples = R"(
Examples:
  tideline info lock.m
  tideline info lock.m --define N=4 --json -
)";
constexpr const char* kProgressHead = R"(Usage: tideline progress MODEL [options]
Find progress measures: orders of the states in which most steps go forward, so
that a search can forget what it has passed. A sample of the states is looked
at; measures are listed with what they would cost, the best first.
)";
constexpr const char* kProgressExamples = R"(
Examples:
  tideline progress lock.m
  tideline progress lock.m --level 1 --json -
)";
constexpr const char* kSimulateHead = R"(Usage: tideline simulate MODEL [options]
Walk through MODEL, at random or choosing each rule. Stops at a violation or a
deadlock. Exit status: 0 nothing found, 1 violated, 2 bad input.
)";
constexpr const char* kSimulateExamples = R"(
Examples:
  tideline simulate lock.m --seed 7 --steps 20
  tideline simulate lock.m --interactive
)";

}  // namespace

std::string help_text(unsigned command, bool all) {
  if (command == 0)
    return kProgramHelp;
  const auto [head, examples] = command == kForCheck      ? std::pair(kCheckHead, kCheckExamples)
                                : command == kForInfo     ? std::pair(kInfoHead, kInfoExamples)
                                : command == kForProgress ? std::pair(kProgressHead, kProgressExamples)
                                : command == kForResume   ? std::pair(kResumeHead, kResumeExamples)
                                                          : std::pair(kSimulateHead, kSimulateExamples);
  return head + group_help(command, OptionGroup::kBehaviour, "Behaviour") +
         group_help(command, OptionGroup::kPerformance, "Performance") +
         (all ? group_help(command, OptionGroup::kDebug, "Debugging") : "") + examples;
}

ParsedLine parse_command_line(const std::vector<std::string>& words) {
  if (words.empty()) {
    ParsedLine result = refuse("no command", "");
    result.error += help_text(0, false);
    return result;
  }
  const std::string& first = words.front();
  if (first == "--version" || first == "-V")
    return print(fmt::format("tideline {}\n", TIDELINE_VERSION));
  if (first == "--help" || first == "-h" || first == "help")
    return print(help_text(0, false));
  ParsedLine result;
  for (const CommandName& known : kCommands) {
    if (first == known.name)
      result.line.command = known.command;
  }
  if (result.line.command == 0)
    return judge_command_name(first);

  const std::string see = fmt::format("tideline {} --help", first);
  Words split(result.line.command);
  const std::string malformed = split.split({words.begin() + 1, words.end()});
  if (split.wants_help())
    return print(help_text(result.line.command, split.wants_all_help()));
  for (const std::string& extra : split.extras()) {
    if (extra.starts_with('-'))
      return refuse(unknown_option(extra, result.line.command), see);
  }
  if (!malformed.empty())
    return refuse(malformed, see);
  std::string error = split.assign(result.line.options);
  if (error.empty() && split.model().empty())
    error = result.line.command == kForResume ? "no working directory given" : "no model given";
  if (error.empty() && !split.extras().empty())
    error = fmt::format("unexpected '{}': the model is '{}'", split.extras().front(), split.model());
  if (error.empty())
    error = judge_together(result.line.options);
  if (!error.empty())
    return refuse(error, see);
  result.line.model = split.model();
  result.line.given = split.given();
  result.run = true;
  return result;
}

}  // namespace tideline::cli
