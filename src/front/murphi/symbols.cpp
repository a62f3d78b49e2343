// SPDX-License-Identifier: MIT
#include "front/murphi/symbols.h"

#include <algorithm>
#include <utility>

namespace tideline::murphi {

const Symbol* Scopes::declare(const std::string& name, const Symbol& symbol) {
  const auto [at, is_new] = scopes_.back().emplace(name, symbol);
  return is_new ? nullptr : &at->second;
}

const Symbol* Scopes::find(const std::string& name) const {
  for (std::size_t k = scopes_.size(); k-- > 0;) {
    const auto at = scopes_[k].find(name);
    if (at != scopes_[k].end())
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
