// SPDX-License-Identifier: MIT
#include "front/dve/slots.h"

namespace tideline::dve {
namespace {

// Whether an index is simple enough for a term.
bool describe(const Expr& index, Term& term) {
  if (index.op == Op::kNumber)
    term.number = index.value;
  else if (index.op == Op::kVariable)
    term.index = index.variable;
  else
    return false;
  return true;
}

}  // namespace

Slots::Slots(const Model& model)
    : model_(model), terms_of_(model.variables.size()), term_of_element_(model.exprs.size(), kNothing) {
  auto next = static_cast<SlotId>(model.variables.size());
  for (const Channel& channel : model.channels) {
    first_items_.push_back(next);
    if (channel.capacity > 0)
      next += static_cast<SlotId>(channel.types.size());
  }
  first_term_ = next;
  for (ExprId e = 0; e < model.exprs.size(); ++e) {
    if (model.exprs[e].op == Op::kElement)
      add_term(e);
  }
}

void Slots::add_term(ExprId element) {
  Term term;
  term.array = model_.exprs[element].variable;
  if (!describe(model_.exprs[model_.exprs[element].left], term))
    return;
  const auto [it, is_new] = ids_.try_emplace(Key{term.array, term.index, term.number}, size());
  term_of_element_[element] = it->second;
  if (!is_new)
    return;
  terms_.push_back(term);
  terms_of_[term.array].push_back(it->second);
  if (term.index != kNothing)
    terms_of_[term.index].push_back(it->second);
}

SlotId Slots::find_term(VariableId array, ExprId index) const {
  Term term;
  if (!describe(model_.exprs[index], term))
    return kNothing;
  const auto it = ids_.find(Key{array, term.index, term.number});
  return it == ids_.end() ? kNothing : it->second;
}

}  // namespace tideline::dve
