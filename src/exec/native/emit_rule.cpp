// SPDX-License-Identifier: MIT
#include "exec/native/emit_rule.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.h"
#include "exec/native/instances.h"
#include "ir/dispatch.h"

namespace tideline::native {
namespace {

std::string next_label(std::size_t level) {
  return fmt::format("N{}", level);
}

// Emits the function of one rule.
class RuleWriter {
 public:
  RuleWriter(const Module& module, const ir::Rule& rule, const std::vector<const ir::Expr*>& conjuncts, bool maskable,
             const GuardMask* mask)
      : module_(module),
        rule_(rule),
        maskable_(maskable),
        mask_(mask),
        emitter_(module, rule.frame),
        instances_(module, rule.frame, rule.bindings, conjuncts) {}

  CFunction function(const std::string& name) {
    CText text;
    level(0);
    text.open("static {} {}(tl_context* c, const uint64_t* restrict s, tl_buffer* restrict b{}) {{",
              maskable_ ? "int" : "void", name,
              maskable_          ? ", int masked"
              : mask_ != nullptr ? ", const uint64_t* restrict m"
                                 : "");
    if (maskable_)
      text.line("int enabled = 0;");
    statements(text);
    if (maskable_)
      text.line("return enabled;");
    text.close();
    return {text.str(), emitter_.arena_words()};
  }

  CFunction block() {
    CText text;
    level(0);
    text.open("{{");
    text.line("__label__ {};", fmt::join(out().labels(), ", "));
    statements(text);
    text.close();
    return {text.str(), emitter_.arena_words()};
  }

 private:
  CText& out() { return emitter_.out(); }

  // What level(0) has emitted, with its part of the arena.
  void statements(CText& text) {
    const std::uint64_t arena = emitter_.arena_words();
    if (arena > 0) {
      text.line("uint64_t* const arena = c->arena;");
      text.line("c->arena = arena + {};", arena);
    }
    text.append(out().str());
    if (arena > 0)
      text.line("c->arena = arena;");
  }

  // Everything from level `k` on, up to and with the label that goes on with its next turn.
  void level(std::size_t k) {
    const std::string next = next_label(k);
    const std::string failed = fmt::format("B{}", k);
    emitter_.set_state("s");
    emitter_.exits() = {fmt::format("goto {};", failed), fmt::format("goto {};", next), ""};
    for (const ir::Binding* binding : instances_.bindings_at(k)) {
      if (binding->kind == ir::BindingKind::kAlias) {
        emitter_.bind(binding->slot, binding->ref);
      } else {
        const Value value = emitter_.value(*binding->value);
        out().line("const int64_t {} = {};", emitter_.slot_name(binding->slot), emitter_.as_integer(value));
      }
    }
    if (k < instances_.depth()) {
      early_tests(k);
      inner_loop(k);
    } else {
      late_tests();
      body();
    }
    out().line("goto {};", next);
    out().label(failed);
    out().line("tl_fail(b, {});", instances_.command_text(rule_, emitter_, k));
    out().label(next);
  }

  // Tests before the innermost level: one that fails only makes everything uncertain (H2).
  void early_tests(std::size_t k) {
    if (!instances_.early_test_may_fail() && !has_tests(k))
      return;
    const std::string uncertain = fmt::format("U{}", k);
    const std::string known = fmt::format("K{}", k);
    if (instances_.early_test_may_fail()) {
      out().line("int u{} = {};", k, k == 0 ? "0" : fmt::format("u{}", k - 1));
      if (!has_tests(k))
        return;
      if (k > 0)
        out().line("if (TL_SELDOM(u{})) goto {};", k, known);
    }
    const Emitter::Exits before = emitter_.exits();
    emitter_.exits() = {fmt::format("goto {};", uncertain), fmt::format("goto {};", uncertain), ""};
    bool may_fail = false;
    for (const Instances::Conjunct& conjunct : instances_.conjuncts()) {
      if (!is_tested(conjunct, k))
        continue;
      emitter_.jump(*conjunct.expr, false, next_label(k));
      may_fail = may_fail || conjunct.may_fail;
    }
    emitter_.exits() = before;
    if (may_fail) {
      out().line("goto {};", known);
      out().label(uncertain);
      out().line("u{} = 1;", k);
    }
    out().label(known);
  }

  [[nodiscard]] bool has_tests(std::size_t k) const {
    return std::any_of(instances_.conjuncts().begin(), instances_.conjuncts().end(),
                       [this, k](const Instances::Conjunct& conjunct) { return is_tested(conjunct, k); });
  }

  [[nodiscard]] bool is_tested(const Instances::Conjunct& conjunct, std::size_t k) const {
    return conjunct.level == k && (mask_ == nullptr || conjunct.expr != mask_->conjunct);
  }

  void inner_loop(std::size_t k) {
    const ir::Binding& binding = instances_.loop(k + 1);
    const std::string name = emitter_.slot_name(binding.slot);
    if (mask_ != nullptr && mask_->has(k + 1)) {
      masked_loop(k + 1);
      return;
    }
    if (binding.kind == ir::BindingKind::kParameter) {
      emitter_.for_each_member(*binding.domain, name, [&] { level(k + 1); });
      return;
    }
    const Address multiset = emitter_.captured(emitter_.address(binding.ref));
    emitter_.for_each_occupied(multiset, *binding.ref.type, binding.slot, [&] { level(k + 1); });
  }

