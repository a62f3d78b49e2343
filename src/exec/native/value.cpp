// SPDX-License-Identifier: MIT
#include "exec/native/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "base/check.h"

namespace tideline::native {
namespace {

constexpr std::uint64_t kWordBits = 64;

std::uint64_t least_bit(const Address& address) {
  std::uint64_t bit = address.offset;
  for (const Term& term : address.terms)
    bit += term.position_min * term.stride;
  return bit;
}

std::uint64_t greatest_bit(const Address& address) {
  std::uint64_t bit = address.offset;
  for (const Term& term : address.terms)
    bit += term.position_max * term.stride;
  return bit;
}

// The bit offsets, modulo the word size, that the address can have.
std::bitset<kWordBits> residues(const Address& address) {
  std::bitset<kWordBits> result;
  result.set(address.offset % kWordBits);
  for (const Term& term : address.terms) {
    std::bitset<kWordBits> next;
    const std::uint64_t count = std::min(term.position_max - term.position_min, kWordBits - 1);
    for (std::uint64_t k = 0; k <= count; ++k)
      for (std::uint64_t r = 0; r < kWordBits; ++r)
        if (result[r])
          next.set((r + (term.position_min + k) * term.stride) % kWordBits);
    result = next;
  }
  return result;
}

}  // namespace

Value constant_value(std::int64_t value) {
  Value result;
  result.constant = value;
  result.may_be_undefined = value == ir::kUndefined;
  return result;
}

std::string signed_literal(std::int64_t value) {
  if (value == ir::kUndefined)
    return "TL_UNDEFINED";
  return value < 0 ? fmt::format("({}LL)", value) : fmt::format("{}LL", value);
}

std::string unsigned_literal(std::uint64_t value) {
  return fmt::format("{}ull", value);
}

std::string plus(const std::string& unsigned_text, std::int64_t constant) {
  if (constant == 0)
    return unsigned_text;
  const auto bits = static_cast<std::uint64_t>(constant);
  return constant > 0 ? fmt::format("({} + {})", unsigned_text, unsigned_literal(bits))
                      : fmt::format("({} - {})", unsigned_text, unsigned_literal(-bits));
}

std::int64_t code_bias(const ir::Domain& domain) {
  return domain.hull().lo - (domain.has_undefined ? 1 : 0);
}

std::string integer_text(const Value& value) {
  if (value.constant)
    return signed_literal(*value.constant);
  if (value.domain == nullptr)
    return value.text;
  const std::string defined = fmt::format("(int64_t){}", plus(value.text, code_bias(*value.domain)));
  return value.may_be_undefined ? fmt::format("({} ? {} : TL_UNDEFINED)", value.text, defined)
                                : fmt::format("({})", defined);
}

std::string position_text(const Value& value, std::int64_t lo) {
  if (value.constant)
    return unsigned_literal(static_cast<std::uint64_t>(*value.constant) - static_cast<std::uint64_t>(lo));
  if (value.domain == nullptr) {
    if (lo == 0)
      return fmt::format("(uint64_t){}", value.text);
    return fmt::format("((uint64_t){} - (uint64_t){})", value.text, signed_literal(lo));
  }
  return plus(value.text, code_bias(*value.domain) - lo);
}

std::string truth_text(const Value& value, bool when) {
  CHECK(!value.may_be_undefined);
  if (value.constant)
    return (*value.constant != 0) == when ? "1" : "0";
  if (value.domain == nullptr)
    return when ? value.text : fmt::format("!{}", value.text);
  if (!value.domain->contains(0))
    return when ? "1" : "0";
  return fmt::format("({} {} {})", value.text, when ? "!=" : "==", unsigned_literal(value.domain->encode(0)));
}

std::string in_intervals(const std::string& text, const std::vector<ir::Interval>& intervals) {
  std::string all;
  for (const ir::Interval& interval : intervals) {
    if (!all.empty())
      all += " || ";
    if (interval.lo == interval.hi)
      all += fmt::format("{} == {}", text, signed_literal(interval.lo));
    else
      all += fmt::format("(uint64_t){} - (uint64_t){} <= {}", text, signed_literal(interval.lo),
                         unsigned_literal(interval.size() - 1));
  }
  return fmt::format("({})", all);
}

std::string in_domain_text(const Value& value, const ir::Domain& domain) {
  if (value.constant)
    return *value.constant != ir::kUndefined && domain.contains(*value.constant) ? "1" : "0";
  const std::vector<ir::Interval> parts = joined_parts(domain);
  if (value.domain == nullptr)
    return in_intervals(value.text, parts);
  // Compare codes, so that nothing has to be decoded.
  std::string all;
  for (const ir::Interval& part : parts) {
    const ir::Interval hull = value.domain->hull();
    const ir::Interval common{std::max(part.lo, hull.lo), std::min(part.hi, hull.hi)};
    if (common.lo > common.hi)
      continue;
    if (!all.empty())
      all += " || ";
    all += fmt::format("{} - {} <= {}", value.text, unsigned_literal(value.domain->encode(common.lo)),
                       unsigned_literal(common.size() - 1));
  }
  return all.empty() ? "0" : fmt::format("({})", all);
}

std::vector<ir::Interval> joined_parts(const ir::Domain& domain) {
  std::vector<ir::Interval> joined;
  for (const ir::Interval& part : domain.parts) {
    if (!joined.empty() && joined.back().hi + 1 == part.lo)
      joined.back().hi = part.hi;
    else
      joined.push_back(part);
  }
  return joined;
}

Address Address::plus(std::uint64_t bits) const {
  Address result = *this;
  result.offset += bits;
  return result;
}

std::string bit_text(const Address& address) {
  std::string sum;
  auto add = [&sum](const std::string& part) { sum += sum.empty() ? part : " + " + part; };
  if (!address.bit.empty())
    add(address.bit);
  for (const Term& term : address.terms)
    if (term.stride != 0)
      add(term.stride == 1 ? term.position : fmt::format("{} * {}", term.position, unsigned_literal(term.stride)));
  if (address.offset != 0 || sum.empty())
    add(unsigned_literal(address.offset));
  return fmt::format("({})", sum);
}

Reach reach_of(const Address& address, std::uint64_t width) {
  CHECK(width > 0);
  if (!address.bit.empty())
    return Reach::kUnaligned;
  if (least_bit(address) / kWordBits == (greatest_bit(address) + width - 1) / kWordBits)
    return Reach::kOneWord;
  if (address.is_constant())
    return Reach::kTwoWords;
  const std::bitset<kWordBits> starts = residues(address);
  for (std::uint64_t r = 0; r < kWordBits; ++r)
    if (starts[r] && r + width > kWordBits)
      return Reach::kUnaligned;
  return Reach::kInWord;
}

std::uint64_t word_of(const Address& address) {
  return least_bit(address) / kWordBits;
}

}  // namespace tideline::native
