// SPDX-License-Identifier: MIT
#include "cli/measure.h"

#include <fmt/format.h>

#include "cli/engine_source.h"
#include "io/budget.h"
#include "progress/find_measure.h"

namespace tideline::cli {
namespace {

constexpr std::string_view kAutomatic = "auto";

// 0: all levels.
unsigned level_of(std::string_view progress) {
  return progress == kAutomatic ? 0 : static_cast<unsigned>(progress.back() - '0');
}

std::string show(const std::vector<ir::ProgressComponent>& components) {
  std::vector<std::string> texts;
  for (const ir::ProgressComponent& component : components)
    texts.push_back(component.text);
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

bool is_automatic(std::string_view progress) {
  if (!progress.starts_with(kAutomatic))
    return false;
  progress.remove_prefix(kAutomatic.size());
  return progress.empty() || (progress.size() == 2 && progress[0] == ':' && progress[1] >= '1' && progress[1] <= '6');
}

Status find_measure_for(LoadedModel& model, const Options& options, const SymmetryChoice& symmetry,
                        const std::atomic<bool>& interrupted, Progress& progress) {
  if (!is_automatic(options.progress))
    return Status::ok();
  CliEngineSource engines(*model.program, options.engine, [&](const std::string& text) { progress.note(text); });
  if (options.engine == "native")
    if (Status status = engines.compile_first(interrupted); !status.is_ok())
      return status;
  progress::FindOptions find;
  find.level = level_of(options.progress);
  find.sample.seed = options.seed;
  find.sample.limits =
      progress::limits_for(*model.program, options.memory == 0 ? default_memory_budget() : options.memory);
  find.sample.symmetry = symmetry.mode;
  find.sample.scalarsets = symmetry.scalarsets;
  find.sample.interrupted = &interrupted;
  model.program->progress = progress::find_measure(*model.program, engines, find);
  if (interrupted.load())
    return Status::error("interrupted while looking for progress");
  if (options.quiet)
    return Status::ok();
  if (model.program->progress.empty())
    progress.note("no progress was found in the model");
  else
    progress.note("progress: " + show(model.program->progress));
  return Status::ok();
}

}  // namespace tideline::cli
