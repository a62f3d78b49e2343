// SPDX-License-Identifier: MIT
// Domains, bit runs, type layout, interval arithmetic, command numbering.
#include <gtest/gtest.h>

#include <random>

#include "ir/bits.h"
#include "ir/build.h"
#include "ir/multiset.h"
#include "ir/program.h"

namespace tideline::ir {
namespace {

Domain range(std::int64_t lo, std::int64_t hi, bool has_undefined = true) {
  Domain domain;
  domain.parts = {{lo, hi}};
  domain.has_undefined = has_undefined;
  return domain;
}

TEST(Domain, BitsAreExact) {
  EXPECT_EQ(range(0, 0, false).bits(), 0U);
  EXPECT_EQ(range(0, 0).bits(), 1U);
  EXPECT_EQ(range(0, 1).bits(), 2U);
  EXPECT_EQ(range(0, 2).bits(), 2U);
  EXPECT_EQ(range(0, 3).bits(), 3U);
  EXPECT_EQ(range(0, 3, false).bits(), 2U);
  EXPECT_EQ(range(-4, 3, false).bits(), 3U);
}

TEST(Domain, CodesRoundTrip) {
  for (const bool has_undefined : {false, true}) {
    const Domain domain = range(-5, 9, has_undefined);
    for (std::int64_t v = -5; v <= 9; ++v)
      EXPECT_EQ(domain.decode(domain.encode(v)), v);
  }
  EXPECT_EQ(range(-5, 9).decode(0), kUndefined);
  EXPECT_EQ(range(-5, 9).encode(kUndefined), 0U);
}

TEST(Domain, PartsWithAGap) {
  Domain domain;
  domain.kind = DomainKind::kUnion;
  domain.parts = {{7, 8}, {2, 3}};
  EXPECT_EQ(domain.hull(), (Interval{2, 8}));
  EXPECT_TRUE(domain.contains(3));
  EXPECT_FALSE(domain.contains(5));
  EXPECT_TRUE(domain.contains_all({7, 8}));
  EXPECT_FALSE(domain.contains_all({2, 8}));
  EXPECT_EQ(domain.bits(), 3U);
}

TEST(Bits, RunsMatchABitByBitModel) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint64_t> words(5);
    for (std::uint64_t& word : words)
      word = random();
    const std::vector<std::uint64_t> before = words;
    const std::uint64_t width = random() % 65;
    const std::uint64_t at = random() % (256 - 64);
    const std::uint64_t value = random();
    put_bits(words.data(), at, width, value);
    for (std::uint64_t bit = 0; bit < 320; ++bit) {
      const std::uint64_t now = words[bit / 64] >> (bit % 64) & 1;
      const bool inside = bit >= at && bit < at + width;
      EXPECT_EQ(now, inside ? value >> (bit - at) & 1 : before[bit / 64] >> (bit % 64) & 1);
    }
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    EXPECT_EQ(get_bits(words.data(), at, width), value & mask);
  }
}

TEST(Bits, LongRunsCopyCompareAndClear) {
  std::vector<std::uint64_t> a = {1, 2, 3, 4};
  std::vector<std::uint64_t> b(5, ~std::uint64_t{0});
  copy_bits(b.data(), 13, a.data(), 0, 200);
  EXPECT_TRUE(equal_bits(a.data(), 0, b.data(), 13, 200));
  EXPECT_EQ(compare_bits(a.data(), 0, b.data(), 13, 200), 0);
  put_bits(b.data(), 13 + 199, 1, 1);
  EXPECT_LT(compare_bits(a.data(), 0, b.data(), 13, 200), 0);
  clear_bits(b.data(), 13, 200);
  EXPECT_EQ(b[0], (std::uint64_t{1} << 13) - 1);
  EXPECT_EQ(get_bits(b.data(), 13 + 200, 64), ~std::uint64_t{0});
}

TEST(Type, LayoutHasNoPadding) {
  Program program;
  const Type* small = add_simple_type(program, add_domain(program, range(0, 2)));
  const Type* record = add_record_type(program, {{"a", small, 0}, {"b", small, 0}});
  const Type* array = add_array_type(program, add_domain(program, range(1, 5)), record);
  const Type* bag = add_multiset_type(program, 3, record);
  EXPECT_EQ(record->bits, 4U);
  EXPECT_EQ(record->fields[1].offset, 2U);
  EXPECT_EQ(array->bits, 20U);
  EXPECT_EQ(bag->bits, 15U);
  EXPECT_TRUE(bag->contains_multiset());
  EXPECT_EQ(program.add_variable("x", array, {}).offset, 0U);
  EXPECT_EQ(program.add_variable("y", bag, {}).offset, 20U);
  EXPECT_EQ(program.state_bits, 35U);
}

TEST(Type, TooLargeIsRefused) {
  Program program;
  const Type* small = add_simple_type(program, add_domain(program, range(0, 2)));
  EXPECT_EQ(add_array_type(program, add_domain(program, range(0, std::int64_t{1} << 40)), small), nullptr);
  EXPECT_EQ(add_multiset_type(program, std::uint64_t{1} << 40, small), nullptr);
}

