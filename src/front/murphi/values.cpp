// SPDX-License-Identifier: MIT
// Names, designators and what is common to all values: reading them, checking that they fit, describing them.
#include <algorithm>

#include "base/check.h"
#include "front/murphi/elaborator.h"
#include "ir/print.h"

namespace tideline::murphi {

// ---- errors ----

std::string Elaborator::did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string near = name.size() < 2 ? std::string() : nearest_name(name, candidates);
  return near.empty() ? near : "did you mean '" + near + "'?";
}

void Elaborator::error(Location where, std::string message, std::string hint) {
  // A ruleset is walked once for each of its rules; what is wrong with it is said once.
  if (reported_.emplace(where.line, where.column, message).second)
    diagnostics_->error(where, std::move(message), std::move(hint));
}

void Elaborator::unknown_name(const Name& name, const char* what) {
  const auto later = global_places_.find(name.text);
  if (name.text == "real") {
    error(name.where, "real types are not supported", "use an integer range, for example a fixed-point scale");
    return;
  }
  if (later != global_places_.end()) {
    error(name.where, "'" + name.text + "' is declared later, at line " + std::to_string(later->second.line),
          "declare it before its first use");
    return;
  }
  error(name.where, std::string("unknown ") + what + " '" + name.text + "'", did_you_mean(name.text, scopes_.names()));
}

std::string Elaborator::source(const Span& span) const {
  constexpr std::size_t kShownMax = 100;
  std::string shown;
  if (span.end > text_.size())
    return shown;
  for (const char c : text_.substr(span.begin, span.end - span.begin)) {
    const bool is_space = static_cast<unsigned char>(c) <= ' ';
    if (!is_space)
      shown += c;
    else if (!shown.empty() && shown.back() != ' ')
      shown += ' ';
    if (shown.size() >= kShownMax)
      return shown + "...";
  }
  return shown;
}

std::string Elaborator::name_of(const ir::Type& type) {
  constexpr std::size_t kShownMax = 60;
  std::string name = type.name.empty() ? ir::show_type(type) : type.name;
  if (name.size() > kShownMax)
    name.replace(kShownMax, std::string::npos, "...");
  return name;
}

std::string Elaborator::describe(const ir::Type& type) {
  switch (sort_of(type)) {
    case Sort::kBoolean:
      return "a boolean";
    case Sort::kInteger:
      return "an integer";
    case Sort::kSymbol:
      return type.domain->name.empty() ? "a value of an unnamed type" : "a value of type '" + type.domain->name + "'";
    default:
      break;
  }
  if (type.name.empty())
    return "a value of type '" + name_of(type) + "'";
  const char* const word = type.kind == ir::TypeKind::kRecord  ? "a record"
                           : type.kind == ir::TypeKind::kArray ? "an array"
                                                               : "a multiset";
  return std::string(word) + " '" + type.name + "'";
}

std::string Elaborator::describe(const Value& value) const {
  switch (value.sort) {
    case Sort::kError:
      return "an error";
    case Sort::kBoolean:
      return "a boolean";
    case Sort::kInteger:
      return "an integer";
    case Sort::kSymbol:
      return value.domain->name.empty() ? "a value of an unnamed type" : "a value of type '" + value.domain->name + "'";
    case Sort::kSlot:
      return "a slot of a multiset";
    case Sort::kUndefined:
      return "UNDEFINED";
    case Sort::kAggregate:
      return describe(*value.type);
  }
  return {};
}

// ---- types of values ----

Sort Elaborator::sort_of(const ir::Type& type) {
  if (!type.is_simple())
    return Sort::kAggregate;
  switch (type.domain->kind) {
    case ir::DomainKind::kBoolean:
      return Sort::kBoolean;
    case ir::DomainKind::kRange:
      return Sort::kInteger;
    default:
      return Sort::kSymbol;
  }
}

bool Elaborator::share_values(const ir::Domain& a, const ir::Domain& b) {
  for (const ir::Interval& x : a.parts) {
    for (const ir::Interval& y : b.parts) {
      if (x.lo <= y.hi && y.lo <= x.hi)
        return true;
    }
  }
  return false;
}

// Same layout and same meaning: the layout alone would let an enumeration pass for a range.
bool Elaborator::same_type(const ir::Type& a, const ir::Type& b) {
  if (&a == &b)
    return true;
  if (!a.same_layout(b))
    return false;
  switch (a.kind) {
    case ir::TypeKind::kSimple:
      return sort_of(a) == sort_of(b);
    case ir::TypeKind::kArray:
      return a.domain->kind == b.domain->kind && same_type(*a.element, *b.element);
    case ir::TypeKind::kMultiset:
      return same_type(*a.element, *b.element);
    case ir::TypeKind::kRecord:
      return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                        [](const ir::Field& x, const ir::Field& y) { return same_type(*x.type, *y.type); });
  }
  return false;
}

