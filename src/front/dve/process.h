// SPDX-License-Identifier: MIT
// Processes, in two passes: the outline (name, variables, states), and, once all outlines are known, the rest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "front/dve/cursor.h"
#include "front/dve/declarations.h"
#include "front/dve/expression.h"
#include "front/dve/model.h"
#include "front/dve/names.h"
#include "front/dve/transition.h"

namespace tideline::dve {

class ProcessParser {
 public:
  ProcessParser(Cursor& cursor, Names& names, Model& model, DeclarationParser& declarations)
      : cursor_(cursor),
        names_(names),
        model_(model),
        declarations_(declarations),
        transitions_(cursor, names, model) {}

  // At 'process'. The cursor is left behind the process.
  void outline();
  // Reads what outline() left over, of all processes.
  void bodies();

 private:
  struct Body {
    ProcessId process = kNothing;
    std::size_t first = 0;    // token behind the states
    std::size_t closing = 0;  // the brace, or what stands in its place
  };
  // The statements of a body, in the order in which they must come; the first three in any order.
  enum class Section : std::uint8_t { kInit, kCommit, kAccept, kAssert, kTrans };
  static constexpr std::size_t kSections = 5;

  ProcessId add_process();
  void locals(ProcessId process);

  void body(const Body& body);
  bool statement();
  void unexpected_statement();
  void note(Section section);
  void init();
  void commit();
  void accept();
  void assertions();
  bool assertion();

  bool sets(Acceptance& acceptance, bool in_pairs);
  bool set_of_states(Acceptance& acceptance, TokenKind closing);
  bool state_list(std::vector<StateId>& states);

  Cursor& cursor_;
  Names& names_;
  Model& model_;
  DeclarationParser& declarations_;
  TransitionParser transitions_;
  std::vector<Body> bodies_;
  ProcessId process_ = kNothing;                         // of the body being read
  std::array<std::optional<Location>, kSections> seen_;  // by Section
};

}  // namespace tideline::dve