TEST(Multiset, SlotsAreSortedDescendingEmptyOnesLast) {
  Program program;
  const Type* small = add_simple_type(program, add_domain(program, range(0, 2)));
  const Type* bag = add_multiset_type(program, 4, small);
  std::vector<std::uint64_t> words(2, 0);
  const std::uint64_t slots[] = {0, 4 + 1, 0, 4 + 3};
  for (std::uint64_t i = 0; i < 4; ++i)
    put_bits(words.data(), 5 + i * 3, 3, slots[i]);
  sort_multisets(*bag, words.data(), 5);
  EXPECT_EQ(get_bits(words.data(), 5, 3), 7U);
  EXPECT_EQ(get_bits(words.data(), 8, 3), 5U);
  EXPECT_EQ(get_bits(words.data(), 11, 6), 0U);
}

std::int64_t evaluate(ExprOp op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case ExprOp::kAdd:
      return a + b;
    case ExprOp::kSubtract:
      return a - b;
    case ExprOp::kMultiply:
      return a * b;
    case ExprOp::kDivide:
      return a / b;
    case ExprOp::kModulo:
      return a % b;
    case ExprOp::kBitAnd:
      return a & b;
    case ExprOp::kBitOr:
      return a | b;
    case ExprOp::kBitXor:
      return a ^ b;
    case ExprOp::kShiftLeft:
      return a * (std::int64_t{1} << b);
    default:
      return a >> b;
  }
}

// E1: the range of an expression contains all its values.
TEST(Build, RangesContainAllValues) {
  Program program;
  Frame frame;
  std::mt19937_64 random(2);
  const ExprOp operators[] = {ExprOp::kAdd,       ExprOp::kSubtract,  ExprOp::kMultiply, ExprOp::kDivide,
                              ExprOp::kModulo,    ExprOp::kBitAnd,    ExprOp::kBitOr,    ExprOp::kBitXor,
                              ExprOp::kShiftLeft, ExprOp::kShiftRight};
  for (int round = 0; round < 300; ++round) {
    const auto bound = [&random] { return static_cast<std::int64_t>(random() % 20) - 10; };
    const std::int64_t a = bound();
    const std::int64_t b = bound();
    frame.locals.clear();
    const Type* left =
        add_simple_type(program, add_domain(program, range(a, a + static_cast<std::int64_t>(random() % 6))));
    const Type* right =
        add_simple_type(program, add_domain(program, range(b, b + static_cast<std::int64_t>(random() % 6))));
    frame.locals.push_back({"l", left, LocalKind::kValue});
    frame.locals.push_back({"r", right, LocalKind::kValue});
    for (const ExprOp op : operators) {
      const bool shift = op == ExprOp::kShiftLeft || op == ExprOp::kShiftRight;
      const ExprPtr expr = make_binary(op, make_read(make_local_ref(frame, 0), true, {}),
                                       make_read(make_local_ref(frame, 1), true, {}), {});
      for (std::int64_t x = left->domain->hull().lo; x <= left->domain->hull().hi; ++x) {
        for (std::int64_t y = right->domain->hull().lo; y <= right->domain->hull().hi; ++y) {
          if ((shift && y < 0) || ((op == ExprOp::kDivide || op == ExprOp::kModulo) && y == 0))
            continue;
          EXPECT_TRUE(expr->range.contains(evaluate(op, x, y)))
              << static_cast<int>(op) << " " << x << " " << y << " in " << expr->range.lo << ".." << expr->range.hi;
        }
      }
    }
  }
}

TEST(Build, ConstantsAreFoldedUnlessThatFails) {
  const auto number = [](std::int64_t v) { return make_constant(v); };
  EXPECT_EQ(make_binary(ExprOp::kAdd, number(2), number(3), {})->constant, 5);
  EXPECT_EQ(make_binary(ExprOp::kDivide, number(2), number(0), {})->op, ExprOp::kDivide);
  EXPECT_EQ(make_binary(ExprOp::kMultiply, number(std::int64_t{1} << 62), number(4), {})->op, ExprOp::kMultiply);
  EXPECT_EQ(make_binary(ExprOp::kAnd, number(0), make_undefined(), {})->constant, 0);
  EXPECT_TRUE(make_binary(ExprOp::kMultiply, number(std::int64_t{1} << 62), number(4), {})->may_overflow);
}

TEST(Program, CommandsAreNumberedLastParameterFastest) {
  Program program;
  Rule rule;
  for (const std::int64_t size : {3, 4}) {
    Binding binding;
    binding.slot = static_cast<SlotIndex>(rule.frame.locals.size());
    binding.domain = add_domain(program, range(10, 10 + size - 1));
    rule.frame.locals.push_back(
        {"p" + std::to_string(size), add_simple_type(program, binding.domain), LocalKind::kValue});
    rule.bindings.push_back(std::move(binding));
  }
  rule.name = "go";
  program.rules.emplace_back();
  program.rules.push_back(std::move(rule));
  ASSERT_TRUE(number_commands(program));
  EXPECT_EQ(program.rules[1].first_command, 1U);
  EXPECT_EQ(program.rules[1].command_count, 12U);
  EXPECT_EQ(command_id(program.rules[1], {11, 12}), 1U + 4 + 2);
  const Command command = decode_command(program.rules, 7);
  EXPECT_EQ(command.parameters, (std::vector<std::int64_t>{11, 12}));
  EXPECT_EQ(show_command(command), "go, p3 = 11, p4 = 12");
}

}  // namespace
}  // namespace tideline::ir
