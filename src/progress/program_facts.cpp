// SPDX-License-Identifier: MIT
#include "progress/program_facts.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/dispatch.h"
#include "ir/same_expr.h"
#include "ir/walk.h"

namespace tideline::progress {
namespace {

using ir::Expr;
using ir::ExprOp;
using ir::Interval;
using ir::Ref;
using ir::Stmt;
using ir::StmtKind;

constexpr std::size_t kAddressesMax = 4096;

// `ref` has a value in the interval.
struct Known {
  const Ref* ref;
  Interval values;
};

class Collector {
 public:
  Collector(const ir::Program& program, const Cells& cells) : program_(program), cells_(cells) {
    for (std::size_t c = 0; c < cells.cells.size(); ++c)
      if (cells.groups[cells.cells[c].group].multiset == nullptr)
        by_offset_.emplace(cells.cells[c].offset, c);
    facts_.resize(cells.cells.size());
  }

  std::vector<CellFacts> run() {
    for (std::size_t c = 0; c < facts_.size(); ++c)
      if (cells_.groups[cells_.cells[c].group].multiset != nullptr)
        spoil(c);
    for (const ir::Rule& rule : program_.rules)
      walk_rule(rule);
    for (const ir::Function& function : program_.functions) {
      forget();
      walk(function.body);
    }
    return std::move(facts_);
  }

 private:
  void forget() {
    known_.clear();
    fixed_slots_.clear();
    written_.assign(facts_.size(), false);
  }

  void walk_rule(const ir::Rule& rule) {
    forget();
    for (const ir::Binding& binding : rule.bindings) {
      if (binding.kind == ir::BindingKind::kParameter)
        fixed_slots_.push_back(binding.slot);
      if (binding.kind == ir::BindingKind::kAlias)
        spoil_all(binding.ref);
    }
    if (rule.guard != nullptr)
      learn(*rule.guard);
    walk(rule.body);
  }

  // --- What conditions say ---

  void learn(const Expr& condition) {
    for (const Expr* conjunct : ir::conjuncts_of(&condition))
      if (std::optional<Known> known = known_of(*conjunct))
        known_.push_back(*known);
  }

  [[nodiscard]] std::optional<Known> known_of(const Expr& test) const {
    if (test.args.size() != 2)
      return std::nullopt;
    const Expr* read = test.args[0].get();
    const Expr* other = test.args[1].get();
    ExprOp op = test.op;
    if (read->op != ExprOp::kRead) {
      std::swap(read, other);
      op = mirrored(op);
    }
    if (read->op != ExprOp::kRead || !is_lasting(read->refs[0]) || other->may_be_undefined)
      return std::nullopt;
    Interval values = read->refs[0].type->domain->hull();
    switch (op) {
      case ExprOp::kEqual:
        values = {std::max(values.lo, other->range.lo), std::min(values.hi, other->range.hi)};
        break;
      case ExprOp::kLess:
        values.hi = std::min(values.hi, other->range.hi - 1);
        break;
      case ExprOp::kLessEqual:
        values.hi = std::min(values.hi, other->range.hi);
        break;
      case ExprOp::kGreater:
        values.lo = std::max(values.lo, other->range.lo + 1);
        break;
      case ExprOp::kGreaterEqual:
        values.lo = std::max(values.lo, other->range.lo);
        break;
      default:
        return std::nullopt;
    }
    if (values.lo > values.hi)
      return std::nullopt;
    return Known{&read->refs[0], values};
  }

  static ExprOp mirrored(ExprOp op) {
    switch (op) {
      case ExprOp::kLess:
        return ExprOp::kGreater;
      case ExprOp::kLessEqual:
        return ExprOp::kGreaterEqual;
      case ExprOp::kGreater:
        return ExprOp::kLess;
      case ExprOp::kGreaterEqual:
        return ExprOp::kLessEqual;
      default:
        return op;
    }
  }

  // Means the same place all through the rule: its subscripts are parameters.
  [[nodiscard]] bool is_lasting(const Ref& ref) const {
    return ref.root == ir::Root::kState &&
           std::all_of(ref.subscripts.begin(), ref.subscripts.end(), [this](const ir::Subscript& subscript) {
             const Expr& index = *subscript.index;
             return index.op == ExprOp::kRead && index.refs[0].root == ir::Root::kLocal &&
                    std::find(fixed_slots_.begin(), fixed_slots_.end(), index.refs[0].slot) != fixed_slots_.end();
           });
  }

  [[nodiscard]] Interval known_values(const Ref& ref, std::size_t cell) const {
    Interval values = ref.type->domain->hull();
    for (const Known& known : known_)
      if (!written_[cell] && ir::same_ref(*known.ref, ref))
        values = {std::max(values.lo, known.values.lo), std::min(values.hi, known.values.hi)};
    return values.lo <= values.hi ? values : ref.type->domain->hull();
  }

  // --- What statements do ---

  void walk(const ir::Block& block) {  // NOLINT(misc-no-recursion): as deep as the source
    for (const auto& stmt : block)
      walk(*stmt);
  }

  void walk(const Stmt& stmt) {  // NOLINT(misc-no-recursion): as deep as the source
    spoil_arguments(stmt);
    switch (stmt.kind) {
      case StmtKind::kAssign:
        assign(stmt);
        break;
      case StmtKind::kIf: {
        const std::size_t before = known_.size();
        learn(*stmt.value);
        walk(stmt.body);
        known_.resize(std::min(before, known_.size()));
        walk(stmt.other);
        break;
      }
      case StmtKind::kFor:
      case StmtKind::kWhile:
        known_.clear();  // an iteration may come behind another
        walk(stmt.body);
        break;
      case StmtKind::kCopy:
      case StmtKind::kUndefine:
      case StmtKind::kClear:
      case StmtKind::kBind:
        spoil_all(stmt.ref);
        break;
      default:
        break;  // multisets: their cells are spoilt from the beginning
    }
  }

