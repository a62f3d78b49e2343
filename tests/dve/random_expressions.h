// SPDX-License-Identifier: MIT
// The expressions of random DVE models (random_model.h), and the random numbers they are made of. Each call numbers
// expressions in an order that is the same on every machine.
#pragma once

#include <array>
#include <cstdint>

#include "model_builder.h"

namespace tideline::test {

// splitmix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <typename List>
  auto pick(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_;
};

inline constexpr std::array kComparisons = {dve::Op::kLess,         dve::Op::kLessEqual, dve::Op::kGreater,
                                            dve::Op::kGreaterEqual, dve::Op::kEqual,     dve::Op::kNotEqual};

class RandomExpressions {
 protected:
  explicit RandomExpressions(std::uint64_t seed) : random_(seed) {}

  std::int64_t small() { return static_cast<std::int64_t>(random_.below(6)); }
  // A scalar or an array, of the process or global.
  dve::VariableId readable(bool is_array);
  dve::ExprId number();
  // Mostly within bounds, sometimes one beyond.
  dve::ExprId index(dve::VariableId array);
  dve::ExprId location();
  dve::ExprId leaf();
  dve::ExprId element();
  dve::ExprId arithmetic(unsigned depth);
  // More than 32 bits, for some values of a scalar.
  dve::ExprId overflow();
  dve::ExprId comparison(unsigned depth);
  dve::ExprId condition(unsigned depth);
  // A condition that fails for some values of a scalar.
  dve::ExprId fragile_condition();

  Random random_;
  DveModelBuilder builder_;
  dve::ProcessId process_ = 0;  // whose expressions are made
};

}  // namespace tideline::test
