// SPDX-License-Identifier: MIT
#include "cli/symmetry.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.h"
#include "symmetry/asymmetry.h"
#include "symmetry/scalarsets.h"

namespace tideline::cli {

std::optional<SymmetryChoice> choose_symmetry(const LoadedModel& model, const Options& options) {
  SymmetryChoice choice;
  if (options.symmetry == "off")
    return choice;
  choice.scalarsets = symmetry::scalarsets_of(*model.program);
  Diagnostics diagnostics(model.path, model.text);
  for (const symmetry::Asymmetry& asymmetry : symmetry::find_asymmetries(*model.program)) {
    if (asymmetry.certain) {
      diagnostics.error(asymmetry.where, asymmetry.what,
                        "the members of a scalarset must be treated alike; make it a range, or use --symmetry off");
      continue;
    }
    diagnostics.warning(asymmetry.where, asymmetry.what,
                        fmt::format("'{}' is not reduced by symmetry", asymmetry.scalarset->name));
    std::erase(choice.scalarsets, asymmetry.scalarset->hull());
  }
  print_err(diagnostics.render());
  if (diagnostics.has_errors()) {
    print_err(fmt::format("tideline: {} does not treat the members of its scalarsets alike\n", model.path));
    return std::nullopt;
  }
  if (!choice.scalarsets.empty())
    choice.mode = options.symmetry == "on" ? SymmetryMode::kOn : SymmetryMode::kExhaustive;
  return choice;
}

}  // namespace tideline::cli
