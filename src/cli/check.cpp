// SPDX-License-Identifier: MIT
// `tideline check` and what `tideline resume` shares with it: load, search, replay what was found, report.
#include <fmt/format.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/build_id.h"
#include "cli/commands.h"
#include "cli/engine_source.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/load_model.h"
#include "cli/measure.h"
#include "cli/output.h"
#include "cli/profile_file.h"
#include "cli/progress.h"
#include "cli/search_choice.h"
#include "cli/settings.h"
#include "cli/symmetry.h"
#include "cli/verify.h"
#include "io/budget.h"
#include "io/startup_pages.h"
#include "io/text_file.h"
#include "io/workdir.h"
#include "report/format.h"
#include "report/json.h"
#include "report/text.h"

namespace tideline::cli {

namespace {

int complain(const Status& status, int exit) {
  print_err(fmt::format("tideline: {}\n", status.message()));
  return exit;
}

int exit_status(const RunReport& report) {
  switch (report.verdict) {
    case Verdict::kHolds:
      return kExitHolds;
    case Verdict::kViolated:
      return kExitViolated;
    case Verdict::kUnknown:
      break;
  }
  if (report.reason == Reason::kEnvironment)
    return kExitEnvironment;
  return report.reason == Reason::kInterrupted ? kExitInterrupted : kExitLimit;
}

// Replays every violation into the report; an internal error if one does not replay.
Status take_result(const SearchResult& result, RunReport& report) {
  report.verdict = result.verdict;
  report.reason = result.reason;
  report.figures = result.figures;
  report.engine = result.engine;
  report.trouble = result.trouble;
  if (result.verdict == Verdict::kViolated && result.violations.empty())
    return Status::error("the search found a violation but names none");
  for (const Violation& violation : result.violations) {
    Result<Counterexample> example = replay(*report.program, violation, report.deadlock);
    if (!example.is_ok())
      return example.status();
    report.counterexamples.push_back(std::move(example.value()));
  }
  if (!report.counterexamples.empty())
    report.reason = report.counterexamples.front().reason;
  return Status::ok();
}

// Text to standard output, or to standard error if that is taken by JSON; then the files.
int write_reports(const RunReport& report, const Options& options) {
  const bool json_takes_stdout = options.json == "-" || options.trace == "-";
  TextStyle style;
  style.figures = !options.quiet;
  style.color = !json_takes_stdout && ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  const std::string text = report_text(report, style);
  if (json_takes_stdout)
    print_err(text);
  else
    print_out(text);
  Status status;
  if (!options.json.empty())
    status = write_text_file(options.json, report_json(report));
  if (status.is_ok() && !options.trace.empty() && options.trace != kNoTrace)
    status = write_text_file(options.trace, trace_json(report));
  return status.is_ok() ? exit_status(report) : complain(status, kExitEnvironment);
}

// Judges what can be judged before the model is read: kExitHolds, or the status to end with.
int judge_options(const Options& options) {
  Status status = check_options(options);
  for (const std::string* path : {&options.json, &options.trace, &options.profile})
    if (status.is_ok() && !path->empty() && *path != kNoTrace)
      status = check_writable(*path);
  return status.is_ok() ? kExitHolds : complain(status, kExitUsage);
}

RunReport make_report(const LoadedModel& model, const Options& options, const SymmetryChoice& symmetry) {
  RunReport report;
  report.program = model.program.get();
  report.model = model.path;
  report.source = model.text;
  report.search = options.search == "auto" ? "bfs" : options.search;
  report.threads = static_cast<unsigned>(options.threads);
  report.symmetry = symmetry.mode;
  report.deadlock = deadlock_mode(options, model.language);
  report.time_limit_seconds = options.time_limit;
  report.options = option_record(options);
  return report;
}

// Of what decides the meaning of a packed state: the model's text, the program's version, the layout of the variables;
// and of what decides its place in a sweep.
std::string model_hash(const LoadedModel& model) {
  std::string all = model.text + '\0' + TIDELINE_VERSION;
  for (const ir::Variable& variable : model.program->variables)
    all += fmt::format("\n{} {}", variable.name, variable.type->bits);
  for (const ir::ProgressComponent& component : model.program->progress)
    all += fmt::format("\n{} {}", component.descending ? "down" : "up", component.text);
  return fmt::format("{:016x}", XXH3_64bits(all.data(), all.size()));
}

Settings make_settings(const LoadedModel& model, const Options& options) {
  Settings settings;
  settings.model = std::filesystem::absolute(model.path).string();
  settings.model_hash = model_hash(model);
  settings.build = kBuildId;
  settings.state_bits = model.program->state_bits;
  const Options defaults;
  for (const OptionInfo& option : option_table()) {
    const std::vector<std::string> values = show_option(options, option);
    if (values == show_option(defaults, option))
      continue;
    for (const std::string& value : values)
      settings.options.emplace_back(option.name, value);
  }
  return settings;
}

// Whether what the stopped search left on disk means the same to this program and this model.
Status check_same(const Manifest& resume, const Settings& settings, const std::string& directory) {
  if (resume.settings.model_hash != settings.model_hash || resume.settings.state_bits != settings.state_bits)
    return Status::error(
        fmt::format("{} has changed since the search was stopped, or Tideline has: it cannot be resumed; remove {} and "
                    "begin again",
                    settings.model, directory));
  if (!resume.search.empty() && resume.settings.build != settings.build)
    return Status::error(
        fmt::format("the search in {} was saved by another build of Tideline (sources {}; this one is of {}), whose "
                    "files may mean something else: resume it with that build, or remove the directory and begin again",
                    directory, resume.settings.build.empty() ? "unknown" : resume.settings.build, settings.build));
  return Status::ok();
}

// The working directory of a run that is resumed, or one that the user has named: kExitHolds, or the status to end
// with.
int open_workdir(Workdir& workdir, const Options& options, const Settings& settings, const Manifest* resume) {
  Status status;
  int exit = kExitUsage;
  if (resume != nullptr) {
    status = check_same(*resume, settings, workdir.path());
    if (status.is_ok())
      status = reopen_workdir(*resume, workdir);
    if (workdir.prepared())
      exit = kExitEnvironment;  // it was not in use
  } else if (!options.workdir.empty() && options.search != "bfs") {
    status = workdir.prepare();
    if (status.is_ok()) {
      Manifest begin;
      begin.settings = settings;
      status = write_manifest(begin, workdir);
      exit = kExitEnvironment;
    }
  }
  return status.is_ok() ? kExitHolds : complain(status, exit);
}

}  // namespace

int run_check(const CommandLine& line) {
  return verify(line, nullptr);
}

int verify(const CommandLine& line, const Manifest* resume) {
  const Options& options = line.options;
  if (const int status = judge_options(options); status != kExitHolds)
    return status;
  const std::atomic<bool>& interrupted = watch_interrupts();
  LoadedModel model = load_model(line.model, options);
  if (model.program == nullptr)
    return kExitUsage;
  if (const Status status = check_measure(*model.program, options); !status.is_ok())
    return complain(status, kExitUsage);
  const std::optional<SymmetryChoice> symmetry = choose_symmetry(model, options);
  if (!symmetry.has_value())
    return kExitUsage;

  Progress progress(Progress::detect(options.quiet));
  if (const Status status = find_measure_for(model, options, *symmetry, interrupted, progress); !status.is_ok())
    return complain(status, interrupted.load() ? kExitInterrupted : kExitEnvironment);
  RunReport report = make_report(model, options, *symmetry);
  const Settings settings = make_settings(model, options);
  const std::unique_ptr<Env> env = make_real_env(options.direct_io);
  Workdir workdir(*env, options.workdir, options.disk);
  if (const int status = open_workdir(workdir, options, settings, resume); status != kExitHolds)
    return status;

  CliEngineSource engines(*model.program, options.engine, [&](const std::string& text) { progress.note(text); });
  if (options.engine == "native") {
    const Status status = engines.compile_first(interrupted);
    if (!status.is_ok()) {
      progress.note(status.message());
      return interrupted.load() ? kExitInterrupted : kExitEnvironment;
    }
  }
  Monitor monitor;
  monitor.progress = [&, is_first = true](const Figures& figures) mutable {
    if (std::exchange(is_first, false))
      release_startup_pages();
    progress.update(figures, engines.label());
  };
  monitor.interrupted = &interrupted;
  SearchOptions search = search_options(options, model, *symmetry, workdir, progress);
  search.settings = options.search == "bfs" ? nullptr : &settings;
  search.resume = resume != nullptr && !resume->search.empty() ? resume : nullptr;
  if (search.resume != nullptr)
    search.search = search_kind(search.resume->search);
  ProfileFile profile(options.profile);
  if (!options.profile.empty())
    search.sweep.profile = [&profile](const LayerProfile& layer) { profile.add(layer); };
  SearchResult result = run_search(*model.program, engines, search, monitor);
  progress.finish();
  if (const Status status = profile.finish(); !status.is_ok())
    print_err(fmt::format("tideline: {}\n", status.message()));
  result.figures.compile_seconds = engines.compile_seconds();
  if (options.search == "auto")
    report.search = is_sweep(search.search) ? "sweep" : result.on_disk ? "runs" : "bfs";
  const Status status = take_result(result, report);
  if (!status.is_ok()) {
    print_err(fmt::format("tideline: internal error: the search found a violation that cannot be reproduced: {}\n",
                          status.message()));
    return kExitBug;
  }
  const bool can_resume =
      report.verdict == Verdict::kUnknown && workdir.prepared() && env->exists(workdir.path_of(kManifestName));
  workdir.keep(can_resume);
  if (can_resume)
    print_err(fmt::format("tideline: to go on: tideline resume {}\n", workdir.path()));
  return write_reports(report, options);
}

}  // namespace tideline::cli
