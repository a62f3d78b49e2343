// SPDX-License-Identifier: MIT
// Symmetry reduction as users meet it: on by default, counts, real paths, what is refused and what is only warned of.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.h"

namespace tideline::testing {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Three processes take a lock that does not lock; two inside is a violation.
constexpr std::string_view kBrokenLock = R"(
type pid: scalarset(3);
var inside: array[pid] of boolean; last: pid;
startstate begin for p: pid do inside[p] := false; end; undefine last; end;
ruleset p: pid do
  rule "enter" !inside[p] ==> begin inside[p] := true; last := p; end;
  rule "leave" inside[p] ==> begin inside[p] := false; end;
end;
invariant "alone" forall p: pid do forall q: pid do inside[p] & inside[q] -> p = q end end;
)";

struct Checked {
  RunResult result;
  Json json;
};

Checked check(const Sandbox& box, std::string_view model, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"check", box.write("model.m", model), "--json", box.path("report.json")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Checked run;
  run.result = box.run(arguments);
  run.json = Json::parse(box.read("report.json"), nullptr, false);
  return run;
}

TEST(Symmetry, IsOnByDefaultWhereThereAreScalarsets) {
  const Sandbox box;
  EXPECT_EQ(check(box, kCounterModel, {}).json.at("symmetry"), "off");
  std::string model(kBrokenLock);
  model.erase(model.find("invariant"));
  const Checked on = check(box, model, {});
  const Checked off = check(box, model, {"--symmetry", "off"});
  const Checked exhaustive = check(box, model, {"--symmetry", "exhaustive"});
  EXPECT_EQ(on.json.at("symmetry"), "on");
  EXPECT_EQ(off.json.at("symmetry"), "off");
  // inside: 8 subsets; last: undefined or one of three, undefined only in the start state.
  EXPECT_EQ(off.json.at("states"), 25);
  EXPECT_EQ(on.json.at("states"), 7);
  EXPECT_EQ(exhaustive.json.at("states"), 7);
  EXPECT_TRUE(contains(on.result.out, "up to symmetry")) << on.result.out;
}

TEST(Symmetry, PathsAreRealPaths) {
  const Sandbox box;
  const std::vector<std::vector<std::string>> settings = {
      {}, {"--threads", "2"}, {"--table", "tree"}, {"--compact", "40"}, {"--compact", "40", "--threads", "2"}};
  for (const std::vector<std::string>& setting : settings) {
    const Checked on = check(box, kBrokenLock, setting);
    const Checked off = check(box, kBrokenLock, {"--symmetry", "off"});
    ASSERT_EQ(on.result.status, 1) << on.result.err;
    EXPECT_EQ(on.json.at("property"), "alone");
    ASSERT_EQ(on.json.at("trace").size(), off.json.at("trace").size());
    // Two different processes enter, one after the other, and neither changes its name on the way.
    const Json& first = on.json.at("trace").at(1).at("state");
    const Json& second = on.json.at("trace").at(2).at("state");
    for (const auto& [name, value] : first.items()) {
      if (name != "last" && value == true) {
        EXPECT_EQ(second.at(name), true) << name;
      }
    }
    EXPECT_NE(first.at("last"), second.at("last"));
  }
}

TEST(Symmetry, ARuleThatFailsIsNamedInTheRealState) {
  const Sandbox box;
  const Checked run = check(box, R"(
type pid: scalarset(3);
var n: array[pid] of 0..2;
startstate begin for p: pid do n[p] := 0; end; end;
ruleset p: pid do rule "up" true ==> begin n[p] := n[p] + 1; end; end;
)",
                            {});
  ASSERT_EQ(run.result.status, 1) << run.result.err;
  EXPECT_EQ(run.json.at("reason"), "error");
  EXPECT_EQ(run.json.at("trace").size(), 3U);
}

TEST(Symmetry, AModelThatTellsMembersApartIsRefused) {
  const Sandbox box;
  const std::string model = R"(type pid: scalarset(3);
var last: pid; busy: boolean;
startstate begin undefine last; busy := false; end;
rule "choose" true ==> begin
  for p: pid do last := p; end;
  busy := !busy;
end;
)";
  const Checked run = check(box, model, {});
  EXPECT_EQ(run.result.status, 2);
  EXPECT_TRUE(contains(run.result.err, "model.m:5:17: error:")) << run.result.err;
  EXPECT_TRUE(contains(run.result.err, "--symmetry off")) << run.result.err;
  EXPECT_EQ(check(box, model, {"--symmetry", "off"}).result.status, 0);
}

TEST(Symmetry, WhereItCannotBeShownTheScalarsetIsLeftAlone) {
  const Sandbox box;
  const std::string model = R"(type pid: scalarset(3);
var a: array[pid] of boolean; first: pid;
startstate begin for p: pid do a[p] := false; end; undefine first; end;
ruleset p: pid do rule "flip" true ==> begin a[p] := !a[p]; end; end;
rule "look" isundefined(first) ==> begin
  for p: pid do if a[p] & isundefined(first) then first := p; end; end;
end;
rule "forget" !isundefined(first) ==> begin undefine first; end;
)";
  const Checked on = check(box, model, {});
  const Checked off = check(box, model, {"--symmetry", "off"});
  ASSERT_EQ(on.result.status, 0) << on.result.err;
  EXPECT_TRUE(contains(on.result.err, "warning:")) << on.result.err;
  EXPECT_TRUE(contains(on.result.err, "not reduced")) << on.result.err;
  EXPECT_EQ(on.json.at("symmetry"), "off");
  EXPECT_EQ(on.json.at("states"), off.json.at("states"));
}

TEST(Symmetry, AStartRuleMayChooseAMember) {
  const Sandbox box;
  const std::string model = R"(type value: scalarset(3);
var memory: value; written: boolean;
startstate begin for v: value do memory := v; end; written := false; end;
ruleset v: value do rule "write" !written ==> begin memory := v; written := true; end; end;
rule "again" written ==> begin written := false; end;
invariant "defined" !isundefined(memory);
)";
  const Checked on = check(box, model, {});
  ASSERT_EQ(on.result.status, 0) << on.result.err;
  EXPECT_EQ(on.result.err.find("warning"), std::string::npos) << on.result.err;
  EXPECT_EQ(on.json.at("states"), 2);
  EXPECT_EQ(check(box, model, {"--symmetry", "off"}).json.at("states"), 6);
}

}  // namespace
}  // namespace tideline::testing