  // A function may change what it is given; one that writes the state makes all knowledge about it old.
  void spoil_arguments(const Stmt& stmt) {
    const auto look = [this](const Expr& expr) {
      if (expr.op != ExprOp::kCall)
        return;
      for (const ir::Argument& argument : expr.arguments)
        if (argument.ref != nullptr)
          spoil_all(*argument.ref);
      if (expr.callee->writes_state)
        known_.clear();
    };
    ir::for_each_operand(stmt, [&look](const Expr& expr) { ir::for_each_expr(expr, look); });
  }

  void assign(const Stmt& stmt) {
    if (stmt.ref.root != ir::Root::kState)
      return;  // a local; what an alias may mean was spoilt when it was bound
    const std::vector<std::size_t> targets = cells_in(stmt.ref);
    for (const std::size_t cell : targets)
      judge(stmt, cell);
    for (const std::size_t cell : targets)
      written_[cell] = true;
  }

  void judge(const Stmt& stmt, std::size_t cell) {
    const Expr& value = *stmt.value;
    CellFacts& facts = facts_[cell];
    const Interval before = known_values(stmt.ref, cell);
    if (value.may_be_undefined)
      return spoil(cell);
    const std::optional<Interval> added = added_to(stmt.ref, value);
    facts.may_fall = facts.may_fall || !((added && added->lo >= 0) || value.range.lo >= before.hi);
    facts.may_rise = facts.may_rise || !((added && added->hi <= 0) || value.range.hi <= before.lo);
    if (value.op == ExprOp::kConstant)
      facts.changes.emplace_back(before, value.constant);
    else
      facts.is_control = false;
  }

  // The summand, if the value is the place's own plus or minus something.
  static std::optional<Interval> added_to(const Ref& ref, const Expr& value) {
    const auto is_own = [&ref](const Expr& expr) {
      return expr.op == ExprOp::kRead && ir::same_ref(expr.refs[0], ref);
    };
    if (is_own(value))
      return Interval{0, 0};
    if (value.op == ExprOp::kAdd && is_own(*value.args[0]))
      return value.args[1]->range;
    if (value.op == ExprOp::kAdd && is_own(*value.args[1]))
      return value.args[0]->range;
    if (value.op == ExprOp::kSubtract && is_own(*value.args[0]) && value.args[1]->range.lo > ir::kUndefined)
      return Interval{-value.args[1]->range.hi, -value.args[1]->range.lo};
    return std::nullopt;
  }

  void spoil(std::size_t cell) {
    facts_[cell].may_fall = facts_[cell].may_rise = true;
    facts_[cell].is_control = false;
  }

  void spoil_all(const Ref& ref) {
    if (ref.root != ir::Root::kState)
      return;
    for (const std::size_t cell : cells_in(ref)) {
      spoil(cell);
      if (!written_.empty())
        written_[cell] = true;
    }
  }

  // --- Which cells a reference may mean ---

  [[nodiscard]] std::vector<std::size_t> cells_in(const Ref& ref) const {
    std::vector<std::uint64_t> addresses = {ref.offset};
    for (const ir::Subscript& subscript : ref.subscripts) {
      const std::uint64_t size = subscript.domain->hull().size();
      if (size > kAddressesMax / addresses.size())
        return all_cells();
      std::vector<std::uint64_t> more;
      for (const std::uint64_t address : addresses)
        for (std::uint64_t i = 0; i < size; ++i)
          more.push_back(address + subscript.offset_before + i * subscript.stride);
      addresses = std::move(more);
    }
    std::vector<std::size_t> found;
    for (const std::uint64_t address : addresses) {
      if (ref.type->is_simple()) {
        if (const auto cell = by_offset_.find(address); cell != by_offset_.end())
          found.push_back(cell->second);
        continue;
      }
      for (std::size_t c = 0; c < cells_.cells.size(); ++c)
        if (cells_.cells[c].offset >= address && cells_.cells[c].offset < address + ref.type->bits)
          found.push_back(c);
    }
    return found;
  }

  [[nodiscard]] std::vector<std::size_t> all_cells() const {
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < cells_.cells.size(); ++c)
      all.push_back(c);
    return all;
  }

  const ir::Program& program_;
  const Cells& cells_;
  std::unordered_map<std::uint64_t, std::size_t> by_offset_;
  std::vector<CellFacts> facts_;
  std::vector<Known> known_;
  std::vector<ir::SlotIndex> fixed_slots_;  // parameters of the rule
  std::vector<bool> written_;               // cells that the step may have changed already
};

}  // namespace

std::vector<CellFacts> program_facts(const ir::Program& program, const Cells& cells) {
  return Collector(program, cells).run();
}

ValueGraph control_graph(const CellFacts& facts, const CellGroup& group) {
  if (!facts.is_control || group.multiset != nullptr || group.codes() > kGraphValuesMax)
    return ValueGraph(0);
  const ir::Domain& domain = *group.type->domain;
  ValueGraph graph(group.codes());
  for (const auto& [from, to] : facts.changes)
    for (std::int64_t v = from.lo; domain.contains(to) && v <= from.hi; ++v)
      if (v != to)
        graph.add(domain.encode(v), domain.encode(to), 1);
  // An undefined cell can be given any of the values.
  for (const auto& [from, to] : facts.changes)
    if (domain.has_undefined && domain.contains(to))
      graph.add(0, domain.encode(to), 1);
  return graph;
}

}  // namespace tideline::progress
