// SPDX-License-Identifier: MIT
#include "models/expectation.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

namespace tideline::testing {

namespace {

constexpr std::string_view kMark = " expect:";
constexpr std::string_view kFiguresMark = " figures: ";

// One line: the keys and values behind the mark.
class LineReader {
 public:
  LineReader(std::string_view rest, std::string place) : rest_(rest), place_(std::move(place)) {}

  Expectation read() {
    skip_blanks();
    while (!rest_.empty()) {
      const std::string key = read_key();
      if (!seen_.insert(key).second)
        fail("'" + key + "' is given twice");
      set(key, read_value(key));
      skip_blanks();
    }
    check();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error(place_ + ": " + what); }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  std::string read_key() {
    const std::size_t end = rest_.find_first_of("= ");
    if (end == std::string_view::npos || end == 0 || rest_[end] != '=')
      fail("expected key=value, not '" + std::string(rest_) + "'");
    const std::string key(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return key;
  }

  // A word, or anything between double quotes.
  std::string read_value(const std::string& key) {
    const bool quoted = rest_.starts_with('"');
    if (quoted)
      rest_.remove_prefix(1);
    std::size_t end = rest_.find(quoted ? '"' : ' ');
    if (quoted && end == std::string_view::npos)
      fail("the value of '" + key + "' lacks its closing quote");
    end = std::min(end, rest_.size());
    const std::string value(rest_.substr(0, end));
    if (value.empty())
      fail("'" + key + "' has no value");
    rest_.remove_prefix(end + (quoted ? 1 : 0));
    if (!rest_.empty() && !rest_.starts_with(' '))
      fail("a blank is missing behind the value of '" + key + "'");
    return value;
  }

  void set(const std::string& key, const std::string& value) {
    if (key == "verdict")
      result_.verdict = one_of(key, value, {"holds", "violated"});
    else if (key == "reason")
      result_.reason = one_of(key, value, {"invariant", "deadlock", "assertion", "error", "cover"});
    else if (key == "property")
      result_.property = value;
    else if (key == "states")
      result_.states = number(key, value);
    else if (key == "edges")
      result_.edges = number(key, value);
    else if (key == "orbits")
      result_.orbits = number(key, value);
    else if (key == "levels")
      result_.levels = number(key, value);
    else if (key == "deadlocks")
      result_.deadlocks = number(key, value);
    else if (key == "trace")
      result_.trace = number(key, value);
    else if (key == "options")
      result_.options = words(value);
    else
      fail("unknown key '" + key + "'");
  }

  [[nodiscard]] std::string one_of(const std::string& key, const std::string& value,
                                   const std::vector<std::string>& allowed) const {
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
      fail("'" + value + "' is no value of '" + key + "'");
    return value;
  }

  [[nodiscard]] std::uint64_t number(const std::string& key, const std::string& value) const {
    std::uint64_t result = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc() || stop != value.data() + value.size())
      fail("'" + value + "' is no number, in '" + key + "'");
    return result;
  }

  // Words between blanks; single quotes keep blanks together.
  [[nodiscard]] std::vector<std::string> words(const std::string& text) const {
    std::vector<std::string> result;
    bool inside_word = false;
    bool quoted = false;
    for (const char c : text) {
      if (c == '\'')
        quoted = !quoted;
      const bool blank = c == ' ' && !quoted;
      if (!blank && !inside_word)
        result.emplace_back();
      inside_word = !blank;
      if (!blank && c != '\'')
        result.back() += c;
    }
    if (quoted)
      fail("a single quote is not closed in 'options'");
    return result;
  }

  void check() const {
    if (result_.verdict.empty())
      fail("'verdict' is missing");
    if (result_.verdict == "holds") {
      if (result_.reason || result_.property || result_.trace)
        fail("'reason', 'property' and 'trace' belong to a violation");
      if (!result_.states || !result_.edges || !result_.levels)
        fail("a model that holds has 'states', 'edges' and 'levels'");
      return;
    }
    if (!result_.reason)
      fail("a violation has a 'reason'");
    if (*result_.reason == "cover" && result_.trace)
      fail("a cover that is never reached has no trace");
  }

  std::string_view rest_;
  std::string place_;
  std::set<std::string> seen_;
  Expectation result_;
};

}  // namespace

std::vector<Expectation> read_expectations(std::string_view text, const std::string& name) {
  const std::string comment = name.ends_with(".dve") ? "//" : "--";
  const std::string mark = comment + std::string(kMark);
  const std::string figures_mark = comment + std::string(kFiguresMark);
  std::vector<Expectation> result;
  bool in_header = true;
  bool has_figures = false;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string place = name + ":" + std::to_string(++number);
    in_header = in_header && (line.empty() || line.starts_with(comment));
    has_figures = has_figures || (in_header && line.starts_with(figures_mark));
    if (in_header && line.starts_with(mark)) {
      result.push_back(LineReader(line.substr(mark.size()), place).read());
      result.back().line = number;
    } else if (line.find("expect:") != std::string_view::npos) {
      throw std::runtime_error(place + ": an expectation stands in the comment at the top and begins with '" + mark +
                               "'");
    }
  }
  if (result.empty())
    throw std::runtime_error(name + ": no expectation");
  if (!has_figures)
    throw std::runtime_error(name + ": no line '" + figures_mark + "...' says where the figures come from");
  return result;
}

}  // namespace tideline::testing
