// SPDX-License-Identifier: MIT
#include "base/diagnostics.h"

#include <algorithm>
#include <numeric>

namespace tideline {
namespace {

constexpr std::size_t kShownColumnsMax = 110;

// The text of line `number` (from 1), without its line end.
std::string_view line_of(std::string_view text, std::uint32_t number) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos)
      return {};
    begin = end + 1;
  }
  const std::size_t end = text.find('\n', begin);
  return text.substr(begin, end == std::string_view::npos ? std::string_view::npos : end - begin);
}

// In UTF-8 a character is a byte and perhaps some of these.
bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Blanks as wide as the text, and a caret.
std::string caret_below(std::string_view text) {
  const auto extra = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_character));
  return std::string(text.size() - extra, ' ') + "^";
}

// The part of a line around `column` (of bytes) that fits the terminal, control characters replaced, and a caret line
// below it.
std::string excerpt(std::string_view line, std::uint32_t column) {
  const std::size_t caret = std::min<std::size_t>(column == 0 ? 0 : column - 1, line.size());
  std::size_t first = caret > kShownColumnsMax - 20 ? caret - (kShownColumnsMax - 20) : 0;
  while (first < caret && continues_character(line[first]))
    ++first;
  std::string shown(line.substr(first, kShownColumnsMax));
  for (char& c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      c = ' ';
  }
  return "    " + shown + "\n    " + caret_below(line.substr(first, caret - first)) + "\n";
}

}  // namespace

void Diagnostics::error(Location where, std::string message, std::string hint) {
  if (++error_count_ <= kErrorsKept)
    all_.push_back({Severity::kError, where, std::move(message), std::move(hint)});
}

void Diagnostics::warning(Location where, std::string message, std::string hint) {
  if (all_.size() < 2 * kErrorsKept)
    all_.push_back({Severity::kWarning, where, std::move(message), std::move(hint)});
}

std::string Diagnostics::render() const {
  std::string out;
  for (const Diagnostic& one : all_) {
    out += file_;
    if (one.where.line != 0)
      out += ":" + std::to_string(one.where.line) + ":" + std::to_string(one.where.column);
    out += one.severity == Severity::kError ? ": error: " : ": warning: ";
    out += one.message;
    if (!one.hint.empty())
      out += " (" + one.hint + ")";
    out += "\n";
    if (one.where.line != 0)
      out += excerpt(line_of(text_, one.where.line), one.where.column);
  }
  if (error_count_ > kErrorsKept)
    out += file_ + ": " + std::to_string(error_count_ - kErrorsKept) + " more errors not shown\n";
  return out;
}

void forward_errors(const Diagnostics& inner, const std::string& option, const std::string& text, Diagnostics& outer) {
  for (const Diagnostic& one : inner.all()) {
    std::string message = option + ": " + one.message;
    if (!one.hint.empty())
      message += " (" + one.hint + ")";
    if (one.where.line == 1 && text.find('\n') == std::string::npos && text.size() <= 100)
      message += "\n    " + text + "\n    " + caret_below(std::string_view(text).substr(0, one.where.column - 1));
    outer.error({}, std::move(message));
  }
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLengthMax = 64;
  if (name.empty() || name.size() > kLengthMax)
    return {};
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLengthMax || candidate == name)
      continue;
    // Levenshtein distance, one row at a time; case slips are free.
    std::vector<std::size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const bool same = std::tolower(static_cast<unsigned char>(name[i - 1])) ==
                          std::tolower(static_cast<unsigned char>(candidate[j - 1]));
        const std::size_t substituted = diagonal + (same ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace tideline
