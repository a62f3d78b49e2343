// SPDX-License-Identifier: MIT
#include "symmetry/exhaustive.h"

#include <algorithm>
#include <numeric>

#include "ir/bits.h"
#include "ir/multiset.h"

namespace tideline::symmetry {

Exhaustive::Exhaustive(const ir::Program& program, const std::vector<ir::Interval>& scalarsets)
    : program_(program), scalarsets_(scalarsets), groups_(scalarsets.size()), position_(scalarsets.size()) {
  for (const ir::Variable& variable : program.variables) {
    Value value;
    value.bit = variable.offset;
    take_apart(*variable.type, value);
  }
  for (std::size_t s = 0; s < scalarsets_.size(); ++s)
    position_[s].resize(scalarsets_[s].size());
  find_plain_data();
  untouched_.assign(program.state_words(), ~Word{0});
  for (const Value& value : values_) {
    std::uint64_t bit = value.bit;
    for (const Index& index : value.indices)
      bit += index.member * index.stride;
    ir::clear_bits(untouched_.data(), bit, value.width);
  }
}

const ir::Interval* Exhaustive::scalarset_of(std::int64_t value) const {
  const auto found = std::find_if(scalarsets_.begin(), scalarsets_.end(),
                                  [value](const ir::Interval& values) { return values.contains(value); });
  return found == scalarsets_.end() ? nullptr : &*found;
}

void Exhaustive::take_apart(const ir::Type& type, Value value) {
  switch (type.kind) {
    case ir::TypeKind::kSimple:
      value.domain = type.domain;
      value.width = type.bits;
      value.names_member = std::any_of(type.domain->parts.begin(), type.domain->parts.end(),
                                       [this](const ir::Interval& part) { return scalarset_of(part.lo) != nullptr; });
      values_.push_back(value);
      break;
    case ir::TypeKind::kArray:
      take_apart_array(type, value);
      break;
    case ir::TypeKind::kRecord:
      for (const ir::Field& field : type.fields) {
        Value inner = value;
        inner.bit += field.offset;
        take_apart(*field.type, inner);
      }
      break;
    case ir::TypeKind::kMultiset:
      value.in_multiset = true;
      for (std::uint64_t slot = 0; slot < type.domain->hull().size(); ++slot, value.bit += type.stride()) {
        take_apart(*type.element, value);
        Value occupied = value;
        occupied.bit += type.element->bits;
        occupied.width = 1;
        values_.push_back(occupied);
      }
      break;
  }
}

void Exhaustive::take_apart_array(const ir::Type& type, const Value& value) {
  for (const ir::Interval& part : type.domain->parts) {
    const ir::Interval* scalarset = scalarset_of(part.lo);
    for (std::int64_t index = part.lo; index <= part.hi; ++index) {
      const auto distance = static_cast<std::uint64_t>(index - type.domain->hull().lo);
      Value inner = value;
      inner.bit += distance * type.stride();
      if (scalarset != nullptr) {
        const auto member = static_cast<std::size_t>(index - part.lo);
        inner.bit -= member * type.stride();
        inner.indices.push_back({static_cast<std::size_t>(scalarset - scalarsets_.data()), member, type.stride()});
      }
      take_apart(*type.element, inner);
    }
  }
}

// The values that are stored for one member alone, in the same order for all members.
void Exhaustive::find_plain_data() {
  for (const ir::Interval& scalarset : scalarsets_)
    plain_data_.emplace_back(scalarset.size());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Value& value = values_[i];
    if (!value.in_multiset && !value.names_member && value.indices.size() == 1)
      plain_data_[value.indices[0].scalarset][value.indices[0].member].push_back(i);
  }
}

int Exhaustive::compare_data(const Word* state, std::size_t scalarset, std::size_t a, std::size_t b) const {
  const std::vector<std::size_t>& data_a = plain_data_[scalarset][a];
  const std::vector<std::size_t>& data_b = plain_data_[scalarset][b];
  for (std::size_t i = 0; i < data_a.size(); ++i) {
    const Value& value = values_[data_a[i]];
    const std::uint64_t stride = value.indices[0].stride;
    const std::uint64_t code_a = ir::get_bits(state, value.bit + a * stride, value.width);
    const std::uint64_t code_b = ir::get_bits(state, values_[data_b[i]].bit + b * stride, value.width);
    if (code_a != code_b)
      return code_a < code_b ? -1 : 1;
  }
  return 0;
}

void Exhaustive::group(const Word* state) {
  for (std::size_t s = 0; s < scalarsets_.size(); ++s) {
    std::vector<std::size_t> sorted(scalarsets_[s].size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](std::size_t a, std::size_t b) { return compare_data(state, s, a, b) < 0; });
    groups_[s].clear();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (i == 0 || compare_data(state, s, sorted[i - 1], sorted[i]) != 0)
        groups_[s].emplace_back();
      groups_[s].back().push_back(sorted[i]);
    }
  }
}

// The next permutation inside the groups, all of them together like the digits of a number; false after the last.
bool Exhaustive::next_order() {
  for (auto& groups : groups_)
    for (std::vector<std::size_t>& group : groups)
      if (std::next_permutation(group.begin(), group.end()))
        return true;
  return false;
}

std::uint64_t Exhaustive::renamed_code(const Value& value, std::uint64_t code) const {
  if (code == 0 && value.domain->has_undefined)
    return code;
  const std::int64_t named = value.domain->decode(code);
  const ir::Interval* scalarset = scalarset_of(named);
  if (scalarset == nullptr)
    return code;
  const auto s = static_cast<std::size_t>(scalarset - scalarsets_.data());
  const auto member = static_cast<std::size_t>(named - scalarset->lo);
  return value.domain->encode(scalarset->lo + static_cast<std::int64_t>(position_[s][member]));
}

void Exhaustive::permute(const Word* state, Word* out) const {
  for (std::size_t i = 0; i < untouched_.size(); ++i)
    out[i] = state[i] & untouched_[i];
  for (const Value& value : values_) {
    std::uint64_t from = value.bit;
    for (const Index& index : value.indices)
      from += index.member * index.stride;
    const std::uint64_t code = ir::get_bits(state, from, value.width);
    if (code == 0 && !value.names_member)
      continue;
    std::uint64_t to = value.bit;
    for (const Index& index : value.indices)
      to += position_[index.scalarset][index.member] * index.stride;
    ir::put_bits(out, to, value.width, value.names_member ? renamed_code(value, code) : code);
  }
  for (const ir::Variable& variable : program_.variables)
    ir::sort_multisets(*variable.type, out, variable.offset);
}

void Exhaustive::canonicalise(Word* state) {
  group(state);
  std::vector<Word> least;
  std::vector<Word> candidate(program_.state_words() + 1);
  do {
    for (std::size_t s = 0; s < scalarsets_.size(); ++s) {
      std::size_t next = 0;
      for (const std::vector<std::size_t>& group : groups_[s])
        for (const std::size_t member : group)
          position_[s][member] = next++;
    }
    permute(state, candidate.data());
    if (least.empty() || candidate < least)
      least = candidate;
  } while (next_order());
  std::copy_n(least.begin(), program_.state_words(), state);
}

}  // namespace tideline::symmetry
