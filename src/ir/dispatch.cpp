// SPDX-License-Identifier: MIT
#include "ir/dispatch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "ir/same_expr.h"
#include "ir/walk.h"

namespace tideline::ir {
namespace {

void split(const Expr& guard, std::vector<const Expr*>& out) {
  if (guard.op != ExprOp::kAnd) {
    out.push_back(&guard);
    return;
  }
  split(*guard.args[0], out);
  split(*guard.args[1], out);
}

// `variable = constant`, in either order of the operands.
struct ControlTest {
  const Expr* read = nullptr;
  std::uint64_t code = 0;

  [[nodiscard]] bool same_variable(const ControlTest& other) const {
    const Ref& ref = read->refs[0];
    const Ref& other_ref = other.read->refs[0];
    return ref.offset == other_ref.offset && ref.type->domain->same_encoding(*other_ref.type->domain);
  }
};

bool is_control_read(const Expr& expr) {
  return expr.op == ExprOp::kRead && expr.refs[0].root == Root::kState && expr.refs[0].subscripts.empty();
}

bool has_calls(const Expr& expr) {
  bool found = false;
  for_each_expr(expr, [&found](const Expr& part) { found = found || part.op == ExprOp::kCall; });
  return found;
}

// A rule on its way down the tree: its conjuncts before `next` are true.
struct Pending {
  std::size_t rule = 0;
  std::size_t next = 0;
};

class Builder {
 public:
  Builder(const Program& program, const Analysis& analysis) : program_(program), analysis_(analysis) {}

  Dispatch build() {
    std::vector<Pending> all;
    for (std::size_t r = 0; r < program_.rules.size(); ++r) {
      conjuncts_.push_back(conjuncts_of(program_.rules[r].guard.get()));
      all.push_back({r, 0});
    }
    // Rules are sorted by priority.
    flat_ = !all.empty() && program_.rules.front().priority != program_.rules.back().priority;
    return list(all);
  }

 private:
  Dispatch list(std::span<const Pending> rules) {
    Dispatch made;
    while (!rules.empty()) {
      std::size_t count = 1;
      if (const std::optional<ControlTest> control = control_test(rules[0])) {
        count = run(rules, [&](const Pending& other) {
          const std::optional<ControlTest> test = control_test(other);
          return test && test->same_variable(*control);
        });
        if (count > 1)
          made.push_back(switch_node(rules.first(count), control->read));
      } else if (is_shareable(rules[0])) {
        count = run(rules, [&](const Pending& other) {
          return is_shareable(other) && same_expr(*next_conjunct(rules[0]), *next_conjunct(other));
        });
        if (count > 1)
          made.push_back(test_node(rules.first(count)));
      }
      if (count == 1)
        made.push_back(rule_node(rules[0]));
      rules = rules.subspan(count);
    }
    return made;
  }

  // Length of the longest run at the front whose members, from the second on, satisfy `joins`.
  template <typename Joins>
  static std::size_t run(std::span<const Pending> rules, Joins joins) {
    const auto end = std::find_if_not(rules.begin() + 1, rules.end(), joins);
    return static_cast<std::size_t>(end - rules.begin());
  }

  DispatchNode rule_node(const Pending& rule) {
    DispatchNode node;
    node.rule = rule.rule;
    const std::vector<const Expr*>& all = conjuncts_[rule.rule];
    node.conjuncts.assign(all.begin() + static_cast<std::ptrdiff_t>(rule.next), all.end());
    return node;
  }

  DispatchNode test_node(std::span<const Pending> rules) {
    DispatchNode node;
    node.kind = DispatchNode::Kind::kTest;
    node.rule = rules[0].rule;
    node.condition = next_conjunct(rules[0]);
    std::vector<Pending> below;
    for (const Pending& rule : rules)
      below.push_back({rule.rule, rule.next + 1});
    node.body = list(below);
    return node;
  }

  DispatchNode switch_node(std::span<const Pending> rules, const Expr* read) {
    DispatchNode node;
    node.kind = DispatchNode::Kind::kSwitch;
    node.rule = rules[0].rule;
    node.condition = read;
    std::map<std::uint64_t, std::vector<Pending>> below;
    for (const Pending& rule : rules)
      below[control_test(rule)->code].push_back({rule.rule, rule.next + 1});
    for (const auto& [code, members] : below)
      node.cases.push_back({code, list(members)});
    return node;
  }

  // The conjunct that comes next, if the tree may take it (J1, J3); else null.
  [[nodiscard]] const Expr* next_conjunct(const Pending& rule) const {
    if (flat_ || rule.next == conjuncts_[rule.rule].size() || !program_.rules[rule.rule].bindings.empty())
      return nullptr;
    return conjuncts_[rule.rule][rule.next];
  }

  [[nodiscard]] bool is_shareable(const Pending& rule) const {
    const Expr* conjunct = next_conjunct(rule);
    if (conjunct == nullptr)
      return false;
    const Frame& frame = program_.rules[rule.rule].frame;
    return !analysis_.may_fail(*conjunct, frame) && !analysis_.may_be_undefined(*conjunct, frame) &&
           !has_calls(*conjunct);
  }

  [[nodiscard]] std::optional<ControlTest> control_test(const Pending& rule) const {
    const Expr* conjunct = next_conjunct(rule);
    if (conjunct == nullptr || conjunct->op != ExprOp::kEqual)
      return std::nullopt;
    const Expr* read = conjunct->args[0].get();
    const Expr* constant = conjunct->args[1].get();
    if (read->op == ExprOp::kConstant)
      std::swap(read, constant);
    if (!is_control_read(*read) || constant->op != ExprOp::kConstant || !is_shareable(rule))
      return std::nullopt;
    const Domain& domain = *read->refs[0].type->domain;
    if (!domain.contains(constant->constant))
      return std::nullopt;  // always false: no code stands for it
    return ControlTest{read, domain.encode(constant->constant)};
  }

  const Program& program_;
  const Analysis& analysis_;
  std::vector<std::vector<const Expr*>> conjuncts_;
  bool flat_ = false;
};

}  // namespace

const Dispatch* DispatchNode::find(std::uint64_t code) const {
  // Cases are mostly without gaps: then the code says where.
  if (const std::uint64_t position = code - cases.front().code; position < cases.size()) {
    if (cases[position].code == code)
      return &cases[position].body;
  }
  const auto found = std::lower_bound(cases.begin(), cases.end(), code,
                                      [](const DispatchCase& c, std::uint64_t wanted) { return c.code < wanted; });
  return found != cases.end() && found->code == code ? &found->body : nullptr;
}

std::vector<const Expr*> conjuncts_of(const Expr* guard) {
  std::vector<const Expr*> conjuncts;
  if (guard != nullptr)
    split(*guard, conjuncts);
  return conjuncts;
}

Dispatch make_dispatch(const Program& program, const Analysis& analysis) {
  return Builder(program, analysis).build();
}

std::size_t rule_count(const Dispatch& dispatch) {
  std::size_t count = 0;
  for (const DispatchNode& node : dispatch) {
    count += node.kind == DispatchNode::Kind::kRule ? 1 : rule_count(node.body);
    for (const DispatchCase& each : node.cases)
      count += rule_count(each.body);
  }
  return count;
}

}  // namespace tideline::ir
