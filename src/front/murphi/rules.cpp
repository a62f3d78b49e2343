// SPDX-License-Identifier: MIT
// Rules, start states, properties and functions. Each rule has a frame of its own, so the rulesets, chooses and aliases
// around it (context_) are elaborated afresh for each rule inside; they become its bindings.
#include <algorithm>
#include <utility>

#include "front/murphi/builder.h"
#include "front/murphi/elaborator.h"

namespace tideline::murphi {
namespace {

// A ruleset over `i := a to b by c` with c other than 1 lists its values one by one.
constexpr std::uint64_t kSteppedValuesMax = 1 << 16;

std::string label_of(const Item& item, const char* what) {
  if (item.has_label && !item.label.empty())
    return item.label;
  return std::string(what) + " at line " + std::to_string(item.span.where.line);
}

const char* word_of(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::kAssume:
      return "assumption";
    case PropertyKind::kCover:
      return "cover";
    case PropertyKind::kLiveness:
      return "liveness";
    default:
      return "invariant";
  }
}

ir::PropertyKind ir_kind(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::kAssume:
      return ir::PropertyKind::kAssumption;
    case PropertyKind::kCover:
      return ir::PropertyKind::kCover;
    case PropertyKind::kLiveness:
      return ir::PropertyKind::kLiveness;
    default:
      return ir::PropertyKind::kInvariant;
  }
}

bool has_kind(const std::vector<ItemPtr>& items, ItemKind kind) {
  return std::any_of(items.begin(), items.end(),
                     [kind](const ItemPtr& item) { return item->kind == kind || has_kind(item->items, kind); });
}

}  // namespace

void Elaborator::elaborate(const Model& model) {
  for (const ItemPtr& one : model.items) {
    for (const Decl& decl : one->decls) {
      for (const Name& name : decl.names)
        global_places_.emplace(name.text, name.where);
    }
    if (one->kind == ItemKind::kFunction)
      global_places_.emplace(one->name.text, one->name.where);
  }
  for (const ItemPtr& one : model.items)
    item(*one);
  check_whole(model);
  for (const std::string& text : options_.invariants)
    command_line_invariant(text);
  progress(model);
  std::vector<FunctionInfo*> functions;
  for (FunctionInfo& info : functions_)
    functions.push_back(&info);
  finish_effects(functions, calls_, pure_calls_, *diagnostics_);
}

void Elaborator::check_whole(const Model& model) {
  if (model.items.empty()) {
    error({1, 1}, "the model is empty", "it needs at least a startstate and a rule");
    return;
  }
  if (!has_kind(model.items, ItemKind::kStart))
    error({1, 1}, "the model has no startstate");
  if (!has_kind(model.items, ItemKind::kRule))
    diagnostics_->warning({1, 1}, "the model has no rules");
  std::vector<std::string> constants;
  for (const ItemPtr& one : model.items) {
    for (const Decl& decl : one->decls) {
      for (const Name& name : decl.names) {
        if (decl.kind == SectionKind::kConst)
          constants.push_back(name.text);
      }
    }
  }
  for (const auto& [name, text] : options_.defines) {
    if (defines_used_.count(name) != 0)
      continue;
    std::string message = "--define ";
    message.append(name).append("=").append(text).append(": the model has no constant '").append(name).append("'");
    error({}, std::move(message), did_you_mean(name, constants));
  }
}

void Elaborator::item(const Item& item) {
  switch (item.kind) {
    case ItemKind::kDecls:
      for (const Decl& decl : item.decls) {
        if (decl.kind == SectionKind::kConst)
          const_decl(decl);
        else if (decl.kind == SectionKind::kType)
          type_decl(decl);
        else
          global_var_decl(decl);
      }
      return;
    case ItemKind::kFunction:
      return function(item);
    default:
      return rule_like(item);
  }
}

