// SPDX-License-Identifier: MIT
// C expressions for values and addresses. They have no side effects and cannot fail; whatever had to be checked was
// emitted as statements before (emitter.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/domain.h"

namespace tideline::native {

// A value of the model. Either an int64_t, with TL_UNDEFINED for the undefined value, or, if `domain` is set, the
// uint64_t code of a value of that domain as it is packed (0 for undefined, if the domain has it).
struct Value {
  std::string text;
  const ir::Domain* domain = nullptr;
  bool may_be_undefined = false;
  std::optional<std::int64_t> constant;  // then `text` and `domain` are not used
};

Value constant_value(std::int64_t value);
std::string signed_literal(std::int64_t value);
std::string unsigned_literal(std::uint64_t value);
// "x", "x + 3", "x - 3", in parentheses where there is an operator.
std::string plus(const std::string& unsigned_text, std::int64_t constant);

// Code of the value v of `domain` minus v: what has to be added to a code to have the value.
std::int64_t code_bias(const ir::Domain& domain);
// As an int64_t; a coded value that may be undefined must be a name, since it is used twice.
std::string integer_text(const Value& value);
// value - lo as a uint64_t, for a value that is defined.
std::string position_text(const Value& value, std::int64_t lo);
// A defined boolean as a condition.
std::string truth_text(const Value& value, bool when);
// Is an int64_t in one of the intervals? `text` must be a name.
std::string in_intervals(const std::string& text, const std::vector<ir::Interval>& intervals);
// Is the value in the domain? False for undefined. The value must be a name.
std::string in_domain_text(const Value& value, const ir::Domain& domain);
// The domain's parts in order, with neighbours joined where one follows the other.
std::vector<ir::Interval> joined_parts(const ir::Domain& domain);

// The place of a packed object: constant bits plus, for each subscript whose value is only known at run time,
// position * stride, plus bits that came with an alias parameter.
struct Term {
  std::string position;  // uint64_t
  std::uint64_t position_min = 0;
  std::uint64_t position_max = 0;
  std::uint64_t stride = 0;
};
struct Address {
  std::string base;  // a pointer; empty: the state
  std::uint64_t offset = 0;
  std::vector<Term> terms;
  std::string bit;  // of unknown alignment; empty: none

  [[nodiscard]] bool is_constant() const { return terms.empty() && bit.empty(); }
  [[nodiscard]] Address plus(std::uint64_t bits) const;
};

// All of the bit offset as a uint64_t.
std::string bit_text(const Address& address);

// How a run of `width` bits at an address can be reached.
enum class Reach : std::uint8_t {
  kOneWord,   // always the same word
  kTwoWords,  // constant, across a word border
  kInWord,    // some word, never across a border
  kUnaligned,
};
Reach reach_of(const Address& address, std::uint64_t width);
// Number of the word for kOneWord and, the lower one, for kTwoWords.
std::uint64_t word_of(const Address& address);

}  // namespace tideline::native
