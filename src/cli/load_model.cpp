// SPDX-License-Identifier: MIT
// From a path to a program.
#include "cli/load_model.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "cli/output.h"
#include "front/murphi/murphi.h"
#include "io/text_file.h"

namespace tideline::cli {

namespace {

constexpr std::uint64_t kModelBytesMax = std::uint64_t{64} << 20;
constexpr std::array<std::string_view, 3> kPlannedSuffixes = {".dve", ".pnml", ".lts"};

std::string suffix_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  return dot == std::string::npos || (slash != std::string::npos && dot < slash) ? "" : path.substr(dot);
}

// Why the file's language cannot be read; empty if it can.
std::string judge_suffix(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".m")
    return "";
  for (const std::string_view planned : kPlannedSuffixes) {
    if (suffix == planned)
      return fmt::format("{}: models in {} files are not in this version", path, suffix);
  }
  return fmt::format("{}: the suffix says the language, and '{}' says none; Murphi models end in .m", path, suffix);
}

murphi::Options murphi_options(const Options& options) {
  murphi::Options result;
  for (const std::string& define : options.define) {
    const std::size_t equals = define.find('=');
    result.defines.emplace_back(define.substr(0, equals), define.substr(equals + 1));
  }
  result.invariants = options.invariant;
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
  model.text = std::move(text.value());
  Diagnostics diagnostics(path, model.text);
  model.program = murphi::load(path, model.text, murphi_options(options), diagnostics);
  print_err(diagnostics.render());
  if (model.program == nullptr)
    print_err(fmt::format("tideline: {} has {} error{}\n", path, diagnostics.error_count(),
                          diagnostics.error_count() == 1 ? "" : "s"));
  return model;
}

}  // namespace tideline::cli