void Elaborator::function(const Item& item) {
  ir::Function& made = program_.functions.emplace_back();
  FunctionInfo& info = functions_.emplace_back();
  info.function = &made;
  made.name = item.name.text;
  made.where = item.name.where;
  bool is_good = true;
  if (item.result) {
    info.result = type(*item.result);
    is_good = info.result != nullptr;
  }
  for (const TypedNames& list : item.params) {
    const ir::Type* param_type = type(*list.type);
    is_good = is_good && param_type != nullptr;
    for (const Name& name : list.names)
      info.params.push_back({name.text, param_type, list.is_var});
  }
  Symbol symbol;  // a constant of Sort::kError if the heading is wrong
  if (is_good) {
    symbol.kind = SymbolKind::kFunction;
    symbol.function = &info;
  }
  declare(item.name, symbol);
  if (!is_good)
    return;

  frame_ = &made.frame;
  function_ = &info;
  info.effects.writes_parameter.resize(info.params.size());
  scopes_.push();
  if (info.has_aggregate_result())
    new_local("", info.result, ir::LocalKind::kAlias);
  else if (info.result != nullptr)
    made.result = info.result->domain;
  std::size_t k = 0;
  for (const TypedNames& list : item.params) {
    for (const Name& name : list.names) {
      const Parameter& param = info.params[k];
      Symbol local;
      const bool is_value = !param.is_var && param.type->is_simple();
      local.kind = is_value ? SymbolKind::kLocal : SymbolKind::kAlias;
      local.type = param.type;
      local.slot = new_local(param.name, param.type, is_value ? ir::LocalKind::kValue : ir::LocalKind::kAlias);
      local.is_writable = param.is_var;
      local.what = "a parameter without 'var'";
      if (param.is_var)
        local.origin = {Origin::Kind::kParameter, k};
      declare(name, local);
      ++k;
    }
  }
  made.param_count = static_cast<std::uint32_t>(made.frame.locals.size());
  scopes_.push();
  local_decls(item.body.decls);
  statements(item.body.stmts, made.body);
  scopes_.pop();
  scopes_.pop();
  if (info.result != nullptr && !info.has_return)
    error(item.name.where, "the function '" + item.name.text + "' never returns a value");
  function_ = nullptr;
  frame_ = &scratch_;
}

void Elaborator::rule_like(const Item& item) {
  switch (item.kind) {
    case ItemKind::kRule:
      return start_or_rule(item, program_.rules);
    case ItemKind::kStart:
      return start_or_rule(item, program_.starts);
    case ItemKind::kProperty:
      return property(item);
    default:
      break;
  }
  context_.push_back(&item);
  for (const ItemPtr& inner : item.items)
    rule_like(*inner);
  if (item.items.empty()) {  // for its errors
    std::vector<ir::Binding> bindings;
    scopes_.push();
    context(bindings);
    scopes_.pop();
  }
  context_.pop_back();
}

void Elaborator::context(std::vector<ir::Binding>& bindings) {
  const char* outer = std::exchange(pure_place_, "an alias or ruleset around rules");
  for (const Item* enclosing : context_) {
    scopes_.push();
    context_item(*enclosing, bindings);
  }
  pure_place_ = outer;
}

void Elaborator::context_item(const Item& item, std::vector<ir::Binding>& bindings) {
  for (const Quantifier& quantifier : item.quantifiers)
    ruleset_parameter(quantifier, bindings);
  for (const AliasDecl& decl : item.aliases)
    bind_alias(decl, &bindings);
  if (item.kind != ItemKind::kChoose)
    return;
  Value multiset = multiset_object(*item.condition);
  if (multiset.is_error()) {
    declare(item.name, Symbol{});
    return;
  }
  ir::Binding binding;
  binding.kind = ir::BindingKind::kChoose;
  binding.domain = multiset.type->domain;
  binding.slot = slot_variable(item.name, multiset.type, "a slot of a multiset");
  binding.ref = std::move(*multiset.ref);
  bindings.push_back(std::move(binding));
}

void Elaborator::ruleset_parameter(const Quantifier& quantifier, std::vector<ir::Binding>& bindings) {
  const ir::Domain* domain =
      quantifier.type ? simple_domain(*quantifier.type, "a ruleset parameter") : ruleset_range(quantifier);
  if (domain == nullptr) {
    declare(quantifier.name, Symbol{});
    return;
  }
  const ir::Type* made = defined_type(domain);
  ir::Binding binding;
  binding.kind = ir::BindingKind::kParameter;
  binding.domain = made->domain;
  binding.slot = new_local(quantifier.name.text, made, ir::LocalKind::kValue);
  declare_local(quantifier.name, binding.slot, false, "a ruleset parameter");
  bindings.push_back(std::move(binding));
}

