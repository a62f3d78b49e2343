// SPDX-License-Identifier: MIT
// Constants, types and variables, and the constants that --define overrides. A wrong declaration still declares its
// names, so that their uses raise no further errors.
#include <utility>

#include "front/murphi/builder.h"
#include "front/murphi/elaborator.h"

namespace tideline::murphi {
namespace {

// Built-in names are in scope 1, the model's global ones in scope 2.
constexpr std::size_t kGlobalScope = 2;

Symbol truth_symbol(std::int64_t value) {
  Symbol symbol;
  symbol.kind = SymbolKind::kConst;
  symbol.sort = Sort::kBoolean;
  symbol.value = value;
  return symbol;
}

}  // namespace

Elaborator::Elaborator(std::string_view text, const Options& options, Numbering numbering, ir::Program& program,
                       Diagnostics& diagnostics)
    : text_(text), options_(options), numbering_(std::move(numbering)), program_(program), diagnostics_(&diagnostics) {
  ir::Domain domain;
  domain.kind = ir::DomainKind::kBoolean;
  domain.name = "boolean";
  domain.parts = {{0, 1}};
  domain.labels = {"false", "true"};
  boolean_ = ir::add_simple_type(program_, ir::add_domain(program_, std::move(domain)), "boolean");
  simple_types_[boolean_->domain] = boolean_;
  Symbol type;
  type.kind = SymbolKind::kType;
  type.type = boolean_;
  scopes_.declare("boolean", type);
  scopes_.declare("false", truth_symbol(0));
  scopes_.declare("true", truth_symbol(1));
  scopes_.push();
}

void Elaborator::declare(const Name& name, const Symbol& symbol) {
  if (name.text == "boolean" || name.text == "true" || name.text == "false")
    return error(name.where, "'" + name.text + "' is a built-in name");
  Symbol placed = symbol;
  placed.where = name.where;
  const Symbol* earlier = scopes_.declare(name.text, placed);
  if (earlier != nullptr)
    error(name.where, "'" + name.text + "' is declared already, at line " + std::to_string(earlier->where.line));
}

ir::SlotIndex Elaborator::new_local(const std::string& name, const ir::Type* type, ir::LocalKind kind) {
  frame_->locals.push_back({name, type, kind});
  return static_cast<ir::SlotIndex>(frame_->locals.size() - 1);
}

void Elaborator::declare_local(const Name& name, ir::SlotIndex slot, bool is_writable, const char* what) {
  Symbol symbol;
  symbol.kind = frame_->locals[slot].kind == ir::LocalKind::kAlias ? SymbolKind::kAlias : SymbolKind::kLocal;
  symbol.type = frame_->locals[slot].type;
  symbol.slot = slot;
  symbol.is_writable = is_writable;
  symbol.what = what;
  declare(name, symbol);
}

void Elaborator::const_decl(const Decl& decl) {
  Value made = value(*decl.value);
  Symbol symbol;
  symbol.kind = SymbolKind::kConst;
  if (!made.is_error()) {
    if (made.sort == Sort::kAggregate || made.sort == Sort::kUndefined || !made.expr ||
        made.expr->op != ir::ExprOp::kConstant) {
      error(decl.value->span.where, "the value of a constant must be known before the model runs");
    } else {
      symbol.sort = made.sort;
      symbol.value = made.expr->constant;
      symbol.domain = made.domain;
    }
  }
  for (const Name& name : decl.names) {
    Symbol own = symbol;
    if (scopes_.depth() == kGlobalScope) {
      if (std::optional<Symbol> defined = defined_constant(name, symbol))
        own = *defined;
    }
    declare(name, own);
  }
}

std::optional<Symbol> Elaborator::defined_constant(const Name& name, const Symbol& original) {
  const std::string* text = nullptr;
  for (const auto& [defined, value_text] : options_.defines) {
    if (defined == name.text)
      text = &value_text;  // the last one counts
  }
  if (text == nullptr)
    return std::nullopt;
  defines_used_.insert(name.text);
  Diagnostics inner("--define", *text);
  ExprPtr expr = parse_expression(*text, true, inner);
  Symbol symbol;
  symbol.kind = SymbolKind::kConst;
  if (!inner.has_errors()) {
    Diagnostics* outer = std::exchange(diagnostics_, &inner);
    const std::string_view outer_text = std::exchange(text_, *text);
    Value made = value(*expr);
    Value wanted;
    wanted.sort = original.sort;
    wanted.domain = original.domain;
    const bool same_sort =
        made.sort == original.sort && (made.sort != Sort::kSymbol || share_values(*made.domain, *original.domain));
    if (made.is_error() || original.sort == Sort::kError) {
      // Reported.
    } else if (!same_sort) {
      error(made.where, "the constant '" + name.text + "' is " + describe(wanted) + ", not " + describe(made));
    } else if (made.expr->op != ir::ExprOp::kConstant) {
      error(made.where, "the value must be a constant");
    } else {
      symbol.sort = made.sort;
      symbol.value = made.expr->constant;
      symbol.domain = made.domain;
    }
    text_ = outer_text;
    diagnostics_ = outer;
  }
  kept_.push_back(std::move(expr));
  forward_errors(inner, "--define " + name.text + "=" + *text, *text, *diagnostics_);
  return symbol;
}

void Elaborator::type_decl(const Decl& decl) {
  for (const Name& name : decl.names) {
    Symbol symbol;
    symbol.kind = SymbolKind::kType;
    symbol.type = type(*decl.type, name.text);
    declare(name, symbol);
  }
}

void Elaborator::global_var_decl(const Decl& decl) {
  const ir::Type* made = type(*decl.type);
  for (const Name& name : decl.names) {
    Symbol symbol;
    symbol.kind = SymbolKind::kVariable;
    symbol.is_writable = true;
    symbol.origin.kind = Origin::Kind::kState;
    if (made != nullptr && program_.state_bits + made->bits > ir::kObjectBitsMax) {
      error(name.where, "the state is too large: it can have at most 2^23 bits");
    } else if (made != nullptr) {
      symbol.type = made;
      symbol.variable = program_.variables.size();
      program_.add_variable(name.text, made, name.where);
    }
    declare(name, symbol);
  }
}

void Elaborator::local_decls(const std::vector<Decl>& decls) {
  for (const Decl& decl : decls) {
    if (decl.kind == SectionKind::kConst) {
      const_decl(decl);
    } else if (decl.kind == SectionKind::kType) {
      type_decl(decl);
    } else {
      const ir::Type* made = type(*decl.type);
      for (const Name& name : decl.names) {
        if (made == nullptr) {
          Symbol symbol;  // a constant of Sort::kError
          declare(name, symbol);
          continue;
        }
        const ir::LocalKind kind = made->is_simple() ? ir::LocalKind::kValue : ir::LocalKind::kPacked;
        declare_local(name, new_local(name.text, made, kind), true, "");
      }
    }
  }
}

void Elaborator::count(const Model& model) {
  for (const ItemPtr& item : model.items) {
    for (const Decl& decl : item->decls) {
      if (decl.kind == SectionKind::kConst)
        const_decl(decl);
      else if (decl.kind == SectionKind::kType)
        type_decl(decl);
      else
        type(*decl.type);
    }
  }
}

}  // namespace tideline::murphi
