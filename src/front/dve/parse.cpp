// SPDX-License-Identifier: MIT
#include "front/dve/parse.h"

#include "front/dve/cursor.h"
#include "front/dve/declarations.h"
#include "front/dve/expression.h"
#include "front/dve/lexer.h"
#include "front/dve/measure.h"
#include "front/dve/names.h"
#include "front/dve/process.h"

namespace tideline::dve {
namespace {

using Kind = TokenKind;

class ModelParser {
 public:
  ModelParser(std::string_view text, const std::vector<Token>& tokens, const ParseOptions& options,
              Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        cursor_(text, tokens, diagnostics),
        declarations_(cursor_, names_, model_, options.defines),
        processes_(cursor_, names_, model_, declarations_) {}

  std::optional<Model> run(const ParseOptions& options, const std::optional<Annotation>& annotation);

 private:
  void outlines();
  void declaration();
  void unexpected();
  void system();
  void property();
  void invariant(const std::string& text);
  void progress(const std::string& text);
  void forget_places(std::size_t first);

  Diagnostics& diagnostics_;
  Cursor cursor_;
  Model model_;
  Names names_;
  DeclarationParser declarations_;
  ProcessParser processes_;
};

bool begins_part(Kind kind) {
  return DeclarationParser::begins_variables(kind) || kind == Kind::kChannel || kind == Kind::kProcess ||
         kind == Kind::kSystem;
}

std::optional<Model> ModelParser::run(const ParseOptions& options, const std::optional<Annotation>& annotation) {
  outlines();
  if (!diagnostics_.has_errors())
    declarations_.check_defines();
  processes_.bodies();
  if (!diagnostics_.has_errors()) {
    for (const std::string& text : options.invariants)
      invariant(text);
    if (options.progress.has_value())
      progress(*options.progress);
    else if (annotation.has_value())
      parse_measure(annotation->text, annotation->where, names_, model_, diagnostics_);
  }
  if (diagnostics_.has_errors())
    return std::nullopt;
  return std::move(model_);
}

// ---- first pass ----

void ModelParser::outlines() {
  while (!cursor_.at_limit() && !cursor_.is(Kind::kSystem)) {
    if (cursor_.is(Kind::kProcess))
      processes_.outline();
    else if (begins_part(cursor_.kind()))
      declaration();
    else
      unexpected();
  }
  if (model_.processes.empty() && !diagnostics_.has_errors())
    cursor_.error(cursor_.where(), "the model has no process");
  if (cursor_.is(Kind::kSystem))
    system();
  else
    cursor_.error(cursor_.where(), "the line that says what the system is, is missing",
                  "add 'system async;' at the end");
}

void ModelParser::declaration() {
  if (!model_.processes.empty())
    cursor_.error(cursor_.where(), "variables and channels are declared before the processes");
  if (cursor_.is(Kind::kChannel))
    declarations_.channels();
  else
    declarations_.variables(kNothing);
}

void ModelParser::unexpected() {
  cursor_.syntax_error("a declaration, 'process' or 'system'");
  while (!cursor_.at_limit() && !begins_part(cursor_.kind()))
    cursor_.advance();
}

void ModelParser::system() {
  cursor_.advance();
  model_.is_synchronous = cursor_.is(Kind::kSync);
  if (!cursor_.accept(Kind::kSync) && !cursor_.accept(Kind::kAsync)) {
    cursor_.syntax_error("'async' or 'sync'");
    return;
  }
  if (cursor_.accept(Kind::kProperty))
    property();
  if (cursor_.expect(Kind::kSemicolon) && !cursor_.is(Kind::kEnd))
    cursor_.syntax_error("the end of the text", "the line 'system ...;' is the last one");
}

void ModelParser::property() {
  Token name;
  if (!cursor_.expect_name("the name of a process", name))
    return;
  const std::string_view text = cursor_.text_of(name);
  const Symbol* symbol = names_.global(text);
  if (symbol != nullptr && symbol->kind == SymbolKind::kProcess)
    model_.property = symbol->index;
  else
    cursor_.error(name.where, "unknown process '" + std::string(text) + "'",
                  names_.suggest_global(text, SymbolKind::kProcess));
}

// ---- --invariant and --progress ----

// Nodes from the command line have no place, because the text of the model is not where they are.
void ModelParser::forget_places(std::size_t first) {
  for (std::size_t k = first; k < model_.exprs.size(); ++k)
    model_.exprs[k].where = {};
}

void ModelParser::invariant(const std::string& text) {
  Diagnostics inner("--invariant", text);
  if (const auto tokens = Lexer(text, inner).run()) {
    Cursor cursor(text, *tokens, inner);
    const std::size_t first = model_.exprs.size();
    Place place;
    place.allows_foreign = true;
    const ExprId condition = ExpressionParser(cursor, names_, model_).parse(place);
    if (condition != kNothing && !cursor.is(Kind::kEnd))
      cursor.syntax_error("an operator or the end of the text");
    forget_places(first);
    model_.invariants.push_back({condition, text});
  }
  forward_errors(inner, "--invariant", text, diagnostics_);
}

void ModelParser::progress(const std::string& text) {
  if (text.empty())
    return;
  Diagnostics inner("--progress", text);
  const std::size_t first = model_.exprs.size();
  parse_measure(text, {1, 1}, names_, model_, inner);
  forget_places(first);
  for (MeasureComponent& component : model_.progress)
    component.where = {};
  forward_errors(inner, "--progress", text, diagnostics_);
}

}  // namespace

std::optional<Model> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics) {
  if (diagnostics.file().ends_with(".mdve")) {
    diagnostics.error({}, "this is an m4 template, and templates are not read",
                      "expand it first, for example with 'divine combine'");
    return std::nullopt;
  }
  Annotations annotations(diagnostics);
  const auto tokens = Lexer(text, diagnostics, {1, 1}, &annotations).run();
  if (!tokens)
    return std::nullopt;
  return ModelParser(text, *tokens, options, diagnostics).run(options, annotations.progress());
}

}  // namespace tideline::dve
