// SPDX-License-Identifier: MIT
// Names and what they stand for. Scopes nest; a name may hide one of an outer scope, never one of its own. A symbol is
// visible from its declaration on, as in both dialects.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "front/murphi/effects.h"
#include "ir/program.h"

namespace tideline::murphi {

// What a value can be used for; two sorts never mix.
enum class Sort : std::uint8_t {
  kError,  // already complained about: fits everywhere
  kBoolean,
  kInteger,
  kSymbol,     // member of an enumeration, scalarset or union
  kSlot,       // slot of a multiset: bound by choose, multisetcount, multisetremovepred
  kUndefined,  // the word UNDEFINED
  kAggregate,  // record, array, multiset
};

// A formal parameter.
struct Parameter {
  std::string name;
  const ir::Type* type = nullptr;
  bool is_var = false;
};

struct FunctionInfo {
  ir::Function* function = nullptr;
  std::vector<Parameter> params;
  const ir::Type* result = nullptr;  // null: procedure
  bool has_return = false;
  Effects effects;

  // An aggregate result is passed as a leading alias parameter (ir::Function::result).
  [[nodiscard]] bool has_aggregate_result() const { return result != nullptr && !result->is_simple(); }
};

enum class SymbolKind : std::uint8_t {
  kConst,     // sort, value, domain
  kType,      // type
  kVariable,  // variable
  kLocal,     // slot of the current frame; type
  kAlias,     // the same, and the slot holds a reference
  kFunction,  // function
};

struct Symbol {
  SymbolKind kind = SymbolKind::kConst;
  Location where;
  Sort sort = Sort::kError;
  std::int64_t value = 0;
  const ir::Domain* domain = nullptr;
  const ir::Type* type = nullptr;
  std::size_t variable = 0;
  ir::SlotIndex slot = 0;
  bool is_writable = false;
  const char* what = "";  // why it is not writable: "a loop variable"
  Origin origin;
  const ir::Type* multiset = nullptr;  // kSlot: whose slot it is
  FunctionInfo* function = nullptr;
};

class Scopes {
 public:
  Scopes() { push(); }
  void push() { scopes_.emplace_back(); }
  void pop() { scopes_.pop_back(); }
  [[nodiscard]] std::size_t depth() const { return scopes_.size(); }
  // The symbol of the same scope that has the name already, or null and it is declared.
  const Symbol* declare(const std::string& name, const Symbol& symbol);
  [[nodiscard]] const Symbol* find(const std::string& name) const;
  // Every visible name, for "did you mean".
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::vector<std::unordered_map<std::string, Symbol>> scopes_;
};

}  // namespace tideline::murphi