// ---- designators ----

Value Elaborator::object(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kName:
      return name_object(expr);
    case ExprKind::kField:
      return field_object(expr);
    case ExprKind::kIndex:
      return index_object(expr);
    default:
      return computed(expr);
  }
}

Value Elaborator::name_object(const Expr& expr) {
  Value value;
  value.where = expr.span.where;
  const Symbol* symbol = scopes_.find(expr.name.text);
  if (symbol == nullptr) {
    unknown_name(expr.name, "name");
    return value;
  }
  switch (symbol->kind) {
    case SymbolKind::kConst:
      value.sort = symbol->sort;
      value.domain = symbol->domain;
      if (symbol->sort != Sort::kError)
        value.expr = ir::make_constant(symbol->value, value.where);
      value.what = "a constant";
      return value;
    case SymbolKind::kType:
      error(value.where, "'" + expr.name.text + "' is a type, but a value is needed here");
      return value;
    case SymbolKind::kFunction:
      error(value.where, "'" + expr.name.text + "' is a function: write " + expr.name.text + "(...) to call it");
      return value;
    case SymbolKind::kVariable:
      if (symbol->type == nullptr)
        return value;  // its type was wrong
      value.ref = std::make_unique<ir::Ref>(ir::make_state_ref(program_.variables[symbol->variable], value.where));
      break;
    case SymbolKind::kLocal:
    case SymbolKind::kAlias:
      if (symbol->type == nullptr)
        return value;
      value.ref = std::make_unique<ir::Ref>(ir::make_local_ref(*frame_, symbol->slot, value.where));
      value.ref->text = expr.name.text;
      break;
  }
  value.type = symbol->type;
  value.sort = symbol->multiset != nullptr ? Sort::kSlot : sort_of(*symbol->type);
  value.multiset = symbol->multiset;
  if (value.sort == Sort::kSymbol)
    value.domain = symbol->type->domain;
  value.is_writable = symbol->is_writable;
  value.what = symbol->what;
  value.origin = symbol->origin;
  return value;
}

Value Elaborator::field_object(const Expr& expr) {
  Value value = object(*expr.args[0]);
  if (value.is_error())
    return value;
  if (value.type == nullptr || value.type->kind != ir::TypeKind::kRecord) {
    error(value.where, "only a record has fields; this is " + describe(value));
    return {};
  }
  const auto& fields = value.type->fields;
  const auto field =
      std::find_if(fields.begin(), fields.end(), [&expr](const ir::Field& f) { return f.name == expr.name.text; });
  if (field == fields.end()) {
    std::vector<std::string> names;
    for (const ir::Field& f : fields)
      names.push_back(f.name);
    error(expr.name.where, describe(value) + " has no field '" + expr.name.text + "'",
          did_you_mean(expr.name.text, names));
    return {};
  }
  ir::append_field(*value.ref, *field);
  value.type = field->type;
  value.sort = sort_of(*value.type);
  value.domain = value.sort == Sort::kSymbol ? value.type->domain : nullptr;
  return value;
}

Value Elaborator::index_object(const Expr& expr) {
  Value value = object(*expr.args[0]);
  if (value.is_error()) {
    object(*expr.args[1]);  // for its errors
    return value;
  }
  if (value.type == nullptr ||
      (value.type->kind != ir::TypeKind::kArray && value.type->kind != ir::TypeKind::kMultiset)) {
    error(value.where, "only an array or multiset can be indexed; this is " + describe(value));
    return {};
  }
  ir::ExprPtr index = index_value(*expr.args[1], *value.type);
  if (!index)
    return {};
  ir::append_subscript(*value.ref, std::move(index), expr.args[1]->span.where);
  value.type = value.type->element;
  value.sort = sort_of(*value.type);
  value.domain = value.sort == Sort::kSymbol ? value.type->domain : nullptr;
  return value;
}

ir::ExprPtr Elaborator::index_value(const Expr& expr, const ir::Type& array) {
  Value index = value(expr);
  if (index.is_error())
    return nullptr;
  if (array.kind == ir::TypeKind::kMultiset) {
    if (index.sort == Sort::kSlot && same_type(*index.multiset, array))
      return std::move(index.expr);
    error(expr.span.where,
          "a multiset is indexed by a variable of choose, multisetcount or multisetremovepred over it, "
          "not by " +
              (index.sort == Sort::kSlot ? "a slot of another multiset" : describe(index)));
    return nullptr;
  }
  const ir::Type* type = simple_type(array.domain);
  if (index.sort == Sort::kUndefined) {
    error(expr.span.where, "UNDEFINED cannot be an index");
    return nullptr;
  }
  return fitting(std::move(index), *type, "the index");
}

