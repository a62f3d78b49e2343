// SPDX-License-Identifier: MIT
#include "front/dve/declarations.h"

#include <algorithm>
#include <charconv>

#include "front/dve/initial_value.h"

namespace tideline::dve {
namespace {

using Kind = TokenKind;

std::string range_text(BaseType type) {
  const ir::Interval range = type_range(type);
  return (type == BaseType::kByte ? "byte (" : "int (") + std::to_string(range.lo) + ".." + std::to_string(range.hi) +
         ")";
}

std::optional<std::int64_t> integer(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

}  // namespace

// ---- variables ----

void DeclarationParser::variables(ProcessId owner) {
  List list;
  list.owner = owner;
  list.is_constant = cursor_.accept(Kind::kConst);
  bool is_good = base_type(list.type);
  while (is_good) {
    is_good = variable(list);
    if (is_good && !cursor_.accept(Kind::kComma)) {
      cursor_.expect_end_of_list();
      return;
    }
  }
  cursor_.skip_statement();
}

bool DeclarationParser::base_type(BaseType& type) {
  type = cursor_.is(Kind::kInt) ? BaseType::kInt : BaseType::kByte;
  if (cursor_.accept(Kind::kByte) || cursor_.accept(Kind::kInt))
    return true;
  cursor_.syntax_error("'byte' or 'int'");
  return false;
}

bool DeclarationParser::variable(const List& list) {
  Token name;
  if (!cursor_.expect_name("the name of a variable", name))
    return false;
  Variable made;
  made.name = cursor_.text_of(name);
  made.where = name.where;
  made.type = list.type;
  made.owner = list.owner;
  made.is_constant = list.is_constant;
  std::uint64_t size = 1;
  made.is_array = cursor_.accept(Kind::kBracketOpen);
  bool is_good = !made.is_array || array_size(list.owner, size);
  if (!take_cells(size, name.where))
    size = 1;
  made.initial.assign(static_cast<std::size_t>(size), 0);
  if (is_good && cursor_.accept(Kind::kAssign))
    is_good = initialiser(made, size);
  if (made.is_constant && list.owner == kNothing)
    apply_define(made);
  add_variable(std::move(made), name);
  return is_good;
}

void DeclarationParser::add_variable(Variable variable, const Token& name) {
  const Symbol symbol{SymbolKind::kVariable, static_cast<std::uint32_t>(model_.variables.size()), name.where};
  const std::string_view text = cursor_.text_of(name);
  if (variable.owner == kNothing) {
    report_duplicate(name, names_.declare_global(text, symbol));
  } else {
    report_duplicate(name, names_.declare_local(variable.owner, text, symbol));
    variable.name = model_.processes[variable.owner].name + "." + variable.name;
  }
  model_.variables.push_back(std::move(variable));
}

// Behind '[': a number or the name of a constant, and ']'.
bool DeclarationParser::array_size(ProcessId owner, std::uint64_t& size) {
  const Token token = cursor_.token();
  std::int64_t value = token.number;
  if (cursor_.accept(Kind::kName)) {
    const Symbol* symbol = names_.visible(owner, cursor_.text_of(token));
    const bool is_variable = symbol != nullptr && symbol->kind == SymbolKind::kVariable;
    const Variable* constant = is_variable ? &model_.variables[symbol->index] : nullptr;
    if (constant == nullptr || !constant->is_constant || constant->is_array) {
      cursor_.error(token.where, "the size of an array must be a number or a constant");
      value = 1;
    } else {
      value = constant->initial[0];
    }
  } else if (!cursor_.accept(Kind::kNumber)) {
    cursor_.syntax_error("the number of elements");
    return false;
  }
  if (value < 1)
    cursor_.error(token.where, "an array has at least one element");
  size = value < 1 ? 1 : static_cast<std::uint64_t>(value);
  return cursor_.expect(Kind::kBracketClose);
}

// ---- initial values ----

bool DeclarationParser::initialiser(Variable& variable, std::uint64_t size) {
  const Location where = cursor_.where();
  const bool is_list = cursor_.accept(Kind::kBraceOpen);
  if (is_list && !variable.is_array)
    cursor_.error(where, "a list of values, but '" + variable.name + "' is not an array");
  else if (!is_list && variable.is_array)
    cursor_.error(where, "'" + variable.name + "' is an array and needs a list of values", "write { ... }");
  if (is_list)
    return initial_list(variable, size);
  std::optional<std::int64_t> value;
  if (!initial_scalar(variable, value))
    return false;
  variable.initial[0] = checked_initial(variable, where, value);
  return true;
}

bool DeclarationParser::initial_list(Variable& variable, std::uint64_t size) {
  std::uint64_t count = 0;
  do {
    const Location where = cursor_.where();
    std::optional<std::int64_t> value;
    if (!initial_scalar(variable, value))
      return false;
    if (count < size)
      variable.initial[static_cast<std::size_t>(count)] = checked_initial(variable, where, value);
    else if (count == size && variable.is_array)
      cursor_.warning(where, "'" + variable.name + "' has " + std::to_string(size) +
                                 " elements: this initial value and those after it are ignored");
    ++count;
  } while (cursor_.accept(Kind::kComma));
  return cursor_.expect(Kind::kBraceClose);
}

// False after a syntax error. The nodes of the expression are needed for its value only.
bool DeclarationParser::initial_scalar(const Variable& variable, std::optional<std::int64_t>& value) {
  const std::size_t first = model_.exprs.size();
  Place place;
  place.process = variable.owner;
  place.allows_states = false;
  const ExprId root = ExpressionParser(cursor_, names_, model_).parse(place);
  if (root != kNothing)
    value = initial_value(model_, static_cast<ExprId>(first), root);
  model_.exprs.resize(first);
  return root != kNothing;
}

std::int64_t DeclarationParser::checked_initial(const Variable& variable, Location where,
                                                std::optional<std::int64_t> value) {
  if (value && type_range(variable.type).contains(*value))
    return *value;
  if (value)
    cursor_.error(where, "the initial value " + std::to_string(*value) + " of '" + variable.name + "' is outside of " +
                             range_text(variable.type));
  else
    cursor_.error(where, "the initial value of '" + variable.name + "' cannot be computed",
                  "it divides by 0 or leaves an array");
  return 0;
}

// ---- --define ----

void DeclarationParser::apply_define(Variable& constant) {
  const auto defined =
      std::find_if(defines_.rbegin(), defines_.rend(), [&](const auto& one) { return one.first == constant.name; });
  if (defined == defines_.rend())
    return;
  defines_used_.insert(constant.name);
  const std::string option = "--define " + defined->first + "=" + defined->second + ": ";
  const std::optional<std::int64_t> value = integer(defined->second);
  if (constant.is_array)
    cursor_.error({}, option + "the constant '" + constant.name + "' is an array, which cannot be given");
  else if (!value || !type_range(constant.type).contains(*value))
    cursor_.error({}, option + "the value must be an integer within " + range_text(constant.type));
  else
    constant.initial[0] = *value;
}

void DeclarationParser::check_defines() {
  std::vector<std::string> constants;
  for (const Variable& one : model_.variables) {
    if (one.is_constant && !one.is_array && one.owner == kNothing)
      constants.push_back(one.name);
  }
  for (const auto& [name, value] : defines_) {
    if (defines_used_.contains(name))
      continue;
    std::string message = "--define ";
    message.append(name).append("=").append(value).append(": the model has no constant '").append(name).append("'");
    cursor_.error({}, std::move(message), did_you_mean(name, constants));
  }
}

// ---- channels and states ----

void DeclarationParser::channels() {
  cursor_.advance();
  std::vector<BaseType> types;
  bool is_good = !cursor_.accept(Kind::kBraceOpen) || channel_types(types);
  while (is_good) {
    is_good = channel(types);
    if (is_good && !cursor_.accept(Kind::kComma)) {
      cursor_.expect_end_of_list();
      return;
    }
  }
  cursor_.skip_statement();
}

// Behind '{': byte, int, ... and '}'.
bool DeclarationParser::channel_types(std::vector<BaseType>& types) {
  do {
    if (!base_type(types.emplace_back()))
      return false;
  } while (cursor_.accept(Kind::kComma));
  return cursor_.expect(Kind::kBraceClose);
}

bool DeclarationParser::channel(const std::vector<BaseType>& types) {
  Token name;
  if (!cursor_.expect_name("the name of a channel", name))
    return false;
  Channel made;
  made.name = cursor_.text_of(name);
  made.where = name.where;
  made.is_typed = !types.empty();
  if (take_cells(types.size(), name.where))
    made.types = types;
  const bool is_good = capacity(made);
  report_duplicate(name, names_.declare_global(
                             cursor_.text_of(name),
                             {SymbolKind::kChannel, static_cast<std::uint32_t>(model_.channels.size()), name.where}));
  model_.channels.push_back(std::move(made));
  return is_good;
}

bool DeclarationParser::capacity(Channel& channel) {
  const Location where = cursor_.where();
  if (!channel.is_typed) {
    if (!cursor_.is(Kind::kBracketOpen))
      return true;
    cursor_.error(where, "a channel with a buffer needs the types of its values",
                  "write channel {byte} " + channel.name + "[...]");
    return false;
  }
  if (!cursor_.expect(Kind::kBracketOpen,
                      "a channel with types has a size: " + channel.name + "[0] for one without buffer"))
    return false;
  const std::int32_t size = cursor_.token().number;
  if (!cursor_.accept(Kind::kNumber)) {
    cursor_.syntax_error("the size of the buffer");
    return false;
  }
  if (take_cells(static_cast<std::uint64_t>(size) * channel.types.size(), where))
    channel.capacity = static_cast<std::uint32_t>(size);
  return cursor_.expect(Kind::kBracketClose);
}

void DeclarationParser::states(ProcessId process) {
  cursor_.advance();
  do {
    Token name;
    if (!cursor_.expect_name("the name of a state", name)) {
      cursor_.skip_statement();
      return;
    }
    std::vector<State>& states = model_.processes[process].states;
    const std::string_view text = cursor_.text_of(name);
    report_duplicate(name, names_.declare_state(process, text, static_cast<StateId>(states.size()), name.where));
    states.push_back({std::string(text), name.where, false});
  } while (cursor_.accept(Kind::kComma));
  cursor_.expect_end_of_list();
}

bool DeclarationParser::take_cells(std::uint64_t count, Location where) {
  if (count <= kCellsMax - cells_) {
    cells_ += count;
    return true;
  }
  cursor_.error(where, "the variables and buffers are too large", "together they have at most 2^23 elements");
  return false;
}

void DeclarationParser::report_duplicate(const Token& name, const std::optional<Location>& earlier) {
  if (earlier)
    cursor_.error(name.where, "'" + std::string(cursor_.text_of(name)) + "' is declared already, at line " +
                                  std::to_string(earlier->line));
}

}  // namespace tideline::dve
