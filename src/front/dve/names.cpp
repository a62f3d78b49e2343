// SPDX-License-Identifier: MIT
#include "front/dve/names.h"

#include <algorithm>
#include <utility>

namespace tideline::dve {

std::optional<Location> Names::declare(Scope& scope, std::string_view name, const Symbol& symbol) {
  const auto [place, is_new] = scope.try_emplace(name, symbol);
  return is_new ? std::nullopt : std::optional(place->second.where);
}

const Symbol* Names::find(const Scope& scope, std::string_view name) {
  const auto found = scope.find(name);
  return found == scope.end() ? nullptr : &found->second;
}

std::optional<Location> Names::declare_global(std::string_view name, const Symbol& symbol) {
  return declare(globals_, name, symbol);
}

std::optional<Location> Names::declare_local(ProcessId process, std::string_view name, const Symbol& symbol) {
  return declare(processes_[process].variables, name, symbol);
}

std::optional<Location> Names::declare_state(ProcessId process, std::string_view name, StateId state, Location where) {
  return declare(processes_[process].states, name, {SymbolKind::kVariable, state, where});
}

const Symbol* Names::global(std::string_view name) const {
  return find(globals_, name);
}

const Symbol* Names::local(ProcessId process, std::string_view name) const {
  return find(processes_[process].variables, name);
}

const Symbol* Names::visible(ProcessId process, std::string_view name) const {
  const Symbol* inner = process == kNothing ? nullptr : local(process, name);
  return inner != nullptr ? inner : global(name);
}

std::optional<StateId> Names::state(ProcessId process, std::string_view name) const {
  const Symbol* found = find(processes_[process].states, name);
  return found == nullptr ? std::nullopt : std::optional(found->index);
}

std::optional<ProcessId> Names::process_with_local(std::string_view name) const {
  const auto has_it = [&](const ProcessScope& scope) { return scope.variables.contains(name); };
  const auto found = std::find_if(processes_.begin(), processes_.end(), has_it);
  if (found == processes_.end())
    return std::nullopt;
  return static_cast<ProcessId>(found - processes_.begin());
}

void Names::collect(const Scope& scope, SymbolKind kind, std::vector<std::string>& names) {
  for (const auto& [name, symbol] : scope) {
    if (symbol.kind == kind)
      names.emplace_back(name);
  }
}

std::string Names::suggest_global(std::string_view name, SymbolKind kind) const {
  std::vector<std::string> names;
  collect(globals_, kind, names);
  return did_you_mean(name, std::move(names));
}

std::string Names::suggest_local(ProcessId process, std::string_view name) const {
  std::vector<std::string> names;
  collect(processes_[process].variables, SymbolKind::kVariable, names);
  return did_you_mean(name, std::move(names));
}

std::string Names::suggest_variable(ProcessId process, std::string_view name) const {
  std::vector<std::string> names;
  collect(globals_, SymbolKind::kVariable, names);
  if (process != kNothing)
    collect(processes_[process].variables, SymbolKind::kVariable, names);
  return did_you_mean(name, std::move(names));
}

std::string Names::suggest_state(ProcessId process, std::string_view name) const {
  std::vector<std::string> names;
  collect(processes_[process].states, SymbolKind::kVariable, names);
  return did_you_mean(name, std::move(names));
}

// Sorted, so that the suggestion does not depend on the order of a hash table. All names of one letter are near to each
// other, which says nothing.
std::string did_you_mean(std::string_view name, std::vector<std::string> candidates) {
  if (name.size() < 2)
    return {};
  std::sort(candidates.begin(), candidates.end());
  const std::string near = nearest_name(name, candidates);
  return near.empty() ? near : "did you mean '" + near + "'?";
}

}  // namespace tideline::dve
