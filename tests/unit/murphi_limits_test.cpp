// SPDX-License-Identifier: MIT
// Input that is too deep, too large or no model at all: a clear error, in time linear in the input, and no crash. The
// depths are far above what recursion without a limit would survive.
#include "murphi_support.h"

namespace tideline::murphi {
namespace {

constexpr std::size_t kMany = 20000;

std::string repeat(std::string_view part, std::size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i)
    text += part;
  return text;
}

void expect_too_deep(const std::string& text) {
  const Loaded loaded(text);
  EXPECT_EQ(loaded.program, nullptr);
  ASSERT_FALSE(loaded.errors().empty());
  EXPECT_NE(loaded.errors().front().find("nested too deeply"), std::string::npos) << loaded.diagnostics.render();
  EXPECT_LE(loaded.errors().size(), 2U) << loaded.diagnostics.render();
}

TEST(MurphiLimits, Depth) {
  expect_too_deep(with_y("rule " + repeat("(", kMany) + "y = 1" + repeat(")", kMany) + " ==> end;"));
  expect_too_deep(with_y("rule " + repeat("! ", kMany) + "true ==> end;"));
  expect_too_deep(with_y("rule true ==> y := " + repeat("- ", kMany) + "y; end;"));
  expect_too_deep(with_y("rule true ==> y := y" + repeat(" + y", kMany) + "; end;"));
  expect_too_deep(with_y("rule true ==> y := " + repeat("y = 1 ? 2 : ", kMany) + "3; end;"));
  expect_too_deep(with_y("rule y = 1" + repeat(" -> y = 1", kMany) + " ==> end;"));
  expect_too_deep(with_y("rule true ==> y" + repeat(".a", kMany) + " := 1; end;"));
  expect_too_deep(with_y("rule true ==> y := " + repeat("a[", kMany) + "0" + repeat("]", kMany) + "; end;"));
  expect_too_deep(with_y("rule true ==> " + repeat("if true then ", kMany) + repeat("end; ", kMany) + "end;"));
  expect_too_deep(with_y("rule true ==> if true then " + repeat("elsif true then ", kMany) + "end; end;"));
  expect_too_deep(with_y("rule true ==> switch y " + repeat("case 1: y := 2; ", kMany) + "end; end;"));
  expect_too_deep(with_y("rule true ==> for " + repeat("i: 0..1; ", kMany) + "do end; end;"));
  expect_too_deep(with_y(repeat("ruleset i: 0..1 do ", kMany) + "rule end;" + repeat("end;", kMany)));
  expect_too_deep("var x: " + repeat("array[0..0] of ", kMany) + "boolean; startstate end;");
  expect_too_deep("var x: " + repeat("record a: ", kMany) + "boolean " + repeat("end; ", kMany) + "startstate end;");
  expect_too_deep(with_y("rule " + repeat("(", 50 * kMany)));
}

TEST(MurphiLimits, DeepEnough) {
  constexpr std::size_t kDeep = 900;
  expect_loads(with_y("rule " + repeat("(", kDeep) + "y = 1" + repeat(")", kDeep) + " ==> end;"));
  expect_loads(with_y("rule true ==> y := y" + repeat(" + y", kDeep) + "; end;"));
  expect_loads(with_y("rule true ==> " + repeat("if true then ", kDeep) + repeat("end; ", kDeep) + "end;"));
  expect_loads(with_y("rule true ==> switch y " + repeat("case 1: y := 2; ", kDeep) + "end; end;"));
}

// Long is not deep.
TEST(MurphiLimits, Length) {
  constexpr std::size_t kLong = 10000;
  expect_loads(with_y("rule y = 1" + repeat(" & y = 1", kLong) + " ==> end;"));
  expect_loads(with_y("rule y = 1" + repeat(" | y = 1 & y = 2", kLong) + " ==> end;"));
  expect_loads(with_y("rule true ==> " + repeat("y := 1; ", kLong) + "end;"));
  expect_loads(with_y(repeat("rule y = 1 ==> end; ", kLong)));
  expect_loads(with_y("rule true ==> switch y case 1" + repeat(", 2", kLong) + ": y := 3; end; end;"));
  expect_loads(with_y(std::string(10000000, ' ') + "rule true ==> y := 1; end;"));
  expect_loads(with_y("/*" + std::string(10000000, '*') + "*/ rule true ==> y := 1; end;"));
}

TEST(MurphiLimits, Size) {
  expect_errors("var a: array[0..1099511627775] of boolean; startstate end;",
                {"1:8 this type is too large: an object can have at most 2^23 bits"});
  expect_errors("type m: multiset[1099511627776] of boolean; startstate end;",
                {"1:9 this type is too large: an object can have at most 2^23 bits"});
  expect_errors("type a: array[0..999999] of 0..7; var x: a; y: array[0..99] of a; startstate end;",
                {"1:48 this type is too large: an object can have at most 2^23 bits"});
  expect_errors("type a: array[0..999999] of 0..7; var x: a; y: a; z: a; startstate end;",
                {"1:51 the state is too large: it can have at most 2^23 bits"});
  expect_errors("var x: 0..1152921504606846976; startstate end;",
                {"1:8 this range is too large: it can have at most 2^56 values"});
  expect_errors("var x: -9223372036854775807..9223372036854775807; startstate end;",
                {"1:8 this range is too large: it can have at most 2^56 values"});
  expect_errors("type s: scalarset(1152921504606846976); startstate end;",
                {"1:19 this scalarset is too large: it can have at most 2^56 members"});
  expect_errors(with_y("ruleset a: 0..2000000000; b: 0..2000000000; c: 0..2000000000 do rule end; end;"),
                {"0:0 the rulesets have more than 2^62 instances together"});
  expect_errors(with_y("ruleset a := 0 to 2000000000 by 2 do rule end; end;"),
                {"1:52 this ruleset parameter has too many values (with a step other than 1 the limit is 65536)"});
}

TEST(MurphiLimits, NoModel) {
  const std::string empty = "1:1 the model is empty (it needs at least a startstate and a rule)";
  expect_errors("", {empty});
  expect_errors(" \n\t\n", {empty});
  expect_errors("-- nothing", {empty});
  expect_errors("\xef\xbb\xbf", {empty});
}

TEST(MurphiLimits, Garbage) {
  std::string bytes;
  for (std::size_t i = 0; i < 2000000; ++i)
    bytes += static_cast<char>((i * 7919 + i / 251) % 256);
  for (const std::string& text : {bytes, std::string(1000000, '\0'), std::string(1000000, '\xff'), repeat("[{(", kMany),
                                  repeat("end ", kMany), repeat("..", kMany), repeat("\"", kMany + 1),
                                  repeat("rule ", kMany), "/*" + repeat("*\0", kMany), "\"" + repeat("\\", kMany)}) {
    const Loaded loaded(text);
    EXPECT_EQ(loaded.program, nullptr);
    EXPECT_TRUE(loaded.diagnostics.has_errors());
    EXPECT_LE(loaded.diagnostics.error_count(), 100U);
    EXPECT_FALSE(loaded.diagnostics.render().empty());
  }
}

TEST(MurphiLimits, NulBytesAreReported) {
  expect_errors(with_y(std::string("rule true ==> y := 1; \0 end;", 28)), {"1:66 unexpected byte 0x00"});
  expect_loads(with_y(std::string("-- in a \0 comment\nrule true ==> y := 1; end;", 44)));
}

}  // namespace
}  // namespace tideline::murphi
