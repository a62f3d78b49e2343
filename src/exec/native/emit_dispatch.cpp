// SPDX-License-Identifier: MIT
#include "exec/native/emit_dispatch.h"

#include <algorithm>

#include "base/check.h"
#include "exec/native/guard_masks.h"

namespace tideline::native {
namespace {

using ir::Dispatch;
using ir::DispatchCase;
using ir::DispatchNode;

// By measurement; docs/design/native.md.
constexpr std::size_t kFunctionBytes = 32'000;

// Some parts, one after the other.
struct Group {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

// Cuts a sequence of parts so that only a group of one part is longer than kFunctionBytes.
std::vector<Group> grouped(const std::vector<std::string>& parts) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (groups.empty() || groups.back().text.size() + parts[i].size() > kFunctionBytes)
      groups.push_back({i, i, ""});
    groups.back().text += parts[i];
    groups.back().end = i + 1;
  }
  return groups;
}

class DispatchWriter {
 public:
  explicit DispatchWriter(const Module& module)
      : module_(module), tree_(ir::make_dispatch(module.program, module.analysis)), masks_(module, guards(tree_)) {
    functions_.append(masks_.functions());
  }

  CDispatch write() {
    std::vector<std::string> parts;
    std::size_t number = 0;  // of rules at the top
    for (const DispatchNode& node : tree_)
      parts.push_back(node.kind == DispatchNode::Kind::kRule ? rule_function(node, masks_.of(number++)) : inside(node));
    CText calls;
    if (masks_.words() > 0)
      calls.line("uint64_t m[{}];", masks_.words());
    calls.append(masks_.calls());
    calls.append(in_sequence(parts));
    return {functions_.str(), calls.str(), arena_words_};
  }

 private:
  // Of the rules at the top of the tree: all that have parameters are there.
  std::vector<GuardMasks::Guard> guards(const Dispatch& tree) const {
    std::vector<GuardMasks::Guard> made;
    for (const DispatchNode& node : tree)
      if (node.kind == DispatchNode::Kind::kRule)
        made.push_back({&module_.program.rules[node.rule], node.conjuncts});
    return made;
  }

  // A rule that shares nothing with its neighbours is a function of its own; gives its call.
  std::string rule_function(const DispatchNode& node, const GuardMask* mask) {
    const std::string name = fmt::format("r{}", node.rule);
    add(emit_rule(module_, module_.program.rules[node.rule], node.conjuncts, name, false, mask), functions_);
    return fmt::format("{}(c, s, b{});\n", name, mask == nullptr ? "" : ", m");
  }

  void add(const CFunction& made, CText& out) {
    out.append(made.text);
    arena_words_ = std::max(arena_words_, made.arena_words);
  }

  std::string inside(const DispatchNode& node) {
    CText out;
    switch (node.kind) {
      case DispatchNode::Kind::kRule:
        add(emit_rule_block(module_, module_.program.rules[node.rule], node.conjuncts), out);
        break;
      case DispatchNode::Kind::kTest:
        out.line("if ({}) {{", condition(node));
        out.append(body(node.body));
        out.line("}}");
        break;
      case DispatchNode::Kind::kSwitch:
        out.append(switch_on(code(node), node.cases));
        break;
    }
    return out.str();
  }

  std::string body(const Dispatch& list) {
    std::vector<std::string> parts;
    for (const DispatchNode& node : list)
      parts.push_back(inside(node));
    return in_sequence(parts);
  }

  // Statements one after the other, in several functions if they are too long for one.
  std::string in_sequence(const std::vector<std::string>& parts) {
    const std::vector<Group> groups = grouped(parts);
    std::string made;
    for (const Group& group : groups)
      made += groups.size() == 1 ? group.text : as_function(group.text);
    return made;
  }

  // A switch whose cases are too long for one function becomes a switch over functions with some of the cases each.
  std::string switch_on(const std::string& code, const std::vector<DispatchCase>& cases) {
    std::vector<std::string> labels;
    std::vector<std::string> parts;
    for (const DispatchCase& each : cases) {
      labels.push_back(fmt::format("case {}:\n", unsigned_literal(each.code)));
      parts.push_back(fmt::format("{}{}break;\n", labels.back(), body(each.body)));
    }
    const std::vector<Group> groups = grouped(parts);
    std::string made;
    for (const Group& group : groups) {
      if (groups.size() == 1) {
        made = group.text;
        break;
      }
      for (std::size_t i = group.begin; i < group.end; ++i)
        made += labels[i];
      made += as_function(switch_text(code, group.text)) + "break;\n";
    }
    return switch_text(code, made);
  }

  static std::string switch_text(const std::string& code, const std::string& cases) {
    return fmt::format("switch ({}) {{\n{}}}\n", code, cases);
  }

  // Makes statements a function; gives its call.
  std::string as_function(const std::string& statements) {
    const unsigned number = next_++;
    CText text;
    text.open("static __attribute__((noinline)) void d{}(tl_context* c, const uint64_t* restrict s,", number);
    text.line("tl_buffer* restrict b{}) {{", masks_.words() == 0 ? "" : ", const uint64_t* restrict m");
    text.append(statements);
    text.close();
    functions_.append(text.str());
    return fmt::format("d{}(c, s, b{});\n", number, masks_.words() == 0 ? "" : ", m");
  }

  // The packed code of what a switch reads.
  std::string code(const DispatchNode& node) {
    Emitter emitter(module_, module_.program.rules[node.rule].frame);
    emitter.set_state("s");
    const Value value = emitter.value(*node.condition);
    CHECK(emitter.out().empty());
    if (value.constant)
      return unsigned_literal(node.condition->refs[0].type->domain->encode(*value.constant));
    return value.text;
  }

  // A C expression; what needs statements becomes a function.
  std::string condition(const DispatchNode& node) {
    Emitter emitter(module_, module_.program.rules[node.rule].frame);
    emitter.set_state("s");
    emitter.exits() = {"return 0;", "return 0;", ""};  // not reached (J1)
    const std::string truth = truth_text(emitter.needed(*node.condition), true);
    if (emitter.out().empty())
      return truth;
    CText text;
    const std::string name = fmt::format("e{}", next_++);
    text.open("static int {}(tl_context* c, const uint64_t* s) {{", name);
    text.append(emitter.out().str());
    text.line("return {};", truth);
    text.close();
    functions_.append(text.str());
    return fmt::format("{}(c, s)", name);
  }

  const Module& module_;
  const Dispatch tree_;
  const GuardMasks masks_;
  CText functions_;
  unsigned next_ = 0;
  std::uint64_t arena_words_ = 0;
};

}  // namespace

CDispatch emit_dispatch(const Module& module) {
  return DispatchWriter(module).write();
}

}  // namespace tideline::native
