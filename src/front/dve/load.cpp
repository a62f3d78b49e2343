// SPDX-License-Identifier: MIT
// The phases of the front end in order.
#include <fmt/format.h>

#include "front/dve/dve.h"
#include "front/dve/lower.h"
#include "front/dve/narrow.h"
#include "front/dve/parse.h"
#include "front/dve/simplify.h"

namespace tideline::dve {

std::unique_ptr<ir::Program> load(const std::string& file, std::string_view text, const Options& options,
                                  Diagnostics& diagnostics) {
  std::optional<Model> model = parse(text, {options.defines, options.invariants, options.progress}, diagnostics);
  if (!model.has_value())
    return nullptr;
  if (model->property != kNothing)
    diagnostics.warning(model->processes[model->property].where,
                        fmt::format("the property process {} takes no part: acceptance is not checked in this version",
                                    model->processes[model->property].name));
  simplify(*model);
  return lower(*model, narrow(*model, options.on_error), options.on_error, file, diagnostics);
}

}  // namespace tideline::dve
