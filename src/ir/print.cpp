// SPDX-License-Identifier: MIT
// One recursion over types for each of: leaves, text of an object, difference of two states, text of a type.
#include "ir/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ir/bits.h"

namespace tideline::ir {

namespace {

using State = const std::uint64_t*;

std::int64_t read_value(State state, std::uint64_t offset, const Domain& domain) {
  return domain.decode(get_bits(state, offset, domain.bits()));
}

bool slot_occupied(State state, std::uint64_t offset, const Type& multiset, std::uint64_t slot) {
  return get_bits(state, offset + slot * multiset.stride() + multiset.element->bits, 1) != 0;
}

// Calls f(label, offset) for each element of an array; the gaps in the index domain's hull are no elements.
template <typename F>
void for_each_element(const Type& array, std::uint64_t offset, F f) {
  if (array.bits == 0)
    return;  // empty records, perhaps very many: nothing to see
  const Interval hull = array.domain->hull();
  for (std::uint64_t k = 0; k < hull.size(); ++k) {
    const std::int64_t index = hull.lo + static_cast<std::int64_t>(k);
    if (array.domain->contains(index))
      f(index, offset + k * array.stride());
  }
}

template <typename F>
void for_each_slot(const Type& multiset, std::uint64_t offset, State state, F f) {
  for (std::uint64_t slot = 0; slot < multiset.domain->hull().size(); ++slot) {
    if (slot_occupied(state, offset, multiset, slot))
      f(slot, offset + slot * multiset.stride());
  }
}

void visit_leaves(const Type& type, std::uint64_t offset, State state, std::string& path, const LeafVisitor& visit) {
  const std::size_t length = path.size();
  switch (type.kind) {
    case TypeKind::kSimple:
      visit(path, *type.domain, read_value(state, offset, *type.domain));
      break;
    case TypeKind::kArray:
      for_each_element(type, offset, [&](std::int64_t index, std::uint64_t at) {
        path += '[' + type.domain->show(index) + ']';
        visit_leaves(*type.element, at, state, path, visit);
        path.resize(length);
      });
      break;
    case TypeKind::kRecord:
      for (const Field& field : type.fields) {
        path += '.' + field.name;
        visit_leaves(*field.type, offset + field.offset, state, path, visit);
        path.resize(length);
      }
      break;
    case TypeKind::kMultiset: {
      std::uint64_t position = 0;
      for_each_slot(type, offset, state, [&](std::uint64_t /*slot*/, std::uint64_t at) {
        path += fmt::format("{{{}}}", position++);
        visit_leaves(*type.element, at, state, path, visit);
        path.resize(length);
      });
      break;
    }
  }
}

class Differ {
 public:
  Differ(State before, State after) : before_(before), after_(after) {}

  // Paths are relative to the object.
  std::vector<Change> differences(const Type& type, std::uint64_t offset) {
    if (before_ != nullptr && equal_bits(before_, offset, after_, offset, type.bits))
      return {};
    switch (type.kind) {
      case TypeKind::kSimple:
        return simple(*type.domain, offset);
      case TypeKind::kArray:
        return array(type, offset);
      case TypeKind::kRecord:
        return record(type, offset);
      case TypeKind::kMultiset:
        return multiset(type, offset);
    }
    return {};
  }

  [[nodiscard]] std::uint64_t undefined() const { return undefined_; }

 private:
  std::vector<Change> simple(const Domain& domain, std::uint64_t offset) {
    const std::int64_t value = read_value(after_, offset, domain);
    if (before_ == nullptr && value == kUndefined) {
      ++undefined_;
      return {};
    }
    Change change;
    if (before_ != nullptr)
      change.before = domain.show(read_value(before_, offset, domain));
    change.after = domain.show(value);
    return {change};
  }

  std::vector<Change> array(const Type& type, std::uint64_t offset) {
    std::vector<Change> result;
    std::vector<Change> run;  // common changes of the elements first .. last
    std::int64_t first = 0;
    std::int64_t last = 0;
    const auto flush = [&] {
      const std::string index = first == last
                                    ? fmt::format("[{}]", type.domain->show(first))
                                    : fmt::format("[{}..{}]", type.domain->show(first), type.domain->show(last));
      for (Change& change : run) {
        change.path.insert(0, index);
        result.push_back(std::move(change));
      }
      run.clear();
    };
    for_each_element(type, offset, [&](std::int64_t index, std::uint64_t at) {
      std::vector<Change> changes = differences(*type.element, at);
      if (changes != run) {
        flush();
        run = std::move(changes);
        first = index;
      }
      last = index;
    });
    flush();
    return result;
  }

  std::vector<Change> record(const Type& type, std::uint64_t offset) {
    std::vector<Change> result;
    for (const Field& field : type.fields) {
      for (Change& change : differences(*field.type, offset + field.offset)) {
        change.path.insert(0, "." + field.name);
        result.push_back(std::move(change));
      }
    }
    return result;
  }