const ir::Domain* Elaborator::ruleset_range(const Quantifier& quantifier) {
  const std::optional<std::int64_t> from = constant(*quantifier.from, "the first value of a ruleset parameter");
  const std::optional<std::int64_t> to = constant(*quantifier.to, "the last value of a ruleset parameter");
  std::optional<std::int64_t> by = 1;
  if (quantifier.by)
    by = constant(*quantifier.by, "the step of a ruleset parameter");
  if (!from || !to || !by)
    return nullptr;
  if (*by == 0) {
    error(quantifier.by->span.where, "the step must not be 0");
    return nullptr;
  }
  if (*by > 0 ? *from > *to : *from < *to) {
    error(quantifier.name.where, "this ruleset parameter has no values");
    return nullptr;
  }
  const ir::Interval all{std::min(*from, *to), std::max(*from, *to)};
  if (is_too_large(all)) {
    error(quantifier.name.where, "this ruleset parameter has too many values");
    return nullptr;
  }
  if (*by == 1)
    return integer_type(all, true)->domain;
  const std::uint64_t step = *by > 0 ? static_cast<std::uint64_t>(*by) : 0 - static_cast<std::uint64_t>(*by);
  if ((all.size() - 1) / step >= kSteppedValuesMax) {
    error(quantifier.name.where, "this ruleset parameter has too many values",
          "with a step other than 1 the limit is " + std::to_string(kSteppedValuesMax));
    return nullptr;
  }
  ir::Domain domain;
  const std::uint64_t count = (all.size() - 1) / step + 1;
  std::int64_t next = *from;
  for (std::uint64_t k = 0; k < count; ++k) {
    domain.parts.push_back({next, next});
    if (k + 1 < count)
      next += *by;
  }
  return ir::add_domain(program_, std::move(domain));
}

void Elaborator::start_or_rule(const Item& item, std::vector<ir::Rule>& rules) {
  ir::Rule made;
  made.name = label_of(item, item.kind == ItemKind::kRule ? "rule" : "startstate");
  made.where = item.span.where;
  made.priority = item.priority;
  frame_ = &made.frame;
  const std::size_t depth = scopes_.depth();
  context(made.bindings);
  if (item.condition) {
    pure_place_ = "a guard";
    made.guard = boolean(*item.condition, "a guard");
    pure_place_ = nullptr;
  }
  scopes_.push();
  local_decls(item.body.decls);
  statements(item.body.stmts, made.body);
  while (scopes_.depth() > depth)
    scopes_.pop();
  frame_ = &scratch_;
  rules.push_back(std::move(made));
}

void Elaborator::property(const Item& item) {
  add_property(item.property, label_of(item, word_of(item.property)), item.span.where, *item.condition);
}

void Elaborator::add_property(PropertyKind kind, std::string name, Location where, const Expr& condition) {
  ir::Property made;
  made.kind = ir_kind(kind);
  made.name = std::move(name);
  made.where = where;
  frame_ = &made.frame;
  const std::size_t depth = scopes_.depth();
  context(made.bindings);
  pure_place_ = "a property";
  made.condition = boolean(condition, "a property");
  pure_place_ = nullptr;
  while (scopes_.depth() > depth)
    scopes_.pop();
  frame_ = &scratch_;
  if (made.kind == ir::PropertyKind::kCover) {
    made.cover = static_cast<std::uint32_t>(program_.covers.size());
    program_.covers.push_back({made.name, made.where});
  }
  program_.properties.push_back(std::move(made));
}

void Elaborator::command_line_invariant(const std::string& text) {
  from_command_line("--invariant", text, [&](bool with_locations) {
    ExprPtr expr = parse_expression(text, with_locations, *diagnostics_);
    if (!diagnostics_->has_errors())
      add_property(PropertyKind::kInvariant, text, {}, *expr);
    kept_.push_back(std::move(expr));
  });
}

// Twice: with the places of the text for the errors, and, if there are none, without places, because a run-time error
// inside it has no place in the model.
void Elaborator::from_command_line(const std::string& option, const std::string& text,
                                   const std::function<void(bool with_locations)>& elaborate) {
  Diagnostics inner(option, text);
  Diagnostics* outer = std::exchange(diagnostics_, &inner);
  const std::string_view outer_text = std::exchange(text_, text);
  const std::size_t properties = program_.properties.size();
  const std::size_t components = program_.progress.size();
  const std::size_t calls = pure_calls_.size();
  elaborate(true);
  program_.properties.resize(properties);
  program_.progress.resize(components);
  pure_calls_.resize(calls);
  if (!inner.has_errors())
    elaborate(false);
  text_ = outer_text;
  diagnostics_ = outer;
  forward_errors(inner, option, text, *diagnostics_);
}

}  // namespace tideline::murphi
