// SPDX-License-Identifier: MIT
#include "progress/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tideline::progress {
namespace {

using ir::TypeKind;

// An object on the way down: `role` is its path with indices as [*] and, for a process of a kind of which there are
// several, without the process's name.
struct Piece {
  const ir::Type* type = nullptr;
  std::uint64_t offset = 0;
  std::string path;
  std::string role;
  std::string shown_role;
  bool alone = true;
};

class Finder {
 public:
  Finder(const ir::Program& program, const std::vector<ir::Interval>& permuted, std::size_t most)
      : program_(program), permuted_(permuted), most_(most) {}

  Cells run() {
    name_kinds();
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const ir::Variable& variable = program_.variables[v];
      open({variable.type, variable.offset, variable.name, roles_[v], variable.name, true});
    }
    for (CellGroup& group : found_.groups)
      if (group.multiset == nullptr)
        group.text = text_of(group);
    return std::move(found_);
  }

 private:
  // The role of a process's variable is the structure of the process and the variable's number in it; another
  // variable's is its name.
  void name_kinds() {
    for (const ir::Variable& variable : program_.variables)
      roles_.push_back(variable.name);
    for (const ir::Component& component : program_.components) {
      std::string structure;
      for (const std::size_t v : component.variables)
        structure += fmt::format("{};", structure_of(*program_.variables[v].type));
      for (std::size_t i = 0; i < component.variables.size(); ++i)
        roles_[component.variables[i]] = fmt::format("\n{}\n{}", structure, i);
    }
  }

  static std::string structure_of(const ir::Type& type) {
    std::string text = fmt::format("{}", static_cast<int>(type.kind));
    if (type.domain != nullptr)
      text += fmt::format(" {} {} {} {}", type.domain->hull().lo, type.domain->hull().hi, type.domain->has_undefined,
                          fmt::join(type.domain->labels, ","));
    if (type.element != nullptr)
      text += fmt::format("({})", structure_of(*type.element));
    for (const ir::Field& field : type.fields)
      text += fmt::format("({}:{})", field.name, structure_of(*field.type));
    return text;
  }

  [[nodiscard]] bool is_permuted(const ir::Domain& domain) const {
    return std::any_of(permuted_.begin(), permuted_.end(), [&domain](const ir::Interval& set) {
      return std::find(domain.parts.begin(), domain.parts.end(), set) != domain.parts.end();
    });
  }

  void open(const Piece& piece) {
    const ir::Type& type = *piece.type;
    if (type.is_simple())
      add_simple(piece);
    else if (type.kind == TypeKind::kRecord)
      for (const ir::Field& field : type.fields)
        open({field.type, piece.offset + field.offset, piece.path + "." + field.name, piece.role + "." + field.name,
              piece.shown_role + "." + field.name, piece.alone});
    else if (found_.cells.size() + type.domain->hull().size() > most_)
      return;
    else if (type.kind == TypeKind::kArray)
      open_array(piece);
    else
      add_multiset(piece);
  }

  void open_array(const Piece& piece) {
    const ir::Domain& index = *piece.type->domain;
    const ir::Interval hull = index.hull();
    for (std::int64_t i = hull.lo; i <= hull.hi; ++i)
      if (index.contains(i))
        open({piece.type->element, piece.offset + static_cast<std::uint64_t>(i - hull.lo) * piece.type->stride(),
              fmt::format("{}[{}]", piece.path, index.show(i)), piece.role + "[*]", piece.shown_role + "[*]",
              piece.alone && !is_permuted(index)});
  }

  void add_multiset(const Piece& piece) {
    const std::size_t group = found_.groups.size();
    found_.groups.push_back({fmt::format("|{}|", piece.path), nullptr, {}, piece.type, piece.offset});
    for (std::uint64_t i = 0; i < piece.type->domain->hull().size(); ++i) {
      found_.groups[group].cells.push_back(found_.cells.size());
      found_.cells.push_back({piece.path, piece.type, piece.offset + (i + 1) * piece.type->stride() - 1, group, false});
    }
  }

  void add_simple(const Piece& piece) {
    const ir::Domain& domain = *piece.type->domain;
    const bool has_members = domain.kind == ir::DomainKind::kScalarset || domain.kind == ir::DomainKind::kUnion;
    if (has_members || piece.type->bits == 0 || found_.cells.size() >= most_)
      return;
    const ir::Interval hull = domain.hull();
    const auto [entry, is_new] = groups_.try_emplace(
        fmt::format("{}\n{} {} {}", piece.role, hull.lo, hull.hi, domain.has_undefined), found_.groups.size());
    if (is_new)
      found_.groups.push_back({piece.shown_role, piece.type, {}, nullptr, 0});
    found_.groups[entry->second].cells.push_back(found_.cells.size());
    found_.cells.push_back({piece.path, piece.type, piece.offset, entry->second, piece.alone});
  }

  // Its cell's path, the role in one array, or the paths of the cells with + between them.
  [[nodiscard]] std::string text_of(const CellGroup& group) const {
    constexpr std::size_t kNamedMax = 4;
    const std::string& first = found_.cells[group.cells.front()].path;
    if (group.cells.size() == 1)
      return first;
    const std::string variable = first.substr(0, first.find_first_of("[.")) + "[";
    const bool is_array = std::all_of(group.cells.begin(), group.cells.end(),
                                      [&](std::size_t cell) { return found_.cells[cell].path.starts_with(variable); });
    if (is_array)
      return "sum " + group.text;
    std::string text;
    for (std::size_t i = 0; i < group.cells.size() && i < kNamedMax; ++i)
      text += (i == 0 ? "" : " + ") + found_.cells[group.cells[i]].path;
    return group.cells.size() > kNamedMax ? text + " + ..." : text;
  }

  const ir::Program& program_;
  const std::vector<ir::Interval>& permuted_;
  std::size_t most_;
  std::vector<std::string> roles_;  // of the variables
  std::map<std::string, std::size_t> groups_;
  Cells found_;
};

}  // namespace

Cells find_cells(const ir::Program& program, const std::vector<ir::Interval>& permuted, std::size_t most) {
  return Finder(program, permuted, most).run();
}

}  // namespace tideline::progress
