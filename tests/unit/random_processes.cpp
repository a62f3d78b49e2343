// SPDX-License-Identifier: MIT
#include "random_processes.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "ir/build.h"

namespace tideline::test {
namespace {

using namespace ir;  // NOLINT(google-build-using-namespace): builds IR

constexpr std::int64_t kGlobalMax = 5;
constexpr std::int64_t kCells = 5;  // one less than a global has values: a subscript can fail

struct Transition {
  std::int64_t from = 0;
  std::int64_t to = 0;
  bool sends = false;
  bool receives = false;
  unsigned channel = 0;
  unsigned guard = 0;  // which of the conditions; 0: none
};

class Generator {
 public:
  Generator(std::uint64_t seed, const ProcessShape& shape)
      : random_(seed), shape_(shape), program_(std::make_unique<Program>()) {}

  std::unique_ptr<Program> make() {
    make_variables();
    make_start();
    for (unsigned p = 0; p < shape_.processes; ++p)
      transitions_.push_back(make_transitions());
    for (unsigned p = 0; p < shape_.processes; ++p)
      for (const Transition& transition : transitions_[p])
        make_rules(p, transition);
    CHECK(number_commands(*program_));
    return std::move(program_);
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  bool odd() { return chance(shape_.odd_percent); }

  const Type* range(std::int64_t lo, std::int64_t hi, bool has_undefined) {
    Domain domain;
    domain.parts = {{lo, hi}};
    domain.has_undefined = has_undefined;
    return add_simple_type(*program_, add_domain(*program_, std::move(domain)));
  }

  void make_variables() {
    const Type* counter = range(-1, std::int64_t{shape_.locations} - 2, shape_.has_undefined);
    for (unsigned p = 0; p < shape_.processes; ++p)
      program_->add_variable("pc", counter, {});
    for (unsigned i = 0; i < shape_.globals; ++i)
      program_->add_variable("x", range(0, kGlobalMax, false), {});
    const Type* element = range(0, kGlobalMax, true);
    program_->add_variable("cells", add_array_type(*program_, range(0, kCells - 1, false)->domain, element), {});
  }

  Ref variable(std::size_t v) { return make_state_ref(program_->variables[v]); }
  Ref counter(unsigned p) { return variable(p); }
  Ref global(unsigned i) { return variable(shape_.processes + i % shape_.globals); }
  Ref cell(ExprPtr index) {
    Ref ref = variable(shape_.processes + shape_.globals);
    append_subscript(ref, std::move(index), {});
    return ref;
  }
  static ExprPtr get(Ref ref, bool checked = true) { return make_read(std::move(ref), checked, {}); }
  static ExprPtr number(std::int64_t value) { return make_constant(value); }
  static ExprPtr binary(ExprOp op, ExprPtr left, ExprPtr right) {
    return make_binary(op, std::move(left), std::move(right), {});
  }
  static void assign(Block& block, Ref ref, ExprPtr value) {
    auto stmt = std::make_unique<Stmt>();
    stmt->kind = StmtKind::kAssign;
    stmt->ref = std::move(ref);
    stmt->value = std::move(value);
    block.push_back(std::move(stmt));
  }

  void make_start() {
    Rule& start = program_->starts.emplace_back();
    for (unsigned p = 0; p < shape_.processes; ++p)
      if (!shape_.has_undefined || !chance(10))
        assign(start.body, counter(p), number(-1));
    for (unsigned i = 0; i < shape_.globals; ++i)
      assign(start.body, global(i), number(below(kGlobalMax)));
    for (std::int64_t i = 0; i < kCells; ++i)
      if (!odd())
        assign(start.body, cell(number(i)), number(below(kGlobalMax)));
  }

  std::vector<Transition> make_transitions() {
    std::vector<Transition> made;
    for (unsigned l = 0; l < shape_.locations; ++l) {
      for (unsigned i = 0; i < shape_.transitions; ++i) {
        Transition transition;
        transition.from = std::int64_t{l} - 1;
        transition.to = std::int64_t{below(shape_.locations)} - 1;
        const unsigned kind = below(6);
        transition.sends = kind == 0;
        transition.receives = kind == 1;
        transition.channel = below(shape_.channels);
        transition.guard = chance(60) ? 1 + below(1000) : 0;
        made.push_back(transition);
      }
    }
    return made;
  }

  // The same number gives the same condition; some can fail.
  ExprPtr condition(unsigned which) {
    const unsigned i = which / 8;
    const std::int64_t value = which % kGlobalMax;
    const bool failing = which % 100 < shape_.odd_percent;
    if (!failing)
      return which % 8 < 5 ? binary(which % 2 == 0 ? ExprOp::kLess : ExprOp::kNotEqual, get(global(i)), number(value))
                           : binary(ExprOp::kOr, binary(ExprOp::kGreater, get(global(i)), number(value)),
                                    binary(ExprOp::kEqual, get(cell(number(value)), false), get(global(i + 1))));
    switch (which % 3) {
      case 0:
        return binary(ExprOp::kLessEqual, get(cell(get(global(i))), which % 2 == 0), number(value));
      case 1:
        return binary(ExprOp::kLess, binary(ExprOp::kModulo, number(7), get(global(i))), number(value));
      default:
        return binary(ExprOp::kGreaterEqual, get(cell(number(value))), number(value - 1));
    }
  }

  // In either order of the operands; checked reads of counters can fail.
  ExprPtr at(unsigned p, std::int64_t location) {
    ExprPtr read = get(counter(p), odd() && chance(20));
    if (odd() && chance(10))
      location = 1000;
    return odd() ? binary(ExprOp::kEqual, number(location), std::move(read))
                 : binary(ExprOp::kEqual, std::move(read), number(location));
  }

  ExprPtr conjunction(std::vector<ExprPtr> parts) {
    if (parts.size() == 1)
      return std::move(parts[0]);
    const std::size_t cut = chance(50) ? parts.size() - 1 : parts.size() / 2;
    std::vector<ExprPtr> right;
    for (std::size_t i = cut; i < parts.size(); ++i)
      right.push_back(std::move(parts[i]));
    parts.resize(cut);
    ExprPtr left = conjunction(std::move(parts));
    return binary(ExprOp::kAnd, std::move(left), conjunction(std::move(right)));
  }

  void make_rules(unsigned p, const Transition& transition) {
    if (odd() && chance(20))
      make_other_rule(p);
    if (transition.receives)
      return;
    if (!transition.sends) {
      make_rule(p, transition, p, nullptr, false);
      return;
    }
    const bool guard_first = transition.guard != 0 && transition.guard % 100 >= shape_.odd_percent && chance(50);
    for (unsigned q = 0; q < shape_.processes; ++q)
      for (const Transition& other : transitions_[q])
        if (q != p && other.receives && other.channel == transition.channel)
          make_rule(p, transition, q, &other, guard_first);
  }

  // A transition of p, together with one of q if there is one.
  void make_rule(unsigned p, const Transition& transition, unsigned q, const Transition* other, bool guard_first) {
    Rule rule;
    rule.name = "rule";
    std::vector<ExprPtr> parts;
    parts.push_back(at(p, transition.from));
    if (guard_first)
      parts.push_back(condition(transition.guard));
    if (other != nullptr)
      parts.push_back(at(q, other->from));
    if (transition.guard != 0 && !guard_first)
      parts.push_back(condition(transition.guard));
    if (other != nullptr && other->guard != 0)
      parts.push_back(condition(other->guard));
    rule.guard = conjunction(std::move(parts));
    const unsigned i = below(shape_.globals);
    ExprPtr value = binary(ExprOp::kAdd, get(global(i)), number(1));
    if (!odd())
      value = binary(ExprOp::kModulo, std::move(value), number(kGlobalMax + 1));
    assign(rule.body, global(i), std::move(value));
    if (odd())
      assign(rule.body, cell(get(global(i + 1))), make_undefined());
    assign(rule.body, counter(p), number(transition.to));
    if (other != nullptr)
      assign(rule.body, counter(q), number(other->to));
    program_->rules.push_back(std::move(rule));
  }

  // One with a parameter, without a guard, or with a quantifier.
  void make_other_rule(unsigned p) {
    Rule rule;
    rule.name = "other";
    const unsigned kind = below(3);
    if (kind == 0) {
      const Type* index = range(0, kCells - 1, false);
      rule.frame.locals.push_back({"i", index, LocalKind::kValue});
      Binding binding;
      binding.domain = index->domain;
      rule.bindings.push_back(std::move(binding));
      rule.guard = binary(ExprOp::kAnd, at(p, below(shape_.locations)),
                          binary(ExprOp::kLess, get(cell(get(make_local_ref(rule.frame, 0)))), number(2)));
      assign(rule.body, cell(get(make_local_ref(rule.frame, 0))), number(3));
    } else if (kind == 1) {
      const Type* index = range(0, kCells - 1, false);
      rule.frame.locals.push_back({"i", index, LocalKind::kValue});
      LoopRange loop;
      loop.domain = index->domain;
      ExprPtr body = binary(ExprOp::kNotEqual, get(cell(get(make_local_ref(rule.frame, 0))), false), number(4));
      rule.guard = make_quantifier(ExprOp::kForall, 0, std::move(loop), std::move(body), {});
      assign(rule.body, global(p), number(0));
      Rule twin;
      twin.frame = rule.frame;
      twin.guard = clone(*rule.guard);
      assign(twin.body, global(p), number(1));
      program_->rules.push_back(std::move(twin));
    } else {
      assign(rule.body, global(p), number(kGlobalMax));
    }
    program_->rules.push_back(std::move(rule));
  }

  std::mt19937_64 random_;
  ProcessShape shape_;
  std::unique_ptr<Program> program_;
  std::vector<std::vector<Transition>> transitions_;
};

}  // namespace

std::unique_ptr<Program> random_processes(std::uint64_t seed, const ProcessShape& shape) {
  return Generator(seed, shape).make();
}

}  // namespace tideline::test
