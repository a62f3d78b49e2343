// SPDX-License-Identifier: MIT
// Domains: the finite sets of values that simple variables, parameters and array indices range over.
//
// A value is an int64_t. Booleans are 0 and 1; ranges hold their own numbers; the members of all enumerations and
// scalarsets of a program are numbered so that no two types share a number, hence a value of a member type is,
// unchanged, a value of every union that contains the type. "Undefined" is the value kUndefined.
//
// Packed, a value v is the code v - lo (+ 1 if the domain has an undefined value, whose code is 0) in bits() bits.
//
// D1  hull() is the smallest interval around all parts.     D2  a domain has at most 2^56 values in its hull.
// D3  kUndefined lies in no domain's hull.                   D4  parts are disjoint and never empty.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tideline::ir {

inline constexpr std::int64_t kUndefined = std::numeric_limits<std::int64_t>::min();
inline constexpr std::uint64_t kDomainValuesMax = std::uint64_t{1} << 56;

struct Interval {
  std::int64_t lo = 0;
  std::int64_t hi = 0;  // inclusive

  [[nodiscard]] bool contains(std::int64_t v) const { return lo <= v && v <= hi; }
  [[nodiscard]] bool contains(const Interval& other) const { return lo <= other.lo && other.hi <= hi; }
  [[nodiscard]] std::uint64_t size() const {
    return static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo) + 1;
  }
  bool operator==(const Interval&) const = default;
};

enum class DomainKind : std::uint8_t { kBoolean, kRange, kEnum, kScalarset, kUnion };

struct Domain {
  DomainKind kind = DomainKind::kRange;
  std::string name;             // as declared; empty for an anonymous one
  std::vector<Interval> parts;  // in iteration order; one, except for unions and stepped ranges
  bool has_undefined = true;
  // The values of the type as the user wrote it, where an analysis found that only `parts` are ever stored: messages
  // name these, and storing a value of these that is not in `parts` is an error of the analysis, not of the model.
  std::optional<Interval> declared;
  std::vector<std::string> labels;  // label of value v at v - hull().lo; empty: print the number

  [[nodiscard]] Interval hull() const;
  [[nodiscard]] bool contains(std::int64_t v) const;
  // True if every value of `range` is a value of this domain.
  [[nodiscard]] bool contains_all(const Interval& range) const;
  [[nodiscard]] bool is_contiguous() const { return parts.size() == 1; }
  // Number of codes: the hull and, if there is one, the undefined value.
  [[nodiscard]] std::uint64_t codes() const { return hull().size() + (has_undefined ? 1 : 0); }
  [[nodiscard]] unsigned bits() const { return static_cast<unsigned>(std::bit_width(codes() - 1)); }
  [[nodiscard]] std::uint64_t encode(std::int64_t v) const;
  [[nodiscard]] std::int64_t decode(std::uint64_t code) const;
  // What the user reads: a label, a number, or "undefined".
  [[nodiscard]] std::string show(std::int64_t v) const;
  // The values as the user knows them: "0..3", or the type's name.
  [[nodiscard]] std::string show_range() const;
  // Same packed codes for the same values: a reference to one can serve as a reference to the other.
  [[nodiscard]] bool same_encoding(const Domain& other) const;
};

}  // namespace tideline::ir
