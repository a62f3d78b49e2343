// SPDX-License-Identifier: MIT
// Keys of progress measures: K1 to K3 of ir/progress.h by hand, and both engines agree on them.
#include <gtest/gtest.h>

#include <limits>

#include "ir/bits.h"
#include "ir/progress.h"
#include "ir_fixture.h"
#include "native_support.h"

namespace tideline::test {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 55;

class ProgressKeyTest : public IrFixture {
 protected:
  void component(ExprPtr value, bool descending = false) {
    ProgressComponent& made = program_.progress.emplace_back();
    made.value = std::move(value);
    made.descending = descending;
  }

  // The initial states, and their keys, on which the engines agree.
  void find_keys() {
    EXPECT_TRUE(number_commands(program_));
    const std::unique_ptr<Engine> engine = native_engine(program_, cache_.path());
    ASSERT_NE(engine, nullptr);
    const std::unique_ptr<NextState> native = engine->make();
    Interpreter interp(program_);
    Successors initial(interp.words());
    interp.initial(initial);
    for (std::size_t i = 0; i < initial.size(); ++i)
      states_.insert(states_.end(), initial.state(i), initial.state(i) + interp.words());
    states_.push_back(~Word{0});
    keys_.assign(initial.size(), 1);
    interp.progress(states_.data(), initial.size(), keys_.data());
    std::vector<std::uint64_t> found(initial.size(), 1);
    native->progress(states_.data(), initial.size(), found.data());
    EXPECT_EQ(found, keys_);
    EXPECT_EQ(native->covered(), interp.covered());
    covered_ = interp.covered();
  }

  [[nodiscard]] std::int64_t value(std::size_t state, std::size_t v) const {
    const Variable& variable = program_.variables[v];
    const Word* words = states_.data() + state * program_.state_words();
    return variable.type->domain->decode(get_bits(words, variable.offset, variable.type->bits));
  }

  // A function of one parameter in 0..9 that returns its value after `body`.
  Function& function(const std::function<void(Function&)>& body) {
    Function& made = program_.functions.emplace_back();
    local(made.frame, range(0, 9));
    made.param_count = 1;
    made.result = made.frame.locals[0].type->domain;
    body(made);
    auto result = stmt(StmtKind::kReturn);
    result->value = get(slot(made.frame, 0));
    made.body.push_back(std::move(result));
    return made;
  }
  static ExprPtr call(const Function& callee, ExprPtr argument) {
    std::vector<Argument> arguments(1);
    arguments[0].value = std::move(argument);
    return make_call(&callee, std::move(arguments), false, {});
  }

  std::vector<Word> states_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint8_t> covered_;
  ScratchDirectory cache_;
};

TEST_F(ProgressKeyTest, WithoutAMeasureItIsZero) {
  start_with_all_values({variable(range(0, 4))});
  find_keys();
  EXPECT_EQ(keys_, std::vector<std::uint64_t>(5, 0));
}

TEST_F(ProgressKeyTest, ComponentsCountFromTheHighestBits) {
  const std::size_t x = variable(range(0, 4));
  const std::size_t y = variable(simple(domain({{-3, 3}}, false)));
  const std::size_t b = variable(simple(domain({{0, 1}}, true, DomainKind::kBoolean)));
  start_with_all_values({x, y, b});
  component(get(var(x), false));
  component(get(var(y)), true);
  component(get(var(b), false));
  component(op(ExprOp::kLess, get(var(x)), number(2)), true);
  EXPECT_EQ(progress_bits(program_), 3U + 3U + 2U + 2U);
  find_keys();
  ASSERT_EQ(keys_.size(), 70U);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const std::int64_t small = value(i, x) < 2 ? 1 : 0;
    const auto key = static_cast<std::uint64_t>((value(i, x) + 1) << 7 | (3 - value(i, y) + 1) << 4 |
                                                (value(i, b) + 1) << 2 | (1 - small + 1));
    EXPECT_EQ(keys_[i], key) << i;
  }
}

