// SPDX-License-Identifier: MIT
// The option table: texts to values, ranges, the record.
#include "base/options.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace tideline {
namespace {

const OptionInfo& option(std::string_view name) {
  for (const OptionInfo& info : option_table()) {
    if (info.name == name)
      return info;
  }
  throw std::out_of_range(std::string(name));
}

std::string error_of(std::string_view name, std::string_view text) {
  Options options;
  const Status status = set_option(options, option(name), text);
  return status.is_ok() ? "" : status.message();
}

TEST(ParseSize, UnitsArePowersOf1024) {
  EXPECT_EQ(parse_size("0"), 0U);
  EXPECT_EQ(parse_size("1000"), 1000U);
  EXPECT_EQ(parse_size("7B"), 7U);
  EXPECT_EQ(parse_size("2K"), 2048U);
  EXPECT_EQ(parse_size("64M"), 64U << 20);
  EXPECT_EQ(parse_size("64m"), 64U << 20);
  EXPECT_EQ(parse_size("64MB"), 64U << 20);
  EXPECT_EQ(parse_size("1.5GiB"), std::uint64_t{3} << 29);
  EXPECT_EQ(parse_size("2T"), std::uint64_t{2} << 40);
}

TEST(ParseSize, RefusesWhatIsNoSize) {
  for (const char* text : {"", "M", "-1", "1X", "1MiBB", "1 M", "1..5M", "0x10", "1e3", "9999999999999T", "nan", "inf"})
    EXPECT_FALSE(parse_size(text).has_value()) << text;
}

TEST(ParseSeconds, Units) {
  EXPECT_EQ(parse_seconds("30"), 30);
  EXPECT_EQ(parse_seconds("30s"), 30);
  EXPECT_EQ(parse_seconds("1.5m"), 90);
  EXPECT_EQ(parse_seconds("2h"), 7200);
  EXPECT_EQ(parse_seconds("1d"), 86400);
  EXPECT_DOUBLE_EQ(parse_seconds("250ms").value(), 0.25);
  for (const char* text : {"", "s", "-1", "1 s", "1x", "h1", "1s2", "inf", "nan"})
    EXPECT_FALSE(parse_seconds(text).has_value()) << text;
}

TEST(ParseCount, WholeNumbersOnly) {
  EXPECT_EQ(parse_count("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", "-1", "+1", "1.0", "18446744073709551616", "1 ", "x"})
    EXPECT_FALSE(parse_count(text).has_value()) << text;
}

TEST(OptionTable, NamesAreDistinctAndDefaultsInRange) {
  std::set<std::string> names;
  for (const OptionInfo& info : option_table()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(info.name.find('_'), std::string::npos);
    EXPECT_NE(info.commands, 0U) << info.name;
    EXPECT_FALSE(info.help.empty()) << info.name;
    EXPECT_EQ(info.metavar.empty(), info.kind == OptionKind::kFlag) << info.name;
    Options options;
    const std::vector<std::string> initial = show_option(options, info);
    if (info.kind == OptionKind::kText || info.kind == OptionKind::kList)
      continue;
    ASSERT_EQ(initial.size(), 1U) << info.name;
    EXPECT_TRUE(set_option(options, info, initial.front()).is_ok()) << info.name;
  }
}

TEST(SetOption, ChecksRangesAndNamesTheOption) {
  EXPECT_EQ(error_of("threads", "256"), "");
  EXPECT_EQ(error_of("threads", "0"), "--threads: 0 is too small, the least value is 1");
  EXPECT_EQ(error_of("threads", "257"), "--threads: 257 is too large, the largest value is 256");
  EXPECT_EQ(error_of("threads", "two"), "--threads: 'two' is not a whole number");
  EXPECT_EQ(error_of("engine", "natve"),
            "--engine: 'natve' is not one of auto, native, interp (did you mean 'native'?)");
  EXPECT_NE(error_of("memory", "lots"), "");
  EXPECT_NE(error_of("time-limit", "soon"), "");
  EXPECT_NE(error_of("json", ""), "");
}

TEST(SetOption, ListsGrow) {
  Options options;
  ASSERT_TRUE(set_option(options, option("define"), "A=1").is_ok());
  ASSERT_TRUE(set_option(options, option("define"), "B=2").is_ok());
  EXPECT_EQ(options.define, (std::vector<std::string>{"A=1", "B=2"}));
}

TEST(OptionRecord, ShowsWhatDiffersFromTheDefaults) {
  Options options;
  EXPECT_EQ(option_record(options), "");
  options.threads = 2;
  options.quiet = true;
  options.invariant = {"x < 3", "it's"};
  EXPECT_EQ(option_record(options), "--invariant 'x < 3' --invariant 'it'\\''s' --quiet --threads 2");
}

}  // namespace
}  // namespace tideline
