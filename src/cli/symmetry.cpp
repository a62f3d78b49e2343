// SPDX-License-Identifier: MIT
#include "cli/symmetry.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.h"
#include "exec/interp/start_facts.h"
#include "symmetry/asymmetry.h"
#include "symmetry/failing_quantifiers.h"
#include "symmetry/scalarsets.h"

namespace tideline::cli {
namespace {

// Where the order of members decides between a run-time error and none, one order is looked at.
void warn_of_order(const ir::Program& program, Diagnostics& diagnostics) {
  const ir::Analysis analysis(program, undefined_at_start(program));
  for (const symmetry::Asymmetry& one : symmetry::find_failing_quantifiers(program, analysis))
    diagnostics.warning(one.where, one.what, "one order is looked at; --symmetry off looks at all");
}

}  // namespace

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
  if (!choice.scalarsets.empty())
    warn_of_order(*model.program, diagnostics);
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
