// SPDX-License-Identifier: MIT
#include "front/dve/process.h"

#include <utility>

namespace tideline::dve {
namespace {

using Kind = TokenKind;

constexpr std::array<const char*, 5> kSectionNames = {"init", "commit", "accept", "assert", "trans"};

// The first three sections come in any order.
std::size_t rank(std::size_t section) {
  return section < 3 ? 0 : section;
}

AcceptKind accept_kind(Kind kind) {
  switch (kind) {
    case Kind::kGenBuchi:
      return AcceptKind::kGenBuchi;
    case Kind::kMuller:
      return AcceptKind::kMuller;
    case Kind::kRabin:
      return AcceptKind::kRabin;
    case Kind::kStreett:
      return AcceptKind::kStreett;
    default:
      return AcceptKind::kBuchi;
  }
}

}  // namespace

// ---- first pass ----

void ProcessParser::outline() {
  cursor_.advance();
  const ProcessId process = add_process();
  if (!cursor_.is(Kind::kBraceOpen)) {
    cursor_.syntax_error("'{'");
    cursor_.skip_to(Kind::kBraceOpen);
    if (!cursor_.is(Kind::kBraceOpen))
      return;
  }
  const std::size_t closing = cursor_.closing_brace(cursor_.position());
  cursor_.restart(cursor_.position() + 1, closing);
  locals(process);
  if (cursor_.is(Kind::kState)) {
    declarations_.states(process);
    bodies_.push_back({process, cursor_.position(), closing});
  } else {
    cursor_.syntax_error("a variable or 'state'");
  }
  cursor_.restart(closing, cursor_.last());
  cursor_.accept(Kind::kBraceClose);
}

ProcessId ProcessParser::add_process() {
  const auto process = static_cast<ProcessId>(model_.processes.size());
  model_.processes.emplace_back();
  model_.processes.back().where = cursor_.where();
  names_.add_process();
  Token name;
  if (!cursor_.expect_name("the name of a process", name))
    return process;
  const std::string_view text = cursor_.text_of(name);
  model_.processes.back().name = text;
  if (const auto earlier = names_.declare_global(text, {SymbolKind::kProcess, process, name.where}))
    cursor_.error(name.where,
                  "'" + std::string(text) + "' is declared already, at line " + std::to_string(earlier->line));
  return process;
}

void ProcessParser::locals(ProcessId process) {
  while (DeclarationParser::begins_variables(cursor_.kind()) || cursor_.is(Kind::kChannel)) {
    if (!cursor_.is(Kind::kChannel)) {
      declarations_.variables(process);
      continue;
    }
    cursor_.error(cursor_.where(), "channels are declared before the processes");
    cursor_.advance();
    cursor_.skip_statement();
  }
}

// ---- second pass ----

void ProcessParser::bodies() {
  for (const Body& one : bodies_)
    body(one);
}

void ProcessParser::body(const Body& body) {
  process_ = body.process;
  seen_.fill(std::nullopt);
  cursor_.restart(body.first, body.closing);
  const std::size_t errors_before = cursor_.error_count();
  while (!cursor_.at_limit()) {
    if (!statement())
      unexpected_statement();
  }
  if (!cursor_.is(Kind::kBraceClose) && cursor_.error_count() == errors_before)
    cursor_.syntax_error("'}' at the end of process '" + model_.processes[process_].name + "'");
  if (!seen_[static_cast<std::size_t>(Section::kInit)])
    cursor_.error(model_.processes[process_].where,
                  "process '" + model_.processes[process_].name + "' has no initial state", "add 'init' and a state");
}

bool ProcessParser::statement() {
  switch (cursor_.kind()) {
    case Kind::kInit:
      init();
      return true;
    case Kind::kCommit:
      commit();
      return true;
    case Kind::kAccept:
      accept();
      return true;
    case Kind::kAssert:
      assertions();
      return true;
    case Kind::kTrans:
      note(Section::kTrans);
      transitions_.list(process_);
      return true;
    default:
      return false;
  }
}

void ProcessParser::unexpected_statement() {
  if (DeclarationParser::begins_variables(cursor_.kind()))
    cursor_.error(cursor_.where(), "the variables of a process are declared before its states");
  else if (cursor_.is(Kind::kState))
    cursor_.error(cursor_.where(), "the states of a process are declared once, in one list");
  else
    cursor_.syntax_error("'init', 'commit', 'accept', 'assert', 'trans' or '}'");
  cursor_.advance();
  cursor_.skip_statement();
}

// At the word that begins the section: passes over it, and checks that it comes once and in order.
void ProcessParser::note(Section section) {
  const auto number = static_cast<std::size_t>(section);
  const std::string name = kSectionNames[number];
  for (std::size_t later = number + 1; later < kSections && !seen_[number]; ++later) {
    if (!seen_[later] || rank(later) == rank(number))
      continue;
    cursor_.error(cursor_.where(), "'" + name + "' must come before '" + kSectionNames[later] + "'");
    break;
  }
  if (seen_[number])
    cursor_.error(cursor_.where(), "'" + name + "' is given already, at line " + std::to_string(seen_[number]->line));
  else
    seen_[number] = cursor_.where();
  cursor_.advance();
}

void ProcessParser::init() {
  note(Section::kInit);
  Token name;
  if (cursor_.expect_name("the name of a state", name)) {
    model_.processes[process_].initial = resolve_state(cursor_, names_, model_, process_, name);
    if (cursor_.expect(Kind::kSemicolon))
      return;
  }
  cursor_.skip_statement();
}

void ProcessParser::commit() {
  note(Section::kCommit);
  std::vector<StateId> states;
  if (!state_list(states)) {
    cursor_.skip_statement();
    return;
  }
  for (const StateId state : states) {
    if (state != kNothing)
      model_.processes[process_].states[state].is_committed = true;
  }
  cursor_.expect_end_of_list();
}

bool ProcessParser::state_list(std::vector<StateId>& states) {
  do {
    Token name;
    if (!cursor_.expect_name("the name of a state", name))
      return false;
    states.push_back(resolve_state(cursor_, names_, model_, process_, name));
  } while (cursor_.accept(Kind::kComma));
  return true;
}

// ---- acceptance ----

void ProcessParser::accept() {
  note(Section::kAccept);
  Acceptance made;
  made.kind = accept_kind(cursor_.kind());
  if (made.kind != AcceptKind::kBuchi || cursor_.is(Kind::kBuchi))
    cursor_.advance();
  bool is_good = false;
  if (made.kind == AcceptKind::kBuchi)
    is_good = state_list(made.sets.emplace_back());
  else
    is_good = sets(made, made.kind == AcceptKind::kRabin || made.kind == AcceptKind::kStreett);
  if (is_good)
    cursor_.expect_end_of_list();
  else
    cursor_.skip_statement();
  model_.processes[process_].acceptance = std::move(made);
}

bool ProcessParser::sets(Acceptance& acceptance, bool in_pairs) {
  do {
    if (!cursor_.expect(Kind::kParenOpen))
      return false;
    if (in_pairs && !set_of_states(acceptance, Kind::kSemicolon))
      return false;
    if (!set_of_states(acceptance, Kind::kParenClose))
      return false;
  } while (cursor_.accept(Kind::kComma));
  return true;
}

// Up to and with `closing`; may be empty.
bool ProcessParser::set_of_states(Acceptance& acceptance, TokenKind closing) {
  std::vector<StateId>& states = acceptance.sets.emplace_back();
  return cursor_.accept(closing) || (state_list(states) && cursor_.expect(closing));
}

// ---- assertions ----

void ProcessParser::assertions() {
  note(Section::kAssert);
  do {
    if (!assertion()) {
      cursor_.skip_statement();
      return;
    }
  } while (cursor_.accept(Kind::kComma));
  cursor_.expect_end_of_list();
}

bool ProcessParser::assertion() {
  Token name;
  if (!cursor_.expect_name("the name of a state", name))
    return false;
  Assertion made;
  made.where = name.where;
  made.state = resolve_state(cursor_, names_, model_, process_, name);
  if (!cursor_.expect(Kind::kColon))
    return false;
  const std::size_t first = cursor_.position();
  // P->x is refused here even in the property process, as in DiVinE.
  Place place = place_in(model_, process_);
  place.allows_foreign = false;
  made.condition = ExpressionParser(cursor_, names_, model_).parse(place);
  if (made.condition == kNothing)
    return false;
  made.text = cursor_.written(first, cursor_.position());
  model_.processes[process_].assertions.push_back(std::move(made));
  return true;
}

}  // namespace tideline::dve
