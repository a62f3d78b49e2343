// SPDX-License-Identifier: MIT
// The names of a model. Variables, channels and processes share the global scope; each process has a scope of
// variables, which hide global ones, and one of states.
//
// N1  names are views of the model's text, which must outlive this object.
// N2  the first declaration of a name in a scope stays; a second one is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "front/dve/model.h"

namespace tideline::dve {

enum class SymbolKind : std::uint8_t { kVariable, kChannel, kProcess };

struct Symbol {
  SymbolKind kind = SymbolKind::kVariable;
  std::uint32_t index = 0;  // VariableId, ChannelId or ProcessId
  Location where;
};

class Names {
 public:
  // Each returns the earlier declaration if there is one, else nothing.
  std::optional<Location> declare_global(std::string_view name, const Symbol& symbol);
  std::optional<Location> declare_local(ProcessId process, std::string_view name, const Symbol& symbol);
  std::optional<Location> declare_state(ProcessId process, std::string_view name, StateId state, Location where);
  // Scopes for the next process.
  void add_process() { processes_.emplace_back(); }

  [[nodiscard]] const Symbol* global(std::string_view name) const;
  [[nodiscard]] const Symbol* local(ProcessId process, std::string_view name) const;
  // What a plain name means inside a process, or, for kNothing, outside.
  [[nodiscard]] const Symbol* visible(ProcessId process, std::string_view name) const;
  [[nodiscard]] std::optional<StateId> state(ProcessId process, std::string_view name) const;
  // A process with a variable of this name.
  [[nodiscard]] std::optional<ProcessId> process_with_local(std::string_view name) const;

  // "did you mean 'x'?", or nothing, among the names that would do.
  [[nodiscard]] std::string suggest_global(std::string_view name, SymbolKind kind) const;
  [[nodiscard]] std::string suggest_local(ProcessId process, std::string_view name) const;
  [[nodiscard]] std::string suggest_variable(ProcessId process, std::string_view name) const;
  [[nodiscard]] std::string suggest_state(ProcessId process, std::string_view name) const;

 private:
  using Scope = std::unordered_map<std::string_view, Symbol>;
  struct ProcessScope {
    Scope variables;
    Scope states;
  };

  static std::optional<Location> declare(Scope& scope, std::string_view name, const Symbol& symbol);
  static const Symbol* find(const Scope& scope, std::string_view name);
  static void collect(const Scope& scope, SymbolKind kind, std::vector<std::string>& names);

  Scope globals_;
  std::vector<ProcessScope> processes_;
};

// "did you mean 'x'?", or nothing.
std::string did_you_mean(std::string_view name, std::vector<std::string> candidates);

}  // namespace tideline::dve