TEST_F(ProgressKeyTest, UndefinedValuesAndFailuresAreZero) {
  const std::size_t x = variable(range(0, 4));
  const std::size_t never = variable(range(7, 9));
  const std::size_t items = variable(array(domain({{0, 2}}), range(0, 1)));
  start_with_all_values({x});
  component(get(var(never), false));
  component(get(var(never), true));
  component(op(ExprOp::kDivide, number(12), get(var(x))));
  component(get(var(items, get(var(x))), false), true);
  component(make_undefined());
  component(get(var(x)));
  find_keys();
  const unsigned low = progress_bits(program_.progress[5]);
  const unsigned later = progress_bits(program_.progress[3]) + progress_bits(program_.progress[4]);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const std::int64_t at = value(i, x);
    const std::int64_t lo = program_.progress[2].value->range.lo;
    const auto quotient = static_cast<std::uint64_t>(at == 0 ? 0 : 12 / at - lo + 1);
    EXPECT_EQ(keys_[i], quotient << (low + later) | static_cast<std::uint64_t>(at + 1)) << at;
  }
}

TEST_F(ProgressKeyTest, AllOf64Bits) {
  const std::size_t x = variable(simple(domain({{-kHuge, kHuge - 1}})));
  for (const std::int64_t first : {-kHuge, std::int64_t{-1}, std::int64_t{0}, kHuge - 1})
    assign(start().body, var(x), number(first));
  component(op(ExprOp::kMultiply, get(var(x)), number(200)));
  EXPECT_EQ(progress_bits(program_), kProgressBitsMax);
  find_keys();
  const auto least = static_cast<std::uint64_t>(200 * -kHuge);
  for (std::size_t i = 0; i < keys_.size(); ++i)
    EXPECT_EQ(keys_[i], static_cast<std::uint64_t>(200 * value(i, x)) - least + 1);
}

TEST_F(ProgressKeyTest, NoKeyHoldsAllNumbers) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  component(number(0));
  program_.progress[0].value->range = {-kMost, kMost};
  EXPECT_EQ(progress_bits(program_), 64U);
  program_.progress[0].value->range = {-kMost - 1, kMost};
  EXPECT_EQ(progress_bits(program_), 65U);
}

TEST_F(ProgressKeyTest, FunctionsMayRecurseAndHaveLargeLocals) {
  program_.recursion_limit = 5;
  const std::size_t x = variable(range(0, 9));
  start_with_all_values({x});
  Function& deep = function([&](Function& f) {
    f.is_recursive = true;
    const SlotIndex large = local(f.frame, array(domain({{0, 99}}), range(0, 99)), LocalKind::kPacked);
    assign(f.body, element(slot(f.frame, large), get(slot(f.frame, 0))), number(1));
    auto branch = stmt(StmtKind::kIf);
    branch->value = op(ExprOp::kLess, number(0), get(slot(f.frame, 0)));
    auto again = stmt(StmtKind::kCall);
    again->value = call(f, op(ExprOp::kSubtract, get(slot(f.frame, 0)), number(1)));
    branch->body.push_back(std::move(again));
    f.body.push_back(std::move(branch));
  });
  component(call(deep, get(var(x))));
  component(get(var(x)));
  find_keys();
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const auto at = static_cast<std::uint64_t>(value(i, x));
    EXPECT_EQ(keys_[i], (at < 5 ? at + 1 : 0) << 4 | (at + 1));
  }
}

TEST_F(ProgressKeyTest, AssumptionsFailAndCoverPointsAreNotReached) {
  program_.covers.push_back({"cover", {}});
  const std::size_t x = variable(range(0, 9));
  start_with_all_values({x});
  const Function& even = function([&](Function& f) {
    test_stmt(f.body, StmtKind::kCover, number(1));
    test_stmt(f.body, StmtKind::kAssume,
              op(ExprOp::kEqual, op(ExprOp::kModulo, get(slot(f.frame, 0)), number(2)), number(0)));
  });
  component(call(even, get(var(x))), true);
  find_keys();
  for (std::size_t i = 0; i < keys_.size(); ++i)
    EXPECT_EQ(keys_[i], static_cast<std::uint64_t>(value(i, x) % 2 == 0 ? 9 - value(i, x) + 1 : 0));
  EXPECT_EQ(covered_, std::vector<std::uint8_t>(1, 0));
}

}  // namespace
}  // namespace tideline::test
