// SPDX-License-Identifier: MIT
// The option table as data, and the conversion between an option's text and its value.
#include "base/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <type_traits>

#include "base/diagnostics.h"

namespace tideline {

namespace {

std::string flag_name(std::string_view member) {
  std::string name(member);
  for (char& c : name)
    c = c == '_' ? '-' : c;
  return name;
}

std::vector<OptionInfo> make_table() {
  return {
#define TIDELINE_LINE(kind, name, default_value, range, group, commands, metavar, help) \
  OptionInfo{flag_name(#name), OptionKind::k##kind, range, OptionGroup::k##group, commands, metavar, help},
      TIDELINE_OPTIONS(TIDELINE_LINE)
#undef TIDELINE_LINE
  };
}

// Calls f with the member of `options` that belongs to the table line.
template <typename OptionsType, typename F>
void visit_member(OptionsType& options, const OptionInfo& option, F f) {
  std::size_t index = static_cast<std::size_t>(&option - option_table().data());
#define TIDELINE_VISIT(kind, name, default_value, range, group, commands, metavar, help) \
  if (index-- == 0)                                                                      \
    return f(options.name);
  TIDELINE_OPTIONS(TIDELINE_VISIT)
#undef TIDELINE_VISIT
  CHECK(false);
}

// A number and the unit behind it: "1.5h" -> 1.5, "h". Null if there is no number.
struct Quantity {
  double number = 0;
  std::string_view unit;
};
std::optional<Quantity> parse_quantity(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == '.'))
    ++end;
  Quantity result;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + end, result.number, std::chars_format::fixed);
  if (end == 0 || error != std::errc() || stop != text.data() + end)
    return std::nullopt;
  result.unit = text.substr(end);
  return result;
}

// "1..256" against a number that was read with `parse`.
template <typename T, typename Parse>
Status check_range(const OptionInfo& option, std::string_view text, T value, Parse parse) {
  if (option.range.empty())
    return Status::ok();
  const std::size_t dots = option.range.find("..");
  CHECK(dots != std::string_view::npos);
  const std::string_view lo = option.range.substr(0, dots);
  const std::string_view hi = option.range.substr(dots + 2);
  if (value < parse(lo).value())
    return Status::error(fmt::format("--{}: {} is too small, the least value is {}", option.name, text, lo));
  if (!hi.empty() && value > parse(hi).value())
    return Status::error(fmt::format("--{}: {} is too large, the largest value is {}", option.name, text, hi));
  return Status::ok();
}

Status set_choice(const OptionInfo& option, std::string_view text, std::string& member) {
  const std::vector<std::string> words = range_words(option.range);
  for (const std::string& word : words) {
    if (word == text) {
      member = word;
      return Status::ok();
    }
  }
  const std::string near = nearest_name(text, words);
  return Status::error(fmt::format("--{}: '{}' is not one of {}{}", option.name, text, fmt::join(words, ", "),
                                   near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
}

template <typename T, typename Parse>
Status set_number(const OptionInfo& option, std::string_view text, T& member, const char* what, Parse parse) {
  const std::optional<T> value = parse(text);
  if (!value.has_value())
    return Status::error(fmt::format("--{}: '{}' is not {}", option.name, text, what));
  Status status = check_range(option, text, *value, parse);
  if (status.is_ok())
    member = *value;
  return status;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(" \t\n'\"\\$&|<>;()*?[]#~`!") == std::string::npos && !text.empty())
    return text;
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

std::span<const OptionInfo> option_table() {
  static const std::vector<OptionInfo> table = make_table();
  return table;
}

Status set_option(Options& options, const OptionInfo& option, std::string_view text) {
  Status status;
  visit_member(options, option, [&](auto& member) {
    using Member = std::remove_reference_t<decltype(member)>;
    if constexpr (std::is_same_v<Member, std::string>) {
      if (option.kind == OptionKind::kChoice) {
        status = set_choice(option, text, member);
      } else if (text.empty()) {
        status = Status::error(fmt::format("--{}: the {} is empty", option.name, option.metavar));
      } else {
        member = text;
      }
    } else if constexpr (std::is_same_v<Member, std::vector<std::string>>) {
      member.emplace_back(text);
    } else if constexpr (std::is_same_v<Member, bool>) {
      member = text != "off";
    } else if constexpr (std::is_same_v<Member, double>) {
      if (option.kind == OptionKind::kFraction)
        status = set_number(option, text, member, "a number such as 0.15", parse_fraction);
      else
        status = set_number(option, text, member, "a time such as 30, 90s, 5m or 2h", parse_seconds);
    } else if (option.kind == OptionKind::kSize) {
      status = set_number(option, text, member, "a size such as 64M, 8G or 1.5GiB", parse_size);
    } else {
      status = set_number(option, text, member, "a whole number", parse_count);
    }
  });
  return status;
}

std::vector<std::string> show_option(const Options& options, const OptionInfo& option) {
  std::vector<std::string> result;
  visit_member(options, option, [&](const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_same_v<Member, std::vector<std::string>>) {
      result = member;
    } else if constexpr (std::is_same_v<Member, bool>) {
      result = {member ? "on" : "off"};
    } else {
      result = {fmt::format("{}", member)};
    }
  });
  return result;
}

std::string option_record(const Options& options) {
  const Options defaults;
  std::string result;
  for (const OptionInfo& option : option_table()) {
    const std::vector<std::string> values = show_option(options, option);
    if (values == show_option(defaults, option))
      continue;
    for (const std::string& value : values) {
      result += fmt::format("{}--{}", result.empty() ? "" : " ", option.name);
      if (option.kind != OptionKind::kFlag)
        result += " " + quoted(value);
    }
  }
  return result;
}

std::vector<std::string> range_words(std::string_view range) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t bar = range.find('|');
    words.emplace_back(range.substr(0, bar));
    if (bar == std::string_view::npos)
      return words;
    range.remove_prefix(bar + 1);
  }
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity.has_value())
    return std::nullopt;
  std::string_view unit = quantity->unit;
  double bytes = quantity->number;
  if (!unit.empty()) {
    constexpr std::string_view kUnits = "KMGT";
    const char letter = static_cast<char>(unit[0] & ~0x20);  // upper case
    const std::size_t power = kUnits.find(letter);
    unit.remove_prefix(1);
    if (power != std::string_view::npos) {
      bytes = std::ldexp(bytes, 10 * (static_cast<int>(power) + 1));
      if (!unit.empty() && unit != "B" && unit != "b" && unit != "iB" && unit != "ib")
        return std::nullopt;
    } else if (letter != 'B' || !unit.empty()) {
      return std::nullopt;
    }
  }
  if (bytes >= std::ldexp(1.0, 63))
    return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

std::optional<double> parse_seconds(std::string_view text) {
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity.has_value())
    return std::nullopt;
  const double factor = quantity->unit.empty() || quantity->unit == "s" ? 1
                        : quantity->unit == "ms"                        ? 0.001
                        : quantity->unit == "m"                         ? 60
                        : quantity->unit == "h"                         ? 3600
                        : quantity->unit == "d"                         ? 86400
                                                                        : -1;
  const double seconds = quantity->number * factor;
  if (factor < 0 || !std::isfinite(seconds))
    return std::nullopt;
  return seconds;
}

std::optional<double> parse_fraction(std::string_view text) {
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity.has_value() || !quantity->unit.empty())
    return std::nullopt;
  return quantity->number;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || stop != text.data() + text.size())
    return std::nullopt;
  return value;
}

}  // namespace tideline
