// SPDX-License-Identifier: MIT
// Packed states in readable form: every simple part by its path (Cells[pid_2].next), or only what changed between two
// states. Elements of a multiset have no lasting place (slots are sorted), so a change shows what was added and
// removed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/program.h"

namespace tideline::ir {

// Calls `visit` with the path, domain and value (perhaps kUndefined) of every simple part of the state in declaration
// order. Array elements are path[index], fields path.field, occupied slots of a multiset path{0}, path{1}, ...
using LeafVisitor = std::function<void(const std::string& path, const Domain& domain, std::int64_t value)>;
void for_each_leaf(const Program& program, const std::uint64_t* state, const LeafVisitor& visit);

enum class ChangeKind : std::uint8_t { kSet, kAdded, kRemoved };

// A simple part that changed, or an element that was added to or removed from a multiset. Equal changes of neighbouring
// array elements are one: Cells[pid_1..pid_3].state.
struct Change {
  ChangeKind kind = ChangeKind::kSet;
  std::string path;
  std::string before;  // empty with kAdded, and everywhere if there is no earlier state
  std::string after;   // empty with kRemoved
  bool operator==(const Change&) const = default;
};

struct Changes {
  std::vector<Change> list;
  std::uint64_t undefined = 0;  // without an earlier state: simple parts that are undefined and therefore not listed
};

// What differs in `after`; the whole state, except for what is undefined, if `before` is null.
Changes state_changes(const Program& program, const std::uint64_t* before, const std::uint64_t* after);

// The object of `type` at bit `offset`, in one line: 7, {src: pid_1, val: 3}, [0, 1]. Undefined fields of records are
// left out.
std::string show_object(const Type& type, const std::uint64_t* words, std::uint64_t offset);

// The type as one would declare it, for example array[pid_t] of record{state: 0..2; next: pid_t}; declared names are
// used where there are any, except for the outermost type.
std::string show_type(const Type& type);

}  // namespace tideline::ir