  std::vector<Change> multiset(const Type& type, std::uint64_t offset) {
    const std::vector<std::string> old_elements = elements(type, offset, before_);
    const std::vector<std::string> new_elements = elements(type, offset, after_);
    std::vector<std::string> difference;
    std::vector<Change> result;
    std::set_difference(old_elements.begin(), old_elements.end(), new_elements.begin(), new_elements.end(),
                        std::back_inserter(difference));
    for (const std::string& text : difference)
      result.push_back({ChangeKind::kRemoved, "", text, ""});
    difference.clear();
    std::set_difference(new_elements.begin(), new_elements.end(), old_elements.begin(), old_elements.end(),
                        std::back_inserter(difference));
    for (const std::string& text : difference)
      result.push_back({ChangeKind::kAdded, "", "", text});
    return result;
  }

  static std::vector<std::string> elements(const Type& type, std::uint64_t offset, State state) {
    std::vector<std::string> result;
    if (state != nullptr) {
      for_each_slot(type, offset, state, [&](std::uint64_t /*slot*/, std::uint64_t at) {
        result.push_back(show_object(*type.element, state, at));
      });
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  State before_;
  State after_;
  std::uint64_t undefined_ = 0;
};

std::string show_domain(const Domain& domain, bool by_name) {
  if (by_name && !domain.name.empty())
    return domain.name;
  const Interval hull = domain.hull();
  switch (domain.kind) {
    case DomainKind::kBoolean:
      return "boolean";
    case DomainKind::kScalarset:
      return fmt::format("scalarset({})", hull.size());
    case DomainKind::kEnum:
      return fmt::format("enum{{{}}}", fmt::join(domain.labels, ", "));
    case DomainKind::kRange:
      return fmt::format("{}..{}", hull.lo, hull.hi);
    case DomainKind::kUnion: {
      std::vector<std::string> parts;
      for (const Interval& part : domain.parts)
        parts.push_back(part.lo == part.hi ? domain.show(part.lo)
                                           : fmt::format("{}..{}", domain.show(part.lo), domain.show(part.hi)));
      return fmt::format("union{{{}}}", fmt::join(parts, ", "));
    }
  }
  return "";
}

std::string type_text(const Type& type, bool by_name) {
  if (by_name && !type.name.empty())
    return type.name;
  switch (type.kind) {
    case TypeKind::kSimple:
      return show_domain(*type.domain, by_name);
    case TypeKind::kArray:
      return fmt::format("array[{}] of {}", show_domain(*type.domain, true), type_text(*type.element, true));
    case TypeKind::kMultiset:
      return fmt::format("multiset[{}] of {}", type.domain->hull().size(), type_text(*type.element, true));
    case TypeKind::kRecord: {
      std::vector<std::string> fields;
      for (const Field& field : type.fields)
        fields.push_back(field.name + ": " + type_text(*field.type, true));
      return fmt::format("record{{{}}}", fmt::join(fields, "; "));
    }
  }
  return "";
}

}  // namespace

void for_each_leaf(const Program& program, const std::uint64_t* state, const LeafVisitor& visit) {
  for (const Variable& variable : program.variables) {
    std::string path = variable.name;
    visit_leaves(*variable.type, variable.offset, state, path, visit);
  }
}

Changes state_changes(const Program& program, const std::uint64_t* before, const std::uint64_t* after) {
  Changes result;
  Differ differ(before, after);
  for (const Variable& variable : program.variables) {
    for (Change& change : differ.differences(*variable.type, variable.offset)) {
      change.path.insert(0, variable.name);
      result.list.push_back(std::move(change));
    }
  }
  result.undefined = differ.undefined();
  return result;
}

std::string show_object(const Type& type, const std::uint64_t* words, std::uint64_t offset) {
  std::vector<std::string> parts;
  switch (type.kind) {
    case TypeKind::kSimple:
      return type.domain->show(read_value(words, offset, *type.domain));
    case TypeKind::kArray:
      for_each_element(type, offset, [&](std::int64_t /*index*/, std::uint64_t at) {
        parts.push_back(show_object(*type.element, words, at));
      });
      return fmt::format("[{}]", fmt::join(parts, ", "));
    case TypeKind::kRecord:
      for (const Field& field : type.fields) {
        const std::uint64_t at = offset + field.offset;
        if (!field.type->is_simple() || read_value(words, at, *field.type->domain) != kUndefined)
          parts.push_back(field.name + ": " + show_object(*field.type, words, at));
      }
      break;
    case TypeKind::kMultiset:
      for_each_slot(type, offset, words, [&](std::uint64_t /*slot*/, std::uint64_t at) {
        parts.push_back(show_object(*type.element, words, at));
      });
      break;
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string show_type(const Type& type) {
  return type_text(type, false);
}

}  // namespace tideline::ir
