// SPDX-License-Identifier: MIT
#include "front/murphi/symbols.h"

#include <algorithm>
#include <utility>

namespace tideline::murphi {

const Symbol* Scopes::declare(const std::string& name, Symbol symbol) {
  const auto [at, is_new] = scopes_.back().emplace(name, std::move(symbol));
  return is_new ? nullptr : &at->second;
}

const Symbol* Scopes::find(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto at = scope->find(name);
    if (at != scope->end())
      return &at->second;
  }
  return nullptr;
}

std::vector<std::string> Scopes::names() const {
  std::vector<std::string> all;
  for (const auto& scope : scopes_) {
    for (const auto& entry : scope)
      all.push_back(entry.first);
  }
  std::sort(all.begin(), all.end());  // the same suggestion every time
  return all;
}

}  // namespace tideline::murphi
