// SPDX-License-Identifier: MIT
// Types. A type expression is made once, however often the walk meets it (a ruleset is walked for each of its rules).
#include <algorithm>
#include <limits>

#include "front/murphi/elaborator.h"
#include "ir/print.h"

namespace tideline::murphi {
namespace {

// Larger scalarsets print their members as numbers.
constexpr std::uint64_t kLabelsMax = 4096;
constexpr const char* kTooLarge = "this type is too large: an object can have at most 2^23 bits";

}  // namespace

bool Elaborator::is_too_large(const ir::Interval& range) {
  return range.size() - 1 >= ir::kDomainValuesMax;
}

const ir::Type* Elaborator::type(const TypeExpr& expr, const std::string& name) {
  if (expr.kind == TypeKind::kName)
    return named_type(expr);
  if (expr.kind != TypeKind::kEnum) {
    const auto at = types_.find(&expr);
    if (at != types_.end())
      return at->second;
  }
  const ir::Type* made = make_type(expr, name);
  types_[&expr] = made;
  return made;
}

const ir::Type* Elaborator::make_type(const TypeExpr& expr, const std::string& name) {
  switch (expr.kind) {
    case TypeKind::kError:
    case TypeKind::kName:
      return nullptr;
    case TypeKind::kRange:
      return range_type(expr, name);
    case TypeKind::kEnum:
      return enum_type(expr, name);
    case TypeKind::kScalarset:
      return scalarset_type(expr, name);
    case TypeKind::kUnion:
      return union_type(expr, name);
    case TypeKind::kRecord:
      return record_type(expr, name);
    case TypeKind::kArray:
      return array_type(expr, name);
    case TypeKind::kMultiset:
      return multiset_type(expr, name);
  }
  return nullptr;
}

const ir::Type* Elaborator::named_type(const TypeExpr& expr) {
  const Symbol* symbol = scopes_.find(expr.name.text);
  if (symbol == nullptr) {
    unknown_name(expr.name, "type");
    return nullptr;
  }
  if (symbol->kind != SymbolKind::kType) {
    error(expr.name.where, "'" + expr.name.text + "' is not a type");
    return nullptr;
  }
  return symbol->type;
}

const ir::Type* Elaborator::range_type(const TypeExpr& expr, const std::string& name) {
  const std::optional<std::int64_t> low = constant(*expr.low, "the lower bound of a range");
  const std::optional<std::int64_t> high = constant(*expr.high, "the upper bound of a range");
  if (!low || !high)
    return nullptr;
  if (*high < *low) {
    error(expr.span.where,
          "the range " + std::to_string(*low) + ".." + std::to_string(*high) + " is empty: its upper bound is below");
    return nullptr;
  }
  if (is_too_large({*low, *high})) {
    error(expr.span.where, "this range is too large: it can have at most 2^56 values");
    return nullptr;
  }
  ir::Domain domain;
  domain.kind = ir::DomainKind::kRange;
  domain.name = name;
  domain.parts = {{*low, *high}};
  return ir::add_simple_type(program_, ir::add_domain(program_, std::move(domain)), name);
}

const ir::Type* Elaborator::enum_type(const TypeExpr& expr, const std::string& name) {
  if (expr.names.empty()) {
    error(expr.span.where, "an enumeration needs at least one member");
    return nullptr;
  }
  const std::int64_t base = numbering_.base(&expr, expr.names.size());
  const ir::Type*& made = types_[&expr];
  if (made == nullptr) {
    ir::Domain domain;
    domain.kind = ir::DomainKind::kEnum;
    domain.name = name;
    domain.parts = {{base, base + static_cast<std::int64_t>(expr.names.size()) - 1}};
    for (const Name& member : expr.names)
      domain.labels.push_back(member.text);
    const ir::Domain* kept = ir::add_domain(program_, std::move(domain));
    made = ir::add_simple_type(program_, kept, name);
    counted_[kept] = &expr;
    census_.sizes.emplace_back(&expr, expr.names.size());
  }
  const ir::Type* type = made;
  std::int64_t value = base;
  for (const Name& member : expr.names) {
    Symbol symbol;
    symbol.kind = SymbolKind::kConst;
    symbol.sort = Sort::kSymbol;
    symbol.value = value++;
    symbol.domain = type->domain;
    declare(member, symbol);
  }
  return type;
}

const ir::Type* Elaborator::scalarset_type(const TypeExpr& expr, const std::string& name) {
  const std::optional<std::int64_t> size = constant(*expr.low, "the size of a scalarset");
  if (!size)
    return nullptr;
  if (*size <= 0) {
    error(expr.low->span.where, "a scalarset needs at least one member, not " + std::to_string(*size));
    return nullptr;
  }
  const auto count = static_cast<std::uint64_t>(*size);
  if (count > ir::kDomainValuesMax || !numbering_.has_room(count)) {
    error(expr.low->span.where, "this scalarset is too large: it can have at most 2^56 members");
    return nullptr;
  }
  const std::int64_t base = numbering_.base(&expr, count);
  ir::Domain domain;
  domain.kind = ir::DomainKind::kScalarset;
  domain.name = name;
  domain.parts = {{base, base + *size - 1}};
  const std::string stem = name.empty() ? "scalarset" : name;
  for (std::uint64_t k = 1; k <= count && count <= kLabelsMax; ++k)
    domain.labels.push_back(stem + "_" + std::to_string(k));
  const ir::Domain* kept = ir::add_domain(program_, std::move(domain));
  counted_[kept] = &expr;
  census_.sizes.emplace_back(&expr, count);
  return ir::add_simple_type(program_, kept, name);
}

const ir::Type* Elaborator::union_type(const TypeExpr& expr, const std::string& name) {
  ir::Domain domain;
  domain.kind = ir::DomainKind::kUnion;
  domain.name = name;
  std::vector<const TypeExpr*> members;
  std::vector<const ir::Domain*> domains;
  for (const TypePtr& member : expr.members) {
    const ir::Type* made = type(*member);
    if (made == nullptr)
      return nullptr;
    if (sort_of(*made) != Sort::kSymbol) {
      error(member->span.where, "a union joins scalarsets and enumerations, not " + describe(*made));
      return nullptr;
    }
    for (const ir::Interval& part : made->domain->parts) {
      for (const ir::Interval& other : domain.parts) {
        if (part.lo <= other.hi && other.lo <= part.hi) {
          error(member->span.where, "this type is in the union already");
          return nullptr;
        }
      }
    }
    domain.parts.insert(domain.parts.end(), made->domain->parts.begin(), made->domain->parts.end());
    domains.push_back(made->domain);
    const auto at = counted_.find(made->domain);
    if (at != counted_.end())
      members.push_back(at->second);
  }
  const ir::Interval hull = domain.hull();
  if (is_too_large(hull)) {
    error(expr.span.where, "this union is too large: it can have at most 2^56 members");
    return nullptr;
  }
  if (hull.size() <= kLabelsMax) {
    for (std::int64_t v = hull.lo; v <= hull.hi; ++v) {
      const auto owner = std::find_if(domains.begin(), domains.end(), [v](const auto* d) { return d->contains(v); });
      domain.labels.push_back(owner == domains.end() ? std::string() : (*owner)->show(v));
    }
  }
  census_.unions.push_back(std::move(members));
  return ir::add_simple_type(program_, ir::add_domain(program_, std::move(domain)), name);
}

const ir::Type* Elaborator::record_type(const TypeExpr& expr, const std::string& name) {
  std::vector<ir::Field> fields;
  std::set<std::string> seen;
  bool is_good = true;
  for (const TypedNames& list : expr.fields) {
    const ir::Type* made = type(*list.type);
    is_good = is_good && made != nullptr;
    for (const Name& field : list.names) {
      if (!seen.insert(field.text).second) {
        error(field.where, "this record has a field '" + field.text + "' already");
        is_good = false;
      }
      fields.push_back({field.text, made, 0});
    }
  }
  if (!is_good)
    return nullptr;
  const ir::Type* made = ir::add_record_type(program_, std::move(fields), name);
  if (made == nullptr)
    error(expr.span.where, kTooLarge);
  return made;
}

const ir::Type* Elaborator::array_type(const TypeExpr& expr, const std::string& name) {
  const ir::Domain* index = simple_domain(*expr.index, "the index of an array");
  const ir::Type* element = type(*expr.element);
  if (index == nullptr || element == nullptr)
    return nullptr;
  const ir::Type* made = ir::add_array_type(program_, index, element, name);
  if (made == nullptr)
    error(expr.span.where, kTooLarge);
  return made;
}

const ir::Type* Elaborator::multiset_type(const TypeExpr& expr, const std::string& name) {
  const std::optional<std::int64_t> capacity = constant(*expr.low, "the size of a multiset");
  const ir::Type* element = type(*expr.element);
  if (!capacity || element == nullptr)
    return nullptr;
  if (*capacity <= 0) {
    error(expr.low->span.where, "a multiset needs room for at least one element, not " + std::to_string(*capacity));
    return nullptr;
  }
  if (element->contains_multiset()) {
    error(expr.element->span.where, "elements of a multiset cannot contain multisets", "use an array");
    return nullptr;
  }
  const ir::Type* made = ir::add_multiset_type(program_, static_cast<std::uint64_t>(*capacity), element, name);
  if (made == nullptr)
    error(expr.span.where, kTooLarge);
  return made;
}

const ir::Domain* Elaborator::simple_domain(const TypeExpr& expr, const char* what) {
  const ir::Type* made = type(expr);
  if (made == nullptr)
    return nullptr;
  if (!made->is_simple()) {
    error(expr.span.where, std::string(what) + " must be of a simple type, not " + describe(*made));
    return nullptr;
  }
  return made->domain;
}

const ir::Type* Elaborator::simple_type(const ir::Domain* domain) {
  const ir::Type*& made = simple_types_[domain];
  if (made == nullptr)
    made = ir::add_simple_type(program_, domain, domain->name);
  return made;
}

const ir::Type* Elaborator::integer_type(ir::Interval range, bool has_undefined) {
  constexpr std::int64_t kHalf = static_cast<std::int64_t>(ir::kDomainValuesMax / 2);
  if (is_too_large(range))
    range = {std::max(range.lo, -kHalf), std::min(range.hi, kHalf - 1)};
  if (range.lo > range.hi)
    range = {0, 0};
  const ir::Type*& made = integer_types_[{range.lo, range.hi, has_undefined}];
  if (made == nullptr) {
    ir::Domain domain;
    domain.parts = {range};
    domain.has_undefined = has_undefined;
    made = ir::add_simple_type(program_, ir::add_domain(program_, std::move(domain)));
  }
  return made;
}

const ir::Type* Elaborator::holder_type(const Value& value) {
  const bool has_undefined = value.expr->may_be_undefined;
  if (value.sort == Sort::kInteger || value.sort == Sort::kSlot)
    return integer_type(value.expr->range, has_undefined);
  const ir::Domain* domain = value.sort == Sort::kBoolean ? boolean_->domain : value.domain;
  return has_undefined ? simple_type(domain) : defined_type(domain);
}

const ir::Type* Elaborator::defined_type(const ir::Domain* domain) {
  const ir::Type*& made = defined_types_[domain];
  if (made == nullptr) {
    ir::Domain copy = *domain;
    copy.has_undefined = false;
    made = ir::add_simple_type(program_, ir::add_domain(program_, std::move(copy)), domain->name);
  }
  return made;
}

}  // namespace tideline::murphi
