// SPDX-License-Identifier: MIT
// `tideline progress`: progress measures and what they would cost.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/engine_source.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/load_model.h"
#include "cli/output.h"
#include "cli/symmetry.h"
#include "io/text_file.h"
#include "progress/find_measure.h"
#include "report/measures.h"

namespace tideline::cli {
namespace {

int complain(const Status& status, int exit) {
  print_err(fmt::format("tideline: {}\n", status.message()));
  return exit;
}

}  // namespace

int run_progress(const CommandLine& line) {
  const Options& options = line.options;
  if (const Status status = options.json.empty() ? Status::ok() : check_writable(options.json); !status.is_ok())
    return complain(status, kExitUsage);
  const std::atomic<bool>& interrupted = watch_interrupts();
  const LoadedModel model = load_model(line.model, options);
  if (model.program == nullptr)
    return kExitUsage;
  const std::optional<SymmetryChoice> symmetry = choose_symmetry(model, options);
  if (!symmetry.has_value())
    return kExitUsage;
  CliEngineSource engines(*model.program, options.engine,
                          [](const std::string& text) { print_err(fmt::format("tideline: {}\n", text)); });
  if (options.engine == "native")
    if (const Status status = engines.compile_first(interrupted); !status.is_ok())
      return complain(status, interrupted.load() ? kExitInterrupted : kExitEnvironment);

  progress::FindOptions find;
  find.level = static_cast<unsigned>(options.level);
  find.sample.seed = options.seed;
  find.sample.symmetry = symmetry->mode;
  find.sample.scalarsets = symmetry->scalarsets;
  find.sample.interrupted = &interrupted;
  const progress::Findings findings = progress::find_measures(*model.program, engines, find);
  if (findings.interrupted)
    return kExitInterrupted;
  if (options.json != "-")
    print_out(measures_text(findings, model.path, options.seed));
  const Status written =
      options.json.empty() ? Status::ok() : write_text_file(options.json, measures_json(findings, model.path));
  return written.is_ok() ? kExitHolds : complain(written, kExitEnvironment);
}

}  // namespace tideline::cli
