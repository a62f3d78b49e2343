// SPDX-License-Identifier: MIT
#include "exec/native/emit_progress.h"

#include <algorithm>

#include "ir/progress.h"

namespace tideline::native {
namespace {

// K1 for a value that is defined.
std::string code_text(const ir::ProgressComponent& component, const Value& value) {
  const ir::Interval& range = component.value->range;
  if (component.descending)
    return fmt::format("{} - {} + 1ull", unsigned_literal(static_cast<std::uint64_t>(range.hi)),
                       position_text(value, 0));
  return plus(position_text(value, range.lo), 1);
}

// A failure, a discarded step and the undefined value lead to F with the code 0.
CFunction emit_component(const Module& module, const ir::ProgressComponent& component, std::size_t number) {
  Emitter emitter(module, component.frame);
  emitter.set_state("s");
  emitter.exits() = {"goto F;", "goto F;", ""};
  const std::string code = code_text(component, emitter.needed(*component.value));
  const std::uint64_t arena = emitter.arena_words();
  CText text;
  text.open("static uint64_t m{}(tl_context* c, const uint64_t* s) {{", number);
  text.line("uint64_t code = 0;");
  if (arena > 0) {
    text.line("uint64_t* const arena = c->arena;");
    text.line("c->arena = arena + {};", arena);
  }
  text.append(emitter.out().str());
  text.line("code = {};", code);
  text.label("F");
  if (arena > 0)
    text.line("c->arena = arena;");
  text.line("return code;");
  text.close();
  return {text.str(), arena};
}

}  // namespace

CFunction emit_progress(const Module& module) {
  CFunction all;
  std::string key;
  unsigned bits_left = ir::progress_bits(module.program);
  for (std::size_t i = 0; i < module.program.progress.size(); ++i) {
    const CFunction emitted = emit_component(module, module.program.progress[i], i);
    all.text += emitted.text;
    all.arena_words = std::max(all.arena_words, emitted.arena_words);
    bits_left -= ir::progress_bits(module.program.progress[i]);
    key += fmt::format("{}m{}(c, s) << {}", i == 0 ? "" : " | ", i, bits_left);
  }
  CText text;
  text.open("static void progress(tl_context* c, const uint64_t* s, size_t count, uint64_t* keys) {{");
  text.line("for (size_t i = 0; i < count; i++, s += TL_WORDS)");
  text.line("  keys[i] = {};", key.empty() ? "0" : key);
  text.close();
  all.text += text.str();
  return all;
}

}  // namespace tideline::native
