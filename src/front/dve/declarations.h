// SPDX-License-Identifier: MIT
// Declarations of variables, constants and channels. A wrong declaration still declares its name, so that the name's
// uses are not reported as well.
//
// D1  all variables and buffers together have at most kCellsMax cells, so memory is bounded whatever sizes are written.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "front/dve/cursor.h"
#include "front/dve/expression.h"
#include "front/dve/model.h"
#include "front/dve/names.h"

namespace tideline::dve {

using Defines = std::vector<std::pair<std::string, std::string>>;

class DeclarationParser {
 public:
  static constexpr std::uint64_t kCellsMax = std::uint64_t{1} << 23;

  DeclarationParser(Cursor& cursor, Names& names, Model& model, const Defines& defines)
      : cursor_(cursor), names_(names), model_(model), defines_(defines) {}

  static bool begins_variables(TokenKind kind) {
    return kind == TokenKind::kConst || kind == TokenKind::kByte || kind == TokenKind::kInt;
  }
  // At a token that begins_variables(): one statement. `owner`: kNothing for global ones.
  void variables(ProcessId owner);
  // At 'channel': one statement.
  void channels();
  // At 'state': one statement.
  void states(ProcessId process);
  // Reports names of --define that no constant has.
  void check_defines();

 private:
  struct List {  // what the variables of one statement share
    ProcessId owner = kNothing;
    BaseType type = BaseType::kByte;
    bool is_constant = false;
  };

  bool base_type(BaseType& type);
  bool variable(const List& list);
  bool array_size(ProcessId owner, std::uint64_t& size);
  bool initialiser(Variable& variable, std::uint64_t size);
  bool initial_list(Variable& variable, std::uint64_t size);
  bool initial_scalar(const Variable& variable, std::optional<std::int64_t>& value);
  std::int64_t checked_initial(const Variable& variable, Location where, std::optional<std::int64_t> value);
  void apply_define(Variable& constant);
  void add_variable(Variable variable, const Token& name);

  bool channel_types(std::vector<BaseType>& types);
  bool channel(const std::vector<BaseType>& types);
  bool capacity(Channel& channel);

  // False, and an error, if the cells are too many.
  bool take_cells(std::uint64_t count, Location where);
  void report_duplicate(const Token& name, const std::optional<Location>& earlier);

  Cursor& cursor_;
  Names& names_;
  Model& model_;
  const Defines& defines_;
  std::set<std::string> defines_used_;
  std::uint64_t cells_ = 0;
};

}  // namespace tideline::dve
