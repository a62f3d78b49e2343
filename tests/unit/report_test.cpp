// SPDX-License-Identifier: MIT
// Numbers and states as people read them, and the replay that stands between a search and a verdict.
#include <gtest/gtest.h>

#include "ir/bits.h"
#include "ir/build.h"
#include "ir/print.h"
#include "report/format.h"
#include "report/replay.h"
#include "report/text.h"

namespace tideline {
namespace {

using ir::make_binary;
using ir::make_constant;
using ir::make_read;
using ir::make_state_ref;

TEST(Format, Counts) {
  EXPECT_EQ(show_count(0), "0");
  EXPECT_EQ(show_count(999), "999");
  EXPECT_EQ(show_count(1000), "1,000");
  EXPECT_EQ(show_count(1234567), "1,234,567");
  EXPECT_EQ(show_count(18446744073709551615U), "18,446,744,073,709,551,615");
  EXPECT_EQ(show_plural(1, "step"), "1 step");
  EXPECT_EQ(show_plural(0, "step"), "0 steps");
}

TEST(Format, BytesSecondsRates) {
  EXPECT_EQ(show_bytes(1023), "1023 B");
  EXPECT_EQ(show_bytes(32U << 20), "32 MiB");
  EXPECT_EQ(show_bytes(std::uint64_t{3} << 29), "1.5 GiB");
  EXPECT_EQ(show_seconds(0.0123), "12 ms");
  EXPECT_EQ(show_seconds(1.5), "1.50 s");
  EXPECT_EQ(show_seconds(75), "75.0 s");
  EXPECT_EQ(show_seconds(615), "10:15 min");
  EXPECT_EQ(show_seconds(7325), "2:02:05 h");
  EXPECT_EQ(show_rate(812345), "812 k/s");
}

TEST(Format, PrintableLetsNoControlThrough) {
  EXPECT_EQ(printable("plain \xe2\x98\x83"), "plain \xe2\x98\x83");
  EXPECT_EQ(printable("a\nb\tc\x1b[0m\x7f"), "a\\nb\\tc\\x1b[0m\\x7f");
  EXPECT_EQ(printable("\xff\xe2\x98"), "\\xff\\xe2\\x98");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

ir::Domain range(std::int64_t lo, std::int64_t hi) {
  ir::Domain domain;
  domain.parts = {{lo, hi}};
  return domain;
}

// x: 0..9; cells: array[p1..p3] of record{a: 0..9; b: 0..9}; net: multiset[3] of record{v: 0..9; w: 0..9}
struct Shapes {
  ir::Program program;
  const ir::Type* number;
  const ir::Type* pair;

  Shapes() {
    number = ir::add_simple_type(program, ir::add_domain(program, range(0, 9)));
    ir::Domain pid = range(1, 3);
    pid.kind = ir::DomainKind::kScalarset;
    pid.labels = {"p1", "p2", "p3"};
    pair = ir::add_record_type(program, {{"a", number, 0}, {"b", number, 0}});
    program.add_variable("x", number, {});
    program.add_variable("cells", ir::add_array_type(program, ir::add_domain(program, pid), pair), {});
    program.add_variable("net", ir::add_multiset_type(program, 3, pair), {});
  }

  // Writes value v at a bit offset.
  static void put(std::vector<Word>& state, std::uint64_t at, std::uint64_t v) {
    ir::put_bits(state.data(), at, 4, v + 1);
  }
  [[nodiscard]] std::uint64_t cell(std::uint64_t k) const { return program.variables[1].offset + k * 8; }
  [[nodiscard]] std::uint64_t slot(std::uint64_t k) const { return program.variables[2].offset + k * 9; }
};

std::string leaves(const ir::Program& program, const std::vector<Word>& state) {
  std::string text;
  ir::for_each_leaf(program, state.data(), [&](const std::string& path, const ir::Domain& domain, std::int64_t value) {
    text += path + "=" + domain.show(value) + " ";
  });
  return text;
}

TEST(Print, LeavesHavePaths) {
  const Shapes shapes;
  std::vector<Word> state(shapes.program.state_words() + 1);
  Shapes::put(state, 0, 7);
  Shapes::put(state, shapes.cell(1), 3);
  Shapes::put(state, shapes.slot(0), 5);
  ir::put_bits(state.data(), shapes.slot(0) + 8, 1, 1);
  EXPECT_EQ(leaves(shapes.program, state),
            "x=7 cells[p1].a=undefined cells[p1].b=undefined cells[p2].a=3 cells[p2].b=undefined "
            "cells[p3].a=undefined cells[p3].b=undefined net{0}.a=5 net{0}.b=undefined ");
}

TEST(Print, EqualNeighboursAreOneLine) {
  const Shapes shapes;
  std::vector<Word> state(shapes.program.state_words() + 1);
  for (const std::uint64_t k : {0U, 1U, 2U})
    Shapes::put(state, shapes.cell(k), 4);
  Shapes::put(state, shapes.cell(2) + 4, 6);
  const ir::Changes whole = ir::state_changes(shapes.program, nullptr, state.data());
  EXPECT_EQ(changes_text(whole),
            "        cells[p1..p2].a  = 4\n        cells[p3].a      = 4\n        cells[p3].b      = 6\n"
            "        (3 undefined)\n");
}

TEST(Print, OnlyWhatChanged) {
  const Shapes shapes;
  std::vector<Word> before(shapes.program.state_words() + 1);
  Shapes::put(before, 0, 1);
  Shapes::put(before, shapes.slot(0), 5);
  ir::put_bits(before.data(), shapes.slot(0) + 8, 1, 1);
  std::vector<Word> after = before;
  Shapes::put(after, 0, 2);
  Shapes::put(after, shapes.slot(0), 8);  // one element is replaced by another
  EXPECT_EQ(changes_text(ir::state_changes(shapes.program, before.data(), after.data())),
            "        x    1 -> 2\n        net  - {a: 5}\n        net  + {a: 8}\n");
  EXPECT_TRUE(ir::state_changes(shapes.program, before.data(), before.data()).list.empty());
}

// x counts from 0 up to 3.
struct Counter {
  ir::Program program;

  Counter() {
    const ir::Type* number = ir::add_simple_type(program, ir::add_domain(program, range(0, 3)));
    program.add_variable("x", number, {});
    program.starts.emplace_back().name = "zero";
    program.starts.back().body.push_back(assign(make_constant(0)));
    program.rules.emplace_back().name = "up";
    program.rules.back().body.push_back(assign(make_binary(ir::ExprOp::kAdd, read(), make_constant(1), {})));
    ir::Property& property = program.properties.emplace_back();
    property.name = "small";
    property.condition = make_binary(ir::ExprOp::kLess, read(), make_constant(2), {});
    EXPECT_TRUE(ir::number_commands(program));
  }

  [[nodiscard]] ir::ExprPtr read() const { return make_read(make_state_ref(program.variables[0]), true, {}); }
  [[nodiscard]] std::unique_ptr<ir::Stmt> assign(ir::ExprPtr value) const {
    auto stmt = std::make_unique<ir::Stmt>();
    stmt->kind = ir::StmtKind::kAssign;
    stmt->ref = make_state_ref(program.variables[0]);
    stmt->value = std::move(value);
    return stmt;
  }
  // A path through these values of x.
  static Violation violation(const std::vector<Word>& values) {
    Violation result;
    for (const Word value : values)
      result.path.push_back({0, {value + 1}});
    return result;
  }
};

TEST(Replay, EstablishesAnInvariantsViolation) {
  const Counter counter;
  const auto example = replay(counter.program, Counter::violation({0, 1, 2}), DeadlockMode::kStuttering);
  ASSERT_TRUE(example.is_ok()) << example.status().message();
  EXPECT_EQ(example.value().reason, Reason::kInvariant);
  EXPECT_EQ(example.value().property, "small");
  ASSERT_EQ(example.value().steps.size(), 3U);
  EXPECT_EQ(example.value().steps[0].rule, "zero");
  EXPECT_EQ(example.value().steps[2].rule, "up");
}

TEST(Replay, RefusesWhatDoesNotReplay) {
  const Counter counter;
  EXPECT_FALSE(replay(counter.program, Counter::violation({0, 1}), DeadlockMode::kStuttering).is_ok());  // holds
  EXPECT_FALSE(replay(counter.program, Counter::violation({0, 2}), DeadlockMode::kStuttering).is_ok());  // skips
  EXPECT_FALSE(replay(counter.program, Counter::violation({1, 2}), DeadlockMode::kStuttering).is_ok());  // start
  EXPECT_FALSE(replay(counter.program, Counter::violation({}), DeadlockMode::kStuttering).is_ok());      // empty
  Violation deadlock = Counter::violation({0, 1});
  deadlock.reason = Reason::kDeadlock;
  EXPECT_FALSE(replay(counter.program, deadlock, DeadlockMode::kStuttering).is_ok());
}

TEST(Replay, NamesTheFailureOfACommand) {
  const Counter counter;
  Violation violation = Counter::violation({0, 1, 2, 3});
  violation.reason = Reason::kError;
  violation.command_fails = true;
  const auto example = replay(counter.program, violation, DeadlockMode::kStuttering);
  ASSERT_TRUE(example.is_ok()) << example.status().message();
  EXPECT_EQ(example.value().reason, Reason::kError);
  EXPECT_EQ(example.value().property, "value out of range");
  EXPECT_EQ(example.value().failing_rule, "up");
  violation.path.pop_back();
  EXPECT_FALSE(replay(counter.program, violation, DeadlockMode::kStuttering).is_ok());
}

}  // namespace
}  // namespace tideline
