// SPDX-License-Identifier: MIT
#include "front/dve/widening.h"

#include <algorithm>

namespace tideline::dve {
namespace {

constexpr unsigned kExactGrowths = 8;
constexpr unsigned kFineGrowths = 64;
constexpr unsigned kWordBits = 31;

void sort_unique(std::vector<std::int64_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

void add_around(std::vector<std::int64_t>& numbers, std::int64_t number) {
  numbers.insert(numbers.end(), {number - 1, number, number + 1});
}

void count_growth(std::uint8_t& growths) {
  if (growths < UINT8_MAX)
    ++growths;
}

}  // namespace

Widening::Widening(const Model& model) {
  for (unsigned bits = 0; bits <= kWordBits; ++bits) {
    coarse_.push_back((std::int64_t{1} << bits) - 1);
    coarse_.push_back(-(std::int64_t{1} << bits));
  }
  fine_ = coarse_;
  for (const Expr& expr : model.exprs) {
    if (expr.op == Op::kNumber && kAnyNumber.contains(expr.value))
      add_around(fine_, expr.value);
  }
  for (const Variable& variable : model.variables) {
    if (variable.is_array)
      add_around(fine_, static_cast<std::int64_t>(variable.initial.size()));
  }
  sort_unique(coarse_);
  sort_unique(fine_);
}

bool Widening::grow(Bound& bound, const Interval& values, const Interval& limit) const {
  const bool grows_down = values.lo < bound.value.lo;
  const bool grows_up = values.hi > bound.value.hi;
  if (grows_down) {
    count_growth(bound.lo_growths);
    bound.value.lo = std::max(limit.lo, widened_down(values.lo, bound.lo_growths));
  }
  if (grows_up) {
    count_growth(bound.hi_growths);
    bound.value.hi = std::min(limit.hi, widened_up(values.hi, bound.hi_growths));
  }
  return grows_down || grows_up;
}

std::int64_t Widening::widened_down(std::int64_t lo, unsigned growths) const {
  if (growths <= kExactGrowths)
    return lo;
  const std::vector<std::int64_t>& thresholds = growths <= kFineGrowths ? fine_ : coarse_;
  const auto above = std::ranges::upper_bound(thresholds, lo);
  return above == thresholds.begin() ? lo : *(above - 1);
}

std::int64_t Widening::widened_up(std::int64_t hi, unsigned growths) const {
  if (growths <= kExactGrowths)
    return hi;
  const std::vector<std::int64_t>& thresholds = growths <= kFineGrowths ? fine_ : coarse_;
  const auto next = std::ranges::lower_bound(thresholds, hi);
  return next == thresholds.end() ? hi : *next;
}

}  // namespace tideline::dve
