// SPDX-License-Identifier: MIT
// The plain way to the canonical representative, as a check on the fast one: elements are sorted by the data that is
// stored for them alone (array elements without references), and among all permutations of equal ones the least packed
// state is taken. Shares no code with the fast way but the table of scalarsets: the state is taken apart value by
// value.
//
// Cost: the product of the factorials of the groups' sizes, times the number of values in the state.
#pragma once

#include <memory>
#include <vector>

#include "ir/program.h"
#include "symmetry/representative.h"

namespace tideline::symmetry {

class Exhaustive final : public Representative {
 public:
  // The program must outlive it.
  Exhaustive(const ir::Program& program, const std::vector<ir::Interval>& scalarsets);
  void canonicalise(Word* state) override;

 private:
  // One step of a value's way through the state: element `member` of an array indexed by scalarset `scalarset`.
  struct Index {
    std::size_t scalarset = 0;
    std::size_t member = 0;
    std::uint64_t stride = 0;
  };
  // One simple value, or, in a multiset, the bit that says that the slot is occupied (no domain).
  struct Value {
    std::uint64_t bit = 0;  // if all indices were 0
    std::uint64_t width = 0;
    const ir::Domain* domain = nullptr;
    bool names_member = false;  // may be a member of a scalarset
    bool in_multiset = false;
    std::vector<Index> indices;
  };

  [[nodiscard]] const ir::Interval* scalarset_of(std::int64_t value) const;
  void take_apart(const ir::Type& type, Value value);
  void take_apart_array(const ir::Type& type, const Value& value);
  // Groups of elements that the data does not tell apart, in the order of the data: for every scalarset a list of lists
  // of members.
  void group(const Word* state);
  void find_plain_data();
  [[nodiscard]] int compare_data(const Word* state, std::size_t scalarset, std::size_t a, std::size_t b) const;
  bool next_order();
  void permute(const Word* state, Word* out) const;
  [[nodiscard]] std::uint64_t renamed_code(const Value& value, std::uint64_t code) const;

  const ir::Program& program_;
  std::vector<ir::Interval> scalarsets_;
  std::vector<Value> values_;
  std::vector<std::vector<std::vector<std::size_t>>> plain_data_;  // per scalarset and member: numbers of its values
  std::vector<Word> untouched_;                                    // bits that are in none of the values
  std::vector<std::vector<std::vector<std::size_t>>> groups_;
  std::vector<std::vector<std::size_t>> position_;  // per scalarset and member: its new number
};

}  // namespace tideline::symmetry
