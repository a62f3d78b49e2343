// SPDX-License-Identifier: MIT
// `tideline info`: what a model consists of.
#include "report/info.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/load_model.h"
#include "cli/output.h"
#include "io/text_file.h"
#include "report/json.h"

namespace tideline::cli {

int run_info(const CommandLine& line) {
  const std::string& json = line.options.json;
  const Status writable = json.empty() ? Status::ok() : check_writable(json);
  if (!writable.is_ok()) {
    print_err(fmt::format("tideline: {}\n", writable.message()));
    return kExitUsage;
  }
  const LoadedModel model = load_model(line.model, line.options);
  if (model.program == nullptr)
    return kExitUsage;
  if (json != "-")
    print_out(info_text(*model.program, model.path));
  const Status status = json.empty() ? Status::ok() : write_text_file(json, info_json(*model.program, model.path));
  if (!status.is_ok()) {
    print_err(fmt::format("tideline: {}\n", status.message()));
    return kExitEnvironment;
  }
  return kExitHolds;
}

}  // namespace tideline::cli
