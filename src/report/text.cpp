// SPDX-License-Identifier: MIT
// The report for people.
#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/format.h"

namespace tideline {

namespace {

constexpr std::size_t kPathWidthMax = 40;   // wider paths do not push the column of values further to the right
constexpr double kStatesToAverage = 10000;  // below, rates and bytes per state say little

std::string verdict_word(Verdict verdict, bool color) {
  const char* word = verdict == Verdict::kHolds ? "HOLDS" : verdict == Verdict::kViolated ? "VIOLATED" : "UNKNOWN";
  const char* code = verdict == Verdict::kHolds ? "1;32" : verdict == Verdict::kViolated ? "1;31" : "1;33";
  return color ? fmt::format("\x1b[{}m{}\x1b[0m", code, word) : word;
}

std::uint64_t count_properties(const ir::Program& program, ir::PropertyKind kind) {
  return static_cast<std::uint64_t>(std::count_if(program.properties.begin(), program.properties.end(),
                                                  [kind](const ir::Property& p) { return p.kind == kind; }));
}

double missed_bound(const RunReport& report) {
  return report.figures.omission_probability.value_or(0);
}

// What the verdict's word must not be read without.
std::string verdict_note(const RunReport& report) {
  if (report.verdict != Verdict::kHolds || missed_bound(report) == 0)
    return "";
  return fmt::format(" (probability of a missed state <= {:.1e})", missed_bound(report));
}

// How often a sweep has seen each state.
std::string sweep_note(const Figures& figures) {
  if (!figures.sweeps.has_value())
    return "";
  if (figures.regress_edges.value_or(0) == 0)
    return ", each visited once: progress is monotone";
  return fmt::format(", each visited at least once in {}", show_plural(*figures.sweeps, "sweep"));
}

std::string holds_sentence(const RunReport& report) {
  std::vector<std::string> parts;
  const std::uint64_t invariants = count_properties(*report.program, ir::PropertyKind::kInvariant);
  if (invariants > 0)
    parts.push_back(fmt::format("{} {}", show_plural(invariants, "invariant"), invariants == 1 ? "holds" : "hold"));
  if (report.deadlock != DeadlockMode::kOff)
    parts.emplace_back("no deadlock");
  parts.emplace_back("no run-time error");
  if (!report.program->covers.empty())
    parts.push_back(show_plural(report.program->covers.size(), "cover point") + " reached");
  const std::uint64_t liveness = count_properties(*report.program, ir::PropertyKind::kLiveness);
  if (liveness > 0)
    parts.push_back(fmt::format("{} NOT checked in this version",
                                liveness == 1 ? "1 liveness property" : show_count(liveness) + " liveness properties"));
  // A state may be missing where signatures stand for states; a search that forgets has not counted them.
  const std::string states = report.figures.states.has_value() ? show_plural(*report.figures.states, "reachable state")
                                                               : std::string("reachable states");
  return fmt::format("{} in {}{}{}{}", fmt::join(parts, ", "), missed_bound(report) > 0 ? "" : "all ", states,
                     report.symmetry == SymmetryMode::kOff ? "" : " up to symmetry", sweep_note(report.figures));
}

// At which point of the path: " (after 3 steps)".
std::string where_text(const Counterexample& example) {
  if (!example.path_is_known)
    return " (no path was recorded)";
  if (example.failing_rule.has_value())
    return example.steps.empty() ? " (in a start rule)"
                                 : fmt::format(" (in step {})", show_count(example.steps.size()));
  if (example.steps.empty())
    return "";
  return example.steps.size() == 1 ? " (in a start state)"
                                   : fmt::format(" (after {})", show_plural(example.steps.size() - 1, "step"));
}

std::string violated_sentence(const RunReport& report) {
  const Counterexample& first = report.counterexamples.front();
  std::string sentence = printable(first.message);
  if (first.reason == Reason::kAssertion)
    sentence = "assertion failed: " + sentence;
  sentence += where_text(first);
  if (report.counterexamples.size() > 1)
    sentence += fmt::format(", and {} more", report.counterexamples.size() - 1);
  return sentence;
}

std::string unknown_sentence(const RunReport& report) {
  const std::string rest =
      fmt::format("; no violation among the {} found so far",
                  show_plural(report.figures.states.value_or(report.figures.visited.value_or(0)), "state"));
  switch (report.reason) {
    case Reason::kMemory:
      return fmt::format("the memory budget of {} was reached{}; --memory raises it",
                         show_bytes(report.figures.memory_budget_bytes.value_or(0)), rest);
    case Reason::kDisk:
    case Reason::kEnvironment:
      return report.trouble + rest;
    case Reason::kTime:
      return fmt::format("the time limit of {} was reached{}", show_seconds(report.time_limit_seconds), rest);
    default:
      return "interrupted" + rest;
  }
}

std::string verdict_sentence(const RunReport& report) {
  switch (report.verdict) {
    case Verdict::kHolds:
      return holds_sentence(report);
    case Verdict::kViolated:
      return violated_sentence(report);
    case Verdict::kUnknown:
      break;
  }
  return unknown_sentence(report);
}

std::string figure_note(std::string_view name, std::string_view unit, const Figures& figures, double value) {
  const double states = static_cast<double>(figures.states.value_or(0));
  if (name == "store_bytes" && states >= kStatesToAverage)
    return fmt::format("{}, {:.1f} per state", show_bytes(static_cast<std::uint64_t>(value)), value / states);
  if (unit == "bytes")
    return show_bytes(static_cast<std::uint64_t>(value));
  if (name == "seconds" && states >= kStatesToAverage && value > 0)
    return show_rate(states / value).insert(0, "states at ");
  return "";
}

void append_line(std::string& out, std::string_view name, const std::string& value, const std::string& note) {
  out += fmt::format("  {:<22}{:>18}{}\n", name, value, note.empty() ? "" : "  (" + note + ")");
}

std::string show_figure(std::uint64_t value) {
  return show_count(value);
}
std::string show_figure(double value) {
  return value != 0 && value < 0.001 ? fmt::format("{:.1e}", value) : fmt::format("{:.3f}", value);
}

std::string figures_text(const RunReport& report) {
  std::string out;
  append_line(out, "search", report.search, "");
  append_line(out, "engine", report.engine, "");
  append_line(out, "threads", std::to_string(report.threads), "");
  append_line(out, "symmetry", symmetry_name(report.symmetry), "");
  const Figures& figures = report.figures;
#define TIDELINE_SHOW(type, name, unit, meaning)                                                              \
  if (figures.name.has_value() && !(std::string_view(#name) == "omission_probability" && *figures.name == 0)) \
    append_line(out, #name, show_figure(*figures.name),                                                       \
                figure_note(#name, unit, figures, static_cast<double>(*figures.name)));
  TIDELINE_FIGURES(TIDELINE_SHOW)
  TIDELINE_SWEEP_FIGURES(TIDELINE_SHOW)
#undef TIDELINE_SHOW
  if (!report.options.empty())
    out += "  options  " + printable(report.options) + "\n";
  return out;
}

std::string path_text(const RunReport& report, const Counterexample& example) {
  if (!example.path_is_known || (example.steps.empty() && !example.failing_rule.has_value()))
    return "";
  std::string out = "\nPath";
  if (!example.steps.empty())
    out += fmt::format(" of {}", show_plural(example.steps.size() - 1, "step"));
  out += ", replayed on the reference interpreter:\n\n";
  const Word* before = nullptr;
  for (std::size_t k = 0; k < example.steps.size(); ++k) {
    const ReplayedStep& step = example.steps[k];
    out += step_text(k, step.rule, ir::state_changes(*report.program, before, step.state.data()));
    out += output_text(step.output);
    before = step.state.data();
  }
  if (example.failing_rule.has_value())
    out += fmt::format("{:>5}  {}\n        fails: {}\n", example.steps.size(), printable(*example.failing_rule),
                       printable(example.message));
  return out;
}

std::string change_text(const ir::Change& change, std::size_t width) {
  const std::string path = printable(change.path);
  switch (change.kind) {
    case ir::ChangeKind::kAdded:
      return fmt::format("        {:<{}}  + {}\n", path, width, printable(change.after));
    case ir::ChangeKind::kRemoved:
      return fmt::format("        {:<{}}  - {}\n", path, width, printable(change.before));
    case ir::ChangeKind::kSet:
      break;
  }
  if (change.before.empty())
    return fmt::format("        {:<{}}  = {}\n", path, width, printable(change.after));
  return fmt::format("        {:<{}}  {} -> {}\n", path, width, printable(change.before), printable(change.after));
}

}  // namespace

std::string changes_text(const ir::Changes& changes) {
  std::size_t width = 0;
  for (const ir::Change& change : changes.list)
    width = std::max(width, std::min(change.path.size(), kPathWidthMax));
  std::string out;
  for (const ir::Change& change : changes.list)
    out += change_text(change, width);
  if (changes.undefined > 0)
    out += fmt::format("        ({} undefined)\n", show_count(changes.undefined));
  return out;
}

std::string output_text(const std::string& output) {
  std::string out;
  std::string_view rest = output;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    out += fmt::format("        put: {}\n", printable(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::string step_text(std::size_t number, const std::string& rule, const ir::Changes& changes) {
  std::string out = fmt::format("{:>5}  {}\n", number, printable(rule));
  const std::string lines = changes_text(changes);
  return out + (lines.empty() ? "        (nothing changes)\n" : lines);
}

std::string located_text(const std::string& file, std::string_view source, Location where, const std::string& message) {
  if (where.line == 0)
    return printable(message) + "\n";
  Diagnostics diagnostics(file, source);
  diagnostics.error(where, printable(message));
  return diagnostics.render();
}

std::string report_text(const RunReport& report, const TextStyle& style) {
  std::string out = fmt::format("{}{}  {}: {}\n", verdict_word(report.verdict, style.color), verdict_note(report),
                                report.model, verdict_sentence(report));
  if (style.figures)
    out += "\n" + figures_text(report);
  for (const Counterexample& example : report.counterexamples) {
    if (example.where.line > 0)
      out += "\n" + located_text(report.model, report.source, example.where, example.message);
    out += path_text(report, example);
  }
  return out;
}

}  // namespace tideline