  // The first level of the mask opens a loop over its bits, which gives all its parameters their values.
  void masked_loop(std::size_t k) {
    if (k > mask_->first) {
      out().open("{{");
    } else {
      out().open("for (uint64_t q0 = m[{}]; q0 != 0; q0 &= q0 - 1) {{", mask_->word);
      out().line("const unsigned q1 = (unsigned)__builtin_ctzll(q0);");
      std::uint64_t weight = 1;
      for (std::size_t i = mask_->last; i >= mask_->first; --i) {
        const ir::Interval hull = instances_.loop(i).domain->hull();
        out().line("const int64_t {} = {} + (int64_t)(q1 / {}u % {}u);", emitter_.slot_name(instances_.loop(i).slot),
                   signed_literal(hull.lo), weight, hull.size());
        weight *= hull.size();
      }
    }
    level(k);
    out().close();
  }

  // The rest of the guard, or all of it in order if an earlier test failed.
  void late_tests() {
    const std::size_t k = instances_.depth();
    const std::string next = next_label(k);
    emitter_.exits().fail = "goto F;";
    const std::string enabled = "G";
    if (instances_.early_test_may_fail()) {
      out().open("if (TL_SELDOM(u{})) {{", k - 1);
      for (const Instances::Conjunct& conjunct : instances_.conjuncts())
        emitter_.jump(*conjunct.expr, false, next);
      out().line("goto {};", enabled);
      out().close();
    }
    for (const Instances::Conjunct& conjunct : instances_.conjuncts())
      if (is_tested(conjunct, k))
        emitter_.jump(*conjunct.expr, false, next);
    out().label(enabled);
    if (maskable_) {
      out().line("enabled = 1;");
      out().line("if (masked) goto {};", next);
    }
  }

  void body() {
    const std::size_t k = instances_.depth();
    out().line("uint64_t* const t = tl_begin(b, s);");
    emitter_.set_state("t");
    emitter_.exits() = {"goto F;", fmt::format("goto {};", next_label(k)), "goto E;"};
    std::vector<bool> bound(rule_.frame.locals.size(), false);
    std::vector<ir::SlotIndex> copied;
    for (const ir::Binding& binding : rule_.bindings) {
      bound[binding.slot] = true;
      if (emitter_.is_assigned(binding.slot)) {
        copied.push_back(binding.slot);
        out().line("const int64_t o{} = {};", binding.slot, emitter_.slot_name(binding.slot));
      }
    }
    out().open("{{");
    for (const ir::SlotIndex slot : copied)  // hides the outer one, of the same name
      out().line("int64_t {} = o{};", emitter_.slot_name(slot), slot);
    emitter_.declare_locals(bound);
    emitter_.block(rule_.body);
    out().close();
    out().label("E");
    for (const std::size_t v : module_.with_multisets)
      if (module_.analysis.may_change(rule_, module_.program.variables[v]))
        out().line("z{}(t);", v);
    if (module_.program.has_assumptions()) {
      out().line("const int a = assumed(c, t);");
      out().line("if (a == TL_FAILURE) goto F;");
      out().line("if (a == TL_DISCARDED) {{");
      out().line("b->outside++;");
      out().line("tl_add(b, ({}) | TL_OUTSIDE);", instances_.command_text(rule_, emitter_, k));
      out().line("goto {};", next_label(k));
      out().line("}}");
    }
    out().line("tl_add(b, {});", instances_.command_text(rule_, emitter_, k));
    out().line("goto {};", next_label(k));
    out().label("F");
    out().line("tl_fail(b, {});", instances_.command_text(rule_, emitter_, k));
  }

  const Module& module_;
  const ir::Rule& rule_;
  bool maskable_;
  const GuardMask* mask_;  // or null
  Emitter emitter_;
  Instances instances_;
};

// Emits the function of one property.
class PropertyWriter {
 public:
  PropertyWriter(const Module& module, const ir::Property& property)
      : property_(property), universal_(property.kind != ir::PropertyKind::kCover), emitter_(module, property.frame) {}

  CFunction write(const std::string& name) {
    emitter_.set_state("s");
    bindings(0);
    const std::uint64_t arena = emitter_.arena_words();
    CText text;
    text.open("static int {}(tl_context* c, const uint64_t* s) {{", name);
    text.line("int result = {};", universal_ ? 1 : 0);
    if (arena > 0) {
      text.line("uint64_t* const arena = c->arena;");
      text.line("c->arena = arena + {};", arena);
    }
    text.append(emitter_.out().str());
    text.line("goto E;");
    text.label("D");
    text.line("result = {};", universal_ ? 0 : 1);
    text.line("goto E;");
    text.label("F");
    text.line("result = 2;");
    text.label("E");
    if (arena > 0)
      text.line("c->arena = arena;");
    text.line("return result;");
    text.close();
    return {text.str(), arena};
  }

