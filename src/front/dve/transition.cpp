// SPDX-License-Identifier: MIT
#include "front/dve/transition.h"

#include <string>
#include <utility>

namespace tideline::dve {
namespace {

using Kind = TokenKind;

std::string values_text(std::size_t count) {
  if (count == 0)
    return "no value";
  return std::to_string(count) + (count == 1 ? " value" : " values");
}

}  // namespace

Place place_in(const Model& model, ProcessId process) {
  Place place;
  place.process = process;
  place.allows_foreign = model.property == process;
  return place;
}

StateId resolve_state(Cursor& cursor, const Names& names, const Model& model, ProcessId process, const Token& name) {
  const std::string_view text = cursor.text_of(name);
  if (const std::optional<StateId> found = names.state(process, text))
    return *found;
  cursor.error(name.where, "process '" + model.processes[process].name + "' has no state '" + std::string(text) + "'",
               cursor.errors_are_shown() ? names.suggest_state(process, text) : "");
  return kNothing;
}

void TransitionParser::list(ProcessId process) {
  process_ = process;
  place_ = place_in(model_, process);
  has_source_ = false;
  uses_.resize(model_.channels.size());
  do {
    transition();
  } while (comma());
  cursor_.expect_end_of_list();
}

// True if another transition follows, also where the comma before it was forgotten.
bool TransitionParser::comma() {
  if (cursor_.accept(Kind::kComma))
    return true;
  const bool is_forgotten = cursor_.is(Kind::kName) || cursor_.is(Kind::kArrow);
  if (is_forgotten)
    cursor_.syntax_error("',' or ';'");
  return is_forgotten;
}

// After a syntax error the rest of this transition is skipped.
void TransitionParser::transition() {
  Transition made;
  if (!ends(made)) {
    while (!cursor_.at_limit() && !cursor_.is(Kind::kBraceOpen) && !cursor_.is(Kind::kComma) &&
           !cursor_.is(Kind::kSemicolon))
      cursor_.advance();
    if (cursor_.is(Kind::kBraceOpen))
      cursor_.skip_block(cursor_.position());
    return;
  }
  const std::size_t opened = cursor_.position();
  cursor_.advance();
  if (content(made))
    model_.processes[process_].transitions.push_back(std::move(made));
  else
    cursor_.skip_block(opened);
}

// Source, target, and a look at the brace behind them.
bool TransitionParser::ends(Transition& made) {
  Token target;
  if (!source(made) || !cursor_.expect(Kind::kArrow) || !cursor_.expect_name("the name of a state", target))
    return false;
  made.target = resolve_state(cursor_, names_, model_, process_, target);
  if (cursor_.is(Kind::kBraceOpen))
    return true;
  cursor_.syntax_error("'{'");
  return false;
}

bool TransitionParser::source(Transition& made) {
  made.where = cursor_.where();
  if (cursor_.is(Kind::kArrow)) {
    if (!has_source_)
      cursor_.error(made.where, "the first transition of a process needs a source state");
    made.source = source_;
  } else {
    Token name;
    if (!cursor_.expect_name("the name of a state or '->'", name))
      return false;
    made.source = resolve_state(cursor_, names_, model_, process_, name);
  }
  source_ = made.source;
  has_source_ = true;
  if (!cursor_.is(Kind::kWideArrow))
    return true;
  cursor_.error(cursor_.where(), "probabilistic transitions are not supported");
  return false;
}

bool TransitionParser::content(Transition& made) {
  if (cursor_.accept(Kind::kGuard) && !guard(made))
    return false;
  if (cursor_.is(Kind::kSync) && !sync(made))
    return false;
  if (cursor_.accept(Kind::kEffect) && !effects(made))
    return false;
  if (cursor_.accept(Kind::kBraceClose))
    return true;
  refuse_order();
  return false;
}

void TransitionParser::refuse_order() {
  if (cursor_.is(Kind::kGuard) || cursor_.is(Kind::kSync) || cursor_.is(Kind::kEffect))
    cursor_.error(cursor_.where(), "'" + std::string(cursor_.text()) + "' is not possible here",
                  "a transition has a guard, a sync and an effect, in this order, each at most once");
  else
    cursor_.syntax_error("'guard', 'sync', 'effect' or '}'");
}

bool TransitionParser::semicolon() {
  return cursor_.expect(Kind::kSemicolon, cursor_.is(Kind::kAssign) ? "'==' compares, '=' assigns" : "");
}

ExprId TransitionParser::expression() {
  const std::size_t first = model_.exprs.size();
  const ExprId root = expressions_.parse(place_);
  return root == kNothing ? kNothing : interner_.add_again(first, root);
}

bool TransitionParser::guard(Transition& made) {
  made.guard = expression();
  return made.guard != kNothing && semicolon();
}

bool TransitionParser::effects(Transition& made) {
  do {
    Assignment& one = made.effects.emplace_back();
    if (!expressions_.parse_target(place_, one) || !cursor_.expect(Kind::kAssign))
      return false;
    one.value = expression();
    if (one.value == kNothing)
      return false;
  } while (cursor_.accept(Kind::kComma));
  return semicolon();
}

// ---- synchronisation ----

bool TransitionParser::sync(Transition& made) {
  if (model_.is_synchronous)
    cursor_.error(cursor_.where(), "a synchronous system cannot use channels");
  else if (model_.property == process_)
    cursor_.error(cursor_.where(), "the property process cannot use channels");
  cursor_.advance();
  Token name;
  if (!cursor_.expect_name("the name of a channel", name))
    return false;
  made.channel = resolve_channel(name);
  if (!cursor_.is(Kind::kExclamation) && !cursor_.is(Kind::kQuestion)) {
    cursor_.syntax_error("'!' or '?'");
    return false;
  }
  made.sync = cursor_.is(Kind::kExclamation) ? SyncKind::kSend : SyncKind::kReceive;
  cursor_.advance();
  if (!cursor_.is(Kind::kSemicolon) && !(made.sync == SyncKind::kSend ? sent(made) : received(made)))
    return false;
  if (made.channel != kNothing)
    check_use(made, name.where);
  return semicolon();
}

bool TransitionParser::sent(Transition& made) {
  const bool is_list = cursor_.accept(Kind::kBraceOpen);
  do {
    const ExprId value = expression();
    if (value == kNothing)
      return false;
    made.sent.push_back(value);
  } while (is_list && cursor_.accept(Kind::kComma));
  return !is_list || cursor_.expect(Kind::kBraceClose);
}

bool TransitionParser::received(Transition& made) {
  const bool is_list = cursor_.accept(Kind::kBraceOpen);
  do {
    if (!expressions_.parse_target(place_, made.received.emplace_back()))
      return false;
  } while (is_list && cursor_.accept(Kind::kComma));
  return !is_list || cursor_.expect(Kind::kBraceClose);
}

ChannelId TransitionParser::resolve_channel(const Token& name) {
  const std::string text(cursor_.text_of(name));
  const Symbol* symbol = names_.global(text);
  if (symbol != nullptr && symbol->kind == SymbolKind::kChannel)
    return symbol->index;
  cursor_.error(name.where, symbol == nullptr ? "unknown channel '" + text + "'" : "'" + text + "' is not a channel",
                cursor_.errors_are_shown() ? names_.suggest_global(text, SymbolKind::kChannel) : "");
  return kNothing;
}

void TransitionParser::check_use(const Transition& made, Location where) {
  const Channel& channel = model_.channels[made.channel];
  const std::size_t count = made.sync == SyncKind::kSend ? made.sent.size() : made.received.size();
  if (!channel.is_typed)
    check_untyped(channel, {where, count}, uses_[made.channel]);
  else if (count != channel.types.size())
    cursor_.error(where, "channel '" + channel.name + "' carries " + values_text(channel.types.size()) + ", but here " +
                             values_text(count));
}

void TransitionParser::check_untyped(const Channel& channel, Use use, std::optional<Use>& first) {
  if (!first)
    first = use;
  if (first->value_count == use.value_count)
    return;
  cursor_.error(use.where, "channel '" + channel.name + "' carries " + values_text(use.value_count) + " here, but " +
                               values_text(first->value_count) + " at " + std::to_string(first->where.line) + ":" +
                               std::to_string(first->where.column));
}

}  // namespace tideline::dve
