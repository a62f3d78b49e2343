// SPDX-License-Identifier: MIT
// From a path to a program.
#include "cli/load_model.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "cli/measure.h"
#include "cli/output.h"
#include "front/dve/dve.h"
#include "front/murphi/murphi.h"
#include "io/text_file.h"

namespace tideline::cli {

namespace {

constexpr std::uint64_t kModelBytesMax = std::uint64_t{64} << 20;
constexpr std::array<std::string_view, 2> kPlannedSuffixes = {".pnml", ".lts"};

std::string suffix_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  return dot == std::string::npos || (slash != std::string::npos && dot < slash) ? "" : path.substr(dot);
}

// Why the file's language cannot be read; empty if it can.
std::string judge_suffix(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".m" || suffix == ".dve")
    return "";
  if (suffix == ".mdve")
    return fmt::format("{}: templates are not read; expand it with DiVinE's `divine combine` to a .dve file", path);
  for (const std::string_view planned : kPlannedSuffixes) {
    if (suffix == planned)
      return fmt::format("{}: models in {} files are not in this version", path, suffix);
  }
  return fmt::format(
      "{}: the suffix says the language, and '{}' says none; Murphi models end in .m, DVE models "
      "in .dve",
      path, suffix);
}

std::vector<std::pair<std::string, std::string>> definitions(const Options& options) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string& define : options.define) {
    const std::size_t equals = define.find('=');
    result.emplace_back(define.substr(0, equals), define.substr(equals + 1));
  }
  return result;
}

// The measure that the front end is to read: nothing for that of the model's annotation, an empty text for none.
std::optional<std::string> progress_choice(const Options& options) {
  if (options.progress.empty())
    return std::nullopt;
  if (options.progress == "none" || is_automatic(options.progress))
    return "";
  return options.progress;
}

std::unique_ptr<ir::Program> load_dve(const LoadedModel& model, const Options& options, Diagnostics& diagnostics) {
  dve::Options chosen;
  chosen.defines = definitions(options);
  chosen.invariants = options.invariant;
  chosen.progress = progress_choice(options);
  chosen.on_error = options.on_error == "wrap" ? dve::OnError::kWrap : dve::OnError::kFail;
  return dve::load(model.path, model.text, chosen, diagnostics);
}

murphi::Options murphi_options(const Options& options) {
  murphi::Options result;
  result.defines = definitions(options);
  result.invariants = options.invariant;
  result.progress = progress_choice(options);
  result.strict_undefined = options.strict_undefined;
  result.loop_limit = options.loop_limit;
  return result;
}

}  // namespace

LoadedModel load_model(const std::string& path, const Options& options) {
  LoadedModel model;
  model.path = path;
  Result<std::string> text = read_text_file(path, kModelBytesMax);
  if (!text.is_ok()) {
    print_err(fmt::format("tideline: {}\n", text.status().message()));
    return model;
  }
  const std::string language = judge_suffix(path);
  if (!language.empty()) {
    print_err(fmt::format("tideline: {}\n", language));
    return model;
  }
  model.language = suffix_of(path) == ".dve" ? Language::kDve : Language::kMurphi;
  if (model.language == Language::kMurphi && options.on_error != "stop") {
    print_err(fmt::format("tideline: --on-error {} is for DVE models; {} is a Murphi model\n", options.on_error, path));
    return model;
  }
  model.text = std::move(text.value());
  Diagnostics diagnostics(path, model.text);
  if (model.language == Language::kDve)
    model.program = load_dve(model, options, diagnostics);
  else
    model.program = murphi::load(path, model.text, murphi_options(options), diagnostics);
  print_err(diagnostics.render());
  if (model.program == nullptr)
    print_err(fmt::format("tideline: {} has {} error{}\n", path, diagnostics.error_count(),
                          diagnostics.error_count() == 1 ? "" : "s"));
  return model;
}

}  // namespace tideline::cli
