// SPDX-License-Identifier: MIT
// What the text of a program shows about its variables.
#include <gtest/gtest.h>

#include <map>

#include "progress/program_facts.h"
#include "progress_support.h"

namespace tideline::progress {
namespace {

struct Facts {
  std::unique_ptr<ir::Program> program;
  Cells cells;
  std::map<std::string, CellFacts> by_path;

  explicit Facts(const std::string& text, bool is_dve = false) : program(load(text, is_dve)) {
    cells = find_cells(*program, {}, 1000);
    const std::vector<CellFacts> all = program_facts(*program, cells);
    for (std::size_t c = 0; c < all.size(); ++c)
      by_path.emplace(cells.cells[c].path, all[c]);
  }
  // "rises" or "falls" if it only does that, "both", "neither".
  std::string operator[](const std::string& path) const {
    const CellFacts& facts = by_path.at(path);
    return facts.may_rise ? facts.may_fall ? "both" : "rises" : facts.may_fall ? "falls" : "neither";
  }
};

TEST(ProgramFacts, CountersFlagsAndConditions) {
  const Facts facts(R"(
type t: 0..9;
var up, down, clipped, reset, flag, stay, any: t; a: array[0..2] of t;
startstate begin up := 0; down := 9; clipped := 0; reset := 0; flag := 0; stay := 3; any := 0;
  for i: 0..2 do a[i] := 0; end; end;
rule up < 9 ==> begin up := up + 1; down := down - 1; end;
rule clipped <= 4 ==> begin clipped := 5; end;
rule reset = 9 ==> begin reset := 0; end;
rule reset < 9 ==> begin reset := reset + 1; any := reset; end;
rule true ==> begin flag := 9; if any = 3 then any := 4; end; end;
ruleset i: 0..2 do rule a[i] < 9 ==> begin a[i] := a[i] + 1; end; end;
)");
  EXPECT_EQ(facts["up"], "rises");
  EXPECT_EQ(facts["down"], "falls");
  EXPECT_EQ(facts["clipped"], "rises");
  EXPECT_EQ(facts["reset"], "both");
  EXPECT_EQ(facts["flag"], "rises");
  EXPECT_EQ(facts["stay"], "neither");
  EXPECT_EQ(facts["any"], "both");
  EXPECT_EQ(facts["a[1]"], "rises");
}

TEST(ProgramFacts, AGuardSaysNothingBehindAnAssignment) {
  const Facts facts(R"(
var x, y: 0..9;
startstate begin x := 0; y := 0; end;
rule x = 3 ==> begin x := 7; x := 5; end;
rule y = 3 ==> begin for i: 0..2 do y := 4; if y = 4 then y := 6; end; end; end;
)");
  EXPECT_EQ(facts["x"], "both");
  EXPECT_EQ(facts["y"], "both");
}

TEST(ProgramFacts, WhatIsNotUnderstoodMayDoAnything) {
  const Facts facts(R"(
type r: record f: 0..9; end;
var x, y, z: 0..9; p, q: r;
procedure change(var v: 0..9); begin v := 0; end;
startstate begin x := 0; y := 0; z := 0; p.f := 0; q.f := 0; end;
rule true ==> begin change(x); p := q; undefine z; end;
rule true ==> begin alias a: y do a := 0; end; end;
)");
  for (const char* path : {"x", "y", "z", "p.f"})
    EXPECT_EQ(facts[path], "both") << path;
  EXPECT_EQ(facts["q.f"], "neither");
}

TEST(ProgramFacts, TheControlFlowOfAProcess) {
  const Facts facts(R"(byte n;
process P { state idle, work, wait, gone; init idle;
trans idle -> work {}, work -> wait { effect n = n + 1; }, wait -> work {}, work -> gone { guard n > 5; }; }
system async;)",
                    true);
  const CellFacts& control = facts.by_path.at("P");
  ASSERT_TRUE(control.is_control);
  EXPECT_EQ(facts["n"], "rises");
  const CellGroup& group = facts.cells.groups.front();
  EXPECT_EQ(order_by_components(control_graph(control, group)), (Ranks{0, 1, 1, 2}));
  EXPECT_EQ(order_by_spanning_tree(control_graph(control, group), 0), (Ranks{0, 1, 2, 3}));
}

}  // namespace
}  // namespace tideline::progress
