// SPDX-License-Identifier: MIT
#include "exec/native/emit_c.h"

#include <algorithm>

#include "exec/native/emit_dispatch.h"
#include "exec/native/emit_progress.h"
#include "exec/native/emit_rule.h"

namespace tideline {

// Made by CMake from exec/runtime.
extern const char kRuntimeText[];
extern const char kHelpersText[];

namespace {

// Above this, code that every rule needs is shared, for the compiler's sake.
constexpr std::size_t kManyRules = 250;

using native::CFunction;
using native::CText;
using native::Module;

// Collects the functions of a module and how much of the arena they can take.
class ModuleWriter {
 public:
  explicit ModuleWriter(const ir::Program& program) : program_(program), module_(program) {}

  std::string write() {
    out_.append(kRuntimeText);
    out_.line("#define TL_WORDS {}ull", program_.state_words());
    out_.line("#define TL_BEGIN {}", program_.rules.size() > kManyRules ? "TL_SHARED" : "TL_INLINE");
    out_.append(kHelpersText);
    functions();
    properties();
    sorts();
    rules(program_.starts, 's', false);
    if (has_priorities())
      rules(program_.rules, 'r', true);
    else
      dispatch();
    entry_points();
    return out_.str();
  }

 private:
  void add(const CFunction& function) {
    out_.append(function.text);
    top_arena_ = std::max(top_arena_, function.arena_words);
  }

  void functions() {
    for (const ir::Function& function : program_.functions)
      out_.line("{};", native::function_head(module_, function));
    for (const ir::Function& function : program_.functions) {
      const CFunction emitted = native::emit_function(module_, function);
      out_.append(emitted.text);
      called_arena_ += emitted.arena_words;
      is_recursive_ = is_recursive_ || function.is_recursive;
    }
  }

  void properties() {
    for (std::size_t i = 0; i < program_.properties.size(); ++i)
      if (program_.properties[i].kind != ir::PropertyKind::kLiveness)
        add(native::emit_property(module_, program_.properties[i], fmt::format("h{}", i)));
    if (!program_.has_assumptions())
      return;
    out_.open("static int assumed(tl_context* c, const uint64_t* t) {{");
    out_.line("int holds;");
    for (std::size_t i = 0; i < program_.properties.size(); ++i)
      if (program_.properties[i].kind == ir::PropertyKind::kAssumption) {
        out_.line("holds = h{}(c, t);", i);
        out_.line("if (holds != 1) return holds == 2 ? TL_FAILURE : TL_DISCARDED;");
      }
    out_.line("return TL_DONE;");
    out_.close();
  }

  void sorts() {
    for (const std::size_t v : module_.with_multisets)
      out_.append(native::emit_sort(program_.variables[v], fmt::format("z{}", v)));
  }

  void rules(const std::vector<ir::Rule>& rules, char letter, bool maskable) {
    for (std::size_t i = 0; i < rules.size(); ++i)
      add(native::emit_rule(module_, rules[i], ir::conjuncts_of(rules[i].guard.get()), fmt::format("{}{}", letter, i),
                            maskable));
  }

  void dispatch() {
    native::CDispatch emitted = native::emit_dispatch(module_);
    out_.append(emitted.functions);
    top_arena_ = std::max(top_arena_, emitted.arena_words);
    calls_ = std::move(emitted.calls);
  }

  // Rules are sorted by priority.
  [[nodiscard]] bool has_priorities() const {
    return !program_.rules.empty() && program_.rules.front().priority != program_.rules.back().priority;
  }

  // A rule is masked if one of a lower priority number was enabled; it is still called for its failures.
  void prioritised_calls() {
    out_.line("int enabled = 0;");
    out_.line("int masked = 0;");
    for (std::size_t i = 0; i < program_.rules.size(); ++i) {
      const ir::Rule& rule = program_.rules[i];
      if (i > 0 && rule.priority != program_.rules[i - 1].priority)
        out_.line("masked = enabled;");
      const bool fails = native::condition_may_fail(module_, rule);
      out_.line("{}enabled |= r{}(c, s, b, masked);", fails ? "" : "if (!masked) ", i);
    }
  }

  void entry_points() {
    out_.open("static void initial(tl_context* c, tl_buffer* b) {{");
    out_.line("static const uint64_t zero[TL_WORDS + 1];");
    for (std::size_t i = 0; i < program_.starts.size(); ++i)
      out_.line("s{}(c, zero, b);", i);
    out_.close();
    out_.open("static void expand(tl_context* c, const uint64_t* s, tl_buffer* b) {{");
    if (has_priorities())
      prioritised_calls();
    else
      out_.append(calls_);
    out_.close();
    check_function();
    add(native::emit_progress(module_));
    // A chain of calls enters each function once, or, with recursion, as often as the depth limit allows.
    const std::uint64_t times = is_recursive_ ? std::uint64_t{program_.recursion_limit} + 1 : 1;
    out_.line("__attribute__((visibility(\"default\"))) const tl_module tl_model = {{");
    out_.line("TL_ABI, {}u, TL_WORDS, {}, initial, expand, check, progress}};", program_.covers.size(),
              native::unsigned_literal(top_arena_ + times * called_arena_));
  }

  void check_function() {
    out_.open("static uint64_t check(tl_context* c, const uint64_t* s) {{");
    out_.line("int holds;");
    for (std::size_t i = 0; i < program_.properties.size(); ++i) {
      const ir::Property& property = program_.properties[i];
      if (property.kind == ir::PropertyKind::kInvariant) {
        out_.line("holds = h{}(c, s);", i);
        out_.line("if (TL_SELDOM(holds != 1))");
        out_.line("  return {}ull << 2 | (holds == 2 ? TL_PROPERTY_FAILED : TL_PROPERTY_VIOLATED);", i);
      } else if (property.kind == ir::PropertyKind::kCover) {
        // Once covered, it is evaluated only for its failures.
        const bool fails = module_.analysis.may_fail(*property.condition, property.frame) || !property.bindings.empty();
        if (fails)
          out_.open("{{");
        else
          out_.open("if (!c->covered[{}]) {{", property.cover);
        out_.line("holds = h{}(c, s);", i);
        out_.line("if (TL_SELDOM(holds == 2)) return {}ull << 2 | TL_PROPERTY_FAILED;", i);
        out_.line("if (holds) c->covered[{}] = 1;", property.cover);
        out_.close();
      }
    }
    out_.line("return TL_HOLDS;");
    out_.close();
  }

  const ir::Program& program_;
  Module module_;
  CText out_;
  std::string calls_;  // of the dispatch tree
  std::uint64_t top_arena_ = 0;
  std::uint64_t called_arena_ = 0;
  bool is_recursive_ = false;
};

}  // namespace

std::string emit_c(const ir::Program& program) {
  return ModuleWriter(program).write();
}

}  // namespace tideline
