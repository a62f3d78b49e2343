// SPDX-License-Identifier: MIT
// The progress measure: that of --progress or else of the model's annotation, in the scope of the whole model.
#include "front/measure.h"

#include <utility>

#include "front/murphi/builder.h"
#include "front/murphi/elaborator.h"

namespace tideline::murphi {

void Elaborator::progress(const Model& model) {
  if (!options_.progress.has_value()) {
    if (!model.progress.has_value())
      return;
    const std::string_view outer_text = std::exchange(text_, model.progress->text);
    measure(model.progress->text, model.progress->where);
    text_ = outer_text;
  } else if (!options_.progress->empty()) {
    from_command_line("--progress", *options_.progress, [this](bool with_locations) {
      measure(*options_.progress, with_locations ? Location{1, 1} : Location{});
    });
  }
}

void Elaborator::measure(std::string_view text, Location where) {
  const std::size_t errors = diagnostics_->error_count();
  std::vector<MeasureComponent> components = parse_measure(text, where, *diagnostics_);
  if (diagnostics_->error_count() > errors)
    return;
  std::vector<Location> places;
  for (MeasureComponent& one : components) {
    component(one);
    places.push_back(one.value->span.where);
    kept_.push_back(std::move(one.value));
  }
  if (diagnostics_->error_count() == errors)
    check_progress_bits(program_, places, *diagnostics_);
}

// A value is read as it is: an undefined one has a code (K1 of ir/progress.h).
void Elaborator::component(const MeasureComponent& component) {
  ir::ProgressComponent made;
  made.text = source(component.value->span);
  made.descending = component.descending;
  frame_ = &made.frame;
  pure_place_ = "a progress measure";
  Value found = value(*component.value, ReadMode::kRaw);
  pure_place_ = nullptr;
  frame_ = &scratch_;
  if (!is_ordered(found))
    return;
  if (found.sort == Sort::kBoolean)
    made.domain = boolean_->domain;
  else if (found.sort == Sort::kSymbol)
    made.domain = found.domain;
  made.value = std::move(found.expr);
  program_.progress.push_back(std::move(made));
}

bool Elaborator::is_ordered(const Value& value) {
  const bool is_enum = value.sort == Sort::kSymbol && value.domain->kind == ir::DomainKind::kEnum;
  if (value.is_error() || value.sort == Sort::kBoolean || value.sort == Sort::kInteger || is_enum)
    return !value.is_error();
  std::string hint;
  if (value.sort == Sort::kSymbol)
    hint = value.domain->kind == ir::DomainKind::kScalarset ? "the members of a scalarset have no order"
                                                            : "the members of a union have no order";
  else if (value.sort == Sort::kAggregate)
    hint = "choose a field, an element, or something computed from them";
  error(value.where,
        "a component of a progress measure must be an integer, a boolean or a member of an enumeration, not " +
            describe(value),
        std::move(hint));
  return false;
}

}  // namespace tideline::murphi
