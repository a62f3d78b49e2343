// SPDX-License-Identifier: MIT
// Guard masks: which rules get one, by the generated text, and the native engine against the interpreter on rulesets
// whose guards mix what can be looked at first with what cannot. TIDELINE_SEEDS=n runs n random programs.
#include "exec/native/guard_masks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "exec/native/emit_c.h"
#include "murphi_support.h"
#include "native_support.h"

namespace tideline::test {
namespace {

constexpr const char* kDeclarations = R"(
type P: 0..3; Q: 0..2; S: scalarset(3); E: enum {e1, e2}; U: union {S, E}; T: enum {idle, trying, inside};
var st: array [P] of T; n: array [P] of array [Q] of 0..3; u: array [P] of 0..2; h: array [U] of boolean; x: 0..3;
startstate begin
  for i: P do st[i] := idle; for j: Q do n[i][j] := 0; end; end;
  u[1] := 1; for w: U do h[w] := false; end; x := 0;
end;
)";

class GuardMasksTest : public testing::Test {
 protected:
  // Of a program with these rules: the number of words, and of loops over bits.
  std::pair<std::size_t, std::size_t> masks(const std::string& rules) {
    const murphi::Loaded model(kDeclarations + rules);
    EXPECT_EQ(model.errors(), std::vector<std::string>());
    if (model.program == nullptr)
      return {};
    const Explored seen = compare_engines(*model.program, cache_.path(), 300);
    EXPECT_TRUE(seen.agreed);
    const std::string text = emit_c(*model.program);
    std::size_t loops = 0;
    for (std::size_t at = 0; (at = text.find("q0 &= q0 - 1", at)) != std::string::npos; ++at)
      ++loops;
    const std::size_t array = text.find("uint64_t m[");
    return {array == std::string::npos ? 0 : std::strtoull(text.c_str() + array + 11, nullptr, 10), loops};
  }

  using Masks = std::pair<std::size_t, std::size_t>;
  ScratchDirectory cache_;
};

TEST_F(GuardMasksTest, RulesWithOneConditionShareAWord) {
  EXPECT_EQ(masks(R"(
ruleset i: P; j: Q do
  rule n[i][j] > 1 & x = 0 ==> begin n[i][j] := 0; end;
  rule n[i][j] > 1 & x > 0 ==> begin x := 0; end;
  rule n[i][j] < 3 ==> begin n[i][j] := n[i][j] + 1; end;
end;)"),
            Masks(2, 3));
}

// An index has a word for each value and one for undefined.
TEST_F(GuardMasksTest, ComparisonsOfOneVariableShareAnIndex) {
  EXPECT_EQ(masks(R"(
ruleset i: P do
  rule st[i] = idle ==> begin st[i] := trying; end;
  rule trying = st[i] & forall k: P do st[k] != inside end ==> begin st[i] := inside; end;
  rule st[i] = inside ==> begin st[i] := idle; end;
end;)"),
            Masks(4, 3));
}

// A parameter is a number, not a code: no index, but a word for each comparison.
TEST_F(GuardMasksTest, ComparisonsOfAParameter) {
  EXPECT_EQ(masks(R"(
ruleset i: 1..3 do
  rule i = 1 & x = 0 ==> begin x := 1; end;
  rule i = 2 & x < 2 ==> begin x := x + 1; end;
  rule i = 3 ==> begin x := 0; end;
end;)"),
            Masks(3, 3));
}

TEST_F(GuardMasksTest, OneOfSeveralLoops) {
  EXPECT_EQ(masks(R"(
ruleset i: P do ruleset j: Q do ruleset k: P do
  rule n[i][j] < 2 & n[k][j] < 2 ==> begin n[i][j] := n[i][j] + 1; end;
  rule st[k] != inside ==> begin st[k] := inside; end;
end; end; end;)"),
            Masks(2, 2));
}

TEST_F(GuardMasksTest, ThroughAliases) {
  EXPECT_EQ(masks(R"(
ruleset i: P; j: Q do alias a: n[i] do alias b: a[j] do
  rule b < 2 ==> begin b := b + 1; end;
  rule b = 2 ==> begin a[0] := 0; end;
end; end; end;)"),
            Masks(2, 2));
}

TEST_F(GuardMasksTest, UnionsInTheOrderOfTheirMembers) {
  EXPECT_EQ(masks("ruleset w: U do rule !h[w] ==> begin h[w] := true; end; end;"), Masks(1, 1));
}

TEST_F(GuardMasksTest, NotBehindWhatCanFail) {
  EXPECT_EQ(masks("ruleset i: P do rule u[i] > 0 & st[i] = idle ==> begin st[i] := trying; end; end;"), Masks(0, 0));
  EXPECT_EQ(masks("ruleset i: P do rule st[i] = idle & u[i] > 0 ==> begin st[i] := trying; end; end;"), Masks(1, 1));
}

TEST_F(GuardMasksTest, NotWhereABindingCanFail) {
  EXPECT_EQ(masks(R"(
ruleset i: P do alias a: st[u[i]] do rule st[i] = idle ==> begin a := inside; end; end; end;)"),
            Masks(0, 0));
}

TEST_F(GuardMasksTest, NotWithoutParameters) {
  EXPECT_EQ(
      masks("rule st[1] = idle ==> begin st[1] := trying; end; ruleset i: P do rule x < 3 ==> begin x := x + 1; end; "
            "end;"),
      Masks(0, 0));
}

// --- Random rulesets ---

class RandomRules {
 public:
  explicit RandomRules(std::uint64_t seed) : random_(seed) {}

