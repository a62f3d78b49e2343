// SPDX-License-Identifier: MIT
// `tideline resume`: reads the manifest, takes the stopped run's options and those of the command line that may differ,
// and goes on.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/verify.h"

namespace tideline::cli {
namespace {

int refuse(const std::string& message, int status) {
  print_err(fmt::format("tideline: {}\n", message));
  return status;
}

const OptionInfo* find_option(const std::string& name) {
  for (const OptionInfo& option : option_table())
    if (option.name == name)
      return &option;
  return nullptr;
}

// The stopped run's options, then what the command line says.
Status merge_options(const Manifest& manifest, const CommandLine& line, Options& options) {
  const std::set<std::string> given(line.given.begin(), line.given.end());
  for (const auto& [name, value] : manifest.settings.options) {
    const OptionInfo* option = find_option(name);
    if (option == nullptr)
      return Status::error(fmt::format("the stopped run had the option --{}, which this program does not know", name));
    if (given.contains(name))
      continue;
    if (Status status = set_option(options, *option, value); !status.is_ok())
      return status;
  }
  for (const std::string& name : line.given)
    for (const std::string& value : show_option(line.options, *find_option(name)))
      if (Status status = set_option(options, *find_option(name), value); !status.is_ok())
        return status;
  return Status::ok();
}

}  // namespace

int run_resume(const CommandLine& line) {
  const std::unique_ptr<Env> env = make_real_env(false);
  if (!env->exists(line.model))
    return refuse(fmt::format("there is no directory {}", line.model), kExitUsage);
  if (!env->exists(line.model + "/" + kManifestName))
    return refuse(fmt::format("{} holds no search that can be resumed: it has no {}", line.model, kManifestName),
                  kExitUsage);
  const Result<Manifest> manifest = read_manifest(*env, line.model);
  if (!manifest.is_ok())
    return refuse(manifest.status().message(), kExitEnvironment);
  CommandLine resumed;
  resumed.command = kForCheck;
  resumed.model = manifest.value().settings.model;
  if (const Status status = merge_options(manifest.value(), line, resumed.options); !status.is_ok())
    return refuse(status.message(), kExitUsage);
  resumed.options.workdir = line.model;
  return verify(resumed, &manifest.value());
}

}  // namespace tideline::cli
