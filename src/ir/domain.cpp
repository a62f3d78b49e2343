// SPDX-License-Identifier: MIT
#include "ir/domain.h"

#include <algorithm>

#include "base/check.h"

namespace tideline::ir {

Interval Domain::hull() const {
  CHECK(!parts.empty());
  Interval all = parts.front();
  for (const Interval& part : parts) {
    all.lo = std::min(all.lo, part.lo);
    all.hi = std::max(all.hi, part.hi);
  }
  return all;
}

bool Domain::contains(std::int64_t v) const {
  return std::any_of(parts.begin(), parts.end(), [v](const Interval& part) { return part.contains(v); });
}

bool Domain::contains_all(const Interval& range) const {
  return std::any_of(parts.begin(), parts.end(), [&range](const Interval& part) { return part.contains(range); });
}

std::uint64_t Domain::encode(std::int64_t v) const {
  if (v == kUndefined) {
    CHECK(has_undefined);
    return 0;
  }
  DCHECK(hull().contains(v));
  return static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(hull().lo) + (has_undefined ? 1 : 0);
}

std::int64_t Domain::decode(std::uint64_t code) const {
  if (has_undefined && code == 0)
    return kUndefined;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(hull().lo) + code - (has_undefined ? 1 : 0));
}

std::string Domain::show(std::int64_t v) const {
  if (v == kUndefined)
    return "undefined";
  const auto index = static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(hull().lo);
  if (contains(v) && index < labels.size())
    return labels[index];
  return std::to_string(v);
}

std::string Domain::show_range() const {
  if (kind != DomainKind::kRange)
    return name.empty() ? "its type" : name;
  const Interval values = declared.value_or(hull());
  return std::to_string(values.lo) + ".." + std::to_string(values.hi);
}

bool Domain::same_encoding(const Domain& other) const {
  return hull() == other.hull() && has_undefined == other.has_undefined;
}

}  // namespace tideline::ir