Value Elaborator::multiset_object(const Expr& expr) {
  Value value = object(expr);
  if (value.is_error())
    return value;
  if (value.type == nullptr || value.type->kind != ir::TypeKind::kMultiset) {
    error(expr.span.where, "a multiset is needed here, not " + describe(value));
    return {};
  }
  return value;
}

// ---- reading ----

Value Elaborator::value(const Expr& expr, ReadMode mode) {
  Value value = object(expr);
  read(value, mode);
  return value;
}

// CMurphi checks booleans, integers and enumerations where they are used and nothing where one variable is assigned to
// another; Rumur checks every read but hands undefined arguments on (docs/user/murphi.md, "Undefined values").
void Elaborator::read(Value& value, ReadMode mode) {
  if (!value.ref || value.expr || value.sort == Sort::kAggregate || value.is_error())
    return;
  const ir::Domain& domain = *value.type->domain;
  bool is_checked = false;
  if (domain.has_undefined && mode != ReadMode::kRaw) {
    if (options_.strict_undefined)
      is_checked = mode != ReadMode::kArgument;
    else
      is_checked =
          mode != ReadMode::kCopy && domain.kind != ir::DomainKind::kScalarset && domain.kind != ir::DomainKind::kUnion;
  }
  value.expr = ir::make_read(std::move(*value.ref), is_checked, value.where);
  value.ref.reset();
}

ir::ExprPtr Elaborator::boolean(const Expr& expr, const char* what) {
  Value result = value(expr);
  if (result.sort == Sort::kBoolean)
    return std::move(result.expr);
  if (!result.is_error())
    error(expr.span.where, std::string(what) + " must be a boolean, not " + describe(result));
  return ir::make_constant(0, expr.span.where);
}

ir::ExprPtr Elaborator::integer(const Expr& expr, const char* what) {
  Value result = value(expr);
  if (result.sort == Sort::kInteger)
    return std::move(result.expr);
  if (!result.is_error()) {
    const bool is_symbol = result.sort == Sort::kSymbol;
    error(expr.span.where, std::string(what) + " must be an integer, not " + describe(result),
          is_symbol ? "members of enumerations and scalarsets can only be compared with = and !=" : "");
  }
  return ir::make_constant(0, expr.span.where);
}

std::optional<std::int64_t> Elaborator::constant(const Expr& expr, const char* what) {
  Value result = value(expr);
  if (result.is_error())
    return std::nullopt;
  if (result.sort != Sort::kInteger) {
    error(expr.span.where, std::string(what) + " must be an integer, not " + describe(result));
    return std::nullopt;
  }
  if (result.expr->op != ir::ExprOp::kConstant) {
    error(expr.span.where, std::string(what) + " must be a constant");
    return std::nullopt;
  }
  return result.expr->constant;
}

// ---- writing ----

void Elaborator::note_write(const Origin& origin) {
  if (function_ == nullptr)
    return;
  if (origin.kind == Origin::Kind::kState)
    function_->effects.writes_state = true;
  else if (origin.kind == Origin::Kind::kParameter)
    function_->effects.writes_parameter[origin.parameter] = true;
}

std::unique_ptr<ir::Ref> Elaborator::target(const Expr& expr, const char* verb, const ir::Type** type) {
  Value value = object(expr);
  if (value.is_error())
    return nullptr;
  if (!value.ref) {
    error(expr.span.where, std::string("cannot ") + verb + " this: it is " +
                               (value.what[0] == '\0' ? "not a variable" : std::string(value.what)));
    return nullptr;
  }
  if (!value.is_writable) {
    error(expr.span.where, std::string("cannot ") + verb + " '" + source(expr.span) + "': it is " + value.what);
    return nullptr;
  }
  note_write(value.origin);
  *type = value.type;
  return std::move(value.ref);
}

ir::ExprPtr Elaborator::fitting(Value value, const ir::Type& type, const char* what) {
  const Sort wanted = sort_of(type);
  bool fits = value.sort == wanted;
  if (value.sort == Sort::kUndefined) {
    fits = wanted != Sort::kAggregate;
    if (fits)
      return ir::make_undefined(value.where);
  }
  if (fits && wanted == Sort::kSymbol)
    fits = share_values(*value.domain, *type.domain);
  if (!fits && !value.is_error())
    error(value.where, std::string(what) + " must be " + describe(type) + ", not " + describe(value));
  return fits ? std::move(value.expr) : nullptr;
}

void Elaborator::make_addressable(const ir::Ref& ref) {
  if (ref.root == ir::Root::kLocal)
    frame_->locals[ref.slot].kind = ir::LocalKind::kPacked;
}

}  // namespace tideline::murphi
