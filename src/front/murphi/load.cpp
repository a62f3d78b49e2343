// SPDX-License-Identifier: MIT
// The phases of the front end in order: parse; count the members of enumerations, scalarsets and unions (numbering.h);
// elaborate; order the rules by priority and number their commands.
#include <utility>

#include "front/murphi/builder.h"
#include "front/murphi/elaborator.h"
#include "front/murphi/murphi.h"

namespace tideline::murphi {

std::unique_ptr<ir::Program> load(const std::string& file, std::string_view text, const Options& options,
                                  Diagnostics& diagnostics) {
  const Model model = parse_model(text, diagnostics);
  if (diagnostics.has_errors())
    return nullptr;

  Census census;
  {
    ir::Program scratch;
    Diagnostics unheard(file, text);
    Elaborator counter(text, options, Numbering(), scratch, unheard);
    counter.count(model);
    census = counter.census();
  }

  auto program = std::make_unique<ir::Program>();
  program->file = file;
  program->loop_limit = options.loop_limit;
  Elaborator elaborator(text, options, Numbering(census), *program, diagnostics);
  elaborator.elaborate(model);
  if (diagnostics.has_errors())
    return nullptr;
  if (!ir::number_commands(*program)) {
    diagnostics.error({}, "the rulesets have more than 2^62 instances together");
    return nullptr;
  }
  return program;
}

}  // namespace tideline::murphi
