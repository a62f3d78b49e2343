// SPDX-License-Identifier: MIT
#include "front/dve/measure.h"

#include <utility>

#include "front/dve/cursor.h"
#include "front/dve/expression.h"
#include "front/dve/lexer.h"

namespace tideline::dve {
namespace {

using Kind = TokenKind;

bool begins_operand(Kind kind) {
  switch (kind) {
    case Kind::kName:
    case Kind::kNumber:
    case Kind::kTrue:
    case Kind::kFalse:
    case Kind::kParenOpen:
    case Kind::kMinus:
    case Kind::kTilde:
    case Kind::kNot:
    case Kind::kExclamation:
      return true;
    default:
      return false;
  }
}

class MeasureParser {
 public:
  MeasureParser(Cursor& cursor, const Names& names, Model& model) : cursor_(cursor), names_(names), model_(model) {}

  void run() {
    do {
      if (!component())
        return;
    } while (cursor_.accept(Kind::kComma));
    if (!cursor_.is(Kind::kEnd))
      cursor_.syntax_error("an operator, ',' or the end of the text");
  }

 private:
  // False after a syntax error.
  bool component() {
    MeasureComponent made;
    made.descending = cursor_.text() == "down" && begins_operand(cursor_.next_token().kind);
    if (made.descending)
      cursor_.advance();
    const std::size_t first = cursor_.position();
    made.where = cursor_.where();
    made.process = process_alone();
    if (made.process == kNothing) {
      Place place;
      place.allows_foreign = true;
      made.value = ExpressionParser(cursor_, names_, model_).parse(place);
      if (made.value == kNothing)
        return false;
    }
    made.text = cursor_.written(first, cursor_.position());
    model_.progress.push_back(std::move(made));
    return true;
  }

  // Passes over the name of a process that is a whole component.
  ProcessId process_alone() {
    const Symbol* symbol = cursor_.is(Kind::kName) ? names_.global(cursor_.text()) : nullptr;
    const Kind next = cursor_.next_token().kind;
    if (symbol == nullptr || symbol->kind != SymbolKind::kProcess || (next != Kind::kComma && next != Kind::kEnd))
      return kNothing;
    if (symbol->index == model_.property)
      cursor_.error(cursor_.where(),
                    "'" + std::string(cursor_.text()) + "' is the property process, which takes no part");
    cursor_.advance();
    return symbol->index;
  }

  Cursor& cursor_;
  const Names& names_;
  Model& model_;
};

}  // namespace

void parse_measure(std::string_view text, Location where, const Names& names, Model& model, Diagnostics& diagnostics) {
  const auto tokens = Lexer(text, diagnostics, where).run();
  if (!tokens)
    return;
  Cursor cursor(text, *tokens, diagnostics);
  MeasureParser(cursor, names, model).run();
}

}  // namespace tideline::dve
