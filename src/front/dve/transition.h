// SPDX-License-Identifier: MIT
// Transitions of a process: source, target, guard, synchronisation, effects; and how many values channels carry.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "front/dve/cursor.h"
#include "front/dve/expression.h"
#include "front/dve/intern.h"
#include "front/dve/model.h"
#include "front/dve/names.h"

namespace tideline::dve {

// What the expressions inside of a process may mention.
Place place_in(const Model& model, ProcessId process);

// The state that a token names, or kNothing, with an error.
StateId resolve_state(Cursor& cursor, const Names& names, const Model& model, ProcessId process, const Token& name);

class TransitionParser {
 public:
  TransitionParser(Cursor& cursor, const Names& names, Model& model)
      : cursor_(cursor), names_(names), model_(model), expressions_(cursor, names, model), interner_(model.exprs) {}

  // Behind 'trans': the list, up to and with its ';'.
  void list(ProcessId process);

 private:
  struct Use {  // the first one of a channel without types
    Location where;
    std::size_t value_count = 0;
  };

  void transition();
  bool comma();
  bool ends(Transition& made);
  bool source(Transition& made);
  bool content(Transition& made);
  void refuse_order();
  bool guard(Transition& made);
  bool sync(Transition& made);
  bool sent(Transition& made);
  bool received(Transition& made);
  bool effects(Transition& made);
  bool semicolon();
  // Kept once where it is repeated: guards of expanded templates are megabytes.
  ExprId expression();

  ChannelId resolve_channel(const Token& name);
  void check_use(const Transition& made, Location where);
  void check_untyped(const Channel& channel, Use use, std::optional<Use>& first);

  Cursor& cursor_;
  const Names& names_;
  Model& model_;
  ExpressionParser expressions_;
  Interner interner_;
  ProcessId process_ = kNothing;
  Place place_;
  StateId source_ = kNothing;             // of the transition before; kNothing: none, or its name was wrong
  bool has_source_ = false;               // there was a transition before
  std::vector<std::optional<Use>> uses_;  // by ChannelId
};

}  // namespace tideline::dve