  std::string rules(unsigned count) {
    std::string text;
    for (unsigned r = 0; r < count; ++r)
      text += rule();
    return text;
  }

 private:
  std::string one_of(std::initializer_list<const char*> texts) { return texts.begin()[random_() % texts.size()]; }

  std::string rule() {
    std::vector<std::string> parameters = {"i: P", "j: Q", "k: P", "w: U"};
    std::shuffle(parameters.begin(), parameters.end(), random_);
    std::string text;
    for (const std::string& parameter : parameters)
      text += "ruleset " + parameter + " do ";
    text += "alias a: n[i][j]; " + one_of({"b: st[k]", "b: st[i]", "b: st[x]", "b: st[u[i]]"}) + " do rule ";
    for (unsigned c = 0, count = 1 + random_() % 4; c < count; ++c)
      text += (c == 0 ? "" : " & ") + conjunct();
    return text + " ==> begin " + statement() + statement() + "end; end; end; end; end; end;\n";
  }

  std::string conjunct() {
    return one_of({"st[i] = idle",
                   "st[i] = trying",
                   "st[k] = inside",
                   "st[k] != idle",
                   "a = 2",
                   "a > 1",
                   "a < 3",
                   "n[k][j] = 0",
                   "u[i] = 1",
                   "u[k] < 2",
                   "x < 3",
                   "x = i",
                   "i = 2",
                   "i = 3",
                   "k = 1",
                   "j = 0",
                   "h[w]",
                   "!h[w]",
                   "i != k",
                   "i < k",
                   "isundefined(u[k])",
                   "b != inside",
                   "(st[i] = idle | a = 3)",
                   "(st[k] = inside -> h[w])",
                   "exists q: P do st[q] = inside end",
                   "n[x][j] < 2",
                   "n[u[1]][j] < 3"});
  }

  std::string statement() {
    return one_of({"st[i] := trying; ", "st[k] := inside; ", "st[i] := idle; ", "a := (a + 1) % 4; ", "a := a + 1; ",
                   "u[k] := x; ", "undefine u[i]; ", "h[w] := !h[w]; ", "x := (x + i) % 4; ", "b := idle; "});
  }

  std::mt19937_64 random_;
};

TEST(GuardMasksRandom, EnginesAgree) {
  const ScratchDirectory cache;
  const char* seeds = std::getenv("TIDELINE_SEEDS");
  const std::uint64_t count = seeds == nullptr ? 2 : std::strtoull(seeds, nullptr, 10);
  Explored total;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const murphi::Loaded model(kDeclarations + RandomRules(seed).rules(16));
    ASSERT_EQ(model.errors(), std::vector<std::string>());
    EXPECT_NE(emit_c(*model.program).find("q0 &= q0 - 1"), std::string::npos);
    const Explored seen = compare_engines(*model.program, cache.path(), 60);
    EXPECT_TRUE(seen.agreed) << "seed " << seed;
    total.edges += seen.edges;
    total.failures += seen.failures;
  }
  EXPECT_GT(total.edges, 1000U);
  EXPECT_GT(total.failures, 100U);
}

}  // namespace
}  // namespace tideline::test