 private:
  // Bindings from number `k` on, then the condition. A discarding instance neither decides nor fails.
  void bindings(std::size_t k) {
    const std::string next = next_label(k);
    emitter_.exits() = {"goto F;", fmt::format("goto {};", next), ""};
    if (k == property_.bindings.size()) {
      emitter_.jump(*property_.condition, !universal_, "D");
      emitter_.out().label(next);
      return;
    }
    const ir::Binding& binding = property_.bindings[k];
    const std::string name = emitter_.slot_name(binding.slot);
    switch (binding.kind) {
      case ir::BindingKind::kParameter:
        emitter_.for_each_member(*binding.domain, name, [&] { bindings(k + 1); });
        break;
      case ir::BindingKind::kChoose: {
        const Address multiset = emitter_.captured(emitter_.address(binding.ref));
        emitter_.for_each_occupied(multiset, *binding.ref.type, binding.slot, [&] { bindings(k + 1); });
        break;
      }
      case ir::BindingKind::kAlias:
        emitter_.bind(binding.slot, binding.ref);
        bindings(k + 1);
        break;
      case ir::BindingKind::kValue: {
        const Value value = emitter_.value(*binding.value);
        emitter_.out().line("const int64_t {} = {};", name, emitter_.as_integer(value));
        bindings(k + 1);
        break;
      }
    }
    emitter_.out().label(next);
  }

  const ir::Property& property_;
  bool universal_;
  Emitter emitter_;
};

std::string function_parameters(const ir::Function& function, bool names_only) {
  std::string list = names_only ? "c, t" : "tl_context* c, uint64_t* t";
  for (std::uint32_t i = 0; i < function.param_count; ++i) {
    switch (function.frame.locals[i].kind) {
      case ir::LocalKind::kValue:
        list += fmt::format(", {}v{}", names_only ? "" : "int64_t ", i);
        break;
      case ir::LocalKind::kPacked:
        list += fmt::format(", {}v{}", names_only ? "" : "uint64_t* ", i);
        break;
      case ir::LocalKind::kAlias:
        list += names_only ? fmt::format(", p{}, b{}", i, i) : fmt::format(", uint64_t* p{}, uint64_t b{}", i, i);
        break;
    }
  }
  if (function.result != nullptr)
    list += names_only ? ", r" : ", int64_t* r";
  return list;
}

}  // namespace

CFunction emit_rule(const Module& module, const ir::Rule& rule, const std::vector<const ir::Expr*>& conjuncts,
                    const std::string& name, bool maskable, const GuardMask* mask) {
  return RuleWriter(module, rule, conjuncts, maskable, mask).function(name);
}

CFunction emit_rule_block(const Module& module, const ir::Rule& rule, const std::vector<const ir::Expr*>& conjuncts) {
  return RuleWriter(module, rule, conjuncts, false, nullptr).block();
}

bool condition_may_fail(const Module& module, const ir::Rule& rule) {
  return Instances(module, rule.frame, rule.bindings, ir::conjuncts_of(rule.guard.get())).may_fail();
}

CFunction emit_property(const Module& module, const ir::Property& property, const std::string& name) {
  return PropertyWriter(module, property).write(name);
}

std::string function_head(const Module& module, const ir::Function& function) {
  return fmt::format("static int f{}({})", module.function_numbers.at(&function), function_parameters(function, false));
}

CFunction emit_function(const Module& module, const ir::Function& function) {
  Emitter emitter(module, function.frame);
  emitter.set_state("t");
  emitter.set_result(function.result, "r");
  emitter.exits() = {"return TL_FAILURE;", "return TL_DISCARDED;", "return TL_DONE;"};
  std::vector<bool> parameters(function.frame.locals.size(), false);
  std::fill_n(parameters.begin(), function.param_count, true);
  if (function.is_recursive)
    emitter.keep_off_stack();
  emitter.declare_locals(parameters);
  emitter.block(function.body);
  const std::uint64_t arena = emitter.arena_words();
  const std::size_t number = module.function_numbers.at(&function);
  CText text;
  const bool wrapped = arena > 0 || function.is_recursive;
  if (wrapped)
    text.open("static int g{}({}, uint64_t* arena) {{", number, function_parameters(function, false));
  else
    text.open("{} {{", function_head(module, function));
  text.append(emitter.out().str());
  text.line("return {};", function.result != nullptr ? "TL_FAILURE" : "TL_DONE");
  text.close();
  if (wrapped) {
    text.open("{} {{", function_head(module, function));
    if (function.is_recursive) {
      text.line("if (TL_SELDOM(c->depth >= {}u)) return TL_FAILURE;", module.program.recursion_limit);
      text.line("c->depth++;");
    }
    text.line("uint64_t* const arena = c->arena;");
    text.line("c->arena = arena + {};", arena);
    text.line("const int status = g{}({}, arena);", number, function_parameters(function, true));
    text.line("c->arena = arena;");
    if (function.is_recursive)
      text.line("c->depth--;");
    text.line("return status;");
    text.close();
  }
  return {text.str(), arena};
}

}  // namespace tideline::native
